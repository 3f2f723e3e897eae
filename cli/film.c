/* film.c: a motion as a film (.mp4, .gif). Chromium draws the pictures, as a page that plays the
 * motion does when it is asked to (viewer/film.js), and ffmpeg makes the film of them. Both are
 * programs of their own.
 *
 *     page -> chromium --dump-dom -> base 64 -> JPEG -> ffmpeg -> film
 */
#include "cli/cli.h"

#include "pages/pages.h"

#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATHS = 6000 };

typedef struct format {
    const char *ending;
    /* of a picture; pictures a second */
    const char *width, *height, *rate;
    /* what ffmpeg is told behind its input */
    const char *const *options;
} format;

static const char *const mp4_options[] = {"-c:v", "libx264",  "-preset", "fast",      "-crf",
                                          "18",   "-pix_fmt", "yuv420p", "-movflags", "+faststart",
                                          "-f",   "mp4",      NULL};
/* A palette of its own: the usual one has too few greys for the floor. */
static const char *const gif_options[] = {
    "-filter_complex",
    "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse",
    "-loop",
    "0",
    "-f",
    "gif",
    NULL};
/* 20 a second: a GIF file counts hundredths of a second */
static const format formats[] = {{".mp4", "1280", "720", "30", mp4_options},
                                 {".gif", "640", "360", "20", gif_options}};

enum { NFORMAT = sizeof formats / sizeof formats[0] };

/* Which of them; NFORMAT: none */
static size_t format_of(const char *path)
{
    const char *ending = strrchr(path, '.');
    size_t i = 0;
    while (i < NFORMAT && (ending == NULL || strcmp(ending, formats[i].ending) != 0)) {
        i++;
    }
    return i;
}

bool cli_is_film(const char *path)
{
    return format_of(path) < NFORMAT;
}

/* ---- programs ---- */

/* The first of these names that is a program on the PATH; NULL: none. */
static const char *find_program(const char *const *name)
{
    const char *paths = getenv("PATH");
    char file[PATHS];
    for (; *name != NULL; name++) {
        for (const char *at = paths == NULL ? "" : paths; *at != 0;) {
            const int n = (int)strcspn(at, ":");
            snprintf(file, sizeof file, "%.*s/%s", n, at, *name);
            if (access(file, X_OK) == 0) {
                return *name;
            }
            at += n + (at[n] == ':');
        }
    }
    return NULL;
}

static pid_t start_chromium(const char *program, const char *folder, const format *f, FILE **from)
{
    char profile[PATHS], address[PATHS];
    snprintf(profile, sizeof profile, "--user-data-dir=%s/profile", folder);
    snprintf(address, sizeof address, "file://%s/page.html#film=%s,%s,%s", folder, f->width,
             f->height, f->rate);
    /* drawn by the processor, which is there everywhere; no sandbox, for it opens this page only */
    const char *const argv[] = {program,
                                "--headless=new",
                                "--no-sandbox",
                                "--disable-gpu-sandbox",
                                "--use-angle=swiftshader",
                                "--enable-unsafe-swiftshader",
                                "--no-first-run",
                                "--virtual-time-budget=60000",
                                profile,
                                "--dump-dom",
                                address,
                                NULL};
    return cli_program_pipe(argv, STDOUT_FILENO, from);
}

static pid_t start_ffmpeg(const char *program, const char *part, const format *f, FILE **to)
{
    const char *argv[40] = {program, "-y",    "-loglevel",  "quiet", "-f", "image2pipe",
                            "-c:v",  "mjpeg", "-framerate", f->rate, "-i", "-"};
    int n = 0;
    while (argv[n] != NULL) {
        n++;
    }
    for (int i = 0; f->options[i] != NULL; i++) {
        argv[n++] = f->options[i];
    }
    argv[n++] = part;
    argv[n] = NULL;
    return cli_program_pipe(argv, STDIN_FILENO, to);
}

/* ---- the pictures ---- */

/* Reads up to the end of this text; false: it does not come. */
static bool skip_to(FILE *in, const char *text)
{
    size_t known = 0;
    int c;
    while (text[known] != 0 && (c = getc(in)) != EOF) {
        known = c == text[known] ? known + 1 : c == text[0];
    }
    return text[known] == 0;
}

/* The six bits of a letter of base 64 (RFC 4648); -1: it is none. */
static int bits_of(int c)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c <= 0 ? NULL : strchr(letters, c);
    return at == NULL ? -1 : (int)(at - letters);
}

