#ifndef SAL_PHYSICS_NAMES_TWO_H
#define SAL_PHYSICS_NAMES_TWO_H

typedef struct phy_place {
    double quat[4];
} phy_place; /* fault: a second type */
double phy_axis(int k); /* fault: a type elsewhere */
typedef double phy_push[3]; /* fault: a function elsewhere */
#define PHY_MOST 4 /* fault: a second number */
struct phy_axis; /* the type */

#endif
