#ifndef SAL_PHYSICS_NAMES_H
#define SAL_PHYSICS_NAMES_H

typedef struct phy_place phy_place; /* its name only */
typedef struct phy_place {
    double x;
} phy_place;
typedef struct phy_axis {
    double v[3];
} phy_axis;
double phy_push(const phy_place *p);
#define PHY_MOST 3

#endif
