/* remodel_read.c: the spec of a remodel: read from its text, with meshes made once for all
 * compilations, unless they are loose. */
#include "mjcf/compile.h"
#include "mjcf/remodel.h"

/* Hulls and inertias of meshes do not depend on other numbers. (2.2.2 forgets visual geoms before
 * it looks who uses a mesh.) Nor do the elevations of height fields. */
static void make_meshes(sal_remodel *r)
{
    spec_work w = {.spec = &r->spec, .diag = &r->diag};
    spec_compile_hfields(&w);
    if (!(r->spec.mujoco == SAL_MUJOCO_222 && r->spec.compiler.discardvisual)) {
        spec_compile_meshes(&w);
        r->spec.mesh_names = w.meshes;
        r->spec.meshed = true;
    }
}

sal_status mjcf_remodel_read(sal_remodel *r, sal_err *err)
{
    sal_status status =
        sal_xml_parse(&r->plain, r->name, r->flat.data, r->flat.length, &r->diag, err);
    if (status == SAL_OK) {
        status = sal_xml_parse(&r->doc, r->name, r->flat.data, r->flat.length, &r->diag, err);
    }
    if (status == SAL_OK) {
        r->reader = (mjcf_reader){&r->spec, &r->diag, &r->doc};
        status = mjcf_read_spec(&r->reader, r->name, r->mujoco, err);
    }
    if (status == SAL_OK) {
        status = sal_diag_status(&r->diag, err);
    }
    if (status == SAL_OK) {
        status = spec_remember(&r->raw, &r->spec, err);
    }
    if (status == SAL_OK && (r->spec.mesh.n > 0 || r->spec.hfield.n > 0)) {
        make_meshes(r);
        status = r->spec.nomem ? sal_fail(err, SAL_NOMEM, "out of memory")
                               : sal_diag_status(&r->diag, err);
    }
    return status == SAL_OK ? spec_remember(&r->memory, &r->spec, err) : status;
}

void mjcf_remodel_free_meshes(sal_remodel *r)
{
    spec_return(&r->spec, &r->raw);
    spec_forget(&r->memory);
    r->memory = r->raw;
    r->raw = (spec_memory){0};
}
