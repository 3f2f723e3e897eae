/* diagnose.h: findings about a motion, as they are collected. Private to problems/, but for the
 * list of what there is to find. */
#ifndef SAL_PROBLEMS_RESULT_DIAGNOSE_H
#define SAL_PROBLEMS_RESULT_DIAGNOSE_H

#include "problems/transcribe.h"

/* X(code, name, level, advice): what a diagnosis can find. Level 2: why it is no solution, or not
 * what was asked for; 1: something to look at; 0: good to know */
#define PRB_FINDING_LIST(X)                                                                        \
    X(PRB_FIND_UNACTUATED, "unactuated force", 2,                                                  \
      "allow more time (`time/duration`, or a `range` of it), widen the ranges of the actuators, " \
      "or try other starts (`init/nstart`, `init/key`)")                                           \
    X(PRB_FIND_LOOP, "pinned loop", 2,                                                             \
      "pin only the joints that say where it is (`<end joint=\"..\" ../>`), and let the others "   \
      "follow; or ask for the pose by terms")                                                      \
    X(PRB_FIND_VIOLATED, "violated", 2,                                                            \
      "widen the range or the tolerance, allow more time, or try other starts (`init/nstart`, "    \
      "`init/key`)")                                                                               \
    X(PRB_FIND_HOVERS, "hovers", 2,                                                                \
      "no contact carries the weight: check that the feet reach the floor at the beginning "       \
      "(`init/key`, `init/ground`) and that they may touch it (contype, conaffinity)")             \
    X(PRB_FIND_OVERLAPS, "overlaps", 2,                                                            \
      "hard contacts carry what is above the floor, by about kappa over the weight and the time "  \
      "step: pin a pose that is higher, or leave its height free (name the joints in <end>)")      \
    X(PRB_FIND_MISSED, "target missed", 2,                                                         \
      "raise the weight of this term or lower those of others, make it a constraint, or allow a "  \
      "larger `tol`")                                                                              \
    X(PRB_FIND_TOUCHES, "touches", 2,                                                              \
      "raise the weight of a term that keeps it away (`height` of this body), constrain its "      \
      "height, start from another pose (`init/key`), or name it in `only`")                        \
    X(PRB_FIND_SELF, "touches itself", 2,                                                          \
      "constrain the `distance` of these geoms, or allow it by selfcontact=\"true\"")              \
    X(PRB_FIND_TOO_DEEP, "too deep", 2,                                                            \
      "use a smaller final `width` or a larger final `dmax` in <smoothing>, in a landing a "       \
      "smaller `timeconst` with shorter steps, raise the weight of an `impact` term, constrain "   \
      "the `distance` of geoms of the mechanism itself, or allow a larger `penetration`")          \
    X(PRB_FIND_SLIPS, "slips", 2,                                                                  \
      "raise the weight of a `slip` term, raise its `width`, raise the friction of the model, or " \
      "allow a larger `slip`")                                                                     \
    X(PRB_FIND_OVERLOAD, "overload", 2,                                                            \
      "raise the weight of an `impact` term, allow more time, or allow a larger `load`")           \
    X(PRB_FIND_UNREST, "not at rest", 2,                                                           \
      "pin a pose in which contacts carry it, add a term on accelerations "                        \
      "(`of=\"acc\"`) near that end, allow more time, or allow a larger `rest`")                   \
    X(PRB_FIND_BOUNDED, "at its limit", 2,                                                         \
      "the cost would be lower beyond it: widen the range, give the value that you want, or "      \
      "allow "                                                                                     \
      "it by bound=\"true\"")                                                                      \
    X(PRB_FIND_UNFINISHED, "not finished", 2,                                                      \
      "see whether feedback holds it there (`replay --feedback --model`), ask for more tries "     \
      "(`finish=\"model\"`) or other starts (`init/seed`), allow more in <require>, or soften "    \
      "the "                                                                                       \
      "contacts of the model (solref, solimp, impratio)")                                          \
    X(PRB_FIND_SOFTENED, "soft contacts", 2,                                                       \
      "allow more time, try other starts (`init/nstart`, `init/seed`), or ask for softer "         \
      "contacts everywhere (a larger final `width` in <smoothing>)")                               \
    X(PRB_FIND_UNHARDENED, "not hardened", 2,                                                      \
      "ask for less (`harden --width`, `--refine`), or solve the problem with these values and "   \
      "other starts (`init/seed`)")                                                                \
    X(PRB_FIND_HOPS, "hops at rest", 1,                                                            \
      "pin a pose in which contacts carry it; `require/rest` makes this a requirement")            \
    X(PRB_FIND_FALLS, "free fall", 1,                                                              \
      "if the motion should not be a flight, pin its ends, constrain the height, or let it start " \
      "on the floor")                                                                              \
    X(PRB_FIND_DRAGS, "drags", 1,                                                                  \
      "raise the weight of a `slip` term, raise its `width`, or raise the friction of the model")  \
    X(PRB_FIND_SLIDES, "sliding", 1,                                                               \
      "it travels without steps: start from another pose or with more noise (`init/noise`), and "  \
      "raise the weight of a `slip` term")                                                         \
    X(PRB_FIND_DEEP, "penetrates deeply", 1,                                                       \
      "the contact is too soft for this weight: use a smaller final `width` or a larger "          \
      "final `dmax` in <smoothing>")                                                               \
    X(PRB_FIND_UNNAMED, "stands on others", 1,                                                     \
      "if it should not touch, forbid it by `require/only`, or raise the weight of a term that "   \
      "keeps it away (`height` of this body)")                                                     \
    X(PRB_FIND_ANOTHER, "far from markers", 1,                                                     \
      "the model may be of another person, or markers have names of others: make the model of "    \
      "this person from his or her recordings (`saltus person`)")                                  \
    X(PRB_FIND_BOUND, "at its bound", 1,                                                           \
      "the cost would be lower beyond it: widen the range, or give the value that you want")       \
    X(PRB_FIND_TURNS, "turns far in a step", 1,                                                    \
      "the time steps are too long for this speed: raise `nstep`, or add a term on velocities")    \
    X(PRB_FIND_NO_EFFECT, "no effect", 1,                                                          \
      "its quantity is constant in this motion; check the names in the term, or remove it")        \
    X(PRB_FIND_STRAIGHT, "straight", 1,                                                            \
      "compare the cost with that of other starts (`nstart`) and of a smaller `tolerance`, or "    \
      "use "                                                                                       \
      "a norm that is curved there (`quadratic`, or a larger `p`)")                                \
    X(PRB_FIND_PROMISE, "promised", 1,                                                             \
      "compare the cost with that of other starts (`init/nstart`) and of a smaller `tolerance`")   \
    X(PRB_FIND_CORRECTED, "corrected", 1,                                                          \
      "nothing is to be done: the motion and its numbers are of the model as it is")               \
    X(PRB_FIND_DOMINATES, "dominates", 0,                                                          \
      "the other terms hardly influence the motion; lower this weight or raise theirs")            \
    X(PRB_FIND_UNDETERMINED, "undetermined", 0,                                                    \
      "add a term with a small weight that depends on it")                                         \
    X(PRB_FIND_ACTIVE, "active", 0, "a wider range would allow a lower cost")                      \
    X(PRB_FIND_HARDENED, "hardened", 0,                                                            \
      "nothing is to be done: the motion and its numbers are those of the problem that it "        \
      "carries")

