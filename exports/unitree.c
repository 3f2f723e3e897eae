/* unitree.c: a motion as the tables in which Unitree gives motions of its robots: no header, one
 * row for each frame, x y z and qx qy qz qw of the root, then the joints in the order of the
 * model. */
#include "exports/formats.h"

#include "problems/root.h"

/* The body of the free joint, or of slides and hinges that carry the robot; 0: there is none, or
 * more than one free joint. */
static int find_root(const sal_model *m)
{
    int body = 0, n = 0;
    prb_root root;
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_type[j] == SAL_JNT_FREE) {
            body = m->jnt_bodyid[j];
            n++;
        }
    }
    return n == 1 ? body : n == 0 && prb_root_find(&root, m) ? root.body : 0;
}

static void add_number(sal_text *out, double x, bool first)
{
    sal_text_add(out, first ? "" : ",");
    sal_text_real(out, x, 9);
}

static void add_row(sal_text *out, const exp_frames *f, int root, int k)
{
    const sal_model *m = f->m;
    const double *place = f->xpos + 3 * (k * m->nbody + root),
                 *turn = f->xquat + 4 * (k * m->nbody + root);
    for (int i = 0; i < 3; i++) {
        add_number(out, place[i], i == 0);
    }
    for (int i = 1; i <= 4; i++) { /* a quaternion's w comes last */
        add_number(out, turn[i % 4], false);
    }
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_bodyid[j] != root) {
            add_number(out, f->qpos[k * m->nq + m->jnt_qposadr[j]], false);
        }
    }
    sal_text_add(out, "\n");
}

sal_status exp_write_unitree(sal_export *out, const sal_result *r,
                             const sal_export_options *options, sal_err *err)
{
    const sal_model *m = r->model;
    const int root = find_root(m);
    exp_frames f = {0};
    sal_status status = exp_refuse_balls(m, "unitree", err);
    if (status == SAL_OK && root == 0) {
        status = sal_fail(err, SAL_BADINPUT,
                          "unitree begins with the place of the root, so the model must have one "
                          "free joint, or slides and hinges that carry it; export to csv or mjlab");
    }
    status = status == SAL_OK ? exp_frames_new(&f, r, options, 30, err) : status;
    for (int k = 0; k < f.n && status == SAL_OK; k++) {
        add_row(&out->file[0].text, &f, root, k);
    }
    exp_frames_clear(&f);
    return status;
}
