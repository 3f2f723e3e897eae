/* sha256_plain.c: one block of 64 bytes by arithmetic alone (FIPS 180-4, 6.2.2). */
#include "base/clones.h"
#include "base/sha256_block.h"

#include <string.h>

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
const uint32_t sal_sha256_constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

/* Round t of 8: a..h stay where they are, and are called by their next names. kw = K_t + W_t */
static SAL_INLINE void turn(uint32_t s[8], int t, uint32_t kw)
{
    const uint32_t a = s[-t & 7], b = s[(1 - t) & 7], c = s[(2 - t) & 7], e = s[(4 - t) & 7];
    const uint32_t f = s[(5 - t) & 7], g = s[(6 - t) & 7];
    const uint32_t S1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const uint32_t S0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const uint32_t choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
    const uint32_t T1 = s[(7 - t) & 7] + S1 + choice + kw;
    s[(3 - t) & 7] += T1;
    s[(7 - t) & 7] = T1 + S0 + majority;
}

/* FIPS 180-4, 6.2.2: the message schedule W, then 64 rounds. */
void sal_sha256_plain(uint32_t state[8], const unsigned char *block)
{
    uint32_t W[64], s[8];
    for (int t = 0; t < 16; t++) {
        const unsigned char *b = block + 4 * t;
        W[t] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    }
    for (int t = 16; t < 64; t++) {
        const uint32_t s0 = rotate(W[t - 15], 7) ^ rotate(W[t - 15], 18) ^ W[t - 15] >> 3;
        const uint32_t s1 = rotate(W[t - 2], 17) ^ rotate(W[t - 2], 19) ^ W[t - 2] >> 10;
        W[t] = s1 + W[t - 7] + s0 + W[t - 16];
    }
    memcpy(s, state, sizeof s); /* a b c d e f g h */
    for (int t = 0; t < 64; t += 8) {
        const uint32_t *w = W + t, *k = sal_sha256_constant + t;
        turn(s, 0, k[0] + w[0]);
        turn(s, 1, k[1] + w[1]);
        turn(s, 2, k[2] + w[2]);
        turn(s, 3, k[3] + w[3]);
        turn(s, 4, k[4] + w[4]);
        turn(s, 5, k[5] + w[5]);
        turn(s, 6, k[6] + w[6]);
        turn(s, 7, k[7] + w[7]);
    }
    for (int i = 0; i < 8; i++) {
        state[i] += s[i];
    }
}
