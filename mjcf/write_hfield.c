/* write_hfield.c: height fields. Who reads them brings elevations to 0 .. 1; so where they lie in
 * low .. high, as set from outside, they are written as they are, and the field's height, base and
 * place are such that all comes out where it was:
 *
 *     z = size2 e = size2 low + (size2 (high - low)) e',   e' = (e - low)/(high - low)
 */
#include "mjcf/writer.h"

/* Of elevations between these, the height of the lowest. */
typedef struct span {
    double low, high;
} span;

static span span_of(const sal_model *m, int h)
{
    const float *e = m->hfield_data + m->hfield_adr[h];
    span s = {HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < m->hfield_nrow[h] * m->hfield_ncol[h]; i++) {
        s.low = fmin(s.low, (double)e[i]);
        s.high = fmax(s.high, (double)e[i]);
    }
    return s;
}

/* The last row first. */
static void put_elevations(mjcf_writer *w, sal_xml *xml, int h)
{
    const int nrow = w->m->hfield_nrow[h], ncol = w->m->hfield_ncol[h];
    sal_text text = {0};
    for (int r = nrow - 1; r >= 0; r--) {
        const float *row = w->m->hfield_data + w->m->hfield_adr[h] + (size_t)r * (size_t)ncol;
        for (int c = 0; c < ncol; c++) {
            sal_text_add(&text, r == nrow - 1 && c == 0 ? "" : " ");
            sal_text_real(&text, (double)row[c], 0);
        }
    }
    w->nomem = w->nomem || text.failed;
    mjcf_put(w, xml, "elevation", w->nomem ? "" : text.data);
    sal_text_clear(&text);
}

static void write_hfield(mjcf_writer *w, sal_xml *asset, int h)
{
    const double *size = w->m->hfield_size + 4 * h;
    const span s = span_of(w->m, h);
    const double written[4] = {size[0], size[1],
                               s.high > s.low ? size[2] * (s.high - s.low) : size[2],
                               size[3] + size[2] * s.low};
    sal_xml *xml = mjcf_put_element(w, asset, "hfield");
    mjcf_put_name(w, xml, SAL_OBJ_HFIELD, h);
    mjcf_put_int(w, xml, "nrow", w->m->hfield_nrow[h]);
    mjcf_put_int(w, xml, "ncol", w->m->hfield_ncol[h]);
    mjcf_put_reals(w, xml, "size", written, 4);
    if (s.high > s.low) {
        put_elevations(w, xml, h);
    }
}

sal_status mjcf_write_hfields(mjcf_writer *w, sal_xml *root, sal_xml **asset, sal_err *err)
{
    for (int h = 0; h < w->m->nhfield && !w->nomem; h++) {
        const span s = span_of(w->m, h);
        if (w->m->mujoco == SAL_MUJOCO_222 && s.high > s.low) {
            char label[SAL_LABEL_MAX];
            return sal_fail(err, SAL_UNSUPPORTED,
                            "%s is not flat, and a model file of compat=\"2.2.2\" cannot hold its "
                            "elevations",
                            sal_model_label(w->m, SAL_OBJ_HFIELD, h, label));
        }
        *asset = *asset == NULL ? mjcf_put_element(w, root, "asset") : *asset;
        write_hfield(w, *asset, h);
    }
    return SAL_OK;
}

void mjcf_put_hfield(mjcf_writer *w, sal_xml *geom, int g)
{
    const sal_model *m = w->m;
    const int h = m->geom_dataid[g];
    const double up[3] = {0, 0, m->hfield_size[4 * h + 2] * span_of(m, h).low};
    double pos[3];
    sal_quat_rotate(pos, m->geom_quat + 4 * g, up);
    sal_v3_add(pos, m->geom_pos + 3 * g, pos);
    mjcf_put(w, geom, "type", "hfield");
    mjcf_put(w, geom, "hfield", sal_model_name(m, SAL_OBJ_HFIELD, h));
    mjcf_put_pose(w, geom, pos, m->geom_quat + 4 * g);
}
