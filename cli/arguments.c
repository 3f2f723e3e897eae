#include "cli/cli.h"
#include "cli/ranks.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static const cli_option_row option_rows[] = {
#define OPTION_ROW(code, name, value, doc) {name, value, doc},
    CLI_OPTION_LIST(OPTION_ROW)
#undef OPTION_ROW
};

const cli_option_row *cli_option_at(int option)
{
    return &option_rows[option];
}

/* ---- usage ---- */

/* Each line of `text` with blanks before it. */
static void put_indented(FILE *out, const char *text)
{
    while (*text != 0) {
        const int n = (int)strcspn(text, "\n");
        fprintf(out, "  %.*s\n", n, text);
        text += n + (text[n] == '\n');
    }
}

void cli_usage(FILE *out, const cli_verb *verb)
{
    if (verb == NULL) {
        fputs("usage: saltus VERB ARGUMENTS [OPTIONS]\n\n", out);
        for (int i = 0; (verb = cli_verb_at(i)) != NULL; i++) {
            fprintf(out, "  %-10s %-17s %s\n", verb->name, verb->files, verb->doc);
        }
        fputs("\n'saltus help VERB' explains a verb, 'saltus explain 3' an exit code.\n", out);
        return;
    }
    fprintf(out, "usage: saltus %s %s [OPTIONS]\n%s\n", verb->name, verb->files, verb->doc);
    if (verb->more != NULL) {
        fprintf(out, "\n%s\n", verb->more);
    }
    fputs("\nfor example:\n", out);
    put_indented(out, verb->example);
    fputs("\n", out);
    for (int i = 0; i < CLI_NOPTION; i++) {
        if (verb->takes[i]) {
            const char *value = option_rows[i].value == NULL ? "" : option_rows[i].value;
            fprintf(out, "  %s %-*s %s\n", option_rows[i].name,
                    (int)(24 - strlen(option_rows[i].name)), value, option_rows[i].doc);
        }
    }
}

/* ---- one argument ---- */

static void complain_option(const cli_verb *verb, const char *word)
{
    const char *names[CLI_NOPTION];
    sal_text list = {0};
    size_t n = 0;
    for (int i = 0; i < CLI_NOPTION; i++) {
        if (verb == NULL || verb->takes[i]) {
            names[n++] = option_rows[i].name;
            sal_text_format(&list, "%s%s", n > 1 ? ", " : "", option_rows[i].name);
        }
    }
    const char *nearest = sal_text_nearest(word, names, n);
    if (nearest != NULL) {
        cli_say("error: unknown option '%.100s'; did you mean '%s'?", word, nearest);
    } else {
        cli_say("error: unknown option '%.100s'; the options are %s", word,
                list.failed ? "too many to list" : list.data);
    }
    sal_text_clear(&list);
}

static int find_option(const char *word, size_t n)
{
    for (int i = 0; i < CLI_NOPTION; i++) {
        if (strlen(option_rows[i].name) == n && memcmp(option_rows[i].name, word, n) == 0) {
            return i;
        }
    }
    return n == 2 && memcmp(word, "-h", 2) == 0 ? CLI_OPT_HELP : -1;
}

/* false, after a message */
static bool starve(cli_arguments *a)
{
    a->starved = true;
    cli_say("error: out of memory");
    return false;
}

/* "path=value" into a setting with copies of its own */
static bool add_setting(cli_arguments *a, const char *text)
{
    const char *split = strchr(text, '=');
    if (split == NULL || split == text) {
        cli_say("error: --set needs PATH=VALUE, such as term[effort]/weight=2; '%.100s' is not of "
                "this form",
                text);
        return false;
    }
    char *path = sal_alloc(strlen(text) + 1, 1);
    if (path == NULL) {
        return starve(a);
    }
    memcpy(path, text, strlen(text) + 1);
    path[split - text] = 0;
    a->setting[a->nsetting++] = (sal_setting){path, path + (split - text) + 1};
    return true;
}

/* --threads, -j */
static bool read_number(int *n, const char *option, const char *value)
{
    *n = sal_text_whole(value);
    if (*n < 1 || *n > 4096) {
        cli_say("error: %s must be a whole number from 1 to 4096; it is '%.100s'", option, value);
        return false;
    }
    return true;
}

/* "I/N" */
static bool read_shard(cli_arguments *a, const char *value)
{
    char first[12];
    const char *slash = strchr(value, '/');
    const size_t n = slash == NULL ? sizeof first : (size_t)(slash - value);
    int i = -1;
    if (n < sizeof first) {
        memcpy(first, value, n);
        first[n] = 0;
        i = sal_text_whole(first);
        a->nshard = sal_text_whole(slash + 1);
    }
    a->shard = i - 1;
    if (i < 1 || i > a->nshard) {
        cli_say("error: --shard must be I/N with 1 <= I <= N, such as 2/8; it is '%.100s'", value);
        return false;
    }
    return true;
}

