/* plots_style.c: how drawings look on white paper: each class of the page's style sheet as a style
 * of its own, so that a file needs no style sheet, and programs that know none show it as it is.
 *
 * Colours are those of Okabe and Ito, which colour-blind people tell apart
 * (https://jfly.uni-koeln.de/color/); lines differ in their dashes, too.
 */
#include "pages/report.h"

#include <string.h>

#define BLUE   "#0072b2"
#define RED    "#d55e00"
#define GREEN  "#009e73"
#define PURPLE "#cc79a7"
#define SKY    "#56b4e9"
#define ORANGE "#e69f00"

/* In the order of the style sheet: later ones win. A row is for elements that have all its
 * words. */
static const struct {
    const char *words[2];
    const char *style;
} rows[] = {
    /* texts */
    {{"head"}, "font-weight:bold"},
    {{"tx"}, "text-anchor:middle"},
    {{"lx"}, "text-anchor:middle"},
    {{"in"}, "text-anchor:middle"},
    {{"in", "full"}, "fill:#fff"},
    {{"ty"}, "text-anchor:end"},
    {{"sup"}, "font-size:9px"},
    {{"phase"}, "font-size:10px;fill:#555"},
    /* frames */
    {{"gridline"}, "fill:none;stroke:#ddd;stroke-width:.8"},
    {{"zero"}, "fill:none;stroke:#999;stroke-width:.8"},
    {{"axis"}, "fill:none;stroke:#000"},
    {{"tick"}, "fill:none;stroke:#000"},
    /* lines */
    {{"line"}, "fill:none;stroke-width:1.8;stroke-linejoin:round"},
    {{"line", "mid"}, "stroke:#000"},
    {{"line", "left"}, "stroke:" BLUE},
    {{"line", "right"}, "stroke:" RED ";stroke-dasharray:7 3"},
    {{"line", "s0"}, "stroke:" BLUE},
    {{"line", "s1"}, "stroke:" RED ";stroke-dasharray:7 3"},
    {{"line", "s2"}, "stroke:" GREEN ";stroke-dasharray:7 3 1.5 3"},
    {{"line", "s3"}, "stroke:" PURPLE ";stroke-dasharray:3 2"},
    {{"line", "s4"}, "stroke:" SKY},
    {{"line", "s5"}, "stroke:" ORANGE ";stroke-dasharray:7 3"},
    {{"line", "s6"}, "stroke:#000;stroke-dasharray:7 3 1.5 3"},
    {{"line", "s7"}, "stroke:#777;stroke-dasharray:3 2"},
    {{"line", "other"}, "stroke:#aaa;stroke-width:1.2"},
    {{"line", "thin"}, "stroke-width:1.5"},
    {{"half"}, "fill:none;stroke:#666;stroke-width:1;stroke-dasharray:1.5 3"},
    {{"limit"}, "fill:none;stroke:#000;stroke-width:1.2;stroke-dasharray:4 3"},
    {{"dots"}, "fill:none;stroke:#777;stroke-width:3;stroke-linecap:round"},
    /* bars */
    {{"bar", "left"}, "fill:" BLUE},
    {{"bar", "right"}, "fill:" RED},
    {{"bar", "mid"}, "fill:#000"},
    {{"bar", "s0"}, "fill:" BLUE},
    {{"bar", "s1"}, "fill:" RED},
    {{"bar", "s2"}, "fill:" GREEN},
    {{"bar", "s3"}, "fill:" PURPLE},
    {{"bar", "s4"}, "fill:" SKY},
    {{"bar", "s5"}, "fill:" ORANGE},
    {{"bar", "s6"}, "fill:#000"},
    {{"bar", "s7"}, "fill:#777"},
    {{"bar", "outlier"}, "fill:#000"},
    {{"void"}, "fill:#ddd"},
    /* figures of a strip */
    {{"gl"}, "fill:" BLUE ";stroke:" BLUE},
    {{"gr"}, "fill:" RED ";stroke:" RED},
    {{"gt"}, "fill:#777;stroke:#777"},
    {{"gs"}, "fill:#bbb;stroke:#bbb"},
    {{"limb"}, "fill:none;stroke-linecap:round"},
    {{"solid"}, "stroke:#fff;stroke-width:1"},
    {{"limb", "rim"}, "stroke:#fff"},
    {{"grf"}, "fill:none;stroke:" GREEN ";stroke-width:1.8"},
    {{"grfhead"}, "fill:" GREEN},
    {{"floor"}, "fill:none;stroke:#555"},
    {{"ground"}, "fill:#ddd"},
};

/* Is it one of the words, with blanks between them? */
static bool has_word(const char *words, size_t n, const char *word)
{
    const size_t length = strlen(word);
    for (size_t i = 0; i + length <= n; i++) {
        if (memcmp(words + i, word, length) == 0 && (i == 0 || words[i - 1] == ' ') &&
            (i + length == n || words[i + length] == ' ')) {
            return true;
        }
    }
    return false;
}

/* The attribute in place of one class="words"; nothing for classes that mean nothing here. */
static void put_style(sal_text *out, const char *words, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (has_word(words, n, rows[i].words[0]) &&
            (rows[i].words[1] == NULL || has_word(words, n, rows[i].words[1]))) {
            sal_text_add(out, any ? ";" : " style=\"");
            sal_text_add(out, rows[i].style);
            any = true;
        }
    }
    sal_text_add(out, any ? "\"" : "");
}

void page_plot_style(sal_text *out, const char *drawing, size_t n)
{
    static const char mark[] = " class=\""; /* in no text: there quotes are &quot; */
    const char *at = drawing, *end = drawing + n, *found;
    while ((found = strstr(at, mark)) != NULL && found < end) {
        const char *words = found + strlen(mark);
        const size_t length = strcspn(words, "\"");
        sal_text_addn(out, at, (size_t)(found - at));
        put_style(out, words, length);
        at = words + length + 1;
    }
    sal_text_addn(out, at, (size_t)(end - at));
}
