/* require.c: what is required of the motion that is found. */
#include "problems/read/objects.h"
#include "problems/states.h"
#include "problems/touch.h"

#include <math.h>

/* One word of `only`: a geom, or a body as -1 - body, that moves and may touch something. */
static void read_shape(prb_reader *r, const prb_word *word, prb_require *require)
{
    const sal_model *m = r->p->model;
    int object[2];
    if (prb_reader_objects(r, PRB_OBJECT_SHAPE, word, object) == 0) {
        return;
    }
    const int body = object[0] >= 0 ? m->geom_bodyid[object[0]] : -1 - object[0];
    if (!prb_reader_moves(r, body, word)) {
        return;
    }
    if (!prb_touches(m, object[0], NULL, 0)) {
        sal_diag_error(r->diag, word->place,
                       "name the geom or body that has the contact; check its contype and "
                       "conaffinity, and the excluded pairs of the model",
                       "'%s' can never touch anything", word->text);
        return;
    }
    require->only[require->nonly++] = object[0];
}

static void read_only(prb_reader *r, const sal_xml_attr *attr, prb_require *require)
{
    prb_word word = {.attr = attr};
    require->only =
        prb_reader_alloc(r, (size_t)prb_reader_count_words(attr) + 1, sizeof *require->only);
    while (require->only != NULL && prb_reader_word(r, &word)) {
        read_shape(r, &word, require);
    }
}

/* What is required of something that the problem does not have is never missed. */
static void warn_of_nothing(prb_reader *r, const sal_xml *element)
{
    const sal_problem *p = r->p;
    const int nv = p->model->nv;
    const bool rests = p->boundary == PRB_OPEN &&
                       (prb_endpoint_rests(&p->start, nv) || prb_endpoint_rests(&p->end, nv));
    const bool free = p->duration_range[1] > p->duration_range[0] ||
                      (p->boundary == PRB_CYCLE &&
                       (p->travel == PRB_TRAVEL_FREE || p->turn_range[1] > p->turn_range[0]));
    const sal_xml *solver = prb_reader_element(r, "solver"); /* read later */
    const bool own = prb_grammar_choice("solver", solver, "contact") == 1 ||
                     prb_grammar_choice("solver", solver, "finish") != PRB_FINISH_NONE;
    if (!isnan(p->require.rest) && !rests) {
        sal_diag_warning(r->diag, prb_reader_place(element, "rest"),
                         "pin all velocities of the start or the end to 0, or remove it",
                         "'rest' has no effect: no end of the motion is pinned at rest");
    }
    if (!isnan(p->require.ownpenetration) && !own) {
        sal_diag_warning(r->diag, prb_reader_place(element, "ownpenetration"),
                         "ask for finish=\"try\" in <solver>, or remove it",
                         "'ownpenetration' has no effect: the motion does not come to the model's "
                         "own contacts");
    }
    if (!p->require.bound && !free) {
        sal_diag_warning(r->diag, prb_reader_place(element, "bound"), "remove it",
                         "'bound' has no effect: no duration, travel or turn is free");
    }
}

void prb_read_require(prb_reader *r)
{
    prb_require *require = &r->p->require;
    const sal_xml *element = prb_reader_element(r, "require");
    const sal_xml_attr *only = element == NULL ? NULL : sal_xml_find_attr(element, "only");
    require->penetration = prb_grammar_real("require", element, "penetration");
    require->ownpenetration = prb_grammar_real("require", element, "ownpenetration");
    require->slip = prb_grammar_real("require", element, "slip");
    require->load = prb_grammar_real("require", element, "load");
    require->selfcontact = prb_grammar_choice("require", element, "selfcontact") == 0;
    require->rest = prb_grammar_real("require", element, "rest");
    require->bound = prb_grammar_choice("require", element, "bound") == 0;
    if (only != NULL && r->p->model != NULL) {
        read_only(r, only, require);
    }
    if (element != NULL && r->p->model != NULL) {
        warn_of_nothing(r, element);
    }
    if (element != NULL && element->nattr == 0) {
        sal_diag_error(r->diag, element->place,
                       "give it an attribute, for example penetration=\"0.01\", or remove it",
                       "<require> requires nothing");
    }
}
