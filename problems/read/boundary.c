#include "problems/language/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- cycles ---- */

/* The next word of a pair; its length, 0 at the end of the pair */
static size_t mirror_word(const char **text, const char **word)
{
    static const char blanks[] = " \t\r\n";
    *word = *text + strspn(*text, blanks);
    const size_t n = strcspn(*word, " \t\r\n;");
    *text = *word + n;
    return n;
}

/* "left_ right_; L R": the words of each side in a list of its own; false if some pair is none. */
static bool mirror_words(const char *text, sal_text *left, sal_text *right)
{
    bool pairs = true;
    for (bool more = true; more && pairs;) {
        const char *one, *two, *rest = text;
        const size_t none = mirror_word(&text, &one), ntwo = mirror_word(&text, &two);
        pairs = none > 0 && ntwo > 0 && mirror_word(&text, &rest) == 0 &&
                !(none == ntwo && strncmp(one, two, none) == 0);
        sal_text_format(left, " %.*s", (int)none, one);
        sal_text_format(right, " %.*s", (int)ntwo, two);
        more = *rest == ';' && rest[1 + strspn(rest + 1, " \t\r\n")] != 0;
        text = rest + 1;
    }
    return pairs;
}

/* The image of a model that is its own mirror image, or of the averaged one, which the reader then
 * keeps. why: of the model itself, or what the average has not changed */
static sal_status find_image(prb_reader *r, const char *left, const char *right, double tolerance,
                             sal_err *why)
{
    sal_problem *p = r->p;
    sal_err other = {0};
    sal_status status = sal_image_mirror(p->image, p->model, left, right, why);
    if (status != SAL_BADINPUT || tolerance == 0) {
        return status;
    }
    sal_image_free(p->image);
    status = sal_image_new(&p->image, p->model, why);
    status =
        status == SAL_OK ? sal_twins_new(&r->twins, p->model, left, right, tolerance, why) : status;
    if (status != SAL_OK) {
        return status;
    }
    status = sal_model_symmetrise(&r->symmetric, &p->asymmetry, p->model, left, right, tolerance,
                                  &other);
    return status == SAL_OK ? sal_image_mirror(p->image, r->symmetric, left, right, why) : status;
}

static void refuse_mirror(prb_reader *r, const sal_xml_attr *attr, double tolerance,
                          const char *why)
{
    char help[120] = "a mirrored cycle needs a symmetric model";
    const size_t n = strlen(help);
    if (tolerance > 0) {
        snprintf(help + n, sizeof help - n, "; differences up to %g %% are averaged (mirrortol)",
                 100 * tolerance);
    }
    sal_diag_error(r->diag, attr->value_place, help, "%s", why);
}

static void read_mirror(prb_reader *r, const sal_xml *boundary)
{
    const sal_xml_attr *attr = sal_xml_find_attr(boundary, "mirror"),
                       *tol = sal_xml_find_attr(boundary, "mirrortol");
    const double tolerance = prb_grammar_real("boundary", boundary, "mirrortol");
    sal_text left = {0}, right = {0};
    sal_err why = {0};
    r->p->mirrortol = tolerance;
    if (attr == NULL && tol != NULL) {
        sal_diag_error(r->diag, tol->name_place, "remove it, or add mirror=\"left_ right_\"",
                       "'mirrortol' needs 'mirror'");
    }
    if (attr == NULL) {
        return;
    }
    if (!mirror_words(attr->value, &left, &right)) {
        sal_diag_error(r->diag, attr->value_place,
                       "for example mirror=\"left_ right_\", or mirror=\"FL FR; RL RR\"",
                       "mirror needs two different words: one that is part of the names on the "
                       "left side, one for the right side");
    } else if (left.failed || right.failed) {
        r->nomem = true;
    } else if (r->p->image != NULL && !isnan(tolerance)) {
        const sal_status status = find_image(r, left.data + 1, right.data + 1, tolerance, &why);
        if (status == SAL_NOMEM) {
            r->nomem = true;
        } else if (status != SAL_OK) {
            refuse_mirror(r, attr, tolerance, why.message);
        }
    }
    sal_text_clear(&left);
    sal_text_clear(&right);
}

/* The slide joint's axis in the world, at home. */
static void world_axis(prb_reader *r, int joint, double axis[3])
{
    sal_data *d;
    sal_err why;
    if (sal_data_new(&d, r->p->model, &why) != SAL_OK) {
        r->nomem = true;
        return;
    }
    sal_kinematics(r->p->model, d);
    memcpy(axis, d->xaxis + 3 * (size_t)joint, 3 * sizeof *axis);
    sal_data_free(d);
}

