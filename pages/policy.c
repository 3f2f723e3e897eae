/* policy.c: what a page allows itself, said to the browser (W3C, "Content Security Policy Level
 * 3"): no other file, no address, no form, no frame; of scripts the one of ours. So a text from a
 * model that got onto the page as markup, against all escaping, could still do nothing. Styles
 * within the page are allowed: they cannot ask for files either. */
#include "base/house.h"
#include "pages/report.h"

#include <string.h>

enum { DIGEST = 32 };

/* A digest of 64 hexadecimal digits in base 64 (RFC 4648, section 4): 43 letters and "=". */
static void digits_of_64(char out[45], const char *hex)
{
    static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const char digit[] = "0123456789abcdef";
    unsigned char byte[DIGEST + 1] = {0};
    for (int i = 0; i < DIGEST; i++) {
        const size_t high = strcspn(digit, (char[]){hex[2 * i], 0}),
                     low = strcspn(digit, (char[]){hex[2 * i + 1], 0});
        byte[i] = (unsigned char)(16 * high + low);
    }
    for (int i = 0; i < 43; i++) { /* six bits each */
        const int bit = 6 * i, two = byte[bit / 8] << 8 | byte[bit / 8 + 1];
        out[i] = letter[two >> (10 - bit % 8) & 63];
    }
    memcpy(out + 43, "=", 2);
}

void page_policy(sal_text *out, const char *script)
{
    char hex[65], digits[45];
    sal_text_add(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                      "style-src 'unsafe-inline'; ");
    if (script != NULL) {
        sal_sha256_hex(hex, script, strlen(script));
        digits_of_64(digits, hex);
        sal_text_format(out, "script-src 'sha256-%s'; ", digits);
    }
    sal_text_add(out, "base-uri 'none'; form-action 'none'\"/>");
}