/* Numbers from range[0] to range[1], with commas between them: how many, of at most n; 0 where one
 * is none or out of the range. *end is behind them. */
static int numbers(double *x, int n, const double range[2], const char *text, const char **end)
{
    int found = 0;
    bool more = true;
    for (*end = text; more; more = found < n && **end == ',') {
        const char *at = *end + (found > 0);
        if (!sal_text_number(at, end, x + found) ||
            !(x[found] >= range[0] && x[found] <= range[1])) {
            return 0;
        }
        found++;
    }
    return found;
}

bool cli_read_numbers(double *x, int n, const double range[2], const char *option, const char *what,
                      const char *value)
{
    const char *end;
    if (numbers(x, n, range, value, &end) != n || *end != 0) {
        cli_say("error: %s must be %s; it is '%.100s'", option, what, value);
        return false;
    }
    return true;
}

static bool read_positive(double *x, const char *option, const char *what, const char *value)
{
    return cli_read_numbers(x, 1, (double[2]){DBL_MIN, 1e9}, option, what, value);
}

static bool read_memory(cli_arguments *a, const char *value)
{
    const bool good = read_positive(&a->memory, "--memory", "a number of GB greater than 0", value);
    a->memory *= 1e9;
    return good;
}

/* "2G", "500M", "64k", "1000" */
static bool read_size(cli_arguments *a, const char *value)
{
    static const char units[] = "kMGT";
    const char *end, *unit;
    double size, factor = 1;
    bool good = sal_text_number(value, &end, &size);
    if (good && *end != 0) {
        unit = strchr(units, *end == 'K' ? 'k' : *end);
        good = unit != NULL && end[1] == 0;
        for (long k = 0; good && k <= unit - units; k++) {
            factor *= 1024;
        }
    }
    if (!good || !(size * factor >= 1 && size * factor < 0x1p50)) {
        cli_say("error: --max-size must be a number of bytes, also with k, M, G or T behind it, "
                "such as 4G; it is '%.100s'",
                value);
        return false;
    }
    a->most = (size_t)(size * factor);
    return true;
}

/* "50@1.5", "50,-20@1.5" */
static bool read_push(cli_arguments *a, const char *value)
{
    const double force[2] = {-1e9, 1e9}, time[2] = {0, 1e9};
    const char *end;
    a->push[1] = 0;
    const bool good = numbers(a->push, 2, force, value, &end) > 0 && *end == '@' &&
                      numbers(&a->push_time, 1, time, end + 1, &end) == 1 && *end == 0;
    if (!good) {
        cli_say("error: --push must be N@T or NX,NY@T, forces in N and a time in s, such as "
                "50@1.5; it is '%.100s'",
                value);
    }
    return good;
}

/* Values of the smoothing table, in its ranges, and the time step */
static bool read_table(cli_arguments *a, int option, const char *value)
{
    static const struct {
        int option;
        double range[2];
        const char *what;
    } rows[] = {
        {CLI_OPT_WIDTH, {DBL_MIN, 10}, "a width greater than 0 and at most 10, in m"},
        {CLI_OPT_DMAX, {DBL_MIN, 1 - DBL_EPSILON}, "an impedance greater than 0 and less than 1"},
        {CLI_OPT_IMPRATIO, {DBL_MIN, 1e6}, "a ratio greater than 0 and at most 1e6"},
        {CLI_OPT_TIMECONST, {DBL_MIN, 1000}, "a time greater than 0 and at most 1000 s"},
        {CLI_OPT_TIMESTEP, {DBL_MIN, 1e9}, "'model', or a time greater than 0, in s"}};
    double *const x[] = {&a->width, &a->dmax, &a->impratio, &a->timeconst, &a->timestep};
    int i = 0;
    while (rows[i].option != option) {
        i++;
    }
    return cli_read_numbers(x[i], 1, rows[i].range, option_rows[option].name, rows[i].what, value);
}

/* What `harden` asks for */
static bool read_hardening(cli_arguments *a, int option, const char *value)
{
    const bool model = strcmp(value, "model") == 0;
    if (option == CLI_OPT_REFINE) {
        a->refine = sal_text_whole(value);
        if (a->refine < 2 || a->refine > 1000) {
            cli_say("error: --refine must be a whole number from 2 to 1000; it is '%.100s'", value);
            return false;
        }
        return true;
    }
    if (option == CLI_OPT_CONTACT && !model) {
        cli_say("error: --contact must be model; it is '%.100s'. Contacts of the smoothing table "
                "are changed by --width, --dmax, --impratio and --timeconst",
                value);
        return false;
    }
    return option == CLI_OPT_CONTACT || (option == CLI_OPT_TIMESTEP && model) ||
           read_table(a, option, value);
}

