/* field.c: the prisms of a height field. */
#include "physics/collision/field.h"

#include "base/house.h"
#include "physics/compiling.h"

/* Neighbours of the corners of a prism, each list closed by -1; sides are cut in two triangles. */
static const int neighbour[] = {1, 2, 3, 4,  5, -1, 0, 2, 4,  5, -1, 0, 1, 5, -1,
                                4, 5, 0, -1, 3, 5,  1, 0, -1, 3, 4,  2, 0, 1, -1};
static const int first_neighbour[6] = {0, 6, 11, 15, 19, 24};
static const int number[6] = {0, 1, 2, 3, 4, 5};

phy_field phy_field_of(const sal_model *m, int geom)
{
    const int h = m->geom_dataid[geom];
    if (m->geom_type[geom] != SAL_GEOM_HFIELD || h < 0) {
        return (phy_field){0};
    }
    return (phy_field){.nrow = m->hfield_nrow[h],
                       .ncol = m->hfield_ncol[h],
                       .size = m->hfield_size + 4 * h,
                       .data = m->hfield_data + m->hfield_adr[h]};
}

void phy_field_corner(double corner[3], const phy_field *f, int r, int j)
{
    const int row = j % 2 == 0 ? r + 1 : r, column = j / 2;
    corner[0] = 2 * f->size[0] / (f->ncol - 1) * column - f->size[0];
    corner[1] = 2 * f->size[1] / (f->nrow - 1) * row - f->size[1];
    corner[2] = (double)f->data[(size_t)row * (size_t)f->ncol + (size_t)column] * f->size[2];
}

void phy_prism_set(phy_prism *p, const phy_field *f, int prism, double raise)
{
    const int strip = 2 * (f->ncol - 1), r = prism / strip, first = prism % strip;
    sal_v3_set(p->centre, 0, 0, 0);
    for (int i = 0; i < 3; i++) {
        double *ground = p->vert + 3 * i, *top = ground + 9;
        phy_field_corner(top, f, r, first + i);
        top[2] += raise;
        sal_v3_set(ground, top[0], top[1], -f->size[3]);
        sal_v3_addscaled(p->centre, p->centre, 1.0 / 6, ground);
        sal_v3_addscaled(p->centre, p->centre, 1.0 / 6, top);
    }
    for (int i = 0; i < 6; i++) {
        double *vert = p->vert + 3 * i;
        sal_v3_sub(vert, vert, p->centre);
        for (int k = 0; k < 3; k++) {
            p->size[k] = i == 0 ? fabs(vert[k]) : fmax(p->size[k], fabs(vert[k]));
        }
    }
}

phy_hull phy_prism_hull(const phy_prism *p)
{
    return (phy_hull){6, 6, p->vert, neighbour, first_neighbour, number, NULL, 0};
}

void phy_prism_shape(phy_shape *s, const phy_prism *p, const double *mat)
{
    *s = (phy_shape){.type = SAL_GEOM_MESH,
                     .mat = mat,
                     .size = p->size,
                     .hull = phy_prism_hull(p),
                     .extent = fmax(p->size[0], fmax(p->size[1], p->size[2]))};
}

/* A box of half width r lies over at most 2 r/d + 2 cells of width d. */
static double cells(double r, double half, int n)
{
    const double most = floor(r * (n - 1) / half) + 2;
    return most < n - 1 ? most : n - 1;
}

int phy_field_contacts(const sal_model *m, int pair)
{
    const int h = m->geom_dataid[m->pair_geom1[pair]];
    const double *size = m->hfield_size + 4 * h, r = m->geom_rbound[m->pair_geom2[pair]];
    const double prisms =
        2 * cells(r, size[0], m->hfield_ncol[h]) * cells(r, size[1], m->hfield_nrow[h]);
    return prisms < PHY_TOUCH_MAX ? (int)prisms : PHY_TOUCH_MAX;
}

sal_status sal_model_elevate(sal_model *m, int hfield, const double *elevation, sal_err *err)
{
    const size_t n = (size_t)m->hfield_nrow[hfield] * (size_t)m->hfield_ncol[hfield];
    float *data = m->hfield_data + m->hfield_adr[hfield];
    for (size_t i = 0; i < n; i++) {
        if (!(elevation[i] >= 0 && elevation[i] <= 1)) {
            char label[SAL_LABEL_MAX];
            return sal_fail(err, SAL_BADINPUT,
                            "%s: elevation %zu is %g; elevations are shares of the field's "
                            "height, from 0 to 1",
                            sal_model_label(m, SAL_OBJ_HFIELD, hfield, label), i, elevation[i]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        data[i] = (float)elevation[i];
    }
    return SAL_OK;
}
