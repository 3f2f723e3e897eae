/* opt_comment( is no name { */
#ifndef SAL_OPTIM_NAMES_H
#define SAL_OPTIM_NAMES_H

enum { OPT_ONE, OPT_TWO = 1 << 1, THREE }; /* fault: THREE */
#define OPT_LIMIT 3
#define LIMIT     3 /* fault: no prefix */
struct sal_hidden {
    int place;
};
typedef struct opt_place {
    double x, y;
} opt_place;
typedef int (*opt_call)(int a, int b);
typedef int call(int a); /* fault: no prefix */
static inline int opt_half(int a)
{
    return a / 2;
}
static inline int half(int a)
{
    return a / 2;
} /* fault: no prefix */
extern const double opt_table[3], opt_other;
double phy_mass(int a); /* fault: the prefix of another room */
void opt_step(const double *x, /* two lines */
              int n);

#endif
