/* grammar.h: private to problems. The language of problem files, and of sweep files, as one table:
 * elements, where they stand and how often; attributes with their type, domain, default and
 * meaning. The reader's errors, its defaults, docs/problem_file.md, the explanations and the schema
 * all come from it.
 */
#ifndef SAL_PROBLEMS_LANGUAGE_GRAMMAR_H
#define SAL_PROBLEMS_LANGUAGE_GRAMMAR_H

#include "base/base.h"
#include "base/house.h"

#include <stdbool.h>

/* X(code, what a value is called): what an attribute holds. `domain` is an interval for each
 * number, or the words of a choice. */
#define PRB_VALUE_LIST(X)                                                                          \
    X(PRB_VAL_TEXT, "text")                                                                        \
    X(PRB_VAL_NAME, "name")                                                                        \
    X(PRB_VAL_NAMES, "names")                                                                      \
    X(PRB_VAL_FILE, "file")                                                                        \
    X(PRB_VAL_CHOICE, "choice")                                                                    \
    X(PRB_VAL_WHOLE, "whole number")                                                               \
    X(PRB_VAL_REAL, "number")                                                                      \
    X(PRB_VAL_REALS, "numbers")                                                                    \
    X(PRB_VAL_PAIR, "two numbers")                                                                 \
    X(PRB_VAL_RANGE, "lo hi")     /* two numbers, lo <= hi */                                      \
    X(PRB_VAL_RAMP, "soft final") /* two numbers, or one for both */                               \
    X(PRB_VAL_TIMES, "soft final, or 2h")

typedef enum prb_value_type {
#define PRB_VALUE_ENUM(code, text) code,
    PRB_VALUE_LIST(PRB_VALUE_ENUM)
#undef PRB_VALUE_ENUM
} prb_value_type;

/* of an attribute */
typedef struct prb_rule {
    const char *name;
    prb_value_type type;
    /* "[0, 1)" or "this|that"; NULL: any */
    const char *domain;
    /* the default; NULL: none; prb_required: must be given */
    const char *preset;
    const char *doc;
} prb_rule;

/* of an element */
typedef struct prb_rules {
    const char *tag;
    const char *parent;
    /* how often within its parent; most 0: any number */
    int least, most;
    /* what stands in it is MJCF, and the model reader's care */
    bool mjcf;
    const prb_rule *attr;
    int nattr;
    const char *doc;
} prb_rules;

extern const char prb_required[];

/* The table, parents before children. */
const prb_rules *prb_grammar(int *n);
/* NULL if there is none. */
const prb_rules *prb_grammar_element(const char *tag);
/* <problem> or <sweep>: the root of the file in which it stands. */
const prb_rules *prb_grammar_root(const prb_rules *element);
/* Identification takes motions from recordings: what says how a motion is to be has no place beside
 * <estimate>, and need not be there. */
bool prb_grammar_of_motions(const char *tag);
const prb_rule *prb_grammar_attribute(const prb_rules *element, const char *name);

/* Compares the document with the table; every departure is an error at its place. tag: the root it
 * should have. */
void prb_grammar_check(const sal_xml *root, const char *tag, sal_diag *diag);
/* False if the text is not a value that the rule allows; `why` (if not NULL) then says so in at
 * most n bytes. */
bool prb_grammar_allows(const prb_rule *rule, const char *text, char *why, size_t n);

/* ---- values: what is given and allowed, else the default, else NULL, NAN, -1. element NULL: it is
 * absent ---- */

const char *prb_grammar_text(const char *tag, const sal_xml *element, const char *name);
double prb_grammar_real(const char *tag, const sal_xml *element, const char *name);
long prb_grammar_whole(const char *tag, const sal_xml *element, const char *name);
/* The index of the word among the rule's. */
int prb_grammar_choice(const char *tag, const sal_xml *element, const char *name);
/* At most n numbers of a list into out (NULL: only counted). Returns how many the list has. */
int prb_grammar_reals(const char *tag, const sal_xml *element, const char *name, double *out,
                      int n);

/* ---- the table in words ---- */

/* What a value of the attribute is ("number in [0, 1]"), words of a choice between quotes. */
void prb_grammar_value(sal_text *out, const prb_rule *rule, const char *quote);
/* How often the element may stand in its parent. */
const char *prb_grammar_occurrence(const prb_rules *element);

#endif
