/* logbarrier_pair.c: the roots of two cones side by side. */
#define WIDTH 2
#include "physics/laws/logbarrier_roots.c" /* NOLINT(bugprone-suspicious-include) */

void phy_barrier_find_pair(phy_barrier_roots *roots)
{
    find(roots);
}
