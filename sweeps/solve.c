/* solve.c: one cell of a sweep, from its settings to its record. */
#include "identify/request.h"
#include "problems/result/result.h"
#include "runs/runs.h"
#include "sweeps/folder.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct cell {
    const sal_sweep *s;
    const char *folder, *hash;
    sal_outcome *out;
    sal_record record;
    int nthread;
    const sal_watch *watch;
} cell;

static void end(cell *c, sal_outcome_kind kind, const char *why)
{
    c->out->kind = kind;
    snprintf(c->out->why, sizeof c->out->why, "%.230s", why);
}

/* What a failed call means for the cell. */
static void end_with(cell *c, sal_status status, const char *why)
{
    switch (status) {
    case SAL_NOMEM:
        end(c, SAL_CELL_NOMEM, why);
        return;
    case SAL_INTERRUPTED:
        end(c, SAL_CELL_STOPPED, why);
        return;
    case SAL_OK:
    case SAL_BADINPUT:
    case SAL_BADPATH:
    case SAL_UNSUPPORTED:
    case SAL_FULL:
    case SAL_DIVERGED:
    case SAL_SINGULAR:
    case SAL_INTERNAL:
        break;
    }
    end(c, SAL_CELL_INVALID, why);
}

/* ---- is it done? ---- */

static void take_over(cell *c)
{
    c->out->found = true;
    c->out->cost = swp_record_figure(&c->record, "cost");
    c->out->seconds = c->record.seconds;
    end(c, swp_record_kind(&c->record), c->record.reason);
}

/* Another run may have done it since this one looked. */
static bool is_done(cell *c, const char *from)
{
    bool found = false;
    sal_err err = {0};
    const sal_status status = swp_record_read(&c->record, c->folder, c->hash, &found, &err);
    if (status != SAL_OK) {
        end_with(c, status, err.message);
        return true;
    }
    const sal_outcome_kind kind = found ? swp_record_kind(&c->record) : SAL_CELL_CRASHED;
    const bool final = kind == SAL_CELL_PHYSICAL || kind == SAL_CELL_UNSOLVED;
    const bool done =
        final && strcmp(c->record.from, from) == 0 &&
        (c->s->keep != SAL_KEEP_ALL || swp_record_has_motion(&c->record, c->folder, c->hash));
    if (done) {
        take_over(c);
    }
    swp_record_clear(&c->record);
    return done;
}

/* ---- solving ---- */

static sal_status keep_motion(cell *c, const sal_result *r, sal_err *err)
{
    char path[4200], *bytes = NULL;
    size_t n = 0;
    sal_status status = prb_result_compose(r, &bytes, &n, c->record.sha256, err);
    if (status == SAL_OK) {
        c->record.bytes = n;
        swp_cell_path(path, sizeof path, c->folder, c->hash, ".h5");
        status = (c->s->sync ? sal_file_write : sal_file_replace)(path, bytes, n, err);
    }
    sal_free(bytes);
    return status;
}

/* What stands in the way of a solution: the first of the gravest findings, "violated: ctrlrange of
 * motor", else how the search ended */
static void give_reason(sal_record *record, const sal_result *r)
{
    const size_t n = sizeof record->reason;
    snprintf(record->reason, n, "%s", r->exit_code == 0 ? "" : r->status);
    for (int i = r->nfinding - 1; i >= 0 && r->exit_code != 0; i--) {
        if (r->finding[i].level >= 2) {
            snprintf(record->reason, n, "%s: %s", r->finding[i].kind, r->finding[i].what);
        }
    }
}

/* The motion first, then the record, which says that all is there. */
static void keep(cell *c, const sal_result *r)
{
    sal_err err = {0};
    const sal_outcome_kind kind = prb_result_is_solved(r) ? SAL_CELL_PHYSICAL : SAL_CELL_UNSOLVED;
    snprintf(c->record.status, sizeof c->record.status, "%s", r->status);
    snprintf(c->record.kind, sizeof c->record.kind, "%s", sal_outcome_name(kind));
    give_reason(&c->record, r);
    c->record.exit_code = r->exit_code;
    c->record.seconds = c->out->seconds = r->seconds;
    sal_status status = sal_result_figures(r, &c->record.figure, &c->record.nfigure, &err);
    if (status == SAL_OK) {
        status = sal_recorded_add_figures(r, &c->record.figure, &c->record.nfigure, &err);
    }
    if (status == SAL_OK && c->s->keep != SAL_KEEP_NONE) {
        status = keep_motion(c, r, &err);
    }
    if (status == SAL_OK) {
        status = swp_record_write(&c->record, c->folder, c->hash, c->s->sync, &err);
    }
    c->out->cost = r->cost;
    if (status == SAL_OK) {
        end(c, kind, c->record.reason);
    } else {
        end(c, status == SAL_NOMEM ? SAL_CELL_NOMEM : SAL_CELL_UNWRITTEN, err.message);
    }
}

/* A checkpoint that this cell can go on from is there. What is damaged, or of another version or
 * source, is removed. */
