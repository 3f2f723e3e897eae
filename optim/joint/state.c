/* state.c: a sal_joint_minimise between two iterations, as bytes, without x and p:
 *
 *     head   damping [nmember]   cost [nmember]
 */
#include "optim/joint/joint.h"

#include <string.h>

typedef struct joint_head {
    char magic[8];
    int nmember, nshared;
    size_t nx;
    sal_joint_result result;
    opt_damping damped;
    int idle, slow;
} joint_head;

static const char magic[8] = "saljoin1";

size_t sal_joint_state_size(const sal_joint *j)
{
    return sizeof(joint_head) + 2 * (size_t)j->nmember * sizeof(double);
}

void sal_joint_state_save(const sal_joint *j, void *bytes)
{
    const size_t n = (size_t)j->nmember * sizeof(double);
    joint_head h;
    memset(&h, 0, sizeof h);
    memcpy(h.magic, magic, sizeof h.magic);
    h.nmember = j->nmember;
    h.nshared = j->nshared;
    h.nx = j->x_at[j->nmember];
    h.result = *j->result;
    h.damped = j->damped;
    h.idle = j->idle;
    h.slow = j->slow;
    memcpy(bytes, &h, sizeof h);
    memcpy((char *)bytes + sizeof h, j->damping, n);
    memcpy((char *)bytes + sizeof h + n, j->cost, n);
}

sal_status opt_joint_load(sal_joint *j, const void *bytes, size_t n, sal_joint_result *result,
                          sal_err *err)
{
    joint_head h;
    const size_t each = (size_t)j->nmember * sizeof(double);
    if (n == sal_joint_state_size(j)) {
        memcpy(&h, bytes, sizeof h);
    }
    if (n != sal_joint_state_size(j) || memcmp(h.magic, magic, sizeof magic) != 0 ||
        h.nmember != j->nmember || h.nshared != j->nshared || h.nx != j->x_at[j->nmember]) {
        return sal_fail(err, SAL_BADINPUT, "the state is that of other members");
    }
    *result = h.result;
    j->damped = h.damped;
    j->idle = h.idle;
    j->slow = h.slow;
    memcpy(j->damping, (const char *)bytes + sizeof h, each);
    memcpy(j->cost, (const char *)bytes + sizeof h + each, each);
    return SAL_OK;
}
