/* mirror_names.c: which object is whose mirror image, by their names.
 *
 * A word counts where it begins: 'left' in left_hip, lefthip and rearLeft, not in cleft; 'FL' in
 * FL_hip and FLhip. A single letter or digit must stand by itself: 'l' in thigh_l and l_thigh, not
 * in lower or pelvis; '1' in hip1, not in hip11. As the first letter of a name it counts, too, if
 * there is a partner: 'l' in lfemur where there is an rfemur, not in lower.
 */
#include "base/house.h"
#include "invdyn/mirror_check.h"

#include <stdio.h>
#include <string.h>

enum { WHOLE = 1 }; /* words of that many letters stand by themselves */

/* The next word of a list; its length, 0 at the end. *list moves on behind it. */
static size_t next_word(const char **list, const char **word)
{
    static const char blanks[] = " \t\r\n";
    *word = *list + strspn(*list, blanks);
    const size_t n = strcspn(*word, blanks);
    *list = *word + n;
    return n;
}

/* Of the word of one list that stands here: its length, and its partner of the other list. 0: none
 */
static size_t find_word(const char *name, size_t at, const char *own, const char *other,
                        const char **partner, size_t *npartner)
{
    const char *word;
    for (size_t n; (n = next_word(&own, &word)) > 0;) {
        *npartner = next_word(&other, partner);
        if (sal_name_word_at(name, at, word, n, WHOLE)) {
            return n;
        }
    }
    return 0;
}

bool inv_mirror_name(char *out, size_t size, const char *name, const char *left, const char *right)
{
    size_t n = 0;
    for (size_t at = 0; name[at] != '\0';) {
        const char *piece;
        size_t length;
        size_t found = find_word(name, at, left, right, &piece, &length);
        if (found == 0) {
            found = find_word(name, at, right, left, &piece, &length);
        }
        if (found == 0) {
            piece = name + at, length = found = 1;
        }
        if (n + length + 1 > size) {
            return false;
        }
        memcpy(out + n, piece, length);
        n += length;
        at += found;
    }
    out[n] = '\0';
    return true;
}

/* The object whose name begins with the partner of the first letter, a word of one of the lists;
 * -1: none. */
static int initial_partner(const sal_model *m, sal_object type, const char *name, const char *own,
                           const char *other)
{
    char swapped[512];
    const char *word, *partner;
    for (size_t n; (n = next_word(&own, &word)) > 0;) {
        const size_t npartner = next_word(&other, &partner);
        if (n == 1 && npartner == 1 && name[0] == *word && strlen(name) < sizeof swapped) {
            snprintf(swapped, sizeof swapped, "%c%s", *partner, name + 1);
            return sal_model_find(m, type, swapped);
        }
    }
    return -1;
}

int sal_mirror_partner(const sal_model *m, sal_object type, int id, const char *left,
                       const char *right)
{
    char swapped[512];
    const char *name = sal_model_name(m, type, id);
    if (name[0] == '\0' && type == SAL_OBJ_JOINT) {
        const int body = m->jnt_bodyid[id], nth = id - m->body_jntadr[body];
        const int other = sal_mirror_partner(m, SAL_OBJ_BODY, body, left, right);
        return other >= 0 && nth < m->body_jntnum[other] ? m->body_jntadr[other] + nth : -1;
    }
    if (!inv_mirror_name(swapped, sizeof swapped, name, left, right)) {
        return -1;
    }
    if (strcmp(swapped, name) == 0) {
        const int r = initial_partner(m, type, name, left, right);
        const int l = initial_partner(m, type, name, right, left);
        return r >= 0 ? r : l >= 0 ? l : id;
    }
    const int other = sal_model_find(m, type, swapped);
    /* 'freejoint' begins with a word of 'fl fr', and there is no 'fleejoint' */
    const bool root = type == SAL_OBJ_JOINT && m->jnt_type[id] == SAL_JNT_FREE;
    return other < 0 && root ? id : other;
}
