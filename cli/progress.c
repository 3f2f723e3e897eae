/* Progress of a solve. On a terminal each start has a line, which is redrawn, and a last one says
 * how long it has taken and that Ctrl-C is safe. Elsewhere a plain line is written when a start
 * enters another phase, and now and then. With -v there is a table instead, a line of at most 100
 * columns for every accepted linearisation. All of these go to iterations.jsonl, one object a line.
 */
#include "cli/cli.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double REDRAWN = 0.05, PLAIN = 10; /* s between two lines of the same phase */
enum { COLUMNS = 90 };                          /* of a start's line, at most */

static volatile sig_atomic_t stop_asked;

static void ask_stop(int number)
{
    if (stop_asked) { /* a second one does not wait for the end of the iteration */
        signal(number, SIG_DFL);
        raise(number);
    }
    stop_asked = 1;
}

void cli_catch_stop(void)
{
    struct sigaction action = {.sa_handler = ask_stop};
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool cli_stop_asked(void)
{
    return stop_asked != 0;
}

double cli_now(void)
{
    return sal_seconds_now();
}

void cli_progress_begin(cli_progress_view *view, const cli_arguments *a)
{
    *view = (cli_progress_view){.quiet = a->given[CLI_OPT_QUIET],
                                .verbose = a->given[CLI_OPT_VERBOSE],
                                .terminal = cli_says_on_terminal(),
                                .begin = cli_now()};
    if (view->terminal && !view->verbose) {
        struct winsize size; /* lines that are wrapped cannot be redrawn */
        view->terminal = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 ||
                         (size.ws_col > COLUMNS && size.ws_row > CLI_START_LINES + 2);
    }
    view->colour = view->terminal && cli_is_coloured();
    cli_catch_stop();
}

static void record(const cli_progress_view *view, int start, const sal_progress *p)
{
    sal_text text = {0};
    sal_json json = {.out = &text};
    sal_json_object(&json, NULL);
    sal_json_integer(&json, "start", start);
    sal_json_integer(&json, "linearisation", p->linearisation);
    sal_json_string(&json, "phase", p->phase);
    sal_json_number(&json, "softness", p->softness);
    sal_json_number(&json, "cost", p->cost);
    sal_json_number(&json, "violation", p->violation);
    sal_json_number(&json, "step", p->step);
    sal_json_number(&json, "damping", p->damping);
    sal_json_number(&json, "seconds", cli_now() - view->begin);
    sal_json_end(&json);
    if (!text.failed) {
        fprintf(view->record, "%s\n", text.data);
        fflush(view->record);
    }
    sal_text_clear(&text);
}

/* ---- with -v: the table ---- */

static void head(cli_progress_view *view)
{
    if (view->nline++ % 40 == 0) {
        fprintf(stderr, "%s%5s %5s %-8s %8s %12s %12s %10s %10s %8s%s\n",
                view->colour ? "\033[1m" : "", "start", "iter", "phase", "softness", "cost",
                "violation", "step", "damping", "seconds", view->colour ? "\033[0m" : "");
    }
}

static void write_row(cli_progress_view *view, int start, const sal_progress *p, double seconds)
{
    if (view->terminal) {
        fputs("\r\033[K", stderr);
    }
    head(view);
    fprintf(stderr, "%5d %5d %-8.8s %8.4f %12.6g %12.3e %10.2e %10.2e %8.2f\n", start,
            p->linearisation, p->phase, p->softness, p->cost, p->violation, p->step, p->damping,
            seconds);
}

/* ---- else: a line for each start ---- */

static void write_start(const cli_progress_view *view, const cli_start_line *l)
{
    fprintf(stderr,
            "%sstart %-3d%s %-8s iteration %-5d cost %-12.6g violation %-10.2e softness %.3g\n",
            view->colour ? "\033[1m" : "", l->start, view->colour ? "\033[0m" : "", l->phase,
            l->at.linearisation, l->at.cost, l->at.violation, l->at.softness);
}

static void write_foot(const cli_progress_view *view)
{
    fprintf(stderr,
            stop_asked ? "stopping after this iteration .. "
                       : "%.0f s; Ctrl-C stops and keeps the best motion so far ",
            cli_now() - view->begin);
}

/* From the first line of the block on, over what stands there. */
static void redraw(cli_progress_view *view)
{
    fputs("\r", stderr);
    if (view->ndrawn > 0) {
        fprintf(stderr, "\033[%dA", view->ndrawn);
    }
    view->ndrawn = 0;
    for (int i = 0; i < view->nstart; i++) {
        fputs("\033[K", stderr);
        if (view->line[i].known) {
            write_start(view, view->line + i);
            view->ndrawn++;
        }
    }
    fputs("\033[K", stderr);
}

static void show_start(cli_progress_view *view, int start, const sal_progress *p, double seconds)
{
    cli_start_line *l = view->line + start % CLI_START_LINES;
    const bool changed = !l->known || l->start != start || strcmp(l->phase, p->phase) != 0;
    l->known = true;
    l->start = start;
    l->at = *p;
    snprintf(l->phase, sizeof l->phase, "%s", p->phase);
    if (start % CLI_START_LINES >= view->nstart) {
        view->nstart = start % CLI_START_LINES + 1;
    }
    if (!changed && seconds - view->written < (view->terminal ? REDRAWN : PLAIN)) {
        return;
    }
    view->written = seconds;
    if (view->terminal) {
        redraw(view);
    } else {
        write_start(view, l);
    }
}

bool cli_progress_step(void *user, int start, const sal_progress *p)
{
    cli_progress_view *view = user;
    const double seconds = cli_now() - view->begin;
    if (view->record != NULL) {
        record(view, start, p);
    }
    if (!view->quiet) {
        if (view->verbose) {
            write_row(view, start, p, seconds);
        } else {
            show_start(view, start, p, seconds);
        }
        if (view->terminal) {
            fputs("\r\033[K", stderr);
            write_foot(view);
        }
    }
    return stop_asked == 0;
}

void cli_progress_say(void *user, sal_level level, const char *message)
{
    cli_progress_view *view = user;
    if (view->verbose || level == SAL_WARNING) {
        fprintf(stderr, "%s%s%s\n", view->terminal ? "\r\033[K" : "",
                level == SAL_WARNING ? "saltus: warning: " : "", message);
        view->ndrawn = 0; /* the block begins anew below the message */
    }
}

void cli_progress_end(cli_progress_view *view)
{
    if (!view->quiet && view->terminal) {
        if (view->nstart > 0) {
            redraw(view);
        } else if (view->nline > 0) {
            fputs("\r\033[K", stderr);
        }
    }
    if (view->record != NULL) {
        fclose(view->record);
        view->record = NULL;
    }
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}
