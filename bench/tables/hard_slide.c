/* hard_slide.c: Fig. 5 of Howell et al. ("Dojo"): a box slides over the floor, aslant to the axes
 * of the friction pyramid; how far it drifts off its straight way, and how far it comes.
 *
 * Coulomb: straight on, |v|^2/(2 mu g); steps of semi-implicit Euler fall short by |v| h/2. */
#include "bench/tables/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double MU = 0.25, SPEED[2] = {4, 0.8}, GRAVITY = 9.81, KAPPA = 1e-10 /* of hard */;
enum { SETTLE = 200, SLIDE = 200 };

typedef struct slide {
    double drift, travel, turn, lift; /* m, m, rad, m */
} slide;

static void push(sal_data *d)
{
    memset(d->qvel, 0, 6 * sizeof *d->qvel);
    d->qvel[0] = SPEED[0];
    d->qvel[1] = SPEED[1];
}

static slide measure(const double *from, const double *q, double lift)
{
    const double x = q[0] - from[0], y = q[1] - from[1], speed = hypot(SPEED[0], SPEED[1]);
    const double turn = 2 * acos(fmin(1, fabs(q[3])));
    return (slide){(y * SPEED[0] - x * SPEED[1]) / speed, (x * SPEED[0] + y * SPEED[1]) / speed,
                   turn, lift};
}

/* By the mechanism's own contact model, from where it has come to rest */
static slide by_steps(int contact, const char *cone)
{
    sal_model *m = table_cube(MU, cone);
    sal_data *d = NULL;
    sal_err err = {SAL_OK, ""};
    double from[7], lift = 0;
    if (contact != SAL_CONTACT_SOFT) {
        table_contact(m, contact, 0.1);
    }
    if (contact == SAL_CONTACT_HARD) {
        m->opt.contact.kappa = KAPPA;
    }
    table_check(sal_data_new(&d, m, &err), "box");
    for (int i = 0; i < SETTLE; i++) {
        table_check(sal_step(m, d, &err), "box");
    }
    memcpy(from, d->qpos, sizeof from);
    push(d);
    for (int i = 0; i < SLIDE; i++) {
        table_check(sal_step(m, d, &err), "box");
        lift = fmax(lift, d->qpos[2] - from[2]);
    }
    const slide seen = measure(from, d->qpos, lift);
    sal_data_free(d);
    sal_model_free(m);
    return seen;
}

static void print_slide(const char *what, const char *paper, const slide *s)
{
    const double far = (SPEED[0] * SPEED[0] + SPEED[1] * SPEED[1]) / (2 * MU * GRAVITY);
    char note[96];
    snprintf(note, sizeof note, "travel %.4f m (x %.3f), turned %.1e rad, lifted %.1e m", s->travel,
             s->travel / far, s->turn, s->lift);
    print_row(what, paper, note, "%.1e", s->drift);
}

void hard_slide(const table_effort *effort)
{
    (void)effort;
    print_title("Dojo, Fig. 5", "a box slides, drift off the straight way");
    print_remark(
        "The paper draws paths without numbers: straight with Dojo; the pyramids of MuJoCo and of "
        "Dojo drift; MuJoCo's elliptic cone turns the box a little.");
    print_remark(
        "Here a cube of 1 kg, mu 0.25, (4, 0.8) m/s, h = 0.01 s, already on the floor (in the "
        "paper it falls on it first). Travel is x of Coulomb's |v|^2/(2 mu g) = 3.3925 m.");
    print_remark("A box that is pushed suddenly is thrown up at mu T by models that are convex, "
                 "that is by all "
                 "but hard: by about (mu T)^2/(2 g) = 53 mm; logbarrier, which holds it up before, "
                 "by less.");
    print_head("model", "drift in m");
    const slide soft = by_steps(SAL_CONTACT_SOFT, "elliptic"),
                pyramid = by_steps(SAL_CONTACT_SOFT, "pyramidal"),
                convex = by_steps(SAL_CONTACT_CONVEX, "elliptic"),
                barrier = by_steps(SAL_CONTACT_LOGBARRIER, "elliptic"),
                hard = by_steps(SAL_CONTACT_HARD, "elliptic");
    print_slide("soft, elliptic", "turns", &soft);
    print_slide("soft, pyramidal", "drifts", &pyramid);
    print_slide("convex", NULL, &convex);
    print_slide("logbarrier", NULL, &barrier);
    print_slide("hard", "straight", &hard);
}
