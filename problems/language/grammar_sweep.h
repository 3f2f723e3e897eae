/* grammar_sweep.h: attributes of sweep files, for the table in grammar.c; private to problems. */
#ifndef SAL_PROBLEMS_LANGUAGE_GRAMMAR_SWEEP_H
#define SAL_PROBLEMS_LANGUAGE_GRAMMAR_SWEEP_H

#include "problems/language/grammar.h"

extern const prb_rule prb_sweep_attr[3];
extern const prb_rule prb_set_attr[2];
extern const prb_rule prb_axis_attr[10];
extern const prb_rule prb_repeat_attr[4];
extern const prb_rule prb_continuation_attr[5];
extern const prb_rule prb_skip_attr[1];
extern const prb_rule prb_limit_attr[3];
extern const prb_rule prb_column_attr[2];

#endif