/* Travel lies in the floor plane; a mirrored cycle's lateral travel would be undone by its
 * image. */
static void check_direction(prb_reader *r, const double axis[3], sal_place place)
{
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (length < 1e-9) {
        sal_diag_error(r->diag, place, "for example direction=\"1 0\"",
                       "the direction has length zero");
    } else if (fabs(axis[2]) > 1e-6 * length) {
        sal_diag_error(r->diag, place, "the travel must lie in the floor plane, along x and y",
                       "a cycle cannot travel up or down");
    } else if (r->p->image->mirrored && fabs(axis[1]) > 1e-6 * length) {
        sal_diag_error(r->diag, place,
                       "its mirror image would travel back; let it travel along x, or describe the "
                       "whole cycle without mirror",
                       "a mirrored cycle cannot travel sideways");
    }
}

/* What ties the joint to a place forbids that its cycle goes on elsewhere. */
static bool travels(prb_reader *r, int joint, const prb_word *word)
{
    const sal_model *m = r->p->model;
    const int type = m->jnt_type[joint];
    if (type != SAL_JNT_SLIDE && type != SAL_JNT_FREE) {
        sal_diag_error(r->diag, word->place, NULL,
                       "joint '%s' is a %s; only a slide joint or a free joint can travel",
                       word->text, type == SAL_JNT_HINGE ? "hinge" : "ball");
        return false;
    }
    const double *poly = m->jnt_stiffnesspoly + 2 * joint;
    if (m->jnt_limited[joint] || m->jnt_stiffness[joint] != 0 || poly[0] != 0 || poly[1] != 0) {
        sal_diag_error(r->diag, word->place,
                       "remove it in the model, or by --set joint[..]/limited=false or stiffness=0",
                       "joint '%s' cannot travel, because it has %s at a fixed position",
                       word->text, m->jnt_limited[joint] ? "a limit" : "a spring");
        return false;
    }
    return true;
}

static void travel_turn(prb_reader *r, const sal_xml *travel, int joint)
{
    sal_problem *p = r->p;
    const double turn = prb_grammar_real("travel", travel, "turn");
    const bool range = prb_grammar_reals("travel", travel, "turnrange", p->turn_range, 2) == 2;
    sal_err why = {0};
    if (isnan(turn) && !range) {
        return;
    }
    const double first = !isnan(turn) ? turn : (p->turn_range[0] + p->turn_range[1]) / 2;
    const sal_place place = prb_reader_place(travel, isnan(turn) ? "turnrange" : "turn");
    if (!range) {
        p->turn_range[0] = p->turn_range[1] = turn;
    } else if (first < p->turn_range[0] || first > p->turn_range[1]) {
        sal_diag_error(r->diag, place,
                       "turn is the first guess of a free turn; it must lie in turnrange",
                       "the turn of %g rad is outside the range %g .. %g rad", first,
                       p->turn_range[0], p->turn_range[1]);
    }
    const sal_status status = sal_image_turn(p->image, p->model, joint, first, &why);
    if (status == SAL_NOMEM) {
        r->nomem = true;
    } else if (status != SAL_OK) {
        sal_diag_error(r->diag, place, NULL, "%s", why.message);
    }
}

/* The joint that travels; -1 (reported) if there is none. *word: as the file names it, or would */
static int named_joint(prb_reader *r, const sal_xml *travel, prb_word *word)
{
    const sal_model *m = r->p->model;
    int joint = -1, n = 0;
    if (sal_xml_find_attr(travel, "joint") != NULL) {
        return prb_reader_whole(r, word, travel, "joint")
                   ? prb_reader_find(r, SAL_OBJ_JOINT, SAL_OBJ_NONE, word, NULL)
                   : -1;
    }
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_type[j] == SAL_JNT_FREE) {
            joint = j;
            n++;
        }
    }
    *word = (prb_word){.place = travel->place};
    snprintf(word->text, sizeof word->text, "#%d", joint);
    if (n != 1) {
        sal_diag_error(r->diag, travel->place, "name the joint that travels: joint=\"..\"",
                       "the model has %d free joints, so it is not clear which joint travels", n);
    }
    return n == 1 ? joint : -1;
}

