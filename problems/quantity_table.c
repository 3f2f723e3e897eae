/* quantity_table.c: the table of all quantities that a term or a constraint can be about. A new one
 * is a line in SAL_QUANTITY_LIST (its name and its words), a row here, and the functions that the
 * row names. See quantity.h for the members.
 */
#include "problems/quantity.h"

#define FUNCTIONS(name) .want = prb_##name##_want, .write = prb_##name##_write
#define VECTOR          .n = 3, .uses = PRB_USE_TARGET

/* clang-format off */
static const prb_quantity quantities[SAL_NQUANTITY] = {
    [SAL_QTY_CTRL] = {.object = PRB_OBJECT_ACTUATOR, .has_all = true, .n = 1,
                      .unit = "", /* the actuator's */
                      .uses = PRB_USE_TARGET,
                      .counts_at_end = prb_never,
                      .natural_unit = prb_ctrl_natural_unit,
                      .model_range = prb_ctrl_model_range, FUNCTIONS(ctrl)},
    [SAL_QTY_FORCE] = {.object = PRB_OBJECT_ACTUATOR, .has_all = true, .n = 1,
                       .unit_of = prb_force_unit,
                       .uses = PRB_USE_TARGET,
                       .counts_at_end = prb_never,
                       .natural_unit = prb_force_natural_unit,
                       .model_range = prb_force_model_range, FUNCTIONS(force)},
    [SAL_QTY_JOINT] = {.object = PRB_OBJECT_JOINT, .has_all = true, .count = prb_joint_count,
                       .unit_of = prb_joint_unit,
                       .uses = PRB_USE_OF | PRB_USE_TARGET, .most_order = 2,
                       .counts_at_end = prb_unless_acceleration,
                       .model_range = prb_joint_model_range, FUNCTIONS(joint)},
    [SAL_QTY_SENSOR] = {.object = PRB_OBJECT_SENSOR, .count = prb_sensor_count, .numbered = true,
                        .unit = "", /* the sensor's */
                        .uses = PRB_USE_TARGET,
                        .counts_at_end = prb_sensor_at_end, .may_rest = true, FUNCTIONS(sensor)},
    [SAL_QTY_SLIP] = {.object = PRB_OBJECT_FOOTHOLD, .n = 2, .numbered = true, .unit = "m/s",
                      .uses = PRB_USE_NEAR | PRB_USE_WIDTH,
                      .counts_at_end = prb_slip_at_end, .may_rest = true, FUNCTIONS(slip)},
    [SAL_QTY_IMPACT] = {.object = PRB_OBJECT_FOOTHOLD, .n = 1, .unit = "m/s",
                        .uses = PRB_USE_NEAR | PRB_USE_WIDTH,
                        .counts_at_end = prb_slip_at_end, .may_rest = true, FUNCTIONS(impact)},
    [SAL_QTY_NORMAL] = {.object = PRB_OBJECT_SHAPE, .n = 1, .unit = "N",
                        .uses = PRB_USE_SUM | PRB_USE_TARGET,
                        .counts_at_end = prb_never, .may_rest = true,
                        .natural_unit = prb_weight_unit, FUNCTIONS(normal)},
    [SAL_QTY_FLAT] = {.object = PRB_OBJECT_GEOM_ENDS, .n = 1, .unit = "m",
                      .uses = PRB_USE_WIDTH,
                      .counts_at_end = prb_always, .may_rest = true, FUNCTIONS(level)},
    [SAL_QTY_LEVEL] = {.object = PRB_OBJECT_POINT_PAIR, .n = 1, .unit = "m",
                       .uses = PRB_USE_WIDTH,
                       .counts_at_end = prb_always, .may_rest = true, FUNCTIONS(level)},
    [SAL_QTY_DISTANCE] = {.object = PRB_OBJECT_GEOM_PAIR, .n = 1, .unit = "m",
                          .uses = PRB_USE_TARGET,
                          .counts_at_end = prb_always, FUNCTIONS(distance)},
    [SAL_QTY_CONTACT] = {.object = PRB_OBJECT_SHAPE, .has_all = true, .n = 3, .unit = "N",
                         .uses = PRB_USE_WITH | PRB_USE_SUM | PRB_USE_TARGET,
                         .counts_at_end = prb_never, .may_rest = true,
                         .natural_unit = prb_weight_unit, FUNCTIONS(contact)},
    [SAL_QTY_COP] = {.object = PRB_OBJECT_SHAPE, .has_all = true, .n = 2, .together = true,
                     .unit = "m",
                     .uses = PRB_USE_WITH | PRB_USE_TARGET,
                     .counts_at_end = prb_never, .may_rest = true, FUNCTIONS(cop)},
    [SAL_QTY_HEIGHT] = {.object = PRB_OBJECT_HIGH_POINT, .n = 1, .unit = "m",
                        .uses = PRB_USE_TARGET,
                        .counts_at_end = prb_always, FUNCTIONS(height)},
    [SAL_QTY_POSITION] = {.object = PRB_OBJECT_PLACE, VECTOR, .unit = "m",
                          .counts_at_end = prb_always, FUNCTIONS(position)},
    [SAL_QTY_VELOCITY] = {.object = PRB_OBJECT_PLACE, VECTOR, .unit = "m/s",
                          .counts_at_end = prb_always, FUNCTIONS(velocity)},
    [SAL_QTY_COM] = {.object = PRB_OBJECT_TREE, .has_all = true, .n = 3, .unit_of = prb_com_unit,
                     .uses = PRB_USE_OF | PRB_USE_TARGET, .most_order = 2,
                     .counts_at_end = prb_unless_acceleration, FUNCTIONS(com)},
    [SAL_QTY_MOMENTUM] = {.object = PRB_OBJECT_TREE, .has_all = true, VECTOR, .unit = "kg m/s",
                          .counts_at_end = prb_always,
                          .natural_unit = prb_mass_unit, FUNCTIONS(momentum)},
    [SAL_QTY_ANGMOMENTUM] = {.object = PRB_OBJECT_TREE, .has_all = true, VECTOR,
                             .unit = "kg m^2/s",
                             .counts_at_end = prb_always,
                             .natural_unit = prb_mass_unit, FUNCTIONS(angmomentum)},
    [SAL_QTY_ENERGY] = {.object = PRB_OBJECT_ENERGY, .n = 1, .unit = "J",
                        .uses = PRB_USE_TARGET,
                        .counts_at_end = prb_always,
                        .natural_unit = prb_weight_unit, FUNCTIONS(energy)},
    [SAL_QTY_POWER] = {.object = PRB_OBJECT_ACTUATOR, .has_all = true, .n = 1, .unit = "W",
                       .uses = PRB_USE_SUM | PRB_USE_TARGET,
                       .counts_at_end = prb_never, .may_rest = true,
                       .natural_unit = prb_weight_unit, FUNCTIONS(power)},
    [SAL_QTY_TENDON] = {.object = PRB_OBJECT_TENDON, .has_all = true, .n = 1,
                        .unit = "", /* m, or what its joints have */
                        .uses = PRB_USE_OF | PRB_USE_TARGET, .most_order = 1,
                        .counts_at_end = prb_always, .may_rest = true, FUNCTIONS(tendon)},
    [SAL_QTY_ORIENTATION] = {.object = PRB_OBJECT_BODY, VECTOR, .turns = true, .unit = "rad",
                             .counts_at_end = prb_always, FUNCTIONS(orientation)},
};
/* clang-format on */

const prb_quantity *prb_quantity_row(int i)
{
    return quantities + i;
}

const prb_quantity *prb_quantity_of(const sal_feature *f)
{
    return prb_quantity_row((int)f->quantity);
}
