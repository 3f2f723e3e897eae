/* draft_get_up.c: from lying on the floor to rest on its feet. Where it lies follows from letting
 * it go as it stands, without actuators. */
#include "guide/draft.h"

#include <math.h>
#include <string.h>

static const double PERIODS = 7.5;           /* duration over sqrt(l/g) */
static const double LEAST = 0.2, MOST = 1.5; /* of the legs' length: so much lower it lies */
static const double CALM = 0.15; /* of the duration, at its end, in which nothing accelerates */

/* Back to the pose in which it stands */
static void stand(gde_draft *f, const double *standing)
{
    const size_t size = (size_t)f->m->nq * sizeof *standing;
    sal_err err = {0};
    memcpy(f->pose, standing, size);
    memcpy(f->d->qpos, standing, size);
    sal_kinematics(f->m, f->d);
    if (sal_collide(f->wide, f->d, &err) != SAL_OK) {
        f->out->failed = true;
    }
}

/* Where it lies, pinned. The pose is that in which it stands again after it. */
static void write_start(gde_draft *f)
{
    const size_t n = (size_t)f->m->nq;
    double *standing = sal_alloc(n, sizeof *standing);
    gde_lay_props_behind(f);
    if (standing == NULL) {
        f->out->failed = true;
        return;
    }
    const double height = f->d->xpos[3 * f->root + 2];
    memcpy(standing, f->pose, n * sizeof *standing);
    gde_lie_down(f);
    const double fallen = height - f->d->xpos[3 * f->root + 2];
    if (!(fallen > LEAST * f->leg && fallen < MOST * f->leg)) {
        f->unable =
            "let go, the model does not come to lie on the floor; geoms of its trunk have to "
            "be able to touch it";
    }
    sal_text_add(f->out, "    <start");
    gde_write_pose(f, 10);
    sal_text_add(f->out, " qvel=\"0\"/>\n    <end qvel=\"0\"/>\n");
    stand(f, standing);
    sal_free(standing);
}

/* It stands, and goes on standing. */
static void write_end(const gde_draft *f, double seconds)
{
    sal_text_add(f->out, "    <!-- in the end it stands: rad -->\n");
    gde_write_upright(f, "at=\"end\" weight=\"100\" tol=\"0.1\"");
    gde_write_posture(f, "at=\"end\" weight=\"30\" tol=\"0.2\"");
    sal_text_format(f->out,
                    "    <term name=\"calm\" joint=\"all\" of=\"acc\" window=\"%.9g %.9g\" "
                    "weight=\"0.1\"/>  <!-- rad/s^2, m/s^2: it stays there -->\n",
                    gde_rounded((1 - CALM) * seconds), seconds);
}

void gde_write_get_up(gde_draft *f)
{
    const double seconds = gde_seconds(f, PERIODS * sqrt(f->leg / 9.81));
    gde_write_seconds(f, 60, seconds, false);
    sal_text_add(f->out, "  <boundary type=\"open\">  <!-- from where it lies to rest -->\n");
    write_start(f);
    sal_text_add(f->out, "  </boundary>\n  <cost>\n");
    gde_write_effort(f);
    write_end(f, seconds);
    gde_write_feet(f);
    sal_text_add(f->out, "  </cost>\n");
    gde_write_require_depth(f);
    gde_write_init(f, 8);
    gde_write_smoothing(f);
}
