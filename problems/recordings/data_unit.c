/* data_unit.c: what the numbers of a channel are of. */
#include "problems/recordings/data_read.h"

char prb_channel_dimension(const sal_model *m, const prb_channel *c, int k, int *group)
{
    *group = 0;
    switch (c->kind) {
    case PRB_CHANNEL_BODY:
        *group = k / 3 > 0;
        return k < 3 ? 'L' : '1';
    case PRB_CHANNEL_SITE:
        return 'L';
    case PRB_CHANNEL_FORCE:
        *group = k / 3;
        return "FLT"[k / 3];
    case PRB_CHANNEL_JOINT:
        if (m->jnt_type[c->id] == SAL_JNT_SLIDE) {
            return c->order == 0 ? 'L' : 'V';
        }
        if (c->order == 1) {
            return 'W';
        }
        return m->jnt_type[c->id] == SAL_JNT_BALL ? '1' : 'A';
    case PRB_CHANNEL_SENSOR:
    case PRB_CHANNEL_CTRL:
        break;
    }
    return '*';
}

const char *prb_dimension_name(char dimension)
{
    switch (dimension) {
    case 'L':
        return "a length (m)";
    case 'V':
        return "a speed (m/s)";
    case 'a':
        return "an acceleration (m/s2)";
    case 'A':
        return "an angle (rad)";
    case 'W':
        return "an angular velocity (rad/s)";
    case 'F':
        return "a force (N)";
    case 'T':
        return "a torque (Nm)";
    case 's':
        return "a time (s)";
    default:
        return "a number (1)";
    }
}
