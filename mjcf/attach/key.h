/* key.h: how the keyframes of sub-models are written between reading and compiling; private
 * to mjcf/ */
#ifndef SAL_MJCF_ATTACH_KEY_H
#define SAL_MJCF_ATTACH_KEY_H

#include "mjcf/attach/attach.h"

/* of a <key>: "ID COUNT NUMBERS.. ID COUNT NUMBERS.." */
#define MJCF_QPOS  MJCF_MARK "qpos"
#define MJCF_QVEL  MJCF_MARK "qvel"
#define MJCF_MPOS  MJCF_MARK "mpos"
#define MJCF_MQUAT MJCF_MARK "mquat"
/* "N ID.. NUMBERS..": those of N actuators, in their order; only the compiler knows how many each
 * of them has */
#define MJCF_CTRL  MJCF_MARK "ctrl"
#define MJCF_ACT   MJCF_MARK "act"

#endif