static void travel_joint(prb_reader *r, const sal_xml *travel)
{
    const sal_model *m = r->p->model;
    prb_word word;
    const int joint = named_joint(r, travel, &word);
    if (joint < 0 || !travels(r, joint, &word)) {
        return;
    }
    const bool slide = m->jnt_type[joint] == SAL_JNT_SLIDE;
    double axis[3] = {0, 0, 0};
    if (slide && sal_xml_find_attr(travel, "direction") != NULL) {
        sal_diag_error(r->diag, sal_xml_find_attr(travel, "direction")->name_place,
                       "remove the attribute; the joint moves along its axis",
                       "'direction' has no effect on a slide joint");
    }
    if (slide) {
        world_axis(r, joint, axis);
    } else {
        prb_grammar_reals("travel", travel, "direction", axis, 2);
    }
    const int before = r->diag->nerror;
    check_direction(r, axis, slide ? word.place : prb_reader_place(travel, "direction"));
    sal_err why = {0};
    const sal_status status =
        r->nomem || r->diag->nerror > before
            ? SAL_OK
            : sal_image_travel(r->p->image, m, joint, slide ? NULL : axis, &why);
    if (status == SAL_NOMEM) {
        r->nomem = true;
    } else if (status != SAL_OK) {
        sal_diag_error(r->diag, word.place, NULL, "%s", why.message);
    } else if (r->diag->nerror == before) {
        travel_turn(r, travel, joint);
    }
}

static void travel_amount(prb_reader *r, const sal_xml *travel)
{
    sal_problem *p = r->p;
    const double speed = prb_grammar_real("travel", travel, "speed");
    const double value = prb_grammar_real("travel", travel, "value");
    const bool range = prb_grammar_reals("travel", travel, "range", p->travel_range, 2) == 2;
    if (!isnan(speed) + !isnan(value) + range > 1) {
        sal_diag_error(r->diag, travel->place, "keep one of them, or none for a free travel",
                       "<travel> has more than one of speed, value and range");
    }
    p->travel = !isnan(speed)   ? PRB_TRAVEL_SPEED
                : !isnan(value) ? PRB_TRAVEL_VALUE
                                : PRB_TRAVEL_FREE;
    p->travel_value = !isnan(speed) ? speed : !isnan(value) ? value : 0;
    if (p->travel == PRB_TRAVEL_FREE && range) {
        p->travel_value = (p->travel_range[0] + p->travel_range[1]) / 2;
    } else {
        p->travel_range[0] = (double)-INFINITY;
        p->travel_range[1] = (double)INFINITY;
    }
}

static void read_cycle(prb_reader *r, const sal_xml *boundary)
{
    const sal_xml *travel = prb_reader_element(r, "travel");
    sal_err why;
    if (r->p->model != NULL && sal_image_new(&r->p->image, r->p->model, &why) != SAL_OK) {
        r->nomem = true;
        return;
    }
    read_mirror(r, boundary);
    if (travel != NULL && r->p->image != NULL) {
        travel_joint(r, travel);
    }
    if (travel != NULL) {
        travel_amount(r, travel);
    }
}

/* ---- both ---- */

/* What stands in the wrong kind of boundary. */
static void check_kind(prb_reader *r, const char *tag, bool cycle)
{
    const sal_xml *element = prb_reader_element(r, tag);
    if (element != NULL) {
        sal_diag_error(
            r->diag, element->place,
            cycle ? "a cycle has no start and no end; remove the element, or write type=\"open\""
                  : "remove it, or write type=\"cycle\"",
            "<%s> has no effect in %s", tag, cycle ? "a cycle" : "an open motion");
    }
}

void prb_read_boundary(prb_reader *r)
{
    const sal_xml *boundary = prb_reader_element(r, "boundary");
    const int type = prb_grammar_choice("boundary", boundary, "type");
    if (boundary == NULL || type < 0) {
        return;
    }
    r->p->boundary = type == 0 ? PRB_OPEN : PRB_CYCLE;
    if (r->p->boundary == PRB_CYCLE) {
        check_kind(r, "start", true);
        check_kind(r, "end", true);
        read_cycle(r, boundary);
        return;
    }
    check_kind(r, "travel", false);
    static const char *const of_cycles[] = {"mirror", "mirrortol"};
    for (int i = 0; i < 2; i++) {
        const sal_xml_attr *attr = sal_xml_find_attr(boundary, of_cycles[i]);
        if (attr != NULL) {
            sal_diag_error(r->diag, attr->name_place, "remove it, or write type=\"cycle\"",
                           "'%s' has no effect in an open motion", of_cycles[i]);
        }
    }
    prb_read_endpoint(r, "start", &r->p->start);
    prb_read_endpoint(r, "end", &r->p->end);
}
