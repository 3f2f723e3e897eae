/* result_part.c: what was identified, as a part of the result of a motion. */
#include "identify/result_part.h"

static void free_part(void *part)
{
    sal_identification_result_free(part);
}

static const prb_part_kind identification_part = {
    .store = idn_result_store,
    .free = free_part,
    .figures = idn_result_figures,
    .compare = idn_result_compare,
};

void idn_result_attach(sal_result *r, sal_identification_result *found)
{
    r->part_kind = &identification_part;
    r->part = found;
}

sal_identification_result *idn_result_part(const sal_result *r)
{
    return r->part_kind == &identification_part ? r->part : NULL;
}

const sal_identification_result *sal_identification_of(const sal_result *r)
{
    return idn_result_part(r);
}

sal_status sal_request_read_result(sal_result **result, const char *path, sal_err *err)
{
    return prb_result_read(result, path, &identification_part, err);
}
