/* plots.c: the plots of a result as files for papers. The PDF files are made from the SVG files by
 * rsvg-convert, of librsvg; without it there are none.
 *
 *     folder -> may all be written? -> SVG -> PDF
 */
#include "cli/cli.h"

#include "pages/pages.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef char plot_path[PATH_MAX + SAL_PLOT_NAME + 32];

static const char *path_of(const cli_arguments *a, const sal_plot *plot, const char *ending,
                           plot_path path)
{
    snprintf(path, sizeof(plot_path), "%.*s/%s%s", PATH_MAX, a->value[CLI_OPT_PLOTS], plot->name,
             ending);
    return path;
}

/* ---- folder ---- */

static int open_folder(const cli_arguments *a)
{
    const char *folder = a->value[CLI_OPT_PLOTS];
    struct stat info;
    sal_err err = {0};
    if (stat(folder, &info) == 0 && !S_ISDIR(info.st_mode)) {
        const sal_status status =
            sal_fail(&err, SAL_BADPATH,
                     "'%.300s' is not a folder, and --plots writes files into one; give the path "
                     "of a folder",
                     folder);
        return cli_fail(a, status, &err);
    }
    const sal_status status = sal_file_make_folder(folder, NULL, &err);
    return status == SAL_OK ? CLI_EXIT_OK : cli_fail(a, status, &err);
}

/* Before any is written */
static int check_files(const cli_arguments *a, const sal_plots *plots)
{
    int code = CLI_EXIT_OK;
    plot_path path;
    for (int i = 0; i < plots->n && code == CLI_EXIT_OK; i++) {
        code = cli_may_write(a, path_of(a, plots->plot + i, ".svg", path), CLI_CONTENT_PICTURE);
        if (code == CLI_EXIT_OK) {
            code = cli_may_write(a, path_of(a, plots->plot + i, ".pdf", path), CLI_CONTENT_PDF);
        }
    }
    return code;
}

/* ---- SVG ---- */

static int write_svg(const cli_arguments *a, const sal_plot *plot)
{
    plot_path path;
    sal_err err = {0};
    const sal_status status =
        sal_file_write(path_of(a, plot, ".svg", path), plot->svg.data, plot->svg.length, &err);
    return status == SAL_OK ? CLI_EXIT_OK : cli_fail(a, status, &err);
}

/* ---- PDF ---- */

/* Under a temporary name first: who reads it sees a whole file. false, after a message: there are
 * no PDF files. */
static bool write_pdf(const cli_arguments *a, const sal_plot *plot, int *code)
{
    plot_path svg, pdf, part;
    char ending[32];
    snprintf(ending, sizeof ending, ".%ld.tmp", (long)getpid());
    path_of(a, plot, ".svg", svg);
    path_of(a, plot, ".pdf", pdf);
    path_of(a, plot, ending, part);
    const char *const convert[] = {"rsvg-convert", "--format=pdf", "-o", part, svg, NULL};
    const int ended = cli_program_end(cli_program_start(convert, true));
    if (ended == CLI_PROGRAM_ABSENT) {
        cli_say("no PDF files were written: rsvg-convert is not installed; to change this, "
                "install it (Debian: librsvg2-bin) and call this again");
        return false;
    }
    if (ended != 0 || rename(part, pdf) != 0) {
        unlink(part);
        cli_say("error: rsvg-convert cannot make '%.300s'", pdf);
        *code = CLI_EXIT_BADPATH;
        return false;
    }
    return true;
}

/* ---- all ---- */

static int write_all(const cli_arguments *a, const sal_plots *plots)
{
    int code = CLI_EXIT_OK;
    bool pdf = true;
    for (int i = 0; i < plots->n && code == CLI_EXIT_OK; i++) {
        code = write_svg(a, plots->plot + i);
        if (code == CLI_EXIT_OK && pdf) {
            pdf = write_pdf(a, plots->plot + i, &code);
        }
        if (code == CLI_EXIT_OK && !a->given[CLI_OPT_QUIET]) {
            plot_path path;
            fprintf(stderr, "plot: %s%s\n", path_of(a, plots->plot + i, ".svg", path),
                    pdf ? ", .pdf" : "");
        }
    }
    return code;
}

int cli_plots(const cli_arguments *a, const sal_result *result)
{
    sal_plots plots;
    sal_err err = {0};
    const sal_status status = sal_result_plots(&plots, result, &err);
    int code = status == SAL_OK ? open_folder(a) : cli_fail(a, status, &err);
    if (code == CLI_EXIT_OK) {
        code = check_files(a, &plots);
    }
    if (code == CLI_EXIT_OK) {
        code = write_all(a, &plots);
    }
    sal_plots_clear(&plots);
    return code;
}
