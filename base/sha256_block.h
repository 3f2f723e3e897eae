/* sha256_block.h: private to base. One block of 64 bytes into the state of a digest, by arithmetic
 * alone or by instructions made for it. */
#ifndef SAL_BASE_SHA256_BLOCK_H
#define SAL_BASE_SHA256_BLOCK_H

#include <stdint.h>

typedef void (*sal_sha256_block)(uint32_t state[8], const unsigned char *block);

extern const uint32_t sal_sha256_constant[64];

/* By arithmetic alone: sha256_plain.c */
void sal_sha256_plain(uint32_t state[8], const unsigned char *block);
/* By this processor's instructions for it, NULL if it has none: sha256_x86.c */
sal_sha256_block sal_sha256_x86(void);
/* The faster of the two: sha256.c */
sal_sha256_block sal_sha256_fastest(void);

#endif
