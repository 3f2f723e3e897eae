/* balance.c: swings a pendulum up with a motor too weak to lift it, and holds it there: a model, a
 * controller as a callback, steps in time.
 *
 *     cc balance.c $(pkg-config --cflags --libs saltus) -lm && ./a.out ../../models/pendulum.xml
 */
#include <math.h>
#include <saltus/mjcf.h>
#include <stdio.h>

static const double g = 9.81, length = 1, mass = 1; /* of models/pendulum.xml */
static const double pi = 3.14159265358979323846;

typedef struct controller {
    double strongest; /* N m, largest torque it asked for */
    int calls;
} controller;

/* Called by sal_forward when all that follows from qpos and qvel is known. Far from the top it
 * pumps energy, u ~ (E_top - E) v; near it, it is a spring and a damper. */
static void swing(const sal_model *m, sal_data *d, void *user)
{
    controller *c = user;
    const double q = d->qpos[0], v = d->qvel[0], off = remainder(q - pi, 2 * pi);
    const double energy = 0.5 * mass * length * length * v * v - mass * g * length * cos(q);
    const double missing = mass * g * length - energy;
    double u = fabs(off) < 0.3 ? -25 * off - 6 * v : 4 * missing * (v >= 0 ? 1 : -1);
    (void)m;
    u = fmin(fmax(u, -3.2), 3.2);
    d->ctrl[0] = u;
    c->strongest = fmax(c->strongest, fabs(u));
    c->calls++;
}

int main(int argc, char **argv)
{
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_err err = {0};
    controller c = {0};
    int code = 1;
    if (argc != 2) {
        fprintf(stderr, "usage: balance models/pendulum.xml\n");
        return 2;
    }
    if (sal_model_load(&m, argv[1], NULL, NULL, &err) != SAL_OK ||
        sal_data_new(&d, m, &err) != SAL_OK) {
        goto done;
    }
    d->callback = (sal_callback){.control = swing, .user = &c};
    while (d->time < 20) {
        if (sal_step(m, d, &err) != SAL_OK) {
            goto done;
        }
    }
    const double off = remainder(d->qpos[0] - pi, 2 * pi);
    printf("after %.0f s: %.2g rad from the top, %.2g rad/s; at most %.2f N m in %d calls\n",
           d->time, off, d->qvel[0], c.strongest, c.calls);
    code = fabs(off) < 0.01 ? 0 : 1;
done:
    if (err.code != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
    }
    sal_data_free(d);
    sal_model_free(m);
    return code;
}
