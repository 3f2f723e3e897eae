/* sweep.h: private to sweeps/. How a sweep file becomes cells, and what stands in the folder of a
 * sweep.
 *
 *     read.c     the file: its elements, checked
 *     grid.c     axes and their values; points, and which begins with whose motion
 *     cell_digest.c     a cell's settings, and its name: the digest of all that goes into it
 *     folder.c   paths, locks, the plan
 *     cell_record.c         what is kept of a cell that is done
 *     figures.c        the numbers that say something of a result
 *     schedule.c       whose turn it is
 *     solve.c    one cell, from its settings to its record
 *     view.c     what is in the folder
 */
#ifndef SAL_SWEEPS_FOLDER_H
#define SAL_SWEEPS_FOLDER_H

#include "problems/language/reader.h"
#include "problems/problems.h"
#include "sweeps/sweeps.h"

/* ---- read.c ---- */

/* What <column>s say, into a new list; their number. */
int swp_columns(prb_reader *r, const sal_xml *root, sal_table_column **column);

/* ---- grid.c ---- */

typedef struct swp_reader {
    /* of the sweep file; r.p is NULL */
    prb_reader r;
    sal_sweep *s;
    const sal_xml *root;
} swp_reader;

void swp_read_axes(swp_reader *r);
/* Points of the grid that no <skip> leaves out, and their order. Needs the axes. */
void swp_read_points(swp_reader *r);
/* The path of what a setting names: relative to the sweep's file where it is a file, else as it is.
 * To be freed. */
char *swp_setting_text(swp_reader *r, const char *path, const char *value);

/* ---- cell_digest.c ---- */

typedef struct swp_cell_settings {
    /* sal_free */
    sal_setting *list;
    sal_problem_options options;
    char number[24];
    char noise[32];
    char softness[32];
    char nstart[24];
    char start[SAL_HASH_SIZE + 4];
    char folder[4096];
} swp_cell_settings;

/* What a cell sets, for sal_request_read. source: the cell whose motion, in `folder`, it begins
 * with, -1: none. */
sal_status swp_cell_settings_of(swp_cell_settings *c, const sal_sweep *s, const char *folder,
                                int cell, int source, sal_err *err);
/* Names all cells, in the order in which they begin with each other. */
sal_status swp_name_cells(sal_sweep *s, sal_mujoco mujoco, sal_err *err);

/* ---- folder.c ---- */

/* DIR/cells/ab/HASH and an ending, in path [n]. */
void swp_cell_path(char *path, size_t n, const char *folder, const char *hash, const char *ending);
/* Takes the cell for this process; -1 if another has it, -2 if it cannot be asked (err says why).
 * Locks of a process are given back with the first of them, so that it takes one at a time. */
int swp_cell_lock(const char *folder, const char *hash, sal_err *err);
void swp_cell_unlock(int lock);
/* Removes what unfinished writing has left of a cell. Only for who has locked it. */
void swp_cell_sweep_up(const char *folder, const char *hash);
/* The folder of a cell's checkpoints, in path [n]; and its removal. */
void swp_cell_checkpoint(char *path, size_t n, const char *folder, const char *hash);
void swp_cell_drop_checkpoint(const char *folder, const char *hash);

/* ---- cell_record.c ---- */

/* sync: waits for the disk. */
sal_status swp_record_write(const sal_record *r, const char *folder, const char *hash, bool sync,
                            sal_err *err);
/* *found: false where there is none, or none that can be read. Clear whatever is returned. */
sal_status swp_record_read(sal_record *r, const char *folder, const char *hash, bool *found,
                           sal_err *err);
void swp_record_clear(sal_record *r);
/* The kind of its outcome. */
sal_outcome_kind swp_record_kind(const sal_record *r);
/* Whether the motion is there, as it was written. */
bool swp_record_has_motion(const sal_record *r, const char *folder, const char *hash);
/* Figure `name`, NULL if it has none; and its value, then NaN. */
const sal_figure *swp_record_find(const sal_record *r, const char *name);
double swp_record_figure(const sal_record *r, const char *name);

#endif
