/* contact_choice.c: the contact models side by side. */
#include "problems/language/contact_choice.h"

#include "physics/physics.h"

/* A row for each model of SAL_CONTACT_LIST, called after its code: without it, `rows` below does
 * not compile. */

static const prb_contact_choice row_SAL_CONTACT_SOFT = {
    .when = "unless there is a reason for another one. Only with it, the motion is MuJoCo's, too.",
    .is = {
        [PRB_CONTACT_COST] = "1",
        [PRB_CONTACT_INVERSE] = "formula",
        [PRB_CONTACT_SMOOTH] = "once",
        [PRB_CONTACT_EARLY] = "no",
        [PRB_CONTACT_REST] = "sinks in",
        [PRB_CONTACT_CREEP] = "slowly",
        [PRB_CONTACT_LIFT] = "0",
        [PRB_CONTACT_DEPTH] = "6, 45 mm",
    }};

static const prb_contact_choice row_SAL_CONTACT_LOGBARRIER = {
    .when = "where a search has to find contacts that are not made yet, or where kinks stop it. It "
            "acts at a distance: lower `kappa` if things hover too high, and with large steps.",
    .is = {
        [PRB_CONTACT_COST] = "1.2",
        [PRB_CONTACT_INVERSE] = "one root",
        [PRB_CONTACT_SMOOTH] = "always",
        [PRB_CONTACT_EARLY] = "yes",
        [PRB_CONTACT_REST] = "hovers",
        [PRB_CONTACT_CREEP] = "yes",
        [PRB_CONTACT_LIFT] = "mu v h",
        [PRB_CONTACT_DEPTH] = "4.4, 30 mm",
    }};

static const prb_contact_choice row_SAL_CONTACT_CONVEX = {
    .when = "where contacts have to be stiff: things hardly sink in or creep. Not where the height "
            "of what slides matters.",
    .is = {
        [PRB_CONTACT_COST] = "1.2",
        [PRB_CONTACT_INVERSE] = "formula",
        [PRB_CONTACT_SMOOTH] = "no: kinks",
        [PRB_CONTACT_EARLY] = "no",
        [PRB_CONTACT_REST] = "touches",
        [PRB_CONTACT_CREEP] = "hardly",
        [PRB_CONTACT_LIFT] = "mu v h",
        [PRB_CONTACT_DEPTH] = "0.05, 0.55 mm",
    }};

static const prb_contact_choice row_SAL_CONTACT_HARD = {
    .when = "where nothing may penetrate, with large steps too, and nothing may be lifted by "
            "sliding. It takes the gap at the end of the step. Lower `kappa` if what friction "
            "holds creeps too fast.",
    .is = {
        [PRB_CONTACT_COST] = "1.3",
        [PRB_CONTACT_INVERSE] = "formula",
        [PRB_CONTACT_SMOOTH] = "always",
        [PRB_CONTACT_EARLY] = "yes",
        [PRB_CONTACT_REST] = "hovers",
        [PRB_CONTACT_CREEP] = "slowly",
        [PRB_CONTACT_LIFT] = "0",
        [PRB_CONTACT_DEPTH] = "-0.14, -0.63 mm",
    }};

static const prb_contact_choice row_SAL_CONTACT_COMPLEMENTARITY = {
    .when = "to simulate contact as textbooks have it, and to measure others by it. Contacts do "
            "not know what controls do in the same step; no search can follow it.",
    .is = {
        [PRB_CONTACT_COST] = "3",
        [PRB_CONTACT_INVERSE] = "solver",
        [PRB_CONTACT_SMOOTH] = "no",
        [PRB_CONTACT_EARLY] = "no",
        [PRB_CONTACT_REST] = "touches",
        [PRB_CONTACT_CREEP] = "if pushed",
        [PRB_CONTACT_LIFT] = "0",
        [PRB_CONTACT_DEPTH] = "0, 0 mm",
    }};

static const prb_contact_choice row_SAL_CONTACT_DIAGONAL = {
    .when = "to simulate a few contacts as fast as can be, masses of any ratio: each contact stops "
            "as if it were alone. Simulations of many contacts on one body can blow up.",
    .is = {
        [PRB_CONTACT_COST] = "1",
        [PRB_CONTACT_INVERSE] = "formula",
        [PRB_CONTACT_SMOOTH] = "no",
        [PRB_CONTACT_EARLY] = "no",
        [PRB_CONTACT_REST] = "touches",
        [PRB_CONTACT_CREEP] = "if pushed",
        [PRB_CONTACT_LIFT] = "0",
        [PRB_CONTACT_DEPTH] = "0, 0 mm",
    }};

static const prb_contact_choice *const rows[] = {
#define ROW(code, name) [code] = &row_##code,
    SAL_CONTACT_LIST(ROW)
#undef ROW
};

static const struct {
    const char *heading, *meaning;
} aspects[] = {
#define ASPECT(code, heading, meaning) {heading, meaning},
    PRB_CONTACT_ASPECT_LIST(ASPECT)
#undef ASPECT
};

const prb_contact_choice *prb_contact_choice_of(int model)
{
    return rows[model];
}

const char *prb_contact_aspect_heading(int aspect)
{
    return aspects[aspect].heading;
}

const char *prb_contact_aspect_meaning(int aspect)
{
    return aspects[aspect].meaning;
}
