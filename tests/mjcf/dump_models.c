/* Compiled models as JSON, one a line, for tests that ask MuJoCo 3.12:   dump-models FILE...
 *     {"file":..., "error":...}   or
 *     {"file":..., "nq":..., "qpos0":[...], ..., "written":the model as MJCF} */
#include "mjcf/mjcf.h"
#include "physics/physics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_text(const char *text)
{
    putchar('"');
    for (const char *c = text; *c != 0; c++) {
        printf(*c == '"' || *c == '\\' ? "\\%c" : (unsigned char)*c < 0x20 ? " " : "%c", *c);
    }
    putchar('"');
}

static void put_reals(const char *name, const double *value, size_t n)
{
    printf(",\"%s\":[", name);
    for (size_t i = 0; i < n; i++) {
        const double shown = isfinite(value[i]) ? value[i] : copysign(1e300, value[i]);
        printf("%s%.17g", i == 0 ? "" : ",", shown);
    }
    putchar(']');
}

static void put_ints(const char *name, const int *value, size_t n)
{
    printf(",\"%s\":[", name);
    for (size_t i = 0; i < n; i++) {
        printf("%s%d", i == 0 ? "" : ",", value[i]);
    }
    putchar(']');
}

static void put_array(const char *name, const char *type, const void *value, size_t n)
{
    if (strcmp(type, "double") == 0) {
        put_reals(name, value, n);
    } else if (strcmp(type, "int") == 0) {
        put_ints(name, value, n);
    }
}

static void put_model(const sal_model *m)
{
    const int nq = m->nq, nv = m->nv, nu = m->nu, na = m->na, nmocap = m->nmocap;
    const struct {
        const char *name;
        int value;
    } sizes[] = {
        {"nq", m->nq},           {"nv", m->nv},
        {"nu", m->nu},           {"na", m->na},
        {"nbody", m->nbody},     {"njnt", m->njnt},
        {"ngeom", m->ngeom},     {"nsite", m->nsite},
        {"nsensor", m->nsensor}, {"nsensordata", m->nsensordata},
        {"nkey", m->nkey},       {"npair", m->npair},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        printf(",\"%s\":%d", sizes[i].name, sizes[i].value);
    }
#define PUT(type, name, rows, columns)                                                             \
    put_array(#name, #type, m->name, (size_t)m->rows *(size_t)(columns));
    SAL_MODEL_ARRAYS(PUT)
#undef PUT
    put_reals("meaninertia", &m->meaninertia, 1);
    sal_text written = {0};
    if (sal_model_write(m, &written, NULL) == SAL_OK) {
        printf(",\"written\":");
        put_text(written.data);
    }
    sal_text_clear(&written);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        sal_model *m = NULL;
        sal_err err = {0};
        const sal_status status = sal_model_load(&m, argv[i], NULL, NULL, &err);
        printf("{\"file\":");
        put_text(argv[i]);
        if (status == SAL_OK) {
            put_model(m);
        } else {
            printf(",\"error\":");
            put_text(err.message);
        }
        printf("}\n");
        sal_model_free(m);
    }
    return 0;
}
