/* model.h: a compiled mechanism, and the functions that make, copy and search one. Part of
 * physics.h.
 *
 * What may be read: all sizes and arrays of a sal_model, by anyone, from any thread, at any time
 * after it was made. Names, units and meaning are MuJoCo's where MuJoCo has the array.
 * What may be written: nothing but `opt` (the time step, gravity, flags, ..) of a model that no
 * other thread uses, and the numbers that a function here names. To change anything else,
 * change the file (sal_model_load with settings) or use sal_remodel of mjcf.h: arrays depend on
 * each other (invweight0, capacities, the sweep of pairs), and writing one leaves the others wrong.
 * What may change between versions: the order and number of arrays, and the arrays that MuJoCo has
 * not. Use names, not offsets.
 */
#ifndef SAL_PHYSICS_MODEL_H
#define SAL_PHYSICS_MODEL_H

#include "base/base.h"
#include "physics/kinds.h"

#include <stdbool.h>

SAL_BEGIN_C

/* ---- the model ---- */

/* Which force contacts, limits, friction and equalities exert. With all models but soft, qacc is
 * the acceleration of the step, (v' - v)/h, and the damping of joints is taken at its end. They
 * need integrator Euler. Set by sal_model_contact. */
typedef struct sal_contact_option {
    /* sal_contact_model */
    int model;
    /* weight of the barrier: of logbarrier, J; of hard, normal impulse times gap, N m s */
    double kappa;
    /* of friction of hard, impulse times velocity of slip, N m; 0: kappa */
    double kappa_slip;
    /* R over the diagonal of J M^-1 J': of what touches, and of a contact `reach` away */
    double regulariser[2];
    /* m: how far apart geoms are where they begin to act on each other */
    double reach;
    /* m: geoms act on each other as if they were this much farther apart; for softer contacts than
     * the final ones, which would hold what rests above the floor */
    double lift;
    /* N s: of hard, the normal impulse beyond which it grows by the tangent of kappa/gap: a search
     * passes through what penetrates. Of logbarrier, q of a barrier on velocities; 0: none */
    double firmest;
    /* of complementarity and diagonal, >= 0: how much of its mass is added to an equality, and to a
     * contact or limit that carries a force, for what acts on the mechanism: a force then moves it
     * there by 1/(1 + weight) of what it would without the constraint */
    double weight[2];
} sal_contact_option;

typedef struct sal_option {
    /* s */
    double timestep;
    /* m/s^2 */
    double gravity[3];
    double wind[3];
    double magnetic[3];
    double density;
    double viscosity;
    /* friction to normal impedance of elliptic cones */
    double impratio;
    /* of the forward solver; see physics/solver.h. Data are to be made after a change to PGS, or to
     * noslip_iterations > 0, for which they have room of their own */
    double tolerance;
    int iterations;
    /* sal_solver */
    int solver;
    /* sweeps after the solver in which friction does not slip; no part of the inverse */
    int noslip_iterations;
    double noslip_tolerance;
    /* sal_integrator */
    int integrator;
    /* sal_cone */
    int cone;
    /* SAL_DSBL_ bits */
    int disable;
    /* SAL_ENBL_ bits */
    int enable;
    /* bit g: actuators of group g, 0..30, are off */
    int disableactuator;
    /* m/s^2: the force law averaged over this much constraint-space acceleration; 0 in MuJoCo's
     * law */
    double sigma;
    sal_contact_option contact;
} sal_option;

