/* guide.h: help for those who write problem files: a draft for a model, explanations of elements
 * and attributes, a schema for editors (all from the table of the language), and a check of the
 * derivatives of a problem. */
#ifndef SAL_GUIDE_H
#define SAL_GUIDE_H

#include "problems/problems.h"

/* The i-th topic there is something to say about: *kind ("elements", "quantities", ..). NULL after
 * the last. */
const char *sal_topic(int i, const char **kind);
/* Appends all that is known about a topic, or about element/attribute, as lines for a terminal;
 * false if that is nothing. */
bool sal_topic_explain(sal_text *out, const char *topic);
/* Appends an XML Schema (XSD 1.0) of problem files. */
void sal_schema(sal_text *out);

/* The i-th task that a problem can be drafted for, and what it is; NULL after the last. */
const char *sal_draft_task(int i, const char **doc);

typedef enum sal_draft_finish {
    SAL_DRAFT_TRY,
    SAL_DRAFT_FINISH,
    SAL_DRAFT_NO_FINISH
} sal_draft_finish;

/* What a draft is asked for. */
typedef struct sal_draft_request {
    /* NULL: what the model suggests */
    const char *task;
    /* m/s, in the floor plane, rad/s to the left, s; NaN: as suits the model */
    double speed, direction[2], turn, seconds;
    /* in the model as it is, its own contacts and its own time step: where that can be, else the
     * motion of the smoothing table is kept; always, else it is not as asked; not at all */
    sal_draft_finish finish;
} sal_draft_request;

/* SAL_UNSUPPORTED if there is no such task, or if it does not travel and a speed, direction or turn
 * is asked for. */
sal_status sal_draft_check(const sal_draft_request *request, sal_err *err);
/* Appends a commented problem file for the model, which it calls `file`, and to notes (may be NULL)
 * a line for each thing that it found or assumed. request: NULL asks for what the model suggests.
 * SAL_UNSUPPORTED if the model cannot do what is asked for. */
sal_status sal_problem_draft(sal_text *out, sal_text *notes, const sal_model *m, const char *file,
                             const sal_draft_request *request, sal_err *err);

/* N, N m: the most that actuator i, on a joint, can give, by its forcerange, its ctrlrange and the
 * actuatorfrcrange of its joint; infinite where nothing limits it. */
double sal_actuator_limit(const sal_model *m, int i);

/* What a recording is followed with. */
typedef struct sal_follow_request {
    /* NULL: by the ending of the file's name */
    const char *format;
    /* of several in the file; NULL: there is one */
    const char *clip;
    /* Hz, where the file has no times; NaN: it has */
    double rate;
    /* s, of the motion, 0.004 to 0.04; 0: some 11 ms */
    double timestep;
    /* how the problem file, which may stand in another folder, calls recording and model */
    const char *clip_name, *model_name;
    /* where <data> does not read the file as it stands (three angles for a rotation, a skeleton),
     * its poses are appended here as a table (CSV), which the problem file calls recording_name;
     * NULL: such a file is refused */
    sal_text *recording;
    const char *recording_name;
    /* the problem is for other recordings, too, in which angles may jump by whole turns, and rows
     * be missing */
    bool many;
    /* [npair] pairs of parts of the robot that are within each other in any of these recordings,
     * and are to be kept apart: those of this one are added. NULL: of this one alone */
    bool *apart;
} sal_follow_request;

/* What differs between the problems of recordings that are alike. */
typedef struct sal_follow_found {
    /* <data floor= belt= gap= from= resample= lowpass=>, <time nstep= duration=>; resample, lowpass
     * 0: none */
    double floor[3], belt[2], gap, from, resample, lowpass;
    int nstep;
    double duration;
    /* s, <smoothing timeconst=>: at the end */
    double timeconst;
    /* not only feet are on the floor: it is followed less closely */
    bool low;
    /* equal for recordings whose columns are read alike */
    unsigned long long reading;
} sal_follow_found;

/* Appends a commented problem file in which the model follows the recorded motion of a robot:
 * `clip` is a file with the pose of its free joint, if it has one, and the angles of its joints.
 * Which columns are what, units, the order of quaternions, floor and belt are found and said in
 * notes (may be NULL), a line each. SAL_BADINPUT if the recording cannot be of this model; faults
 * in the file go to diag. found: may be NULL. */
sal_status sal_follow_draft(sal_text *out, sal_text *notes, sal_follow_found *found,
                            const sal_model *m, const char *clip, const sal_follow_request *request,
                            sal_diag *diag, sal_err *err);

/* The same for a model of a person (people/people.h), whose sites have the names of the markers in
 * `clip`. */
sal_status sal_follow_markers(sal_text *out, sal_text *notes, sal_follow_found *found,
                              const sal_model *m, const char *clip,
                              const sal_follow_request *request, sal_diag *diag, sal_err *err);

/* SAL_BADINPUT, with its name, if a term is the same for all motions: a solve would refuse it. */
sal_status sal_problem_check_terms(const sal_problem *p, sal_err *err);

/* Largest difference between the Jacobian of all residuals at the first guess and their centred
 * differences, along random directions, relative to its largest entry there. paths: where it is
 * exact, its largest difference from centred differences of every step, entry by entry, relative to
 * the largest; else NaN. */
sal_status sal_problem_check_derivatives(const sal_problem *p, double *error, double *paths,
                                         sal_err *err);

#endif
