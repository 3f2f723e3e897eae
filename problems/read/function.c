/* function.c: functions of the program that solves the problem: which of those it gave a <function>
 * names, and the numbers that it is of. */
#include "problems/language/reader.h"
#include "problems/quantity.h"

#include <string.h>

/* ---- what the program gave ---- */

static void add_given(sal_text *help, const sal_problem *p)
{
    for (int i = 0; i < p->ngiven; i++) {
        sal_text_format(help, "%s%.64s", i == 0 ? "the program gives " : ", ", p->given[i].name);
    }
    if (p->ngiven == 0) {
        sal_text_add(help, "a program in C (sal_problem_options.function) or Python (functions=) "
                           "gives it; the command has none");
    }
}

static const sal_function *find_given(prb_reader *r, const sal_xml *element, const char *name)
{
    const sal_problem *p = r->p;
    for (int i = 0; i < p->ngiven; i++) {
        if (strcmp(p->given[i].name, name) == 0) {
            return p->given + i;
        }
    }
    sal_text help = {0};
    add_given(&help, p);
    sal_diag_error(r->diag, prb_reader_place(element, "name"), help.data,
                   "there is no function '%.64s' in the program that reads this file", name);
    sal_text_clear(&help);
    return NULL;
}

static void check_given(prb_reader *r, const sal_xml *element, const sal_function *given)
{
    if (given != NULL && (given->n < 1 || given->call == NULL)) {
        sal_diag_error(r->diag, prb_reader_place(element, "name"), NULL,
                       "the program gives the function '%.64s' with %d residuals%s; it needs at "
                       "least one, and a call",
                       given->name, given->n, given->call == NULL ? " and no call" : "");
    }
}

/* ---- one function ---- */

static void check_twice(prb_reader *r, const sal_xml *element, const char *name)
{
    for (int i = 0; i < r->p->nfunction; i++) {
        if (strcmp(r->p->function[i].name, name) == 0) {
            prb_reader_named_twice(r, element, name);
        }
    }
}

static void read_inputs(prb_reader *r, const sal_xml *element, prb_function *f)
{
    sal_problem *p = r->p;
    f->first = p->ninput;
    f->ends = true;
    for (const sal_xml *c = element->child; c != NULL; c = c->next) {
        if (strcmp(c->tag, "input") == 0) {
            prb_feature *input = p->input + p->ninput++;
            prb_read_input(r, c, input);
            f->nx += input->dim;
            f->ends = f->ends && p->model != NULL &&
                      prb_quantity_of(input)->counts_at_end(p->model, input);
        }
    }
    f->n = p->ninput - f->first;
}

static void read_function(prb_reader *r, const sal_xml *element)
{
    const char *name = prb_grammar_text("function", element, "name");
    if (name == NULL) {
        return;
    }
    check_twice(r, element, name);
    prb_function *f = r->p->function + r->p->nfunction;
    f->given = find_given(r, element, name);
    check_given(r, element, f->given);
    f->name = prb_reader_copy(r, name);
    if (f->name != NULL) {
        r->p->nfunction++;
        read_inputs(r, element, f);
    }
}

void prb_read_functions(prb_reader *r)
{
    size_t n = 0, ninput = 0;
    const sal_xml *const all = r->doc.root->child;
    for (const sal_xml *e = all; e != NULL; e = e->next) {
        n += strcmp(e->tag, "function") == 0;
        for (const sal_xml *c = e->child; c != NULL; c = c->next) {
            ninput += strcmp(c->tag, "input") == 0;
        }
    }
    r->p->function = prb_reader_alloc(r, n, sizeof *r->p->function);
    r->p->input = prb_reader_alloc(r, ninput, sizeof *r->p->input);
    for (const sal_xml *e = all; e != NULL && !r->nomem; e = e->next) {
        if (strcmp(e->tag, "function") == 0) {
            read_function(r, e);
        }
    }
}
