/* draft_side.c: left and right by names, where the mechanism faces, and whether it is its own
 * mirror image.
 *
 *     facing = (left - right) x up, of the mean places of bodies whose names say their side;
 *              without such names, x: the direction of travel by convention
 */
#include "base/house.h"
#include "guide/draft.h"
#include "problems/language/grammar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *left, *right;
} pairs[] = {{"left", "right"}, {"Left", "Right"}, {"LEFT", "RIGHT"}, {"l", "r"},   {"L", "R"},
             {"FL", "FR"},      {"RL", "RR"},      {"HL", "HR"},      {"BL", "BR"}, {"LF", "RF"},
             {"LH", "RH"},      {"LB", "RB"},      {"LL", "LR"},      {"fl", "fr"}, {"rl", "rr"},
             {"hl", "hr"},      {"bl", "br"},      {"lf", "rf"},      {"lh", "rh"}, {"ll", "lr"}};
enum { NPAIR = sizeof pairs / sizeof pairs[0] };

/* ---- words in names ---- */

enum { WHOLE = 2 }; /* words of that many letters, l and FL, stand by themselves */

static bool has_word(const char *name, const char *word)
{
    const size_t n = strlen(word);
    bool has = false;
    for (size_t at = 0; name[at] != 0; at++) {
        has = has || sal_name_word_at(name, at, word, n, WHOLE);
    }
    return has;
}

/* Whether the name begins with the single letter of one side, and what has the other's is there:
 * lfemur and rfemur. */
static bool has_initial(const sal_model *m, sal_object type, int id, const char *own,
                        const char *other)
{
    const int partner = sal_mirror_partner(m, type, id, own, other);
    return own[1] == 0 && sal_model_name(m, type, id)[0] == own[0] && partner >= 0 && partner != id;
}

static bool is_of(const sal_model *m, sal_object type, int id, const char *own, const char *other)
{
    return has_word(sal_model_name(m, type, id), own) || has_initial(m, type, id, own, other);
}

/* 1: left, -1: right, 0: the name does not say, or says both. */
static int side_of(const sal_model *m, sal_object type, int id)
{
    bool left = false, right = false;
    for (int i = 0; i < NPAIR; i++) {
        left = left || is_of(m, type, id, pairs[i].left, pairs[i].right);
        right = right || is_of(m, type, id, pairs[i].right, pairs[i].left);
    }
    return (int)left - (int)right;
}

/* A foot's side by its own name, or by those of the bodies that carry it, or of its joints. */
static int side_of_body(const gde_draft *f, int body)
{
    const sal_model *m = f->m;
    int side = 0;
    for (int b = body; b > 0 && b != f->root && side == 0; b = m->body_parentid[b]) {
        side = side_of(m, SAL_OBJ_BODY, b);
        for (int k = 0; k < m->body_jntnum[b] && side == 0; k++) {
            side = side_of(m, SAL_OBJ_JOINT, m->body_jntadr[b] + k);
        }
    }
    return side;
}

/* ---- where it faces ---- */

static void find_facing(gde_draft *f)
{
    const sal_model *m = f->m;
    double sum[2][3] = {{0}};
    int n[2] = {0, 0};
    for (int b = 1; b < m->nbody && f->root > 0; b++) {
        const int side = side_of(m, SAL_OBJ_BODY, b);
        if (side != 0 && m->body_rootid[b] == m->body_rootid[f->root]) {
            sal_v3_add(sum[side < 0], sum[side < 0], f->d->xpos + 3 * b);
            n[side < 0]++;
        }
    }
    f->facing[0] = 1, f->facing[1] = 0;
    f->facing_known = false;
    if (n[0] == 0 || n[0] != n[1]) {
        return;
    }
    const double x = (sum[0][0] - sum[1][0]) / n[0], y = (sum[0][1] - sum[1][1]) / n[0];
    const double size = hypot(x, y);
    if (size > 0.05 * f->leg) { /* (x, y, 0) x (0, 0, 1) = (y, -x, 0), an axis if it is near */
        const double ahead[2] = {y / size, -x / size};
        for (int i = 0; i < 2; i++) {
            f->facing[i] = fabs(ahead[i]) > 0.93   ? (ahead[i] > 0 ? 1 : -1)
                           : fabs(ahead[i]) < 0.35 ? 0
                                                   : ahead[i];
        }
        f->facing_known = true;
    }
}

/* ---- feet ---- */

