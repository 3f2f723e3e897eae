/* measure.c: how a term is measured: its norm, its weight, and what its mean is of. */
#include "problems/language/reader.h"

#include <math.h>

/* A term that follows channels has their norm where it names none; the channels say which. */
static void read_norm(prb_reader *r, const sal_xml *element, prb_term *term)
{
    const sal_xml_attr *q = sal_xml_find_attr(element, "q");
    const bool follows = sal_xml_find_attr(element, "data") != NULL;
    if (follows && sal_xml_find_attr(element, "norm") == NULL) {
        return;
    }
    prb_reader_norm(r, "term", element, &term->norm);
    term->norm.q = prb_grammar_real("term", element, "q");
    if (q != NULL && term->norm.kind != SAL_NORM_SMOOTHABS2) {
        sal_diag_warning(r->diag, q->name_place, NULL,
                         "'q' has no effect; only the norm 'smoothabs2' uses it");
    }
}

static void read_weight(prb_reader *r, const sal_xml *element, prb_term *term)
{
    const double sigma = prb_grammar_real("term", element, "sigma");
    const double soft = prb_grammar_real("term", element, "softweight");
    const sal_xml_attr *weight = sal_xml_find_attr(element, "weight");
    term->weight = prb_grammar_real("term", element, "weight");
    if (!isnan(sigma)) {
        term->weight = 1 / (sigma * sigma);
        if (weight != NULL) {
            sal_diag_error(r->diag, sal_xml_find_attr(element, "sigma")->name_place,
                           "sigma means weight = 1/sigma²; remove one of the two",
                           "a term cannot have both 'weight' and 'sigma'");
        }
    }
    term->softweight = isnan(soft) ? term->weight : soft;
    if (term->weight == 0 && term->softweight == 0) {
        sal_diag_warning(r->diag, prb_reader_place(element, "weight"), NULL,
                         "the term has weight 0, so it has no effect");
    }
}

/* A free duration or travel is not known before the motion is. */
static void read_per(prb_reader *r, const sal_xml *element, prb_term *term)
{
    term->per = (prb_per)prb_grammar_choice("term", element, "per");
    if (term->per == PRB_PER_DISTANCE && r->p->travel == PRB_TRAVEL_NONE) {
        sal_diag_error(r->diag, prb_reader_place(element, "per"), "give <boundary> a <travel>",
                       "per=\"distance\" needs a motion that travels");
    }
    if (term->per != PRB_PER_TIME && term->feature.mean) {
        sal_diag_error(r->diag, prb_reader_place(element, "per"), "remove one of the two",
                       "'mean' and 'per' cannot be combined");
    }
}

void prb_read_measure(prb_reader *r, const sal_xml *element, prb_term *term)
{
    read_norm(r, element, term);
    read_weight(r, element, term);
    read_per(r, element, term);
}
