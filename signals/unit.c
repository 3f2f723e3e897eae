/* unit.c: units of recorded signals. */
#include "base/house.h"
#include "signals/table.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define DEGREE SAL_DEGREE

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
    {"N.m", 'T', 1},      {"N*m", 'T', 1},        {"N m", 'T', 1},
    {"Ncm", 'T', 1e-2},   {"N.cm", 'T', 1e-2},    {"Nmm", 'T', 1e-3},
    {"N.mm", 'T', 1e-3},  {"N*mm", 'T', 1e-3},    {"N mm", 'T', 1e-3},
    {"s", 's', 1},        {"ms", 's', 1e-3},      {"us", 's', 1e-6},
    {"ns", 's', 1e-9},    {"1", '1', 1},
};

/* Words in full, as people write them in the first line of a table: in any case of letters. */
static const struct {
    const char *word, *unit;
} words[] = {
    {"sec", "s"},          {"secs", "s"},          {"second", "s"},        {"seconds", "s"},
    {"msec", "ms"},        {"millisecond", "ms"},  {"milliseconds", "ms"}, {"usec", "us"},
    {"microsecond", "us"}, {"microseconds", "us"}, {"nsec", "ns"},         {"nanosecond", "ns"},
    {"nanoseconds", "ns"}, {"meter", "m"},         {"meters", "m"},        {"metre", "m"},
    {"metres", "m"},       {"centimeter", "cm"},   {"centimeters", "cm"},  {"centimetre", "cm"},
    {"centimetres", "cm"}, {"millimeter", "mm"},   {"millimeters", "mm"},  {"millimetre", "mm"},
    {"millimetres", "mm"}, {"inch", "in"},         {"inches", "in"},       {"radian", "rad"},
    {"radians", "rad"},    {"degree", "deg"},      {"degrees", "deg"},     {"rad", "rad"},
    {"deg", "deg"},        {"\xc2\xb0", "deg"},    {"newton", "N"},        {"newtons", "N"},
};

/* A word in full as the unit that it means; itself: it is none. */
static const char *short_of(const char *unit)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcasecmp(unit, words[i].word) == 0) {
            return words[i].unit;
        }
    }
    return unit;
}

/* __time is that of PlotJuggler. */
bool sig_time_name(int i, char name[24], const char **unit)
{
    static const char *const names[] = {"time",       "t",       "times",        "timestamp",
                                        "timestamps", "seconds", "elapsed_time", "__time"},
                             *const ends[] = {"", "_s", "_ms", "_us", "_ns"};
    enum { NNAME = sizeof names / sizeof names[0], NEND = sizeof ends / sizeof ends[0] };
    if (i >= NNAME * NEND) {
        return false;
    }
    const char *end = ends[i / NNAME];
    snprintf(name, 24, "%s%s", names[i % NNAME], end);
    *unit = strlen(end) == 3 ? end + 1 : ""; /* s is what is taken anyway */
    return true;
}

double sig_unit(const char *unit, char *dimension)
{
    unit = short_of(unit);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(unit, units[i].name) == 0) {
            *dimension = units[i].dimension;
            return units[i].si;
        }
    }
    return 0;
}
