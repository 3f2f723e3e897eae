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

/* The attribute of the word's path, ".../attribute[k]" */
static bool names_attribute(const char *path, const char *attribute)
{
    const char *slash = strrchr(path, '/');
    const size_t n = strlen(attribute);
    return slash != NULL && strncmp(slash + 1, attribute, n) == 0 &&
           (slash[1 + n] == 0 || slash[1 + n] == '[');
}

/* What the formulas of the model's file for contacts say, other contact models do not read. */
static void check_path(prb_reader *r, const prb_word *word)
{
    static const char *const soft[] = {"solref", "solimp", "solreffriction", "impratio",
                                       "solmix", "margin", "gap"};
    for (size_t k = 0; k < sizeof soft / sizeof soft[0]; k++) {
        if (names_attribute(word->text, soft[k])) {
            sal_diag_error(r->diag, word->place,
                           "estimate friction, sizes or inertias, or write "
                           "contactmodel=\"soft\"; how hard the contacts are is kappa of <solver>",
                           "'%.100s' means nothing to the contact model \"%s\"", word->text,
                           sal_contact_model_name(r->p->contact_model));
        }
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

void idn_read_contact_model(prb_reader *r)
{
    const sal_xml *solver = prb_reader_element(r, "solver");
    sal_problem *p = r->p;
    if (solver == NULL) {
        return;
    }
    check_attributes(r, solver);
    prb_read_contact_model(r);
    if (p->contact_model == SAL_CONTACT_SOFT) {
        return;
    }
    check_parameters(r);
    sal_err err;
    if (r->diag->nerror == 0 && p->model != NULL &&
        idn_contact_give(p, p->model, 0, &err) != SAL_OK) {
        sal_diag_error(r->diag, prb_reader_place(solver, "contactmodel"),
                       "give kappa", "%s", err.message);
    }
}
