/* person.c: from markers to a model of the person who wore them. */
#include "people/person.h"

#include "base/house.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double ODD = .3; /* of the median */

/* Soles of the generic person: .085 m under the ankle, as far as no foot was seen. */
static void begin(ppl_person *person, double mass)
{
    person->mass = mass;
    for (int k = 0; k < PPL_NLENGTH; k++) {
        person->scale[k] = 1;
    }
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < PPL_NPAD; k++) {
            double pos[3];
            const double radius = ppl_pad_place(person, (ppl_pad)k, (ppl_side)side, pos);
            person->pad[side][k] = radius - .085 - (k < PPL_TOE_OUT ? 0 : -.055);
        }
    }
}

static sal_status check(const ppl_person *person, const ppl_trials *trials, sal_err *err)
{
    int legs = 0, pelvis = 0;
    for (int i = 0; i < person->nmarker; i++) {
        const ppl_segment s = person->marker[i].at.segment;
        pelvis += person->marker[i].seen > 0 && (s == PPL_PELVIS || s == PPL_TORSO);
        legs += person->marker[i].seen > 0 && s >= PPL_THIGH;
    }
    if (pelvis < 3 || legs < 6) {
        char unknown[PPL_NAME + 40] = "";
        if (trials->unknown[0] != 0) {
            snprintf(unknown, sizeof unknown, "; '%s' is no name that is known", trials->unknown);
        }
        return sal_fail(err, SAL_BADINPUT,
                        "%d markers of pelvis and torso and %d of the legs were recognised in %d "
                        "frames; at least 3 and 6 are needed%s (--markers NAMES.csv says what "
                        "markers with other names are)",
                        pelvis, legs, trials->nframe, unknown);
    }
    return SAL_OK;
}

/* Floors that are not at height 0 */
static void say_floors(sal_text *notes, const sal_person_request *q, const ppl_trials *t)
{
    for (int i = 0; i < t->ntrial; i++) {
        if (t->floor[i] != 0) {
            sal_text_format(notes,
                            "the floor of '%.300s' is about %.0f mm %s its height 0, as the "
                            "markers of the feet show; the soles are placed on that floor\n",
                            ppl_file_of(q, i), 1e3 * fabs(t->floor[i]),
                            t->floor[i] > 0 ? "over" : "under");
        }
    }
}

/* The first segment of a leg that, like those after it, no marker is on; toes alone do not
 * count. */
static ppl_segment first_unseen(const ppl_person *p, ppl_side side)
{
    ppl_segment last = PPL_PELVIS;
    for (int i = 0; i < p->nmarker; i++) {
        const ppl_marker *m = p->marker + i;
        last = m->side == side && m->at.segment > last ? m->at.segment : last;
    }
    return last < PPL_THIGH ? PPL_THIGH : (ppl_segment)(last + 1);
}

/* Legs whose joints nothing shows */
static void say_unseen(sal_text *notes, const ppl_person *p)
{
    for (int side = PPL_RIGHT; side <= PPL_LEFT; side++) {
        const ppl_segment first = first_unseen(p, (ppl_side)side);
        const char *prefix = side == PPL_RIGHT ? "right" : "left", *before = "";
        if (first > PPL_FOOT) {
            continue;
        }
        sal_text_format(notes, "no marker is on the %s", prefix);
        for (int s = (int)first; s <= PPL_FOOT; s++, before = ", ") {
            sal_text_format(notes, "%s %s", before[0] == 0 ? "" : ",",
                            ppl_bone_of((ppl_segment)s)->name);
        }
        sal_text_add(notes, ": the joints");
        before = "";
        for (int s = (int)first; s < PPL_NSEGMENT; s++) {
            const ppl_bone *bone = ppl_bone_of((ppl_segment)s);
            for (int k = 0; k < bone->njoint; k++, before = ",") {
                sal_text_format(notes, "%s %s_%s", before, prefix, bone->joint[k].name);
            }
        }
        sal_text_add(notes, " are not measured. Do not trust the forces and moments of this leg\n");
    }
}

static const char *const lengths[PPL_NLENGTH] = {[PPL_OF_PELVIS] = "pelvis",
                                                 [PPL_OF_HIPS] = "hips",
                                                 [PPL_OF_TRUNK] = "trunk",
                                                 [PPL_OF_SHOULDERS] = "shoulders",
                                                 [PPL_OF_UPPER_ARM] = "upper arm",
                                                 [PPL_OF_LOWER_ARM] = "lower arm",
                                                 [PPL_OF_THIGH] = "thigh",
                                                 [PPL_OF_SHANK] = "shank",
                                                 [PPL_OF_FOOT] = "foot"};

/* Lengths that are far from those of the rest of the person */
static void say_odd(sal_text *notes, const ppl_person *p)
{
    double sorted[PPL_NLENGTH];
    memcpy(sorted, p->scale, sizeof sorted);
    const double middle = sal_median(sorted, PPL_NLENGTH);
    for (int k = 0; k < PPL_NLENGTH; k++) {
        if (!(fabs(p->scale[k] / middle - 1) < ODD)) {
            sal_text_format(notes,
                            "the length '%s' is %.3f, while the median of the lengths is %.3f: "
                            "either markers there are not what their names say, or this part moves "
                            "as the model cannot (raised arms)\n",
                            lengths[k], p->scale[k], middle);
        }
    }
}

static void say(sal_text *notes, const ppl_person *p)
{
    sal_text_format(notes, "%d markers in %d frames: %.1f mm rms\n", p->nmarker, p->nframe,
                    1e3 * p->rms);
    sal_text_add(notes, "lengths beside those of a person of 1.74 m:");
    for (int k = 0; k < PPL_NLENGTH; k++) {
        sal_text_format(notes, "%s %s %.3f", k == 0 ? "" : ",", lengths[k], p->scale[k]);
    }
    sal_text_add(notes, "\n");
    for (int i = 0; i < p->nmarker; i++) {
        if (p->marker[i].rms > .04) {
            sal_text_format(notes,
                            "%s is %.0f mm rms from where it should be: is it what its "
                            "name says?\n",
                            p->marker[i].name, 1e3 * p->marker[i].rms);
        }
    }
}

sal_status sal_person_model(sal_text *model, sal_text *notes, const sal_person_request *request,
                            sal_diag *diag, sal_err *err)
{
    ppl_person person = {0};
    ppl_trials trials = {0};
    double *x = NULL;
    begin(&person, request->mass);
    sal_status status = ppl_trials_read(&trials, &person, request, notes, diag, err);
    status = status == SAL_OK ? check(&person, &trials, err) : status;
    status = status == SAL_OK ? ppl_check_mirrored(&person, &trials, err) : status;
    status = status == SAL_OK ? ppl_fit(&person, &trials, request->height, &x, err) : status;
    status = status == SAL_OK ? ppl_fit_soles(&person, &trials, x, err) : status;
    if (status == SAL_OK) {
        say(notes, &person);
        status = ppl_say_exchanged(notes, &person, &trials, request, err);
        say_odd(notes, &person);
        say_unseen(notes, &person);
        say_floors(notes, request, &trials);
        ppl_write(model, &person);
        status =
            model->failed || notes->failed ? sal_fail(err, SAL_NOMEM, "out of memory") : status;
    }
    ppl_trials_clear(&trials);
    sal_free(person.marker);
    sal_free(x);
    return status;
}
