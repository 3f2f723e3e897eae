/* sweep.h: private to problems. How a sweep file becomes cells, and what stands in the folder of a sweep.
 *
 *     sweep_read.c     the file: its elements, checked
 *     sweep_grid.c     axes and their values; points, and which begins with whose motion
 *     sweep_cell.c     a cell's settings, and its name: the digest of all that goes into it
 *     sweep_folder.c   paths, locks, the plan
 *     record.c         what is kept of a cell that is done
 *     figures.c        the numbers that say something of a result
 *     schedule.c       whose turn it is
 *     sweep_solve.c    one cell, from its settings to its record
 *     sweep_view.c     what is in the folder
 */
#ifndef SAL_SWEEP_H
#define SAL_SWEEP_H

#include "problems/problems.h"
#include "problems/read.h"

/* ---- sweep_read.c ---- */

/* What <column>s say, into a new list; their number. */
int sal_sweep_columns(sal_reader *r, const sal_xml *root, sal_table_column **column);

/* ---- sweep_grid.c ---- */

typedef struct sal_sweep_reader {
    sal_reader r; /* of the sweep file; r.p is NULL */
    sal_sweep *s;
    const sal_xml *root;
} sal_sweep_reader;

void sal_sweep_read_axes(sal_sweep_reader *r);
/* Points of the grid that no <skip> leaves out, and their order. Needs the axes. */
void sal_sweep_read_points(sal_sweep_reader *r);
/* The path of what a setting names: relative to the sweep's file where it is a file, else as it is. To be freed. */
char *sal_sweep_setting_text(sal_sweep_reader *r, const char *path, const char *value);

/* ---- sweep_cell.c ---- */

typedef struct sal_cell_settings {
    sal_setting *list; /* sal_free */
    sal_problem_options options;
    char number[24], noise[32], softness[32], nstart[24], start[SAL_HASH_SIZE + 4], folder[4096];
} sal_cell_settings;

/* What a cell sets, for sal_problem_read. source: the cell whose motion, in `folder`, it begins with, -1: none. */
sal_status sal_cell_settings_of(sal_cell_settings *c, const sal_sweep *s, const char *folder,
                                int cell, int source, sal_err *err);
/* Names all cells, in the order in which they begin with each other. */
sal_status sal_sweep_name_cells(sal_sweep *s, bool compat222, sal_err *err);

/* ---- sweep_folder.c ---- */

/* DIR/cells/ab/HASH and an ending, in path [n]. */
void sal_cell_path(char *path, size_t n, const char *folder, const char *hash, const char *ending);
/* Takes the cell for this process; -1 if another has it, -2 if it cannot be asked (err says why). Locks of a process are given back with the first of
 * them, so that it takes one at a time. */
int sal_cell_lock(const char *folder, const char *hash, sal_err *err);
void sal_cell_unlock(int lock);
/* Removes what unfinished writing has left of a cell. Only for who has locked it. */
void sal_cell_sweep_up(const char *folder, const char *hash);

/* ---- record.c ---- */

sal_status sal_record_write(const sal_record *r, const char *folder, const char *hash,
                            sal_err *err);
/* *found: false where there is none, or none that can be read. Clear whatever is returned. */
sal_status sal_record_read(sal_record *r, const char *folder, const char *hash, bool *found,
                           sal_err *err);
void sal_record_clear(sal_record *r);
/* The kind of its outcome. */
sal_outcome_kind sal_record_kind(const sal_record *r);
/* Whether the motion is there, as it was written. */
bool sal_record_has_motion(const sal_record *r, const char *folder, const char *hash);
/* Figure `name`, NULL if it has none; and its value, then NaN. */
const sal_figure *sal_record_find(const sal_record *r, const char *name);
double sal_record_figure(const sal_record *r, const char *name);

#endif
