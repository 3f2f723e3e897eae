#include "tests/check.h"

#include "base/base.h"
#include "base/house.h"
#include "base/sha256_block.h"

/* The examples published with FIPS 180-4 (NIST, "Examples with intermediate values"). */
static void published_examples(void)
{
    char hex[65];
    sal_sha256_hex(hex, "", 0);
    CHECK_TEXT(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    sal_sha256_hex(hex, "abc", 3);
    CHECK_TEXT(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    sal_sha256_hex(hex, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56);
    CHECK_TEXT(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void a_million_letters_in_uneven_pieces(void)
{
    char hex[65], letters[1000];
    sal_sha256 sha;
    memset(letters, 'a', sizeof letters);
    sal_sha256_begin(&sha);
    for (size_t left = 1000000, n = 1; left > 0; left -= n) {
        n = n * 7 % 997 + 1 < left ? n * 7 % 997 + 1 : left;
        sal_sha256_add(&sha, letters, n);
    }
    sal_sha256_end(&sha, hex);
    CHECK_TEXT(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Whatever instructions it uses, the fastest way does what the plain one does. */
static void all_processors_agree(void)
{
    const sal_sha256_block fastest = sal_sha256_fastest();
    uint32_t a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8], noise = 1;
    unsigned char block[64];
    memcpy(b, a, sizeof b);
    for (int k = 0; k < 1000; k++) {
        for (int i = 0; i < 64; i++) {
            noise = noise * 1664525U + 1013904223U; /* Numerical Recipes, 2nd edition, 7.1 */
            block[i] = (unsigned char)(noise >> 24);
        }
        sal_sha256_plain(a, block);
        fastest(b, block);
        CHECK(memcmp(a, b, sizeof a) == 0);
    }
    if (fastest == sal_sha256_plain) {
        SKIP("this processor has no instructions for it");
    }
}

int main(void)
{
    RUN(published_examples);
    RUN(a_million_letters_in_uneven_pieces);
    RUN(all_processors_agree);
    return check_done();
}
