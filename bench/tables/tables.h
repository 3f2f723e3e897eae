/* tables.h: the tables of the papers from which the contact models are, beside ours.
 *
 * A table is one file here, with a line below, one in the list of bench_tables.c and its name in
 * bench/meson.build. Each row: what it is, what the paper says, what was measured here, their ratio
 * or a remark. A number that a paper shows in a figure only is not guessed from it.
 */
#ifndef SAL_BENCH_TABLES_H
#define SAL_BENCH_TABLES_H

#include "physics/physics.h"

/* How long a table may take: rounds of the stopwatch, s of each batch; states, drops .. are divided
 * by `thin`. */
typedef struct table_effort {
    int rounds;
    double batch;
    int thin;
} table_effort;

typedef void (*table_print)(const table_effort *effort);

/* Todorov, ICRA 2011 */
void smooth_speed(const table_effort *effort);
void smooth_ball(const table_effort *effort);
/* Todorov, Erez, Tassa, IROS 2012 */
void engine_smooth(const table_effort *effort);
void engine_cloud(const table_effort *effort);
void engine_states(const table_effort *effort);
void engine_balls(const table_effort *effort);
/* Howell et al., "Dojo" */
void hard_drop(const table_effort *effort);
void hard_slide(const table_effort *effort);
void hard_block(const table_effort *effort);
void hard_problems(const table_effort *effort);

/* ---- printing ---- */

void print_machine(void);
/* paper: where the table stands; what: what it shows */
void print_title(const char *paper, const char *what);
/* Of the two columns of numbers; what is timed or measured in the rows below */
void print_head(const char *what, const char *unit);
/* A remark below the title: what was done differently, what is left out and why. */
void print_remark(const char *text);
/* paper: as the paper has it; NULL: it says nothing. format .. is ours. */
void print_row(const char *what, const char *paper, const char *note, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Two numbers and how many times ours is the paper's */
void print_ratio(const char *what, double paper, double ours);

/* ---- models ---- */

/* A model from a file of this repository or of the corpus ($SALTUS_ROOT, $SALTUS_CORPUS), or from
 * text. NULL: it is not there; the reason is printed as a remark. The caller frees. */
sal_model *table_model(const char *path);
sal_model *table_model_corpus(const char *path);
sal_model *table_model_text(const char *xml);
/* Gives m a contact model with its defaults and this reach (0: the default). */
void table_contact(sal_model *m, int contact, double reach);
/* A cube of 1 kg on a floor, half an edge 0.1 m, this friction; a pyramidal or elliptic cone */
sal_model *table_cube(double friction, const char *cone);

/* Ends the program with what was being done. */
void table_check(sal_status status, const char *what);

#endif
