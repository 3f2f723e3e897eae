/* unitree.c: a motion as the tables in which Unitree gives motions of its robots: no header, one
 * row for each frame, x y z and qx qy qz qw of the root, then the joints in the order of the
 * model. */
#include "exports/formats.h"

/* The free joint; -1 if there is none, or another one. */
static int find_root(const sal_model *m)
{
    int root = -1, n = 0;
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_type[j] == SAL_JNT_FREE) {
            root = j;
            n++;
        }
    }
    return n == 1 ? root : -1;
}

static void add_row(sal_text *out, const sal_model *m, int root, const double *qpos)
{
    static const int order[7] = {0, 1, 2, 4, 5, 6, 3}; /* a quaternion's w comes last */
    for (int i = 0; i < 7; i++) {
        sal_text_add(out, i > 0 ? "," : "");
        sal_text_real(out, qpos[m->jnt_qposadr[root] + order[i]], 9);
    }
    for (int j = 0; j < m->njnt; j++) {
        if (j != root) {
            sal_text_add(out, ",");
            sal_text_real(out, qpos[m->jnt_qposadr[j]], 9);
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
    if (status == SAL_OK && root < 0) {
        status = sal_fail(err, SAL_BADINPUT,
                          "unitree begins with the place of the root, so the model must have one "
                          "free joint and no other; export to csv or mjlab");
    }
    status = status == SAL_OK ? exp_frames_new(&f, r, options, 30, err) : status;
    for (int k = 0; k < f.n && status == SAL_OK; k++) {
        add_row(&out->file[0].text, m, root, f.qpos + k * m->nq);
    }
    exp_frames_clear(&f);
    return status;
}