typedef enum prb_finding_kind {
#define PRB_FINDING_ENUM(code, name, level, advice) code,
    PRB_FINDING_LIST(PRB_FINDING_ENUM)
#undef PRB_FINDING_ENUM
        PRB_NFINDING
} prb_finding_kind;

typedef struct prb_diagnosis {
    sal_finding *finding;
    int n;
    int capacity;
    /* memory ran out */
    bool failed;
} prb_diagnosis;

/* Adds a finding (findings.c): the sentence that the format makes, then the advice of its kind. */
void prb_diagnosis_add(prb_diagnosis *d, prb_finding_kind kind, const char *what, double value,
                       double time, const char *format, ...) SAL_PRINTF(6, 7);

/* Puts them in the order of PRB_FINDING_LIST; equals stay as they are. */
void prb_diagnosis_sort(prb_diagnosis *d);

/* Of the weight: a contact with less force carries nothing. */
#define PRB_LOADED 1e-3

/* ---- contacts in words (diagnose_contact.c) ---- */

/* The body that a geom moves with; 0: it cannot move. */
int prb_contact_body(const sal_model *m, int geom);
/* What the geom of a contact belongs to: a body, or what stands still by the geom's own name. */
void prb_contact_name(char name[100], const sal_model *m, int geom);
/* The row of time that contact k belongs to. */
int prb_contact_step(const sal_result *result, int k);

