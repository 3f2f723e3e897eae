#include "runs/touch.h"

static int number_of(const sal_model *m, const int *number, int most, int geom)
{
    const int body = m->body_weldid[m->geom_bodyid[geom]];
    return number == NULL ? body : number[body] >= 0 ? number[body] : most + body;
}

static run_touch *find(const run_touches *list, const int body[2])
{
    for (int i = 0; i < list->n; i++) {
        if (list->touch[i].body[0] == body[0] && list->touch[i].body[1] == body[1]) {
            return list->touch + i;
        }
    }
    return NULL;
}

static sal_status add(run_touches *list, const int body[2], double force, sal_err *err)
{
    run_touch *touch = find(list, body);
    if (touch == NULL) {
        void *grown = sal_list_grow(list->touch, list->n, &list->capacity, sizeof *list->touch);
        if (grown == NULL) {
            return sal_fail(err, SAL_NOMEM, "out of memory for %d contacts", list->n);
        }
        list->touch = grown;
        touch = list->touch + list->n++;
        *touch = (run_touch){{body[0], body[1]}, 0};
    }
    touch->force += force;
    return SAL_OK;
}

sal_status run_touches_find(run_touches *list, const sal_model *m, const sal_data *d,
                            const int *number, int most, sal_err *err)
{
    sal_status status = SAL_OK;
    list->n = 0;
    for (int i = 0; i < d->ncon && status == SAL_OK; i++) {
        const int a = number_of(m, number, most, d->contact[i].geom1);
        const int b = number_of(m, number, most, d->contact[i].geom2);
        const int body[2] = {a < b ? a : b, a < b ? b : a};
        double force[6];
        sal_contact_force(m, d, i, force);
        status = force[0] > 0 ? add(list, body, force[0], err) : SAL_OK;
    }
    return status;
}

double run_touches_force(const run_touches *list, const int body[2])
{
    const run_touch *touch = find(list, body);
    return touch == NULL ? 0 : touch->force;
}

void run_touches_clear(run_touches *list)
{
    sal_free(list->touch);
    *list = (run_touches){0};
}
