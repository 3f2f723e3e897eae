#include "optim/names.h"

struct point {
    int x;
};
static int helper(int a)
{
    return a;
}
const double opt_table[3] = {1, 2, 3}, opt_other = 1;
int sal_pair(void)
{
    return 2;
}
int sal_triple(void)
{
    return 3;
} /* fault: no public header has it */
int count = 0; /* fault: no prefix */
