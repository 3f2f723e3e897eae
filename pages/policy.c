/* policy.c: what a page allows itself, said to the browser (W3C, "Content Security Policy Level
 * 3"): no other file, no address, no form, no frame; of scripts those of ours. So a text from a
 * model that got onto the page as markup, against all escaping, could still do nothing. Styles
 * within the page are allowed: they cannot ask for files either. */
#include "base/house.h"
#include "pages/report.h"

#include <stdlib.h>
#include <string.h>

enum { DIGEST = 32 };

/* The digest of the script, which a page names in base 64 */
static void add_digest(sal_text *out, const char *script)
{
    char hex[2 * DIGEST + 1], pair[3] = "";
    unsigned char byte[DIGEST];
    sal_sha256_hex(hex, script, strlen(script));
    for (int i = 0; i < DIGEST; i++) {
        memcpy(pair, hex + 2 * i, 2);
        byte[i] = (unsigned char)strtoul(pair, NULL, 16);
    }
    sal_text_base64(out, byte, DIGEST);
}

void page_policy(sal_text *out, const char *const script[2])
{
    sal_text_add(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                      "style-src 'unsafe-inline'; ");
    sal_text_add(out, script[0] != NULL || script[1] != NULL ? "script-src" : "");
    for (int i = 0; i < 2; i++) {
        if (script[i] != NULL) {
            sal_text_add(out, " 'sha256-");
            add_digest(out, script[i]);
            sal_text_add(out, "'");
        }
    }
    sal_text_add(out, script[0] != NULL || script[1] != NULL ? "; " : "");
    sal_text_add(out, "base-uri 'none'; form-action 'none'\"/>");
}
