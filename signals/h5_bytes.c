/* h5_bytes.c: an HDF5 file as bytes, where libhdf5 leaves something to do. */
#include "signals/h5_bytes.h"

#include <stdint.h>
#include <string.h>

#define SEAL SIG_H5_SEAL_TEXT

/* ---- the seal ---- */

void sig_h5_seal(char *end, const char *bytes, size_t n, sal_sha256 *sha)
{
    sal_sha256 file;
    sal_sha256_begin(sha);
    sal_sha256_add(sha, bytes, n);
    file = *sha;
    memcpy(end, SEAL, sizeof SEAL - 1);
    sal_sha256_end(&file, end + sizeof SEAL - 1); /* and a zero */
    end[SIG_H5_SEAL - 1] = '\n';
    sal_sha256_add(sha, end, SIG_H5_SEAL);
}

bool sig_h5_is_whole(const char *bytes, size_t n)
{
    char expected[SIG_H5_SEAL];
    sal_sha256 unused;
    size_t left = n < SIG_H5_SEAL ? n : SIG_H5_SEAL; /* from where it begins */
    while (left >= sizeof SEAL - 1 && memcmp(bytes + n - left, SEAL, sizeof SEAL - 1) != 0) {
        left--;
    }
    if (left != SIG_H5_SEAL) {
        return left < sizeof SEAL - 1;
    }
    sig_h5_seal(expected, bytes, n - SIG_H5_SEAL, &unused);
    return memcmp(bytes + n - SIG_H5_SEAL, expected, SIG_H5_SEAL) == 0;
}

/* ---- the checksum ---- */

static uint32_t rotate(uint32_t x, int n)
{
    return x << n | x >> (32 - n);
}

/* Bob Jenkins' lookup3 (2006, public domain) of n <= 12 k words, as HDF5 checks its metadata ("HDF5
 * file format specification", 3.0). */
static uint32_t lookup3(const unsigned char *bytes, size_t n)
{
    static const int mix[6] = {4, 6, 8, 16, 19, 4}, final[7] = {14, 11, 25, 16, 4, 14, 24};
    uint32_t s[3]; /* a b c */
    s[0] = s[1] = s[2] = 0xdeadbeefU + (uint32_t)n;
    for (size_t i = 0; i < n; i++) {
        s[i / 4 % 3] += (uint32_t)bytes[i] << (8 * (i % 4));
        if (i % 12 == 11 && i + 1 < n) {
            for (int k = 0; k < 6; k++) { /* a -= c, a ^= rot(c), c += b; then b a c, c b a */
                uint32_t *a = s + k % 3, *b = s + (k + 1) % 3, *c = s + (k + 2) % 3;
                *a -= *c, *a ^= rotate(*c, mix[k]), *c += *b;
            }
        }
    }
    for (int k = 0; k < 7; k++) { /* c ^= b, c -= rot(b); then a c, b a */
        uint32_t *c = s + (k + 2) % 3, *b = s + (k + 1) % 3;
        *c ^= *b, *c -= rotate(*b, final[k]);
    }
    return s[2];
}

void sig_h5_mend(char *image, size_t n)
{
    enum { VERSION = 8, CHECKED = 44 };
    unsigned char head[CHECKED];
    if (n < CHECKED + 4 || image[VERSION] < 2 || image[VERSION] > 3) {
        return;
    }
    memcpy(head, image, CHECKED);
    const uint32_t sum = lookup3(head, CHECKED);
    for (int i = 0; i < 4; i++) {
        image[CHECKED + i] = (char)(unsigned char)(sum >> (8 * i));
    }
}