static bool has_checkpoint(const cell *c, const sal_request *request, const char *path)
{
    bool found = false;
    int *linearisations;
    if (access(path, F_OK) != 0) {
        return false;
    }
    linearisations = sal_alloc((size_t)sal_request_nstart(request), sizeof *linearisations);
    if (linearisations != NULL &&
        sal_request_checkpoint_look(request, path, linearisations, &found, NULL) != SAL_OK) {
        found = false;
    }
    sal_free(linearisations);
    if (!found) {
        swp_cell_drop_checkpoint(c->folder, c->hash);
    }
    return found;
}

/* Goes on where an earlier run was cut short. */
static sal_status solve_or_resume(const cell *c, const sal_request *request, sal_result **r,
                                  sal_err *err)
{
    char path[PATH_MAX];
    sal_watch watch = c->watch == NULL ? (sal_watch){0} : *c->watch;
    swp_cell_checkpoint(path, sizeof path, c->folder, c->hash);
    watch.checkpoint = path;
    watch.checkpoint_unsynced = !c->s->sync;
    watch.resume = has_checkpoint(c, request, path);
    return sal_request_solve(r, request, c->nthread, &watch, err);
}

/* Who is stopped goes on in the next run, and so does whose result found no room. */
static bool may_go_on(const cell *c)
{
    return c->out->kind == SAL_CELL_STOPPED || c->out->kind == SAL_CELL_UNWRITTEN;
}

static void solve(cell *c, const swp_cell_settings *settings)
{
    sal_request request;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    sal_status status = idn_request_read(&request, c->s->problem_path, &settings->options,
                                         c->s->known, &diag, &err);
    if (status == SAL_OK) {
        status = solve_or_resume(c, &request, &r, &err);
    }
    if (status != SAL_OK) {
        end_with(c, status, diag.nerror > 0 ? diag.first : err.message);
    } else if (r->optim.stop == SAL_STOP_INTERRUPTED) {
        end(c, SAL_CELL_STOPPED, "interrupted");
    } else {
        keep(c, r);
    }
    if (!may_go_on(c)) {
        swp_cell_drop_checkpoint(c->folder, c->hash);
    }
    sal_result_free(r);
    sal_request_clear(&request);
    sal_diag_clear(&diag);
}

static void describe(cell *c, int tries, const char *from)
{
    c->record = (sal_record){.tries = tries};
    snprintf(c->record.from, sizeof c->record.from, "%s", from);
    snprintf(c->record.version, sizeof c->record.version, "%s", sal_version_text());
}

void sal_sweep_solve(sal_outcome *out, const sal_sweep *s, const char *folder, int index,
                     int source, int tries, int nthread, const sal_watch *watch)
{
    sal_err err = {0};
    cell c = {.s = s,
              .folder = folder,
              .hash = s->hash[index],
              .out = out,
              .nthread = nthread,
              .watch = watch};
    const char *from = source < 0 ? "" : s->hash[source];
    *out = (sal_outcome){.cell = index, .source = source};
    const int lock = swp_cell_lock(folder, c.hash, &err);
    if (lock < 0) {
        end(&c, lock == -1 ? SAL_CELL_BUSY : SAL_CELL_UNWRITTEN,
            lock == -1 ? "another run is at it" : err.message);
        return;
    }
    if (!is_done(&c, from)) {
        swp_cell_settings settings;
        swp_cell_sweep_up(folder, c.hash);
        describe(&c, tries, from);
        const sal_status status = swp_cell_settings_of(&settings, s, folder, index, source, &err);
        if (status == SAL_OK) {
            solve(&c, &settings);
            sal_free(settings.list);
        } else {
            end_with(&c, status, err.message);
        }
        swp_record_clear(&c.record);
    }
    swp_cell_unlock(lock);
}

sal_status sal_sweep_fail(const sal_sweep *s, const char *folder, const sal_outcome *out, int tries,
                          sal_err *err)
{
    const int lock = swp_cell_lock(folder, s->hash[out->cell], err);
    if (lock < 0) {
        return lock == -1 ? SAL_OK : SAL_BADPATH; /* another run is at it, and will say */
    }
    sal_record r = {.exit_code = 1, .tries = tries, .seconds = out->seconds, .status = "failed"};
    snprintf(r.kind, sizeof r.kind, "%s", sal_outcome_name(out->kind));
    snprintf(r.from, sizeof r.from, "%s", out->source < 0 ? "" : s->hash[out->source]);
    snprintf(r.version, sizeof r.version, "%s", sal_version_text());
    snprintf(r.reason, sizeof r.reason, "%s", out->why);
    /* Who died may have finished it, and not have come to say so. */
    sal_outcome there = {0};
    cell c = {.s = s, .folder = folder, .hash = s->hash[out->cell], .out = &there};
    const sal_status status = is_done(&c, r.from) && there.found
                                  ? SAL_OK
                                  : swp_record_write(&r, folder, s->hash[out->cell], s->sync, err);
    swp_cell_drop_checkpoint(folder, s->hash[out->cell]);
    swp_cell_unlock(lock);
    return status;
}

void sal_sweep_begin_anew(const sal_sweep *s, const char *folder, int index)
{
    const int lock = swp_cell_lock(folder, s->hash[index], NULL);
    if (lock >= 0) {
        swp_cell_drop_checkpoint(folder, s->hash[index]);
        swp_cell_unlock(lock);
    }
}