/* X(type, name, rows, columns): all arrays of a model. Sizes are members of sal_model. */
#define SAL_MODEL_ARRAYS(X)                                                                        \
    /* positions */                                                                                \
    X(double, qpos0, nq, 1)       /* configuration as posed */                                     \
    X(double, qpos_spring, nq, 1) /* where springs rest */                                         \
    /* bodies: parents before children, world is 0 */                                              \
    X(int, body_parentid, nbody, 1)                                                                \
    X(int, body_rootid, nbody, 1)  /* its ancestor that is a child of the world */                 \
    X(int, body_weldid, nbody, 1)  /* its nearest ancestor with joints */                          \
    X(int, body_mocapid, nbody, 1) /* -1: none */                                                  \
    X(int, body_jntadr, nbody, 1)  /* -1: none */                                                  \
    X(int, body_jntnum, nbody, 1)                                                                  \
    X(int, body_dofadr, nbody, 1) /* -1: none */                                                   \
    X(int, body_dofnum, nbody, 1)                                                                  \
    X(int, body_geomadr, nbody, 1) /* -1: none */                                                  \
    X(int, body_geomnum, nbody, 1)                                                                 \
    X(int, body_chainadr, nbody, 1) /* its dofs and its ancestors', ascending, in chain_dof */     \
    X(int, body_chainnum, nbody, 1)                                                                \
    X(int, chain_dof, nchain, 1)                                                                   \
    X(double, body_pos, nbody, 3)                                                                  \
    X(double, body_quat, nbody, 4)                                                                 \
    X(double, body_ipos, nbody, 3) /* inertial frame in the body's */                              \
    X(double, body_iquat, nbody, 4)                                                                \
    X(double, body_mass, nbody, 1)                                                                 \
    X(double, body_subtreemass, nbody, 1)                                                          \
    X(double, body_gravcomp, nbody, 1) /* share of its weight that is carried */                   \
    X(double, body_inertia, nbody, 3)  /* diagonal in the inertial frame */                        \
    X(double, body_invweight0, nbody,                                                              \
      2) /* mean inverse inertia at qpos0: translation, rotation */                                \
    /* joints */                                                                                   \
    X(int, jnt_type, njnt, 1)                                                                      \
    X(int, jnt_qposadr, njnt, 1)                                                                   \
    X(int, jnt_dofadr, njnt, 1)                                                                    \
    X(int, jnt_bodyid, njnt, 1)                                                                    \
    X(int, jnt_limited, njnt, 1)                                                                   \
    X(int, jnt_actgravcomp, njnt, 1) /* 1: gravity compensation counts as actuator force */        \
    X(double, jnt_pos, njnt, 3)                                                                    \
    X(double, jnt_axis, njnt, 3)                                                                   \
    X(double, jnt_range, njnt, 2)                                                                  \
    X(double, jnt_margin, njnt, 1)                                                                 \
    X(int, jnt_actfrclimited, njnt, 1)                                                             \
    X(double, jnt_actfrcrange, njnt, 2) /* of the actuators' force on a slide or hinge */          \
    X(double, jnt_stiffness, njnt, 1)                                                              \
    X(double, jnt_stiffnesspoly, njnt, 2) /* and of the next powers of the distance */             \
    X(double, jnt_solref, njnt, 2)        /* of its limit */                                       \
    X(double, jnt_solimp, njnt, 5)                                                                 \
    /* degrees of freedom */                                                                       \
    X(int, dof_bodyid, nv, 1)                                                                      \
    X(int, dof_jntid, nv, 1)                                                                       \
    X(int, dof_parentid, nv, 1) /* the dof before it in its chain; -1: none */                     \
    X(int, dof_Madr, nv, 1)     /* of M[i][i] in qM; M[i][parent(i)] follows, and so on up */      \
    X(double, dof_armature, nv, 1)                                                                 \
    X(double, dof_damping, nv, 1)                                                                  \
    X(double, dof_dampingpoly, nv, 2) /* and of the next powers of the speed */                    \
    X(double, dof_frictionloss, nv, 1)                                                             \
    X(double, dof_invweight0, nv, 1)                                                               \
    X(double, dof_M0, nv, 1)                                                                       \
    X(double, dof_solref, nv, 2) /* of its friction loss */                                        \
    X(double, dof_solimp, nv, 5)                                                                   \
    /* geoms, body by body */                                                                      \
    X(int, geom_type, ngeom, 1)                                                                    \
    X(int, geom_bodyid, ngeom, 1)                                                                  \
    X(int, geom_contype, ngeom, 1)                                                                 \
    X(int, geom_conaffinity, ngeom, 1)                                                             \
    X(int, geom_condim, ngeom, 1)                                                                  \
    X(int, geom_priority, ngeom, 1)                                                                \
    X(int, geom_group, ngeom, 1)                                                                   \
    X(double, geom_solmix, ngeom, 1)                                                               \
    X(double, geom_solref, ngeom, 2)                                                               \
    X(double, geom_solimp, ngeom, 5)                                                               \
    X(double, geom_size, ngeom, 3)                                                                 \
    X(double, geom_rbound, ngeom, 1) /* radius of the bounding sphere; 0: none (planes) */         \
    X(double, geom_pos, ngeom, 3)                                                                  \
    X(double, geom_quat, ngeom, 4)                                                                 \
    X(double, geom_friction, ngeom, 3)                                                             \
    X(double, geom_margin, ngeom, 1)                                                               \
    X(double, geom_gap, ngeom, 1)                                                                  \
    X(double, geom_surfacevel, ngeom, 6) /* of its surface along it, in its axes: linear, turn */  \
    X(double, geom_adhesion, ngeom, 1)   /* N: see contact_adhesion.c */                           \
    X(double, geom_fluid, ngeom,                                                                   \
      12) /* as an ellipsoid in the medium: 0 not, 1 so; coefficients 5, mass 3, inertia 3 */      \
    X(float, geom_rgba, ngeom, 4)                                                                  \
    X(int, geom_dataid, ngeom, 1) /* mesh or height field; -1: none */                             \
    /* height fields: rows along x, from -x to x, the first at -y */                               \
    X(int, hfield_nrow, nhfield, 1)                                                                \
    X(int, hfield_ncol, nhfield, 1)                                                                \
    X(int, hfield_adr, nhfield, 1)     /* of its first elevation in hfield_data */                 \
    X(double, hfield_size, nhfield, 4) /* half x, half y, height of elevation 1, base below 0 */   \
    X(float, hfield_data, nhfielddata, 1) /* elevations, 0 .. 1 */                                 \
    /* meshes. Those that touch nothing keep no vertices, unless a sensor looks at shapes */       \
    X(int, mesh_vertadr, nmesh, 1)                                                                 \
    X(int, mesh_vertnum, nmesh, 1)                                                                 \
    X(int, mesh_faceadr, nmesh, 1)                                                                 \
    X(int, mesh_facenum, nmesh, 1)                                                                 \
    X(int, mesh_builtin, nmesh, 1) /* what MJCF makes of mesh_params: 0 nothing, 1 sphere .. */    \
    X(double, mesh_params, nmesh, 5)                                                               \
    X(int, mesh_inertia, nmesh, 1) /* 0 legacy, 1 exact, 2 convex, 3 shell */                      \
    X(int, mesh_maxhullvert, nmesh, 1)                                                             \
    X(double, mesh_scale, nmesh, 3)                                                                \
    X(double, mesh_refpos, nmesh, 3)                                                               \
    X(double, mesh_refquat, nmesh, 4)                                                              \
    X(double, mesh_pos, nmesh,                                                                     \
      3) /* where its centre of mass and principal axes are in the file's frame */                 \
    X(double, mesh_quat, nmesh, 4)                                                                 \
    X(float, mesh_vert, nmeshvert, 3) /* as in its file */                                         \
    X(int, mesh_face, nmeshface, 3)                                                                \
    /* trees of boxes over the faces, for rangefinders: collision/ray_tree.c */                    \
    X(int, mesh_treeadr, nmesh, 1)   /* of its first box */                                        \
    X(float, tree_box, nmeshtree, 6) /* in the file's axes: the lower ends, the upper ones */      \
    X(int, tree_face, ntreeface, 1)  /* numbers in mesh_face, in the order of the tree */          \
    /* their convex hulls, which collide: in the geom's frame, numbered within the hull */         \
    X(int, mesh_hulladr, nmesh, 1)                                                                 \
    X(int, mesh_hullnum, nmesh, 1)                                                                 \
    X(int, mesh_hullfaceadr, nmesh, 1)                                                             \
    X(int, mesh_hullfacenum, nmesh, 1)                                                             \
    X(double, hull_vert, nhullvert, 3)                                                             \
    X(int, hull_id, nhullvert, 1)      /* its number in the file */                                \
    X(int, hull_edgeadr, nhullvert, 1) /* of its neighbours in hull_edge, closed by -1 */          \
    X(int, hull_edge, nhulledge, 1)                                                                \
    X(int, hull_face, nhullface, 3) /* triangles, outside first */                                 \
    X(int, mesh_extrema, nmesh,                                                                    \
      27) /* corners farthest along (i, j, k), each -1, 0, 1, k fastest */                         \
    /* their sides, polygons of triangles of almost one direction (MuJoCo 3.14; else none) */      \
    X(double, hull_polynormal, nhullpoly, 3)                                                       \
    X(int, hull_polyadr, nhullpoly, 1) /* of its corners in hull_polyvert, closed by -1 */         \
    X(int, hull_polyvert, nhullpolyvert, 1)                                                        \
    X(int, hull_polymapadr, nhullvert, 1) /* of a corner's sides in hull_polymap, closed by -1 */  \
    X(int, hull_polymap, nhullpolymap, 1)                                                          \
    /* sites, body by body; cameras, for sensors only */                                           \
    X(int, site_bodyid, nsite, 1)                                                                  \
    X(int, site_type, nsite, 1)                                                                    \
    X(double, site_size, nsite, 3)                                                                 \
    X(double, site_pos, nsite, 3)                                                                  \
    X(double, site_quat, nsite, 4)                                                                 \
    X(int, cam_bodyid, ncam, 1)                                                                    \
    X(double, cam_pos, ncam, 3)                                                                    \
    X(double, cam_quat, ncam, 4)                                                                   \
    X(int, cam_mode, ncam, 1)         /* sal_camera_mode */                                        \
    X(int, cam_targetbodyid, ncam, 1) /* -1: none */                                               \
    X(double, cam_pos0, ncam, 3)      /* at qpos0, in world axes: from its body's origin */        \
    X(double, cam_poscom0, ncam, 3)   /* from the centre of its target, or of its body */          \
    X(double, cam_mat0, ncam, 9)      /* and how it is turned */                                   \
    X(double, cam_fovy, ncam, 1)      /* degrees, where there is no sensorsize */                  \
    X(int, cam_resolution, ncam, 2)   /* pixels */                                                 \
    X(float, cam_sensorsize, ncam, 2) /* m; 0 0: not given */                                      \
    X(float, cam_intrinsic, ncam, 4)  /* m; focal lengths, principal point */                      \
    X(int, cam_projection, ncam, 1)   /* 0 perspective, 1 orthographic */                          \
    /* every pair of geoms that may ever touch, in the order of the contact list, with its \
     * combined parameters; where nkind > 0 every pair of kinds of geoms, with the first geoms of \
     * the two, then <pair>s by (lower body, higher body) */       \
    X(int, pair_geom1, npair, 1) /* type(geom1) <= type(geom2) */                                  \
    X(int, pair_geom2, npair, 1)                                                                   \
    X(int, pair_dim, npair, 1)                                                                     \
    X(int, pair_explicit, npair, 1) /* 1: from a <pair> element */                                 \
    X(int, pair_sides, npair, 1)    /* 1: no margin and no gap of its own: see manifold.h */       \
    X(double, pair_friction, npair, 5)                                                             \
    X(double, pair_solref, npair, 2)                                                               \
    X(double, pair_solreffriction, npair, 2) /* 0 0: solref */                                     \
    X(double, pair_solimp, npair, 5)                                                               \
    X(double, pair_detect, npair, 1) /* a contact is listed at dist <= detect */                   \
    X(double, pair_include, npair,                                                                 \
      1) /* and has rows at dist < include (MuJoCo's includemargin) */                             \
    X(double, pair_adhesion, npair, 1) /* N: by how much it may pull */                            \
    X(double, pair_upright, npair, 1)  /* with a height field: see collide_field.c; MuJoCo's: 0 */ \
    X(int, sweep_adr, nsweep,                                                                      \
      1) /* of each geom: its pairs with geoms of higher ids, which ascend */                      \
    X(int, sweep_num, nsweep, 1)                                                                   \
    X(int, sweep_partner, nsweeppair, 1)                                                           \
    X(int, sweep_pair, nsweeppair, 1)                                                              \
    /* models whose pairs are not listed: see unlisted.c */                                        \
    X(int, geom_kind, nkindgeom, 1)                                                                \
    X(int, kind_pair, nkindpair, 1) /* [nkind][nkind]: lower geom, higher; -1: they never meet */  \
    X(int, body_cluster, nkindbody, 1) /* bodies that move as one: the first of them */            \
    X(int, body_above, nkindbody,                                                                  \
      1) /* the cluster of the parent of its cluster, where the two may not meet; else -1 */       \
    X(int, exclude_body, nexclude, 2) /* lower, higher; ascending */                               \
    /* equality constraints */                                                                     \
    X(int, eq_type, neq, 1)                                                                        \
    X(int, eq_obj1id, neq, 1) /* bodies, joints or tendons */                                      \
    X(int, eq_obj2id, neq, 1) /* -1: none */                                                       \
    X(int, eq_site, neq, 2)   /* sites that named the bodies; -1: none */                          \
    X(int, eq_active, neq, 1)                                                                      \
    X(double, eq_solref, neq, 2)                                                                   \
    X(double, eq_solimp, neq, 5)                                                                   \
    /* connect: anchor in body 1, in body 2; weld: anchor in body 2, in body 1, orientation of \
     * body 2 in body 1, torquescale; others: polynomial */   \
    X(double, eq_data, neq, 11)                                                                    \
    /* tendons */                                                                                  \
    X(int, tendon_adr, ntendon, 1) /* of its path in wrap_* */                                     \
    X(int, tendon_num, ntendon, 1)                                                                 \
    X(int, tendon_limited, ntendon, 1)                                                             \
    X(int, tendon_Jadr, ntendon, 1) /* of its dofs in ten_dof, and of its Jacobian in ten_J */     \
    X(int, tendon_Jnum, ntendon, 1)                                                                \
    X(int, ten_dof, ntenJ, 1) /* ascending */                                                      \
    X(double, tendon_range, ntendon, 2)                                                            \
    X(int, tendon_actfrclimited, ntendon, 1)                                                       \
    X(double, tendon_actfrcrange, ntendon, 2) /* of the sum of the actuators' forces */            \
    X(double, tendon_margin, ntendon, 1)                                                           \
    X(double, tendon_stiffness, ntendon, 1)                                                        \
    X(double, tendon_damping, ntendon, 1)                                                          \
    X(double, tendon_stiffnesspoly, ntendon, 2)                                                    \
    X(double, tendon_dampingpoly, ntendon, 2)                                                      \
    X(double, tendon_armature, ntendon, 1)                                                         \
    X(double, tendon_frictionloss, ntendon, 1)                                                     \
    X(double, tendon_lengthspring, ntendon, 2) /* no spring force between the two */               \
    X(double, tendon_length0, ntendon, 1)                                                          \
    X(double, tendon_invweight0, ntendon, 1)                                                       \
    X(double, tendon_solref_lim, ntendon, 2)                                                       \
    X(double, tendon_solimp_lim, ntendon, 5)                                                       \
    X(double, tendon_solref_fri, ntendon, 2)                                                       \
    X(double, tendon_solimp_fri, ntendon, 5)                                                       \
    X(int, wrap_type, nwrap, 1)                                                                    \
    X(int, wrap_objid, nwrap, 1) /* joint, site or geom; -1: pulley */                             \
    X(int, wrap_side, nwrap,                                                                       \
      1) /* site on whose side of the geom the tendon passes; -1: the shorter way */               \
    X(double, wrap_prm, nwrap, 1) /* joint: coefficient; pulley: divisor */                        \
    /* actuators */                                                                                \
    X(int, actuator_trntype, nu, 1)                                                                \
    X(int, actuator_trnid, nu, 1)    /* joint, tendon, site, crank's site or body */               \
    X(int, actuator_refid, nu, 1)    /* reference site, or slider's; -1: none */                   \
    X(int, actuator_inparent, nu, 1) /* gear in the parent's frame (ball, free) */                 \
    X(int, actuator_group, nu, 1)                                                                  \
    X(int, actuator_dyntype, nu, 1)                                                                \
    X(int, actuator_actadr, nu, 1) /* of its activations in act; -1: none */                       \
    X(int, actuator_actnum, nu, 1) /* how many; more than one of motors only */                    \
    X(int, actuator_actlimited, nu, 1)                                                             \
    X(int, actuator_actearly, nu,                                                                  \
      1) /* the force is that of the activation at the end of the step */                          \
    X(int, moment_rowadr, nu,                                                                      \
      1) /* of its dofs in moment_colind, and of its row in actuator_moment */                     \
    X(int, moment_rownnz, nu, 1)                                                                   \
    X(int, moment_colind, nmoment, 1) /* ascending in each row */                                  \
    X(int, actuator_gaintype, nu, 1)                                                               \
    X(int, actuator_biastype, nu, 1)                                                               \
    X(int, actuator_ctrllimited, nu, 1)                                                            \
    X(int, actuator_forcelimited, nu, 1)                                                           \
    X(double, actuator_gear, nu, 6)                                                                \
    X(double, actuator_cranklength, nu, 1)                                                         \
    X(double, actuator_dynprm, nu, 10)                                                             \
    X(double, actuator_gainprm, nu, 10)                                                            \
    X(double, actuator_biasprm, nu, 10)                                                            \
    X(double, actuator_ctrlrange, nu, 2)                                                           \
    X(double, actuator_forcerange, nu, 2)                                                          \
    X(double, actuator_actrange, nu, 2)                                                            \
    X(double, actuator_lengthrange, nu, 2) /* of muscles: from shortest to longest */              \
    X(int, actuator_history, nu, 2)        /* samples of its control that are kept; sal_interp */  \
    X(int, actuator_historyadr, nu, 1)     /* in the data's history; -1: none */                   \
    X(double, actuator_delay, nu, 1)       /* s */                                                 \
    X(double, actuator_acc0, nu, 1)                                                                \
    X(double, actuator_length0, nu, 1)                                                             \
    /* sensors */                                                                                  \
    X(int, sensor_type, nsensor, 1)                                                                \
    X(int, sensor_objtype, nsensor, 1) /* sal_object */                                            \
    X(int, sensor_objid, nsensor, 1)                                                               \
    X(int, sensor_reftype, nsensor, 1)                                                             \
    X(int, sensor_refid, nsensor, 1) /* -1: the world */                                           \
    X(int, sensor_dim, nsensor, 1)                                                                 \
    X(int, sensor_adr, nsensor, 1)                                                                 \
    X(int, sensor_stage, nsensor, 1)                                                               \
    X(int, sensor_datatype, nsensor, 1) /* sal_datatype */                                         \
    X(int, sensor_intprm, nsensor, 3)   /* contact: data, reduce, num; rangefinder: data; */       \
                                        /* tactile: its first taxel, their number */               \
    X(double, sensor_cutoff, nsensor, 1)                                                           \
    X(double, sensor_noise, nsensor, 1)                                                            \
    X(int, sensor_history, nsensor, 2) /* as of actuators */                                       \
    X(int, sensor_historyadr, nsensor, 1)                                                          \
    X(double, sensor_delay, nsensor, 1)                                                            \
    X(double, sensor_interval, nsensor, 2) /* s: between its readings, 0 each step; phase */       \
    X(double, sensor_user, nsensoruser, 1) /* nuser_sensor of each */                              \
    X(double, taxel_pos, ntaxel, 3)        /* of tactile sensors, in the frame of their geom */    \
    X(double, taxel_axis, ntaxel, 6)       /* two tangents of unit length; 3.12: in world axes */  \
    /* custom data */                                                                              \
    X(int, numeric_adr, nnumeric, 1) /* in numeric_data */                                         \
    X(int, numeric_size, nnumeric, 1)                                                              \
    X(double, numeric_data, nnumericdata, 1)                                                       \
    X(int, text_adr, ntext, 1) /* in text_data, zero-terminated */                                 \
    X(char, text_data, ntextdata, 1)                                                               \
    X(int, tuple_adr, ntuple, 1) /* in tuple_obj* */                                               \
    X(int, tuple_size, ntuple, 1)                                                                  \
    X(int, tuple_objtype, ntupledata,                                                              \
      1) /* sal_object; SAL_OBJ_NONE: of a kind that is only drawn */                              \
    X(int, tuple_objid, ntupledata, 1)                                                             \
    X(double, tuple_objprm, ntupledata, 1)                                                         \
    X(int, name_numericadr, nnumeric, 1)                                                           \
    X(int, name_textadr, ntext, 1)                                                                 \
    X(int, name_tupleadr, ntuple, 1)                                                               \
    /* keyframes */                                                                                \
    X(double, key_time, nkey, 1)                                                                   \
    X(double, key_qpos, nkey, nq)                                                                  \
    X(double, key_qvel, nkey, nv)                                                                  \
    X(double, key_act, nkey, na)                                                                   \
    X(double, key_ctrl, nkey, nu)                                                                  \
    X(double, key_mpos, nkey, 3 * nmocap)                                                          \
    X(double, key_mquat, nkey, 4 * nmocap)                                                         \
    /* names: offsets into `names`, which starts with an empty string */                           \
    X(int, name_bodyadr, nbody, 1)                                                                 \
    X(int, name_jntadr, njnt, 1)                                                                   \
    X(int, name_geomadr, ngeom, 1)                                                                 \
    X(int, name_siteadr, nsite, 1)                                                                 \
    X(int, name_camadr, ncam, 1)                                                                   \
    X(int, name_eqadr, neq, 1)                                                                     \
    X(int, name_tendonadr, ntendon, 1)                                                             \
    X(int, name_actuatoradr, nu, 1)                                                                \
    X(int, name_sensoradr, nsensor, 1)                                                             \
    X(int, name_meshadr, nmesh, 1)                                                                 \
    X(int, name_hfieldadr, nhfield, 1)                                                             \
    X(int, name_keyadr, nkey, 1)                                                                   \
    X(char, names, nnames, 1)

