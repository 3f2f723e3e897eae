/* sha256.h: the SHA-256 digest (FIPS 180-4), by which results say exactly which files they came
 * from. */
#ifndef SAL_BASE_SHA256_H
#define SAL_BASE_SHA256_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct sal_sha256 {
    uint32_t state[8];
    /* bytes so far */
    uint64_t length;
    unsigned char block[64];
    /* what this processor does best */
    void (*digest)(uint32_t state[8], const unsigned char *block);
} sal_sha256;

void sal_sha256_begin(sal_sha256 *sha);
void sal_sha256_add(sal_sha256 *sha, const void *data, size_t n);
/* 64 lower-case hexadecimal digits and a zero. */
void sal_sha256_end(sal_sha256 *sha, char hex[65]);

/* The digest of n bytes at once. */
void sal_sha256_hex(char hex[65], const void *data, size_t n);

#endif