/* Of a grown person, or of a child. */
static bool read_person(cli_arguments *a, int option, const char *value)
{
    const double kg[2] = {1, 500}, m[2] = {.5, 2.7};
    return option == CLI_OPT_MASS
               ? cli_read_numbers(&a->mass, 1, kg, "--mass", "a mass from 1 to 500 kg", value)
               : cli_read_numbers(&a->height, 1, m, "--height", "a height from 0.5 to 2.7 m",
                                  value);
}

static bool read_contact_model(cli_arguments *a, const char *value)
{
    a->contact_model = sal_contact_model_named(value);
    if (a->contact_model < 0) {
        cli_say("error: --contact-model must be one of" CLI_CONTACT_MODELS "; it is '%.100s'",
                value);
    }
    return a->contact_model >= 0;
}

static bool read_solver(cli_arguments *a, const char *value)
{
    a->solver = sal_solver_named(value);
    if (a->solver < 0) {
        cli_say("error: --solver must be one of" CLI_SOLVERS "; it is '%.100s'", value);
    }
    return a->solver >= 0;
}

/* Options whose value is a word; false after a message. */
static bool check_word(int option, const char *value)
{
    if (option == CLI_OPT_COMPAT && sal_mujoco_named(value) < 0) {
        cli_say("error: --compat must be 3.14, 3.12 or 2.2.2; it is '%.100s'", value);
        return false;
    }
    if (option == CLI_OPT_INTERPOLATE && strcmp(value, "hold") != 0 &&
        strcmp(value, "linear") != 0) {
        cli_say("error: --interpolate must be hold or linear; it is '%.100s'", value);
        return false;
    }
    if (option == CLI_OPT_COLOR && !cli_colour(value)) {
        cli_say("error: --color must be auto, always or never; it is '%.100s'", value);
        return false;
    }
    if (option == CLI_OPT_OUTPUT && value[0] == 0) {
        cli_say("error: the path given with -o is empty");
        return false;
    }
    return true;
}

static bool read_value(cli_arguments *a, int option, const char *value)
{
    a->value[option] = value;
    if (option >= CLI_OPT_TIMESTEP && option <= CLI_OPT_TIMECONST) {
        return read_hardening(a, option, value);
    }
    if (option == CLI_OPT_SET) {
        return add_setting(a, value);
    }
    if (option == CLI_OPT_WHERE) {
        sal_text_format(&a->where, "%s%s", a->where.length > 0 ? " " : "", value);
        return !a->where.failed || starve(a);
    }
    if (option == CLI_OPT_THREADS) {
        return read_number(&a->nthread, "--threads", value);
    }
    if (option == CLI_OPT_WORKERS) {
        return read_number(&a->nworker, "-j", value);
    }
    if (option == CLI_OPT_CYCLES) {
        return read_number(&a->cycles, "--cycles", value);
    }
    if (option == CLI_OPT_RATE) {
        return read_positive(&a->rate, "--rate", "a number of frames per second greater than 0",
                             value);
    }
    if (option == CLI_OPT_SHARD) {
        return read_shard(a, value);
    }
    if (option == CLI_OPT_MEMORY) {
        return read_memory(a, value);
    }
    if (option == CLI_OPT_TOLERANCE || option == CLI_OPT_NOISE) {
        return read_positive(option == CLI_OPT_NOISE ? &a->noise : &a->tolerance,
                             option_rows[option].name, "a number greater than 0, in m and rad",
                             value);
    }
    if (option == CLI_OPT_MASS || option == CLI_OPT_HEIGHT) {
        return read_person(a, option, value);
    }
    if (option == CLI_OPT_CONTACTMODEL) {
        return read_contact_model(a, value);
    }
    if (option == CLI_OPT_SOLVER) {
        return read_solver(a, value);
    }
    if (option == CLI_OPT_KAPPA) {
        return read_positive(&a->kappa, "--kappa", "a number greater than 0", value);
    }
    if (option == CLI_OPT_PUSH) {
        return read_push(a, value);
    }
    if (option == CLI_OPT_MAXSIZE) {
        return read_size(a, value);
    }
    if (option == CLI_OPT_TIME || option == CLI_OPT_PATIENCE) {
        return read_positive(option == CLI_OPT_TIME ? &a->time : &a->patience,
                             option_rows[option].name, "a number of seconds greater than 0", value);
    }
    return check_word(option, value);
}

/* Reads the option argv[*i], and its value, which may be part of the word (--set=PATH=VALUE) or the
 * next one. */
