/* bytes.h: numbers of binary files, little-endian, whatever the machine is. */
#ifndef SAL_BASE_BYTES_H
#define SAL_BASE_BYTES_H

#include <stdint.h>
#include <string.h>

/* The four bytes from `bytes` on, as a whole number, and as a float (IEEE 754). */
static inline uint32_t sal_bytes_word(const void *bytes)
{
    const unsigned char *b = bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline float sal_bytes_float(const void *bytes)
{
    const uint32_t word = sal_bytes_word(bytes);
    float x;
    memcpy(&x, &word, sizeof x);
    return x;
}

#endif
