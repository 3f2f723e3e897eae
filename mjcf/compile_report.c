/* compile_report.c: what all steps of the compiler share: a fault with its place, the object of a
 * name, whether a range limits. */
#include "mjcf/compile.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void spec_error(spec_work *w, const spec_head *head, const char *attr, const char *help,
                const char *format, ...)
{
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    sal_place place = {0};
    if (head->xml != NULL) {
        const sal_xml_attr *at = attr == NULL ? NULL : sal_xml_find_attr(head->xml, attr);
        place = at == NULL ? head->xml->place : at->value_place;
    }
    sal_diag_error(w->diag, place, help, "%s", message);
}

int spec_find(spec_work *w, const spec_names *names, const spec_head *head, const char *attr,
              const char *name)
{
    int lo = 0, hi = names->n;
    while (lo < hi) { /* the first that is not before name */
        const int mid = (lo + hi) / 2;
        if (strcmp(names->name[mid].name, name) < 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    if (lo < names->n && strcmp(names->name[lo].name, name) == 0) {
        return names->name[lo].id;
    }
    const char *near = NULL;
    for (int i = 0; i < names->n && !sal_diag_is_full(w->diag); i++) {
        const char *both[2] = {near, names->name[i].name};
        near = sal_text_nearest(name, both, 2);
    }
    char help[128];
    if (near != NULL) {
        snprintf(help, sizeof help, "did you mean '%.80s'?", near);
    }
    spec_error(w, head, attr, near == NULL ? NULL : help, "there is no %s named '%.100s'",
               names->kind, name);
    return -1;
}

bool spec_limited(spec_work *w, const spec_head *head, int limited, const double range[2],
                  const char *attr)
{
    const bool given = range[0] != 0 || range[1] != 0;
    const int before = (int)(strlen(attr) - strlen("range")); /* "ctrl" of ctrlrange, ctrllimited */
    if (limited == SPEC_FALSE || (limited == SPEC_AUTO && !given)) {
        return false;
    }
    if (limited == SPEC_AUTO && !spec_compiler_of(w->spec, head)->autolimits) {
        spec_error(w, head, attr, "or write <compiler autolimits=\"true\"/>",
                   "<%s> gives %s but not %.*slimited, and autolimits is false: write "
                   "%.*slimited=\"true\" or \"false\"",
                   head->xml->tag, attr, before, attr, before, attr);
        return false;
    }
    if (!(range[0] < range[1])) { /* as the file says it: range may be in other units by now */
        const sal_xml_attr *said = sal_xml_find_attr(head->xml, attr);
        if (limited == SPEC_AUTO && w->spec->mujoco != SAL_MUJOCO_222) {
            sal_diag_warning(
                w->diag, said == NULL ? head->xml->place : said->value_place,
                "write the smaller number first, or leave it out",
                "%s of <%s> limits nothing, as in MuJoCo: its first number, %g, is not "
                "less than its second, %g",
                attr, head->xml->tag, range[0], range[1]);
            return false;
        }
        spec_error(w, head, attr, NULL,
                   "%s of <%s> is %s%.60s%s; it needs two numbers, the first less than the second",
                   attr, head->xml->tag, said == NULL ? "not given" : "'",
                   said == NULL ? "" : said->value, said == NULL ? "" : "'");
        return false;
    }
    return true;
}
