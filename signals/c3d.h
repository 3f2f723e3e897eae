/* c3d.h: the parameters of a C3D file; private to signals/ */
#ifndef SAL_SIGNALS_C3D_H
#define SAL_SIGNALS_C3D_H

#include "signals/table.h"

typedef struct sig_c3d_parameter {
    /* number; negative: this is the group itself */
    int group;
    char name[128];
    /* -1 letters, 1 bytes, 2 integers, 4 reals */
    int type;
    int ndim;
    int dim[7];
    /* where its items begin, and how many there are */
    size_t data, count;
} sig_c3d_parameter;

typedef struct sig_c3d {
    sig_signals *s;
    const unsigned char *bytes;
    size_t n;
    sig_c3d_parameter *parameter;
    int nparameter;
} sig_c3d;

/* What the header says, or the parameters that repeat and correct it. */
typedef struct sig_c3d_header {
    /* words of analog data in a frame */
    int npoint, nanalog;
    long long first, last, nframe;
    double scale, rate;
    /* analog samples of a channel in a frame */
    int per_frame;
    /* block in which the frames begin; bytes of a number */
    size_t data, word;
} sig_c3d_header;

/* Numbers of two bytes without and with sign, and of four, as Intel's processors order them. */
int sig_c3d_word(const unsigned char *b);
int sig_c3d_integer(const unsigned char *b);
double sig_c3d_real(const unsigned char *b);

/* Reads the section of parameters, which begins at that byte; c->parameter is the caller's to
 * free. */
sal_status sig_c3d_open(sig_c3d *c, size_t at, sal_diag *diag, sal_err *err);
/* The first n numbers of a parameter; how many it has of them, 0: it is not there. */
int sig_c3d_numbers(const sig_c3d *c, const char *group, const char *name, double *x, int n);
/* Text number i of a parameter, without the blanks behind it; false: it is not there, or empty. */
bool sig_c3d_text(const sig_c3d *c, const char *group, const char *name, int i, char *text,
                  size_t n);
/* How many numbers or letters the first index of a parameter counts; 0: it is not there. */
int sig_c3d_first_dimension(const sig_c3d *c, const char *group, const char *name);
/* Text number i of a parameter that goes on in NAME2, NAME3, ... where there are more than 255. */
bool sig_c3d_listed(const sig_c3d *c, const char *group, const char *name, int i, char *text,
                    size_t n);

/* ---- c3d.c ---- */

/* The byte at which frame i begins. */
size_t sig_c3d_frame(const sig_c3d_header *h, size_t i);

#endif
