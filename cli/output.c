/* output.c: what a verb may write to: nothing that it reads, and no file of another kind than its
 * own. */
#include "cli/cli.h"
#include "exports/exports.h"

#include <string.h>
#include <sys/stat.h>

enum { HEAD = 1 << 16 };

static const char *const described[] = {
    [CLI_CONTENT_TEXT] = "a text",          [CLI_CONTENT_MODEL] = "a model",
    [CLI_CONTENT_PAGE] = "a page (HTML)",   [CLI_CONTENT_PICTURE] = "a picture (SVG)",
    [CLI_CONTENT_SCHEMA] = "an XML Schema", [CLI_CONTENT_HDF5] = "an HDF5 file, such as a result",
    [CLI_CONTENT_PROBLEM] = "a problem",    [CLI_CONTENT_SWEEP] = "the file of a sweep",
    [CLI_CONTENT_XML] = "an XML file",      [CLI_CONTENT_BINARY] = "a binary file",
    [CLI_CONTENT_PDF] = "a PDF file",       [CLI_CONTENT_FILM] = "a film (MP4, GIF)",
};

/* ---- pipes ---- */

bool cli_is_piped(const char *path)
{
    struct stat info;
    return strcmp(path, "-") == 0 || (stat(path, &info) == 0 && S_ISFIFO(info.st_mode));
}

bool cli_writes_out(const cli_arguments *a)
{
    return a->given[CLI_OPT_OUTPUT] && strcmp(a->value[CLI_OPT_OUTPUT], "-") == 0;
}

int cli_check_pipes(const cli_arguments *a)
{
    const cli_verb_id verb = cli_id_of_verb(a->verb);
    const bool folder = verb == CLI_VERB_SOLVE || verb == CLI_VERB_HARDEN ||
                        verb == CLI_VERB_PREDICT ||
                        (verb == CLI_VERB_SWEEP && !a->given[CLI_OPT_STATUS]);
    const bool piped = a->nfile > 0 && cli_is_piped(a->file[0]);
    const char *why = NULL;
    if (folder && cli_writes_out(a)) {
        why = "-o must name a folder here; it is '-', standard output";
    } else if (folder && piped && !a->given[CLI_OPT_OUTPUT]) {
        why = "the file comes through a pipe and has no name; name the folder of the results "
              "with -o DIR";
    } else if (folder && piped && sal_ranks_are_many(a->ranks)) {
        why = "several MPI ranks cannot read the same pipe; give the path of a file";
    } else if (verb == CLI_VERB_NEW && piped) {
        why = "the new problem must name the model's file; give the path of a file, not a pipe";
    } else if (cli_writes_out(a) && a->given[CLI_OPT_JSON]) {
        why = "--json and '-o -' both write to standard output; give the path of a file with -o";
    }
    if (why != NULL) {
        cli_say("error: %s", why);
    }
    return why == NULL ? CLI_EXIT_OK : CLI_EXIT_USAGE;
}

/* ---- what a file is, by how it begins ---- */

/* Behind the text `end` from `at` on; "" where it does not come. */
static const char *behind(const char *at, const char *end)
{
    const char *found = strstr(at, end);
    return found == NULL ? "" : found + strlen(end);
}

/* The first element, or <!DOCTYPE html */
static cli_content content_of_xml(const char *at)
{
    static const struct {
        const char *tag;
        cli_content content;
    } known[] = {{"mujoco", CLI_CONTENT_MODEL},       {"mujocoinclude", CLI_CONTENT_MODEL},
                 {"robot", CLI_CONTENT_MODEL},        {"problem", CLI_CONTENT_PROBLEM},
                 {"sweep", CLI_CONTENT_SWEEP},        {"xs:schema", CLI_CONTENT_SCHEMA},
                 {"xsd:schema", CLI_CONTENT_SCHEMA},  {"html", CLI_CONTENT_PAGE},
                 {"!DOCTYPE html", CLI_CONTENT_PAGE}, {"!doctype html", CLI_CONTENT_PAGE},
                 {"svg", CLI_CONTENT_PICTURE}};
    while (*at == '<') {
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            const size_t n = strlen(known[i].tag);
            if (strncmp(at + 1, known[i].tag, n) == 0 && strchr(" \t\r\n/>", at[n + 1]) != NULL) {
                return known[i].content;
            }
        }
        if (strncmp(at, "<!--", 4) == 0) {
            at = behind(at, "-->");
        } else if (strncmp(at, "<?", 2) == 0) {
            at = behind(at, "?>");
        } else if (strncmp(at, "<!", 2) == 0) {
            at = behind(at, ">");
        } else {
            break;
        }
        at += strspn(at, " \t\r\n");
    }
    return CLI_CONTENT_XML;
}

static cli_content content_of(const char *path)
{
    static const char hdf5[] = "\x89HDF\r\n\x1a\n"; /* HDF5 File Format Specification, II.A */
    static char head[HEAD + 1];
    const size_t n = sal_text_read_head(path, head, HEAD);
    head[n] = 0;
    if (n >= 8 && memcmp(head, hdf5, 8) == 0) {
        return CLI_CONTENT_HDF5;
    }
    if (n >= 5 && memcmp(head, "%PDF-", 5) == 0) { /* ISO 32000-1, 7.5.2 */
        return CLI_CONTENT_PDF;
    }
    /* ISO/IEC 14496-12, 4.3; GIF89a, 17 */
    if (n >= 8 && (memcmp(head + 4, "ftyp", 4) == 0 || memcmp(head, "GIF8", 4) == 0)) {
        return CLI_CONTENT_FILM;
    }
    if (n == 0 || memchr(head, 0, n) != NULL) {
        return CLI_CONTENT_BINARY; /* or it may not be read */
    }
    const char *at = strncmp(head, "\xEF\xBB\xBF", 3) == 0 ? head + 3 : head;
    at += strspn(at, " \t\r\n");
    return *at == '<' ? content_of_xml(at) : CLI_CONTENT_TEXT;
}