typedef struct sal_model {
    int nq;
    int nv;
    int nu;
    int nbody;
    int njnt;
    int ngeom;
    int nsite;
    int ncam;
    int npair;
    int nsensor;
    int nsensordata;
    int nkey;
    int nmocap;
    /* ngeom, npair of models that are swept (see sweep.c); else 0 */
    int nsweep, nsweeppair;
    /* of models with so many pairs that they are not listed: kinds of geoms, which combine alike,
     * nkind squared, pairs of kinds among npair, ngeom, nbody, pairs of bodies that never meet;
     * else 0 */
    int nkind, nkindpair, nkindlisted, nkindgeom, nkindbody, nexclude;
    /* contacts of two bodies are sorted by the types of their geoms: see mjcf/pairs.c */
    bool kind_sorted;
    /* the largest pair_detect */
    double sweep_margin;
    int neq;
    int ntendon;
    int nwrap;
    /* numbers of all histories of controls and readings, see physics/history.h */
    int nhistory;
    /* the user's numbers of a sensor, of all */
    int nuser_sensor, nsensoruser;
    /* points of all tactile sensors */
    int ntaxel;
    int nhfield;
    int nhfielddata;
    int nmesh;
    int nmeshvert;
    int nmeshface;
    /* boxes of all trees, and nmeshface; both 0 where no sensor casts rays */
    int nmeshtree, ntreeface;
    int nhullvert;
    int nhulledge;
    int nhullface;
    int nhullpoly;
    int nhullpolyvert;
    int nhullpolymap;
    /* activations */
    int na;
    /* nonzeros of all actuators' moments */
    int nmoment;
    /* nonzeros of all tendons' Jacobians */
    int ntenJ;
    /* nonzeros of the lower triangle of M */
    int nM;
    /* length of chain_dof */
    int nchain;
    int nnumeric;
    int nnumericdata;
    int ntext;
    int ntextdata;
    int ntuple;
    int ntupledata;
    int nnames;
    /* bodies with gravcomp > 0; if there are none, no gravcomp counts */
    int ngravcomp;
    /* geoms whose surfacevel is not zero */
    int nsurfacevel;
    /* pairs whose adhesion is not zero */
    int nadhesion;
    /* most contacts at once: sal_data has room for these */
    int nconmax;
    /* most constraint rows */
    int nefcmax;
    /* most nonzeros of efc_J */
    int nJmax;
    /* nefcmax and nJmax with contact models that know the next instant's gaps, else 0 */
    int nnext;
    int nnextJ;
    int name_modeladr;
    /* whose behaviour it has */
    sal_mujoco mujoco;
    sal_option opt;
    /* mean diagonal of M at qpos0 */
    double meaninertia;
#define SAL_MODEL_FIELD(type, name, rows, columns) type *name;
    SAL_MODEL_ARRAYS(SAL_MODEL_FIELD)
#undef SAL_MODEL_FIELD
    /* holds all arrays */
    void *block;
    size_t nblock;
} sal_model;

