/* row.h: writing the residuals of one step, one after the other, each with its row of the Jacobian.
 *
 *     for each number of a quantity:  prb_row_put, once for each output y_i it depends on;
 *                                     prb_row_end with its value
 *
 * What becomes of a number is the feature's matter: whether it counts, what is subtracted, how it
 * is scaled. Private to problems/.
 */
#ifndef SAL_PROBLEMS_ROW_H
#define SAL_PROBLEMS_ROW_H

#include "problems/transcribe.h"

typedef struct prb_writer {
    const prb_transcription *tr;
    int t;
    /* of the parallel loop */
    int worker;
    /* outputs of step t [ny]; where J is wanted their derivatives [ny x (window + 1)] */
    const double *y;
    const double *Y;
    /* of this residual */
    double *r;
    /* its row; NULL: not wanted */
    double *J;
    /* the row has something */
    bool begun;
    /* the feature being written; NULL: numbers are residuals as they are */
    const prb_feature *feature;
    /* places in y of its outputs, as prb_quantity.want asks */
    const int *own;
    /* [dim], or NULL */
    const double *target;
    /* [dim] see prb_feature, or NULL */
    const double *fall;
    /* of this step, see prb_feature, or NULL */
    const double *arm;
    /* of which the feature is part; NULL: a term's */
    const prb_constraint *constraint;
    /* a term whose norm is folded into the residual: see row.c */
    const prb_term *folded;
    /* of the quantity; residuals so far */
    int number, written;
    /* of value and row */
    double factor;
} prb_writer;

/* Adds coefficient * dy_index/dx to the row. */
void prb_row_put(prb_writer *w, int index, double coefficient);
/* Adds coefficient * d/d(a variable of the recordings' floor, PRB_GLOBAL_..) to the row. */
void prb_row_put_floor(prb_writer *w, int global, double coefficient);
/* Adds coefficient * d/d(number `at` of the markers' offsets) to the row. */
void prb_row_put_offset(prb_writer *w, int at, double coefficient);
/* Adds coefficient * row [columns of the step]. */
void prb_row_add(prb_writer *w, const double *row, double coefficient);
/* Ends the number whose derivatives were put. */
void prb_row_end(prb_writer *w, double value);

/* The unactuated force; the excess of controls and forces over their ranges; the regulariser:
 * dynamics.c */
void prb_dynamics_write(prb_writer *w);
void prb_ranges_write(prb_writer *w);
void prb_regulariser_write(prb_writer *w);
/* The numbers of feature k, one of the inputs of a function, as they are, into r and J (NULL: not
 * wanted): terms.c */
void prb_input_write(const prb_writer *w, int k, double *r, double *J);

#endif
