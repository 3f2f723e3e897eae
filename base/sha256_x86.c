/* sha256_x86.c: FIPS 180-4, 6.2.2 by the SHA instructions of x86 processors (Intel, "SHA
 * Extensions", 2013), which do two rounds at a time. */
#include "base/sha256_block.h"

#include <stddef.h>

#if defined(__x86_64__) && defined(__GNUC__)

#include <cpuid.h>
#include <immintrin.h>
#include <stdbool.h>

/* a b c d e f g h as the instructions want them: a b e f, c d g h, the first in the highest
 * place */
__attribute__((target("sha,sse4.1"))) static void digest(uint32_t state[8],
                                                         const unsigned char *block)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i abef_0 =
        _mm_set_epi32((int)state[0], (int)state[1], (int)state[4], (int)state[5]);
    const __m128i cdgh_0 =
        _mm_set_epi32((int)state[2], (int)state[3], (int)state[6], (int)state[7]);
    __m128i abef = abef_0, cdgh = cdgh_0, W[4];
    for (int i = 0; i < 4; i++) {
        W[i] = _mm_shuffle_epi8(_mm_loadu_si128((const void *)(block + 16 * i)), swap);
    }
    for (int i = 0; i < 16; i++) { /* W[i & 3]: words 4 i .. 4 i + 3 of the schedule */
        const __m128i w = W[i & 3], next = W[(i + 1) & 3], last = W[(i + 3) & 3];
        const __m128i k = _mm_loadu_si128((const void *)(sal_sha256_constant + 4 * i));
        const __m128i kw = _mm_add_epi32(w, k);
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, kw);
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(kw, 0x0e));
        const __m128i back7 = _mm_alignr_epi8(last, W[(i + 2) & 3], 4);
        W[i & 3] = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w, next), back7), last);
    }
    uint32_t part[8]; /* f e b a, h g d c */
    _mm_storeu_si128((void *)part, _mm_add_epi32(abef, abef_0));
    _mm_storeu_si128((void *)(part + 4), _mm_add_epi32(cdgh, cdgh_0));
    state[0] = part[3], state[1] = part[2], state[4] = part[1], state[5] = part[0];
    state[2] = part[7], state[3] = part[6], state[6] = part[5], state[7] = part[4];
}

sal_sha256_block sal_sha256_x86(void)
{
    enum { SSE41 = 1 << 19, SHA = 1 << 29 };
    unsigned a, b, c, d;
    const bool sse41 = __get_cpuid(1, &a, &b, &c, &d) && (c & SSE41);
    return sse41 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & SHA) ? digest : NULL;
}

#else

sal_sha256_block sal_sha256_x86(void)
{
    return NULL;
}

#endif