/* ---- what is free, and ends at rest (free.c) ---- */

/* A duration, travel or turn that the search may choose within a range. */
typedef struct prb_free {
    const char *name, *unit;
    double value;
    const double *range;
} prb_free;

enum { PRB_NFREE = 3 };
/* How many there are. */
int prb_free_of(prb_free free[PRB_NFREE], const sal_problem *p, const sal_result *r);
/* 0 in the middle of the range, 1 at its ends; 0 where the range has no ends. */
double prb_free_share(const prb_free *free);
/* It is at an end of its range from this share on. */
#define PRB_AT_BOUND 0.98

/* The force up in step t, by contacts, on the trees that no joint and no motor holds
 * (prb_tree_is_free), from all that is not one of them, by the weight of these trees. */
double prb_carried(const sal_result *r, int t);
/* What these trees are: "the mechanism" where nothing else is there, "body 'box'", .. */
void prb_free_name(char name[100], const sal_model *m);
/* The step at the start (end 0) or the end (1) of an open motion, where that state is pinned with
 * all velocities 0 and only contacts can hold the mechanism; else -1. */
int prb_rest_step(const sal_problem *p, const sal_result *r, int end);
/* A root that only contacts can hold against gravity (diagnose_motion.c). */
bool prb_may_fall(const sal_model *m);
/* Whether the tree of this body of the world may rise and sink, and only contacts can carry it. */
bool prb_tree_is_free(const sal_model *m, int root);
/* The heaviest mechanism, apart from what lies about, can rise from the ground: not an arm that is
 * fixed. */
bool prb_is_free(const sal_model *m);

/* ---- parts of a diagnosis ---- */

/* Adds to a complete result, which is then not as asked, that it is not finished: in which way the
 * motion falls short of the model as it is, and why it goes no farther. It takes the place of an
 * earlier finding of this kind. */
sal_status prb_diagnose_unfinished(sal_result *result, const char *reached, const char *why,
                                   sal_err *err);

/* The same for a motion with steps that stay soft. */
sal_status prb_diagnose_softened(sal_result *result, const sal_problem *p, double softness,
                                 sal_err *err);
/* Adds to a result that stays as it was found, as finish="try" has it, that it is not finished, and
 * why; level 1, since it is what it was. `finished`: the motion in the model as it is, which is not
 * as asked there, or whose search was not at its end; NULL: there is none, and reached and why say
 * how far one came. */
sal_status prb_diagnose_kept(sal_result *result, const sal_result *finished, const char *reached,
                             const char *why, sal_err *err);

/* As prb_diagnose_unfinished, for a motion that was to be hardened (runs/harden.c): how it is, and
 * was to be. */
sal_status prb_diagnose_unhardened(sal_result *result, const char *reached, const char *wanted,
                                   const char *why, sal_err *err);
/* Adds from what motion it was hardened, and what that cost. */
sal_status prb_diagnose_hardened(sal_result *result, const char *from, double cost, sal_err *err);

/* What was asked for and is not met; of what was not asked for, that which may surprise
 * (diagnose_asked.c). */
void prb_diagnose_asked(prb_diagnosis *d, const sal_problem *p, const sal_result *result);

/* What its contacts show (diagnose_contact.c); final: the model with the contacts at the end of the
 * search. */
void prb_diagnose_contact(prb_diagnosis *d, const sal_result *result, const sal_model *final);

/* What the motion alone shows: flight, joints (diagnose_motion.c). */
void prb_diagnose_motion(prb_diagnosis *d, const sal_result *result);

#endif
