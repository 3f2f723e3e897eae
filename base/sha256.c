#include "base/sha256.h"

#include "base/sha256_block.h"

#include <string.h>

sal_sha256_block sal_sha256_fastest(void)
{
    const sal_sha256_block instructions = sal_sha256_x86();
    return instructions != NULL ? instructions : sal_sha256_plain;
}

void sal_sha256_begin(sal_sha256 *sha)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(sha->state, start, sizeof start);
    sha->length = 0;
    sha->digest = sal_sha256_fastest();
}

void sal_sha256_add(sal_sha256 *sha, const void *data, size_t n)
{
    const unsigned char *bytes = data;
    while (n > 0) {
        const size_t used = (size_t)(sha->length % 64);
        const size_t take = n < 64 - used ? n : 64 - used;
        memcpy(sha->block + used, bytes, take);
        sha->length += take;
        bytes += take;
        n -= take;
        if (used + take == 64) {
            sha->digest(sha->state, sha->block);
        }
    }
}

void sal_sha256_end(sal_sha256 *sha, char hex[65])
{
    static const char digit[] = "0123456789abcdef";
    const uint64_t bits = 8 * sha->length;
    unsigned char length[8];
    for (int i = 0; i < 8; i++) {
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    }
    sal_sha256_add(sha, "\x80", 1);
    while (sha->length % 64 != 56) {
        sal_sha256_add(sha, "", 1);
    }
    sal_sha256_add(sha, length, 8);
    for (int i = 0; i < 64; i++) {
        hex[i] = digit[sha->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
    }
    hex[64] = 0;
}

void sal_sha256_hex(char hex[65], const void *data, size_t n)
{
    sal_sha256 sha;
    sal_sha256_begin(&sha);
    sal_sha256_add(&sha, data, n);
    sal_sha256_end(&sha, hex);
}
