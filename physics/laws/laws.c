/* laws.c: the contact models by name, and which one a mechanism has. */
#include "physics/contact_law.h"

const phy_law *phy_law_of(const sal_model *m)
{
    (void)m; /* one law so far */
    return &phy_law_soft;
}