/* Lines of base 64, up to the end of the element, as bytes. How many lines there are. */
static int copy_pictures(FILE *in, FILE *out)
{
    unsigned word = 0;
    int held = 0, npicture = 0, c;
    for (bool begun = false; (c = getc(in)) != EOF && c != '<';) {
        const int bits = bits_of(c);
        if (bits >= 0) {
            npicture += !begun;
            begun = true;
            word = word << 6 | (unsigned)bits;
            held += 6;
        }
        if (held >= 8) {
            held -= 8;
            putc((int)(word >> held & 0xff), out);
        }
        if (c == '\n') {
            begun = false;
            held = 0;
        }
    }
    return npicture;
}

/* ---- the folder in between ---- */

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info, (void)type, (void)where;
    return remove(path);
}

static void remove_folder(const char *folder)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static bool make_folder(char *folder, size_t n)
{
    const char *parent = getenv("TMPDIR");
    snprintf(folder, n, "%.3000s/saltus-film-XXXXXX",
             parent == NULL || parent[0] != '/' ? P_tmpdir : parent);
    return mkdtemp(folder) != NULL;
}

/* ---- all ---- */

static int fail(const cli_arguments *a, const char *why)
{
    sal_err err;
    return cli_fail(a, sal_fail(&err, SAL_BADPATH, "%s", why), &err);
}

typedef struct tools {
    const char *chromium, *ffmpeg;
} tools;

static int find_tools(const cli_arguments *a, tools *t)
{
    static const char *const browsers[] = {"chromium", "chromium-browser", "google-chrome", NULL},
                             *const encoders[] = {"ffmpeg", NULL};
    char why[300];
    *t = (tools){find_program(browsers), find_program(encoders)};
    if (t->chromium == NULL || t->ffmpeg == NULL) {
        snprintf(why, sizeof why,
                 "a film needs the programs chromium and ffmpeg, and %s is not installed; install "
                 "it (Debian: %s)",
                 t->chromium == NULL ? "chromium" : "ffmpeg",
                 t->chromium == NULL ? "chromium" : "ffmpeg");
        return fail(a, why);
    }
    return sal_report_plays() ? CLI_EXIT_OK
                              : fail(a, "a film is made of a page that plays: " CLI_STILL);
}

/* Runs both; how many pictures the film has, or 0, with the reason. */
static int run_tools(const tools *t, const char *folder, const char *part, const format *f,
                     const char **why)
{
    FILE *from, *to;
    const pid_t encoder = start_ffmpeg(t->ffmpeg, part, f, &to),
                browser = start_chromium(t->chromium, folder, f, &from);
    int npicture = 0;
    if (from != NULL && to != NULL && skip_to(from, "<pre id=\"film\">")) {
        npicture = copy_pictures(from, to);
    }
    const bool written = to == NULL || fclose(to) == 0;
    while (from != NULL && getc(from) != EOF) {
    }
    if (from != NULL) {
        fclose(from);
    }
    const bool drawn = cli_program_end(browser) == 0, encoded = cli_program_end(encoder) == 0;
    *why = !drawn          ? "chromium cannot draw the page that plays the motion"
           : npicture == 0 ? "chromium cannot draw in three dimensions here: it has no WebGL"
           : !encoded      ? "ffmpeg cannot make the film; is its encoder libx264 there?"
           : written       ? NULL
                           : "the pictures cannot be handed to ffmpeg";
    return *why == NULL ? npicture : 0;
}

/* Under a temporary name first: who reads it sees a whole film. */
static int make_film(const cli_arguments *a, const tools *t, const char *folder, const char *path)
{
    char part[PATHS];
    const char *why = NULL;
    snprintf(part, sizeof part, "%.5000s.%ld.tmp", path, (long)getpid());
    const int npicture = run_tools(t, folder, part, formats + format_of(path), &why);
    if (npicture > 0 && !cli_stop_asked() && rename(part, path) == 0) {
        if (!a->given[CLI_OPT_QUIET]) {
            fprintf(stderr, "film: %s, %d pictures\n", path, npicture);
        }
        return CLI_EXIT_OK;
    }
    unlink(part);
    return cli_stop_asked() ? CLI_EXIT_INTERRUPTED
                            : fail(a, why != NULL ? why : "the film cannot get its name");
}

int cli_film(const cli_arguments *a, const sal_text *page, const char *path)
{
    char folder[PATHS - 1000], file[PATHS];
    tools t;
    sal_err err = {0};
    const int code = find_tools(a, &t);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    if (!make_folder(folder, sizeof folder)) {
        return fail(a, "no folder can be made for the page of the film; see TMPDIR");
    }
    cli_catch_stop();
    snprintf(file, sizeof file, "%s/page.html", folder);
    const sal_status status = sal_file_write(file, page->data, page->length, &err);
    const int made = status == SAL_OK ? make_film(a, &t, folder, path) : cli_fail(a, status, &err);
    remove_folder(folder);
    return made;
}
