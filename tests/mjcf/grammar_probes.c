/* grammar_probes.c: every element and attribute of the grammar of models in a document of its own,
 * with what we say of its names, for tests that ask MuJoCo 3.12: a line "VERDICT XML" each. */
#include "tests/mjcf/grammar_probes.h"

static void put(void *context, const char *xml, const char *tag, const char *attr)
{
    static const char *const verdicts[] = {"read", "younger", "unsupported", "unknown"};
    sal_text said = {0};
    (void)context;
    (void)tag;
    (void)attr;
    printf("%s %s\n", verdicts[probe_ask(xml, false, &said)], xml);
    sal_text_clear(&said);
}

int main(void)
{
    probe_grammar(put, NULL);
    return 0;
}
