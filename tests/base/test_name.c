#include "tests/check.h"

#include "base/name.h"

#include <string.h>

/* Whether the word is somewhere in the name. */
static bool has(const char *name, const char *word, size_t whole)
{
    bool found = false;
    for (size_t at = 0; name[at] != 0; at++) {
        found = found || sal_name_word_at(name, at, word, strlen(word), whole);
    }
    return found;
}

static void words_begin_where_no_other_goes_on(void)
{
    CHECK(has("left_hip", "left", 1) && has("lefthip", "left", 1) && has("rearLeft", "Left", 1));
    CHECK(!has("cleft", "left", 1) && !has("CLEFT", "LEFT", 1) && has("FLhip", "FL", 1));
    CHECK(has("hip1", "1", 1) && has("1hip", "1", 1) && !has("hip11", "1", 1));
    CHECK(!has("hip", "", 1) && !has("", "hip", 1));
}

static void short_words_stand_by_themselves(void)
{
    CHECK(has("thigh_l", "l", 1) && has("l_thigh", "l", 1) && !has("lower", "l", 1));
    CHECK(has("flank", "fl", 1) && !has("flank", "fl", 2) && has("fl_hip", "fl", 2));
    CHECK(!has("FLhip", "FL", 2) && has("FL_hip", "FL", 2) && has("hip_FL", "FL", 2));
}

int main(void)
{
    RUN(words_begin_where_no_other_goes_on);
    RUN(short_words_stand_by_themselves);
    return check_done();
}