SAL_API sal_status sal_model_copy(sal_model **copy, const sal_model *m, sal_err *err);
/* Makes m, a copy of another model, a copy of this one. */
SAL_API sal_status sal_model_assign(sal_model *m, const sal_model *from, sal_err *err);
SAL_API void sal_model_free(sal_model *m);
/* For those who build a model by hand (the compiler, tests): allocates all arrays for the sizes set
 * in *m. */
SAL_API sal_status sal_model_allocate(sal_model *m, sal_err *err);
/* Fills nconmax, nefcmax, nJmax from the pairs, joints and chains. */
SAL_API void sal_model_capacity(sal_model *m);
/* Gives a height field its elevations, nrow x ncol in the order of hfield_data. SAL_BADINPUT: one
 * of them is not within 0 .. 1; then all stay as they are. */
SAL_API sal_status sal_model_elevate(sal_model *m, int hfield, const double *elevation,
                                     sal_err *err);
/* To be called after a change of pair_detect. */
SAL_API void sal_model_margins(sal_model *m);

/* An integrator's name in MJCF, such as "implicitfast"; NULL: there is none. */
SAL_API const char *sal_integrator_name(int integrator);

/* Solvers by name, such as "PGS"; NULL and -1: there is none. */
SAL_API const char *sal_solver_name(int solver);
SAL_API int sal_solver_named(const char *name);

