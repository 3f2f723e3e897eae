/* c3d_file.h: a C3D file made byte by byte from the published description of the format (The C3D
 * File Format User Guide), for tests. */
#ifndef SAL_TESTS_SIGNALS_C3D_FILE_H
#define SAL_TESTS_SIGNALS_C3D_FILE_H

#include "base/base.h"

#include <stdint.h>
#include <string.h>

typedef struct c3d_file {
    /* analog samples a frame, and channels */
    int npoint;
    int nframe;
    int first;
    int per_frame;
    int nchannel;
    /* scale < 0: floats */
    double scale;
    double rate;
    /* POINT:UNITS; POINT:Y_SCREEN, NULL: none */
    const char *unit;
    const char *screen;
    /* of `width` letters each (0: 4), one behind the other */
    const char *labels;
    size_t width;
    /* 84: Intel */
    int processor;
    /* the last frame by TRIAL:ACTUAL_END_FIELD, 0: none */
    long long field;
    /* mm, of point k in frame i; false: missing */
    bool (*point)(int i, int k, double x[3]);
    /* number k among the analog ones of frame i, NULL: 1000 + k; adds groups, from 4 on, NULL:
     * none */
    double (*analog)(int i, int k);
    void (*groups)(sal_text *t);
} c3d_file;

static inline void c3d_word(sal_text *t, int value)
{
    const char bytes[2] = {(char)(value & 0xFF), (char)(value >> 8 & 0xFF)};
    sal_text_addn(t, bytes, 2);
}

static inline void c3d_real(sal_text *t, double value)
{
    const float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    c3d_word(t, (int)(bits & 0xFFFFU));
    c3d_word(t, (int)(bits >> 16));
}

static inline void c3d_fill(sal_text *t, size_t length)
{
    while (!t->failed && t->length < length) {
        sal_text_addn(t, "", 1);
    }
}

/* The beginning of a record; group < 0: of a group. */
static inline void c3d_name(sal_text *t, int group, const char *name)
{
    const char bytes[2] = {(char)strlen(name), (char)group};
    sal_text_addn(t, bytes, 2);
    sal_text_add(t, name);
}

static inline void c3d_group(sal_text *t, int group, const char *name)
{
    c3d_name(t, -group, name);
    c3d_word(t, 3 + 4); /* this word, the length of the description, which is */
    sal_text_addn(t, "\4what", 5);
}

/* The numbers of a parameter, and an empty description. */
static inline void c3d_values(sal_text *t, int type, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        if (type == 4) {
            c3d_real(t, x[i]);
        } else {
            c3d_word(t, (int)x[i]);
        }
    }
    sal_text_addn(t, "", 1);
}

/* A parameter of one number or, n > 1, of n. */
static inline void c3d_numbers(sal_text *t, int group, const char *name, int type, const double *x,
                               int n)
{
    const char head[3] = {(char)type, (char)(n > 1), (char)n};
    c3d_name(t, group, name);
    c3d_word(t, 2 + 2 + (n > 1) + n * type + 1);
    sal_text_addn(t, head, n > 1 ? 3 : 2);
    c3d_values(t, type, x, n);
}

/* The same with two indices, of which the first counts `rows`. */
static inline void c3d_grid(sal_text *t, int group, const char *name, int type, const double *x,
                            int rows, int n)
{
    const char head[4] = {(char)type, 2, (char)rows, (char)(n / rows)};
    c3d_name(t, group, name);
    c3d_word(t, 2 + 2 + 2 + n * type + 1);
    sal_text_addn(t, head, 4);
    c3d_values(t, type, x, n);
}

static inline void c3d_number(sal_text *t, int group, const char *name, int type, double x)
{
    c3d_numbers(t, group, name, type, &x, 1);
}

/* n texts of `width` letters. */
static inline void c3d_texts(sal_text *t, int group, const char *name, const char *text,
                             size_t width, int n)
{
    const char head[4] = {(char)-1, (char)(n > 0 ? 2 : 1), (char)width, (char)n};
    const size_t length = width * (size_t)(n > 0 ? n : 1);
    c3d_name(t, group, name);
    c3d_word(t, 2 + 3 + (n > 0) + (int)length + 1);
    sal_text_addn(t, head, n > 0 ? 4 : 3);
    sal_text_addn(t, text, length);
    sal_text_addn(t, "", 1);
}

static inline void c3d_header(sal_text *t, const c3d_file *f)
{
    const int last = f->first + f->nframe - 1;
    sal_text_addn(t, "\2\x50", 2);
    c3d_word(t, f->npoint);
    c3d_word(t, f->per_frame * f->nchannel);
    c3d_word(t, f->first);
    c3d_word(t, last > 65535 ? 65535 : last);
    c3d_word(t, 10); /* largest gap that was filled */
    c3d_real(t, f->scale);
    c3d_word(t, 4); /* block of the first frame */
    c3d_word(t, f->per_frame);
    c3d_real(t, f->rate);
    c3d_fill(t, 512);
}

static inline void c3d_parameters(sal_text *t, const c3d_file *f)
{
    const char head[4] = {1, 0x50, 2, (char)f->processor};
    sal_text_addn(t, head, 4);
    c3d_group(t, 1, "POINT");
    c3d_group(t, 3, "TRIAL");
    c3d_number(t, 1, "USED", 2, f->npoint);
    c3d_number(t, 1, "SCALE", 4, f->scale);
    c3d_number(t, 1, "RATE", 4, f->rate);
    c3d_number(t, 1, "DATA_START", 2, 4);
    c3d_texts(t, 1, "UNITS", f->unit, strlen(f->unit), 0);
    if (f->screen != NULL) {
        c3d_texts(t, 1, "Y_SCREEN", f->screen, strlen(f->screen), 0);
    }
    if (f->field > 0) {
        const double words[2] = {(double)(f->field & 0xFFFF), (double)(f->field >> 16)};
        c3d_numbers(t, 3, "ACTUAL_END_FIELD", 2, words, 2);
    }
    const size_t width = f->width == 0 ? 4 : f->width;
    c3d_texts(t, 1, "LABELS", f->labels, width, (int)(strlen(f->labels) / width));
    if (f->groups != NULL) {
        f->groups(t);
    }
    c3d_fill(t, 3 * 512);
}

static inline void c3d_frames(sal_text *t, const c3d_file *f)
{
    for (int i = 0; i < f->nframe; i++) {
        for (int k = 0; k < f->npoint; k++) {
            double x[3] = {0};
            const bool there = f->point(i, k, x);
            for (int axis = 0; axis < 3; axis++) {
                if (f->scale < 0) {
                    c3d_real(t, x[axis]);
                } else {
                    c3d_word(t, (int)(x[axis] / f->scale));
                }
            }
            if (f->scale < 0) {
                c3d_real(t, there ? 0 : -1);
            } else {
                c3d_word(t, there ? 0x0300 : -1); /* seen by two cameras, residual 0 */
            }
        }
        for (int k = 0; k < f->per_frame * f->nchannel; k++) {
            const double x = f->analog == NULL ? 1000 + k : f->analog(i, k);
            if (f->scale < 0) {
                c3d_real(t, x);
            } else {
                c3d_word(t, (int)x);
            }
        }
    }
    c3d_fill(t, (t->length + 511) / 512 * 512);
}

static inline void c3d_write(sal_text *t, const c3d_file *f)
{
    c3d_header(t, f);
    c3d_parameters(t, f);
    c3d_frames(t, f);
}

#endif
