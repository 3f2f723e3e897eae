/* read_contact_model.c: <solver> of an identification: which force contacts exert. */
#include "identify/identification.h"

#include <string.h>

/* What else <solver> says is about how a motion is sought. */
static void check_attributes(prb_reader *r, const sal_xml *solver)
{
    static const char *const own[] = {"contactmodel", "kappa", "reach"};
    for (int i = 0; i < solver->nattr; i++) {
        const sal_xml_attr *a = solver->attr + i;
        bool known = false;
        for (size_t k = 0; k < sizeof own / sizeof own[0]; k++) {
            known = known || strcmp(a->name, own[k]) == 0;
        }
        if (!known) {
            sal_diag_error(r->diag, a->name_place,
                           "remove it; an identification has its settings in <estimate>, and of "
                           "<solver> only contactmodel, kappa and reach",
                           "'%s' of <solver> is about the search for a motion", a->name);
        }
    }
    if (solver->child != NULL) {
        sal_diag_error(r->diag, solver->child->place,
                       "remove it; how soft contacts are at first is in <stage> of <estimate>",
                       "<%s> is about the search for a motion", solver->child->tag);
    }
}

/* What the formulas of MuJoCo's constraints say, other contact models do not read: the attribute of
 * the word's path, ".../attribute[k]". */
static bool is_of_soft(const char *path)
{
    static const char *const words[] = {"solref", "solimp", "solmix", "impratio", "margin", "gap"};
    const char *slash = strrchr(path, '/');
    bool is = false;
    for (size_t k = 0; slash != NULL && k < sizeof words / sizeof words[0]; k++) {
        is = is || strncmp(slash + 1, words[k], strlen(words[k])) == 0;
    }
    return is;
}

static void check_path(prb_reader *r, const prb_word *word)
{
    if (is_of_soft(word->text)) {
        sal_diag_error(r->diag, word->place,
                       "estimate friction, sizes or inertias, or write contactmodel=\"soft\"; how "
                       "hard contacts are is kappa of <solver>, which is not estimated",
                       "'%.100s' means nothing to the contact model \"%s\"", word->text,
                       sal_contact_model_name(r->p->contact_model));
    }
}

static void check_parameters(prb_reader *r)
{
    for (const sal_xml *c = r->doc.root->child; c != NULL; c = c->next) {
        prb_word word = {.attr = strcmp(c->tag, "parameter") == 0 ? sal_xml_find_attr(c, "path")
                                                                  : NULL};
        while (word.attr != NULL && prb_reader_word(r, &word)) {
            check_path(r, &word);
        }
    }
}

/* Of barriers that act at a distance a search makes the body so small that nothing touches it. */
static bool is_known(prb_reader *r, const sal_xml *solver)
{
    const int model = prb_grammar_choice("solver", solver, "contactmodel");
    const bool known = model == SAL_CONTACT_SOFT || model == SAL_CONTACT_HARD;
    if (!known) {
        sal_diag_error(r->diag, prb_reader_place(solver, "contactmodel"),
                       "use contactmodel=\"soft\" or \"hard\"",
                       "with the contact model \"%s\" nothing can be identified",
                       sal_contact_model_name(model));
    }
    return known;
}

void idn_read_contact_model(prb_reader *r)
{
    const sal_xml *solver = prb_reader_element(r, "solver");
    sal_problem *p = r->p;
    sal_err err;
    if (solver == NULL) {
        return;
    }
    check_attributes(r, solver);
    if (!is_known(r, solver)) {
        return;
    }
    prb_read_contact_model(r);
    if (p->contact_model == SAL_CONTACT_SOFT) {
        return;
    }
    check_parameters(r);
    if (r->diag->nerror == 0 && p->model != NULL &&
        idn_contact_give(p, p->model, 0, &err) != SAL_OK) {
        sal_diag_error(r->diag, prb_reader_place(solver, "contactmodel"), "give kappa", "%s",
                       err.message);
    }
}
