/* bench_tables.c: the tables of the papers from which the contact models are, beside ours
 * (bench/tables/).
 *
 *     bench_tables [--quick] [NAME]       all, or the one of this name; --quick: in a few seconds,
 *                                         from fewer states and shorter timings
 */
#include "bench/tables/tables.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    table_print print;
} tables[] = {
    {"smooth_speed", smooth_speed},   {"smooth_ball", smooth_ball},
    {"engine_smooth", engine_smooth}, {"engine_cloud", engine_cloud},
    {"engine_states", engine_states}, {"engine_balls", engine_balls},
    {"hard_drop", hard_drop},         {"hard_slide", hard_slide},
    {"hard_block", hard_block},       {"hard_problems", hard_problems},
};
enum { TABLES = sizeof tables / sizeof *tables };

int main(int argc, char **argv)
{
    table_effort effort = {15, 0.02, 1};
    const char *only = NULL;
    int found = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            effort = (table_effort){3, 0.002, 10};
        } else {
            only = argv[i];
        }
    }
    print_machine();
    for (int i = 0; i < TABLES; i++) {
        if (only == NULL || strcmp(only, tables[i].name) == 0) {
            tables[i].print(&effort);
            found++;
        }
    }
    if (found == 0) {
        fprintf(stderr, "there is no table %s\n", only);
    }
    return found > 0 ? 0 : 1;
}
