/* A header that users get. */
#ifndef SAL_OPTIM_H
#define SAL_OPTIM_H

typedef struct sal_chart sal_chart;
typedef struct opt_chart opt_chart; /* fault: not sal_ */
SAL_API int sal_chart_size(const sal_chart *c);
SAL_API int sal_pair(void);
struct sal_hidden *sal_hidden_of(const sal_chart *c, int (*call)(int a, int b));

#endif