/* Where a foot's place along an axis is, of all feet. */
static double middle_of(const gde_draft *f, const double axis[2])
{
    double sum = 0;
    for (int i = 0; i < f->nfoot; i++) {
        sum += sal_v3_dot((double[3]){axis[0], axis[1], 0}, f->foot[i].centre);
    }
    return sum / f->nfoot;
}

static int sign_beyond(double x, double least)
{
    return (x > least) - (x < -least);
}

static void place_sides(gde_draft *f)
{
    const double *ahead = f->facing, left[2] = {-ahead[1], ahead[0]};
    const double least = 0.02 * f->leg;
    const bool two = f->nfoot == 2;
    if (f->nfoot == 0) {
        return;
    }
    const double along = middle_of(f, ahead), across = middle_of(f, left);
    for (int i = 0; i < f->nfoot; i++) {
        gde_foot *foot = f->foot + i;
        const double *x = foot->centre;
        const int place = sign_beyond(left[0] * x[0] + left[1] * x[1] - across, least);
        const int named = side_of_body(f, foot->body);
        foot->side = place != 0 ? place : named;
        foot->end = sign_beyond(ahead[0] * x[0] + ahead[1] * x[1] - along, least);
    }
    if (two && f->foot[0].side * f->foot[1].side >= 0) { /* a planar model's, without names */
        const bool second = f->foot[1].side > 0 || f->foot[0].side < 0;
        f->foot[0].side = second ? -1 : 1;
        f->foot[1].side = -f->foot[0].side;
    }
}

void gde_find_sides(gde_draft *f)
{
    find_facing(f);
    place_sides(f);
}

/* ---- the mirror ---- */

/* Whether some names have the word of the left, and some that of the right. */
static bool in_names(const sal_model *m, sal_object type, const char *left, const char *right)
{
    bool has_left = false, has_right = false;
    for (int i = 0; i < sal_model_count(m, type); i++) {
        has_left = has_left || is_of(m, type, i, left, right);
        has_right = has_right || is_of(m, type, i, right, left);
    }
    return has_left && has_right;
}

static void append(char list[GDE_NAME], const char *word)
{
    const size_t n = strlen(list);
    snprintf(list + n, GDE_NAME - n, "%s%s", n > 0 ? " " : "", word);
}

void gde_find_words(gde_draft *f)
{
    const sal_model *m = f->m;
    f->left[0] = f->right[0] = 0; /* all words together are shorter than GDE_NAME */
    for (int i = 0; i < NPAIR; i++) {
        const char *l = pairs[i].left, *r = pairs[i].right;
        if (in_names(m, SAL_OBJ_JOINT, l, r) || in_names(m, SAL_OBJ_BODY, l, r)) {
            append(f->left, l);
            append(f->right, r);
        }
    }
}

/* Of the model, or of the one that is averaged where a problem says no more than mirror=".." */
static sal_status find_image(sal_image **image, const gde_draft *f, sal_err *err)
{
    sal_model *even = NULL;
    sal_asymmetry unused;
    sal_err other;
    sal_status status = sal_image_mirror(*image, f->m, f->left, f->right, err);
    if (status != SAL_BADINPUT ||
        sal_model_symmetrise(&even, &unused, f->m, f->left, f->right,
                             prb_grammar_real("boundary", NULL, "mirrortol"), &other) != SAL_OK) {
        return status;
    }
    sal_image_free(*image);
    status = sal_image_new(image, f->m, err);
    status = status == SAL_OK ? sal_image_mirror(*image, even, f->left, f->right, err) : status;
    sal_model_free(even);
    return status;
}

void gde_find_mirror(gde_draft *f, const double ahead[2])
{
    sal_image *image = NULL;
    sal_err err = {0};
    const bool free = f->m->jnt_type[f->travel] == SAL_JNT_FREE;
    f->mirrored = false;
    gde_find_words(f);
    if (f->left[0] == 0) {
        gde_note(f, "no mirror: no names of joints or bodies tell left from right");
        return;
    }
    sal_status status = sal_image_new(&image, f->m, &err);
    status = status == SAL_OK ? find_image(&image, f, &err) : status;
    status = status == SAL_OK ? sal_image_travel(image, f->m, f->travel, free ? ahead : NULL, &err)
                              : status;
    f->mirrored = status == SAL_OK;
    if (!f->mirrored) {
        gde_note(f, "no mirror: %.400s%s", err.message, strlen(err.message) > 400 ? " .." : "");
    }
    sal_image_free(image);
}
