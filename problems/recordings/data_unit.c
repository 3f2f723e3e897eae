/* data_unit.c: units of recorded signals. */
#include "problems/recordings/data_read.h"

#include <string.h>

#define DEGREE (3.14159265358979323846 / 180)

static const struct {
    const char *name;
    char dimension;
    double si;
} units[] = {
    {"m", 'L', 1},        {"cm", 'L', 1e-2},      {"mm", 'L', 1e-3},
    {"in", 'L', .0254},   {"m/s", 'V', 1},        {"cm/s", 'V', 1e-2},
    {"mm/s", 'V', 1e-3},  {"m/s2", 'a', 1},       {"m/s^2", 'a', 1},
    {"mm/s2", 'a', 1e-3}, {"mm/s^2", 'a', 1e-3},  {"g", 'a', 9.80665},
    {"rad", 'A', 1},      {"deg", 'A', DEGREE},   {"rev", 'A', 360 * DEGREE},
    {"rad/s", 'W', 1},    {"deg/s", 'W', DEGREE}, {"rpm", 'W', 6 * DEGREE},
    {"N", 'F', 1},        {"kN", 'F', 1e3},       {"Nm", 'T', 1},
    {"N.m", 'T', 1},      {"Nmm", 'T', 1e-3},     {"N.mm", 'T', 1e-3},
    {"s", 's', 1},        {"ms", 's', 1e-3},      {"us", 's', 1e-6},
    {"1", '1', 1},
};

double prb_unit(const char *unit, char *dimension)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(unit, units[i].name) == 0) {
            *dimension = units[i].dimension;
            return units[i].si;
        }
    }
    return 0;
}

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