static bool read_option(cli_arguments *a, int *i)
{
    const char *word = a->argv[*i];
    const char *equals = word[1] == '-' ? strchr(word, '=') : NULL;
    const size_t n = equals == NULL ? strlen(word) : (size_t)(equals - word);
    const int option = find_option(word, n);
    if (option < 0) {
        complain_option(a->verb, word);
        return false;
    }
    a->given[option] = true;
    if (option_rows[option].value == NULL) {
        if (equals != NULL) {
            cli_say("error: %s takes no value", option_rows[option].name);
            return false;
        }
        return true;
    }
    if (equals != NULL) {
        return read_value(a, option, equals + 1);
    }
    if (*i + 1 >= a->argc) {
        cli_say("error: %s needs a value: %s", option_rows[option].name, option_rows[option].value);
        return false;
    }
    return read_value(a, option, a->argv[++*i]);
}

static bool read_word(cli_arguments *a, const char *word)
{
    if (a->verb != NULL) {
        if (a->nfile >= a->verb->most) {
            cli_say("error: '%s' takes %s; remove the extra argument '%.100s'", a->verb->name,
                    a->verb->files, word);
            return false;
        }
        a->file[a->nfile++] = word;
        return true;
    }
    a->verb = cli_find_verb(word);
    if (a->verb == NULL) {
        const char *nearest = cli_nearest_verb(word);
        if (nearest != NULL) {
            cli_say("error: unknown verb '%.100s'; did you mean '%s'?", word, nearest);
        } else {
            cli_say("error: unknown verb '%.100s'", word);
            cli_usage(stderr, NULL);
        }
        return false;
    }
    return true;
}

/* ---- all of them ---- */

/* What --help and --version mean wherever they stand. */
static void redirect(cli_arguments *a)
{
    if (a->given[CLI_OPT_HELP] || a->given[CLI_OPT_VERSION]) {
        a->file[0] = a->verb == NULL ? NULL : a->verb->name;
        a->nfile = a->verb == NULL ? 0 : 1;
        a->verb = cli_find_verb("help");
    }
}

static bool check_use(const cli_arguments *a)
{
    if (a->verb == NULL) {
        cli_usage(stderr, NULL);
        return false;
    }
    for (int i = 0; i < CLI_NOPTION; i++) {
        if (a->given[i] && !a->verb->takes[i]) {
            complain_option(a->verb, option_rows[i].name);
            return false;
        }
    }
    if (cli_started_ranks() > 1 && !a->verb->takes[CLI_VERB_RANKS]) {
        cli_say("error: '%s' cannot run as several MPI ranks; start it without mpirun",
                a->verb->name);
        return false;
    }
    if (a->nfile < a->verb->least) {
        cli_say("error: '%s' needs %s", a->verb->name, a->verb->files);
        return false;
    }
    return true;
}

static bool check_barrier(const cli_arguments *a)
{
    if (a->given[CLI_OPT_VBARRIER] &&
        !(a->given[CLI_OPT_CONTACTMODEL] && a->contact_model == SAL_CONTACT_LOGBARRIER)) {
        cli_say("error: --vbarrier needs --contact-model logbarrier");
        return false;
    }
    return true;
}

bool cli_arguments_parse(cli_arguments *a, int argc, char **argv)
{
    *a = (cli_arguments){.argc = argc,
                         .argv = argv,
                         .nthread = cli_rank_threads(sal_parallel_max()),
                         .nshard = 1,
                         .patience = 60,
                         .tolerance = 0.05};
    a->setting = sal_alloc((size_t)argc, sizeof *a->setting);
    if (a->setting == NULL) {
        return starve(a);
    }
    bool only_words = false; /* behind -- */
    for (int i = 1; i < argc; i++) {
        if (!only_words && strcmp(argv[i], "--") == 0) {
            only_words = true;
        } else if (!only_words && argv[i][0] == '-' && argv[i][1] != 0) {
            if (!read_option(a, &i)) {
                return false;
            }
        } else if (!read_word(a, argv[i])) {
            return false;
        }
    }
    if (a->given[CLI_OPT_HELP] || a->given[CLI_OPT_VERSION]) {
        redirect(a);
        return true;
    }
    return check_use(a) && check_barrier(a);
}

void cli_arguments_free(cli_arguments *a)
{
    for (int i = 0; i < a->nsetting; i++) {
        const char *path = a->setting[i].path;
        void *block;
        memcpy(&block, &path, sizeof block); /* our own copy; settings of others are constant */
        sal_free(block);
    }
    sal_text_clear(&a->where);
    sal_free(a->setting);
    a->setting = NULL;
    a->nsetting = 0;
}
