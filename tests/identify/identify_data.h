/* identify_data.h: recordings of mechanisms that are known, for trials of identification. They are
 * what sal_step does: the discrete mechanics that the estimation undoes, moved by controls that are
 * recorded exactly, and by a force at each dof and step that nothing explains; what is measured is
 * a little off. Both errors are Gaussian, of known size, and follow from a seed. */
#ifndef SAL_TESTS_IDENTIFY_IDENTIFY_DATA_H
#define SAL_TESTS_IDENTIFY_IDENTIFY_DATA_H

#include "base/house.h"
#include "base/rng.h"
#include "mjcf/mjcf.h"
#include "physics/physics.h"

typedef struct trial {
    /* examples/identify_NAME.xml; files: NAME_00.csv .. */
    const char *name;
    /* models/MODEL.xml .. */
    const char *model;
    /* .. with this changed; path NULL: as it is */
    sal_setting setting;
    int nrecording;
    int nsample;
    /* s between samples */
    double dt;
    /* steps of the mechanics between them */
    int substeps;
    /* rad: of each hinge and of a body's orientation */
    double sigma;
    /* m: of a body's place */
    double sigma_place;
    /* of the force at each dof and step: N, N m, .. */
    double sigma_force;
    /* .. or m/s^2, as <estimate unit="acceleration"> has it */
    bool relative;
    /* Where a recording begins: d->qpos, qvel, which are those of a keyframe or zero */
    void (*start)(const sal_model *m, sal_data *d, sal_rng *rng);
    /* d->ctrl at sample k; phase [nu x 3] uniform in 0..1, the recording's own. NULL: nothing is
     * driven */
    void (*drive)(const sal_model *m, sal_data *d, double time, const double *phase);
} trial;

/* pendulum, arm, box, finger, quadruped: the parameters of the models are the true ones */
extern const trial trials[];
extern const int ntrial;

/* Writes the recordings of one repetition into the folder: columns t, pose or angle of each joint
 * (root: x y z qw qx qy qz), and u_NAME of each actuator. root: the folder of the project. */
sal_status trial_record(const trial *which, const char *root, unsigned long seed, const char *into,
                        sal_err *err);
/* The same with a contact model that has the numbers of sal_contact_defaults but for its reach. */
sal_status trial_record_with(const trial *which, int contact, double reach, const char *root,
                             unsigned long seed, const char *into, sal_err *err);

#endif
