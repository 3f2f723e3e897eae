/* What a sweep tells while it runs: on a terminal one line that is redrawn, elsewhere a plain line
 * now and then; and a line for every cell that failed. */
#include "cli/sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const double REDRAWN = 0.2, PLAIN = 10; /* s between two lines */

void cli_run_begin_telling(cli_run *run)
{
    cli_progress_view view;
    sal_tally tally;
    cli_progress_begin(&view, run->a);
    sal_schedule_tally(run->schedule, &tally);
    run->terminal = view.terminal;
    run->quiet = view.quiet;
    run->verbose = view.verbose;
    run->begin = run->told = view.begin;
    run->every = view.terminal ? REDRAWN : PLAIN;
    run->before = tally.physical + tally.unsolved + tally.failed;
    if (!run->quiet) {
        cli_say("%d cells, %d of them already done; %d solved at a time; folder '%.300s'",
                tally.cells, run->before, run->nworker, run->folder);
    }
}

static void clear_line(const cli_run *run)
{
    if (run->terminal) {
        fputs("\r\033[K", stderr);
    }
}

/* "3.2 h" */
static const char *duration_text(char *text, size_t n, double seconds)
{
    if (seconds < 100) {
        snprintf(text, n, "%.0f s", seconds);
    } else if (seconds < 100 * 60) {
        snprintf(text, n, "%.0f min", seconds / 60);
    } else if (seconds < 48 * 3600) {
        snprintf(text, n, "%.1f h", seconds / 3600);
    } else {
        snprintf(text, n, "%.1f days", seconds / (24 * 3600));
    }
    return text;
}

/* "2.3 a second, 3 min left"; nothing as long as nothing is known */
static void pace_text(const cli_run *run, const sal_tally *tally, char *text, size_t n)
{
    char left[32];
    const int done = tally->physical + tally->unsolved + tally->failed;
    const double rate = (done - run->before) / (cli_now() - run->begin);
    text[0] = 0;
    if (rate > 0) {
        const bool fast = rate >= 1;
        snprintf(text, n, "; %.3g a %s, %s left", fast ? rate : 60 * rate,
                 fast ? "second" : "minute",
                 duration_text(left, sizeof left, (tally->cells - done) / rate));
    }
}

void cli_run_tell(cli_run *run)
{
    const double now = cli_now();
    sal_tally tally;
    char pace[80];
    if (run->quiet || now - run->told < run->every) {
        return;
    }
    run->told = now;
    sal_schedule_tally(run->schedule, &tally);
    pace_text(run, &tally, pace, sizeof pace);
    clear_line(run);
    fprintf(stderr, "%d of %d cells: %d physical, %d unsolved, %d failed%s%s",
            tally.physical + tally.unsolved + tally.failed, tally.cells, tally.physical,
            tally.unsolved, tally.failed, pace, run->terminal ? " " : "\n");
}

/* ---- one cell ---- */

/* "speed=1.2 mass=40 repeat=3" */
static void add_settings(sal_text *line, const sal_sweep *s, int cell)
{
    const int point = cell / s->nrepeat;
    const char *blank = "";
    for (int i = 0; i < s->naxis; i++) {
        const sal_axis *axis = &s->axis[i];
        sal_text_format(line, "%s%s=%s", blank, axis->name,
                        axis->value[sal_sweep_value(s, point, i)]);
        blank = " ";
    }
    if (s->nrepeat > 1) {
        sal_text_format(line, "%srepeat=%d", blank, cell % s->nrepeat);
    }
}

void cli_run_tell_cell(cli_run *run, const cli_pool_task *task, const sal_outcome *out, bool last)
{
    const bool wrong = out->kind != SAL_CELL_PHYSICAL && out->kind != SAL_CELL_UNSOLVED &&
                       out->kind != SAL_CELL_BUSY && out->kind != SAL_CELL_STOPPED;
    sal_text line = {0};
    if (run->quiet || !(wrong || run->verbose) || out->found) {
        return;
    }
    sal_text_format(&line, "cell %d (", out->cell);
    add_settings(&line, run->s, out->cell);
    sal_text_format(&line, "): %s", sal_outcome_name(out->kind));
    if (out->why[0] != 0) {
        sal_text_format(&line, ": %s", out->why);
    }
    if (wrong && !last) {
        sal_text_add(&line, "; trying again");
    } else if (wrong && task->tries > 1) {
        sal_text_format(&line, "; given up after %d tries", task->tries);
    }
    if (!wrong && isfinite(out->cost)) {
        sal_text_format(&line, ", cost %.6g, %.3g s", out->cost, out->seconds);
    }
    if (!line.failed) {
        clear_line(run);
        cli_say("%s", line.data);
    }
    sal_text_clear(&line);
}

/* ---- the end ---- */

static void show_json(const cli_run *run, const sal_tally *tally, int code)
{
    sal_text text = {0};
    sal_json json = {.out = &text, .lines = true};
    sal_json_object(&json, NULL);
    sal_json_string(&json, "status",
                    code == CLI_EXIT_OK      ? "physical"
                    : code == CLI_EXIT_CELLS ? "some cells failed"
                                             : "interrupted");
    sal_json_integer(&json, "exit_code", code);
    sal_json_string(&json, "folder", run->folder);
    sal_json_integer(&json, "cells", tally->cells);
    sal_json_integer(&json, "physical", tally->physical);
    sal_json_integer(&json, "unsolved", tally->unsolved);
    sal_json_integer(&json, "failed", tally->failed);
    sal_json_integer(&json, "reused", tally->reused);
    sal_json_number(&json, "seconds", cli_now() - run->begin);
    sal_json_end(&json);
    sal_text_add(&text, "\n");
    cli_write(run->a, &text, NULL);
    sal_text_clear(&text);
}

int cli_run_end(cli_run *run, sal_status status, const sal_err *err)
{
    sal_tally tally;
    char took[32];
    sal_schedule_tally(run->schedule, &tally);
    const int done = tally.physical + tally.unsolved + tally.failed;
    clear_line(run);
    if (status != SAL_OK) {
        return cli_fail(run->a, status, err);
    }
    const int code = done < tally.cells              ? CLI_EXIT_INTERRUPTED
                     : tally.physical == tally.cells ? CLI_EXIT_OK
                                                     : CLI_EXIT_CELLS;
    if (code == CLI_EXIT_INTERRUPTED) {
        cli_say("%d of %d cells are finished; run the same command again to continue", done,
                tally.cells);
    } else if (!run->quiet) {
        cli_say("%d cells: %d physical, %d unsolved, %d failed; %d reused; %s", tally.cells,
                tally.physical, tally.unsolved, tally.failed, tally.reused,
                duration_text(took, sizeof took, cli_now() - run->begin));
        cli_say("to see them: saltus table %.300s", run->folder);
    } else if (tally.failed > 0) {
        cli_say("error: %d of %d cells failed; for the reasons: saltus sweep --status %.300s",
                tally.failed, tally.cells, run->folder);
    }
    if (run->a->given[CLI_OPT_JSON]) {
        show_json(run, &tally, code);
    }
    return code;
}
