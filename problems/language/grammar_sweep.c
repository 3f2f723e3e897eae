/* grammar_sweep.c: the attributes of sweep files. */
#include "problems/language/grammar_sweep.h"

const prb_rule prb_sweep_attr[] = {
    {"name", PRB_VAL_NAME, NULL, NULL,
     "Name of the sweep and of its folder, `NAME.sweep`. Default: the file's name without its "
     "ending."},
    {"problem", PRB_VAL_FILE, NULL, prb_required,
     "The problem file that is solved under many settings; its path is relative to this file."},
    {"seed", PRB_VAL_WHOLE, "[0, 4294967295]", "1",
     "Seed of axes with random samples, and of the random shift of Halton sequences."},
};

const prb_rule prb_set_attr[] = {
    {"path", PRB_VAL_TEXT, NULL, prb_required,
     "The attribute to set in all cells: a path as for `--set`."},
    {"value", PRB_VAL_TEXT, NULL, prb_required,
     "Its value. Paths of files (`model/file`, `init/result`, ..) are relative to this file."},
};

const prb_rule prb_axis_attr[] = {
    {"name", PRB_VAL_NAME, NULL, prb_required,
     "Name of the axis in tables, on pages and in other elements of this file."},
    {"path", PRB_VAL_TEXT, NULL, NULL,
     "The attribute of the problem or its model that the axis sets: a path as for `--set`, "
     "such as `travel/speed`, `body[torso]/pos`, `model/file`. Without it the axis only "
     "numbers the cells."},
    {"values", PRB_VAL_TEXT, NULL, NULL,
     "The values, separated by spaces; or by semicolons, if values contain spaces."},
    {"range", PRB_VAL_RANGE, "[-1e12, 1e12]", NULL,
     "`count` values from the lower to the upper bound."},
    {"count", PRB_VAL_WHOLE, "[1, 1000000]", NULL, "Number of values of `range`."},
    {"log", PRB_VAL_CHOICE, "false|true", "false",
     "For `range`: space the values by equal ratios instead of equal differences."},
    {"files", PRB_VAL_TEXT, NULL, NULL,
     "The files that match this pattern (`*`, `?`, `[..]`), relative to this file, sorted by "
     "name."},
    {"sample", PRB_VAL_CHOICE, "grid|random|halton", "grid",
     "For `range`: equally spaced values; uniform random values; or a randomly shifted Halton "
     "sequence, which fills the box of all axes joined by `with` evenly."},
    {"with", PRB_VAL_NAME, NULL, NULL,
     "An earlier axis with which this one is combined value by value, instead of being "
     "crossed; a sampled axis uses the `count` and `sample` of that one."},
    {"template", PRB_VAL_TEXT, NULL, NULL,
     "The text to set, with the value in place of each `{}`, such as `0 0 -{}`."},
};

const prb_rule prb_repeat_attr[] = {
    {"count", PRB_VAL_WHOLE, "[1, 1000000]", prb_required,
     "Number of cells at each point of the grid."},
    {"path", PRB_VAL_TEXT, NULL, "init/seed",
     "The attribute by which they differ; it is set to `first`, `first` + 1, .."},
    {"first", PRB_VAL_WHOLE, "[0, 4294967295]", "1",
     "Value of this attribute in the first of them."},
    {"keep", PRB_VAL_CHOICE, "all|best|none", "all",
     "The cells whose motions are kept: all, the best of each point (once all its cells are "
     "done), or none. Figures are kept for all cells."},
};

const prb_rule prb_continuation_attr[] = {
    {"axis", PRB_VAL_NAME, NULL, prb_required,
     "The axis along which each cell starts from the motion of the cell before it."},
    {"from", PRB_VAL_TEXT, NULL, NULL,
     "The value at which it begins; from there it continues to both sides. Default: the first "
     "value."},
    {"noise", PRB_VAL_REAL, "[0, 10]", "0",
     "rad, m: `init/noise` of cells that start from a motion."},
    {"softness", PRB_VAL_REAL, "[0, 1]", NULL,
     "`solver/softness` of cells that start from a motion. Default: as in the problem."},
    {"nstart", PRB_VAL_WHOLE, "[1, 10000]", "1",
     "`init/nstart` of cells that start from a motion."},
};

const prb_rule prb_skip_attr[] = {
    {"where", PRB_VAL_TEXT, NULL, prb_required,
     "Leaves out points that satisfy all of these conditions, such as `speed>2 mass!=50`; in "
     "XML write `&lt;` for `<`."},
};

const prb_rule prb_limit_attr[] = {
    {"time", PRB_VAL_REAL, "(0, 1e9]", NULL,
     "s: time limit for a cell; a cell that takes longer is stopped and counts as failed."},
    {"memory", PRB_VAL_REAL, "(0, 1e6]", NULL,
     "GB: memory limit for a cell; a cell that needs more fails, instead of exhausting the "
     "machine."},
    {"tries", PRB_VAL_WHOLE, "[1, 1000]", "2",
     "Number of times that a cell is tried if it crashes, hangs or runs out of memory."},
};

const prb_rule prb_column_attr[] = {
    {"figure", PRB_VAL_NAME, NULL, prb_required,
     "The figure of each cell that tables and pages show: `cost`, `term[NAME]`, `speed`, ..; "
     "docs/sweeps.md#figures lists all."},
    {"name", PRB_VAL_NAME, NULL, NULL, "Its heading. Default: the name of the figure."},
};
