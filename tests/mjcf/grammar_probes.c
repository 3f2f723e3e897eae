/* grammar_probes.c: every element, attribute and word of the grammar of models in a document of its
 * own, with what we say of its names, for tests that ask MuJoCo 3.12: a line of verdict, name and
 * document each, with tabs between them. */
#include "tests/mjcf/grammar_probes.h"

static void put(void *context, const char *xml, const char *about)
{
    static const char *const verdicts[] = {"read", "younger", "unsupported", "unknown"};
    sal_text said = {0};
    (void)context;
    printf("%s\t%s\t%s\n", verdicts[probe_ask(xml, about, false, &said)], about, xml);
    sal_text_clear(&said);
}

int main(void)
{
    probe_grammar(put, NULL);
    probe_words(put, NULL);
    return 0;
}