/* Versions of MuJoCo by name, "3.14", "3.12", "2.2.2"; -1: there is none. */
SAL_API const char *sal_mujoco_name(sal_mujoco version);
SAL_API int sal_mujoco_named(const char *name);

/* Contact models by name: "soft" is 0; NULL and -1: there is none. */
SAL_API const char *sal_contact_model_name(int model);
SAL_API int sal_contact_model_named(const char *name);
/* True if its forces follow from the motion and have derivatives, so that a search can follow
 * them. */
SAL_API bool sal_contact_model_is_invertible(int model);
/* The numbers of a contact model that suit the masses, the gravity and the timestep of m. */
SAL_API void sal_contact_defaults(sal_contact_option *o, const sal_model *m, int model);
/* Gives m a contact model: opt.contact, and with all but soft elliptic cones, and margins of
 * contacts and limits of at least o->reach; with those that are not invertible, room for at most
 * 600 rows. Data are to be made after it. SAL_BADINPUT: a number is out of range; SAL_UNSUPPORTED:
 * the integrator is not Euler. Then m stays as it is. */
SAL_API sal_status sal_model_contact(sal_model *m, const sal_contact_option *o, sal_err *err);

/* An array of SAL_MODEL_ARRAYS by its name, nrow x ncol numbers of *type: d double, i int, f float,
 * c char. NULL: there is none of that name; an array without rows is not NULL. */