/* ---- whether it may be written ---- */

/* The option that says where to write */
static const char *way_out(const cli_arguments *a)
{
    return a->given[CLI_OPT_PLOTS] ? "--plots" : "-o";
}

static int refuse_input(const cli_arguments *a, const char *path)
{
    cli_say("error: '%.300s' is also read by this command, and would be lost; give another path "
            "with %s",
            path, way_out(a));
    return CLI_EXIT_USAGE;
}

int cli_may_write(const cli_arguments *a, const char *path, cli_content content)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
        return CLI_EXIT_OK;
    }
    if (sal_was_read(path)) {
        return refuse_input(a, path);
    }
    const cli_content old = info.st_size == 0 ? content : content_of(path);
    if (old == CLI_CONTENT_PROBLEM && content != old) {
        cli_say("error: '%.300s' is a problem, which may have been edited, and would be "
                "overwritten; give another path with %s, or delete the file first",
                path, way_out(a));
        return CLI_EXIT_USAGE;
    }
    if (old != content) {
        cli_say("error: '%.300s' would be overwritten: it is %s, and '%s' writes %s; give another "
                "path with %s, or delete the file first",
                path, described[old], a->verb->name, described[content], way_out(a));
        return CLI_EXIT_USAGE;
    }
    return CLI_EXIT_OK;
}

/* What `export --to` writes there. */
static cli_content content_of_export(const char *to, const char *path)
{
    const sal_export_format *format = sal_export_find(to);
    return strcmp(to, "mjcf") == 0 || strcmp(to, "keyframe") == 0   ? CLI_CONTENT_MODEL
           : strcmp(to, "gains") == 0 && sal_text_ends(path, ".h5") ? CLI_CONTENT_HDF5
           : format != NULL && format->binary                       ? CLI_CONTENT_BINARY
                                                                    : CLI_CONTENT_TEXT;
}

cli_content cli_content_written(const cli_arguments *a)
{
    const char *to = a->value[CLI_OPT_TO], *given = a->value[CLI_OPT_OUTPUT],
               *path = given == NULL ? "" : given;
    const cli_verb_id verb = cli_id_of_verb(a->verb);
    if (verb == CLI_VERB_EXPORT && to != NULL) {
        return content_of_export(to, path);
    }
    if (verb == CLI_VERB_FOLLOW && a->given[CLI_OPT_PLATES]) {
        return CLI_CONTENT_HDF5;
    }
    return verb == CLI_VERB_REPORT && cli_is_film(path)              ? CLI_CONTENT_FILM
           : verb == CLI_VERB_REPORT && sal_text_ends(path, ".svg")  ? CLI_CONTENT_PICTURE
           : verb == CLI_VERB_REPORT                                 ? CLI_CONTENT_PAGE
           : verb == CLI_VERB_SCHEMA                                 ? CLI_CONTENT_SCHEMA
           : verb == CLI_VERB_PERSON || verb == CLI_VERB_CONVERT     ? CLI_CONTENT_MODEL
           : verb == CLI_VERB_SIMULATE && sal_text_ends(path, ".h5") ? CLI_CONTENT_HDF5
                                                                     : CLI_CONTENT_TEXT;
}

static bool is_same_file(const char *path, const char *other)
{
    struct stat one, two;
    return path != NULL && other != NULL && stat(path, &one) == 0 && stat(other, &two) == 0 &&
           S_ISREG(one.st_mode) && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

int cli_check_output(const cli_arguments *a)
{
    const char *path = a->value[CLI_OPT_OUTPUT];
    bool same = is_same_file(a->value[CLI_OPT_CONTROLS], path) ||
                is_same_file(a->value[CLI_OPT_STATIC], path) ||
                is_same_file(a->value[CLI_OPT_MARKERS], path);
    for (int i = 0; i < a->nfile; i++) {
        same = same || is_same_file(a->file[i], path);
    }
    if (same && !cli_writes_out(a)) {
        return refuse_input(a, path);
    }
    return path == NULL || cli_writes_out(a) ? CLI_EXIT_OK
                                             : cli_may_write(a, path, cli_content_written(a));
}

int cli_write(const cli_arguments *a, const sal_text *text, const char *path)
{
    sal_err err;
    if (text->failed) {
        sal_fail(&err, SAL_NOMEM, "out of memory");
        return cli_fail(a, SAL_NOMEM, &err);
    }
    if (path == NULL || strcmp(path, "-") == 0) {
        fwrite(text->data, 1, text->length, stdout);
        return CLI_EXIT_OK; /* main looks after the standard output */
    }
    const int code = cli_may_write(a, path, cli_content_written(a));
    if (code != CLI_EXIT_OK) {
        return code;
    }
    const sal_status status =
        sal_file_write(path, text->data == NULL ? "" : text->data, text->length, &err);
    return status == SAL_OK ? CLI_EXIT_OK : cli_fail(a, status, &err);
}
