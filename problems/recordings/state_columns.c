/* state_columns.c: what the columns of a table of states are called. */
#include "problems/recordings/read_states.h"
#include "problems/result/result.h"

#include <stdio.h>
#include <string.h>

const char *const prb_family_name[PRB_NFAMILY] = {"qpos", "qvel", "qacc"};

int prb_family_size(const sal_model *m, int family)
{
    return family == PRB_FAMILY_QPOS ? m->nq : m->nv;
}

/* Numbers of a joint in a family, and where they begin. */
static int joint_numbers(const sal_model *m, int family, int joint, int *first)
{
    const int type = m->jnt_type[joint];
    const bool qpos = family == PRB_FAMILY_QPOS;
    *first = qpos ? m->jnt_qposadr[joint] : m->jnt_dofadr[joint];
    return sal_joint_ndof(type) + (qpos && type <= SAL_JNT_BALL ? 1 : 0);
}

/* JOINT or JOINT:k behind "qpos:"; a joint's name may itself contain colons. -1 and an error if it
 * is none. */
static int named_number(const sal_model *m, const sig_csv_column *column, int family,
                        const char *name, sal_diag *diag)
{
    char joint_name[PRB_COLUMN_NAME];
    int first, k = -1, joint = sal_model_find(m, SAL_OBJ_JOINT, name);
    const char *colon = strrchr(name, ':');
    if (joint < 0 && colon != NULL) {
        snprintf(joint_name, sizeof joint_name, "%.*s", (int)(colon - name), name);
        k = sal_text_whole(colon + 1);
        joint = k < 0 ? -1 : sal_model_find(m, SAL_OBJ_JOINT, joint_name);
    }
    if (joint < 0) {
        sal_diag_error(diag, column->place, NULL, "the model has no joint '%.80s'", name);
        return -1;
    }
    const int n = joint_numbers(m, family, joint, &first);
    if (k < 0 && n > 1) {
        sal_diag_error(diag, column->place, NULL,
                       "joint '%.80s' has %d numbers: name them %s:%.80s:0 to :%d", name, n,
                       prb_family_name[family], name, n - 1);
        return -1;
    }
    if (k >= n) {
        sal_diag_error(diag, column->place, NULL, "joint '%.80s' has only %d number%s", joint_name,
                       n, n == 1 ? "" : "s");
        return -1;
    }
    return first + (k < 0 ? 0 : k);
}

/* Names of other columns that tables of ours may carry. */
static bool is_known_output(const char *name)
{
    static const char *const known[] = {"qfrc_", "ctrl", "act", "sensordata", "xpos", "xquat"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strncmp(name, known[i], strlen(known[i])) == 0) {
            return true;
        }
    }
    return false;
}

int prb_state_column(const sal_model *m, const sig_csv_column *column, int *family, sal_diag *diag)
{
    const char *name = column->name;
    int f = 0;
    while (f < PRB_NFAMILY && strncmp(name, prb_family_name[f], 4) != 0) {
        f++;
    }
    *family = f;
    const bool named = f < PRB_NFAMILY && name[4] == ':';
    if (f == PRB_NFAMILY || (!named && sal_text_whole(name + 4) < 0)) {
        if (!is_known_output(name)) {
            sal_diag_warning(diag, column->place,
                             "columns may be time, qpos0.., qvel0.., qacc0.., or qpos:JOINT[:k]",
                             "column '%.80s' is not used", name);
        }
        return -1;
    }
    const int number =
        named ? named_number(m, column, f, name + 5, diag) : sal_text_whole(name + 4);
    if (number >= prb_family_size(m, f)) {
        sal_diag_error(diag, column->place, NULL, "the model has only %d numbers in %s",
                       prb_family_size(m, f), prb_family_name[f]);
        return -1;
    }
    return number;
}