SAL_API const void *sal_model_array(const sal_model *m, const char *name, char *type, int *nrow,
                                    int *ncol);
/* SAL_UNSUPPORTED, if an actuator does or a sensor shows what is of earlier instants: it has a
 * delay, or is a sensor with an interval. For those who know single instants only; `what` they do
 * stands in the message. */
SAL_API sal_status sal_model_prompt(const sal_model *m, const char *what, sal_err *err);
/* How many objects of a kind there are. */
SAL_API int sal_model_count(const sal_model *m, sal_object type);
/* The object of that name or, if none has it, of that number: "#3" is object 3, as `saltus info`
 * counts them. -1: there is neither. The name of an unnamed object is "". */
SAL_API int sal_model_find(const sal_model *m, sal_object type, const char *name);
SAL_API const char *sal_model_name(const sal_model *m, sal_object type, int id);
/* For messages: "joint", "keyframe"; of SAL_OBJ_NONE "object". */
SAL_API const char *sal_object_word(sal_object type);
/* For messages: "joint 'knee'", or without a name "joint 3 (unnamed, of body 'shin')". Returns
 * `text`. */
enum { SAL_LABEL_MAX = 160 };
SAL_API const char *sal_model_label(const sal_model *m, sal_object type, int id,
                                    char text[SAL_LABEL_MAX]);

SAL_END_C

#endif
