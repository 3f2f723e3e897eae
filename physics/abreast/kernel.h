/* kernel.h: kernel.c as compiled for one width and one kind of processor; private to
 * physics/. */
#ifndef SAL_PHYSICS_ABREAST_KERNEL_H
#define SAL_PHYSICS_ABREAST_KERNEL_H

#include "physics/abreast/deriv_kernel.h"
#include "physics/stages.h"

/* How far the instants go side by side */
typedef enum phy_abreast_end {
    PHY_ABREAST_BIAS,     /* kinematics, com, bias */
    PHY_ABREAST_INERTIAL, /* and M a of qacc */
    PHY_ABREAST_DAMPED    /* the same, where qacc is a' of an Euler step with damping: := a */
} phy_abreast_end;

typedef struct phy_abreast_kernel {
    int width;
    /* Bytes of the block that the others work with */
    size_t (*size)(const sal_model *m);
    void (*begin)(const sal_model *m, void *block);
    /* The data d[0] .. d[width - 1], to that end; forces and actuators of joints. The data get what
     * the rest of the inverse reads. */
    void (*place)(const sal_model *m, void *block, sal_data *const *d, phy_abreast_end end);
    /* All else that was found, if the data have it not yet */
    void (*bring)(const sal_model *m, void *block, sal_data *const *d);
    /* What is known of instant i from those beside it, after that */
    phy_placed (*placed)(const void *block, int i);
    const phy_deriv_kernel *deriv;
} phy_abreast_kernel;

/* That of the file itself; physics/abreast/meson.build gives each its name: */
extern const phy_abreast_kernel phy_abreast_kernel_here;
/* of width 4 for any processor, 4 with AVX2, 8 with AVX-512, and 8 for any, which takes twice as
 * many registers as most have: for tests. The middle two on x86 only. */
extern const phy_abreast_kernel phy_abreast_kernel_here_4, phy_abreast_kernel_here_4_avx2,
    phy_abreast_kernel_here_8_avx512, phy_abreast_kernel_here_8;

#endif
