/* output_table.c: the table of all kinds of output. A new kind is a name in sal_output_kind, a row
 * here, and the functions that the row names. */
#include "invdyn/workspace.h"

#define POS           .stage = SAL_STAGE_POS
#define VEL           .stage = SAL_STAGE_VEL
#define ACC           .stage = SAL_STAGE_ACC
#define NO_BODIES     .no_bodies = true
/* the value alone; with exact derivatives; with those by qacc */
#define WRITE(name)   .write = inv_##name##_write
#define BOTH(name)    WRITE(name), .deriv = inv_##name##_deriv
#define BY_QACC(name) BOTH(name), .by_qacc = true

static const inv_output_kind kinds[] = {
    [SAL_OUT_FORCE] = {ACC, NO_BODIES, .count = inv_dof_count, BOTH(force)},
    [SAL_OUT_SENSOR] = {.stage_of = inv_sensor_stage,
                        .count = inv_sensor_count,
                        .has_deriv = inv_sensor_has_deriv,
                        BY_QACC(sensor)},
    [SAL_OUT_POINT] = {VEL, .n = 4, BOTH(point)},
    [SAL_OUT_NORMAL] = {ACC, NO_BODIES, .n = 1, BY_QACC(normal)},
    [SAL_OUT_JOINT] = {POS, NO_BODIES, .count = inv_joint_count, BOTH(joint)},
    [SAL_OUT_DISTANCE] = {POS, .n = 1, BOTH(distance)},
    [SAL_OUT_PLACE] = {POS, .n = 3, BOTH(place)},
    [SAL_OUT_PLACE_VELOCITY] = {VEL, .n = 3, BOTH(place_velocity)},
    [SAL_OUT_QUAT] = {POS, .n = 4, BOTH(quat)},
    [SAL_OUT_CONTACT] = {ACC, NO_BODIES, .n = 3, BY_QACC(contact)},
    [SAL_OUT_PRESSURE] = {ACC, .n = 2, BY_QACC(pressure)},
    [SAL_OUT_BULK] = {.stage_of = inv_bulk_stage, .n = 3, BY_QACC(bulk)},
    [SAL_OUT_ENERGY] = {.stage_of = inv_energy_stage,
                        .n = 1,
                        .has_deriv = inv_energy_has_deriv,
                        BOTH(energy)},
    [SAL_OUT_TENDON] = {POS, .n = 1, BOTH(tendon)},
    [SAL_OUT_TENDON_VELOCITY] = {VEL, .n = 1, BOTH(tendon_velocity)},
    [SAL_OUT_ACTUATOR_VELOCITY] = {VEL, NO_BODIES, .n = 1, BOTH(actuator_velocity)},
    [SAL_OUT_VELOCITY] = {VEL, NO_BODIES, .count = inv_dof_count, WRITE(velocity), .constant = true,
                          .variable = INV_VELOCITY, .by_timestep = inv_velocity_by_timestep},
    [SAL_OUT_ACCELERATION] = {ACC, NO_BODIES, .count = inv_dof_count, WRITE(acceleration),
                              .constant = true, .variable = INV_ACCELERATION,
                              .by_timestep = inv_acceleration_by_timestep},
    [SAL_OUT_ACTUATION] = {VEL, NO_BODIES, .count = inv_dof_count, WRITE(actuation),
                           .by_input = inv_actuation_by_input},
    [SAL_OUT_ACTUATOR_FORCE] = {VEL, NO_BODIES, .count = inv_actuator_count, WRITE(actuator_force),
                                .by_input = inv_actuator_force_by_input},
    [SAL_OUT_CONTROL] = {POS, NO_BODIES, .count = inv_actuator_count, WRITE(control),
                         .by_timestep = inv_control_by_timestep, .by_input = inv_control_by_input},
    [SAL_OUT_INPUT] = {POS, NO_BODIES, .count = inv_input_count, WRITE(input), .constant = true,
                       .by_input = inv_input_by_input},
};

const inv_output_kind *inv_output_kind_of(const sal_output *output)
{
    return kinds + output->kind;
}

sal_stage inv_output_stage(const sal_model *m, const sal_output *output)
{
    const inv_output_kind *kind = inv_output_kind_of(output);
    return kind->stage_of == NULL ? kind->stage : kind->stage_of(m, output);
}

int inv_output_dim(const sal_model *m, const sal_output *output)
{
    const inv_output_kind *kind = inv_output_kind_of(output);
    return kind->count == NULL ? kind->n : kind->count(m, output);
}
