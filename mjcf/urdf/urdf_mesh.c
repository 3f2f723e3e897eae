/* urdf_mesh.c: meshes of a URDF: it names files only, and often by packages of ROS. */
#include "mjcf/urdf/urdf.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- where the file is ---- */

enum { UP_MAX = 8 };

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Whether a path, relative to the folder of the URDF file, names a file. */
static bool exists(mjcf_urdf *u, const char *path)
{
    struct stat info;
    sal_text full = {0};
    const int folder = path[0] == '/' ? 0 : (int)(last_part(u->path) - u->path);
    sal_text_format(&full, "%.*s%s", folder, u->path, path);
    const bool found = !full.failed && stat(full.data, &info) == 0 && S_ISREG(info.st_mode);
    u->nomem = u->nomem || full.failed;
    sal_text_clear(&full);
    return found;
}

/* text := DIR/FILE */
static void join(sal_text *text, const char *dir, const char *file)
{
    const size_t n = file[0] == '/' ? 0 : strlen(dir);
    sal_text_clear(text);
    sal_text_format(text, "%.*s%s%s", (int)n, dir, n > 0 && dir[n - 1] != '/' ? "/" : "", file);
}

/* A path of a package, NAME/PATH: in the folders above the URDF file, from the nearest on, one that
 * holds NAME/PATH, or PATH (then it is the package's). */
static bool find_in_package(mjcf_urdf *u, sal_text *out, const char *path)
{
    const char *slash = strchr(path, '/');
    char up[3 * UP_MAX + 1] = "";
    for (int i = 0; i <= UP_MAX; i++) {
        join(out, up, path);
        if (!out->failed && exists(u, out->data)) {
            return true;
        }
        if (slash != NULL) {
            join(out, up, slash + 1);
            if (!out->failed && exists(u, out->data)) {
                return true;
            }
        }
        if (i < UP_MAX) {
            memcpy(up + 3 * i, "../", 4);
        }
    }
    return false;
}

/* The path of the file, relative to the folder of the URDF file. As MuJoCo finds it: below meshdir.
 * Else as ROS means it. Else, as MuJoCo's documentation says, without its folders. */
static void find_file(mjcf_urdf *u, sal_text *out, const char *file)
{
    static const char package[] = "package://", model[] = "model://", local[] = "file://";
    const char *path = strncmp(file, package, sizeof package - 1) == 0 ? file + sizeof package - 1
                       : strncmp(file, model, sizeof model - 1) == 0   ? file + sizeof model - 1
                       : strncmp(file, local, sizeof local - 1) == 0   ? file + sizeof local - 1
                                                                       : file;
    const bool shared = path != file && strncmp(file, local, sizeof local - 1) != 0;
    bool found = false;
    if (shared && !u->strips) {
        found = find_in_package(u, out, path);
    } else if (!u->strips) {
        join(out, u->meshdir, path);
        found = !out->failed && exists(u, out->data);
    }
    if (!found) {
        join(out, u->meshdir, last_part(path));
        found = !out->failed && exists(u, out->data);
    }
    if (!found && !u->strips) { /* to be reported as it was written */
        join(out, shared ? "" : u->meshdir, path);
    }
    u->nomem = u->nomem || out->failed;
}

/* ---- its name ---- */

static bool same_scale(const mjcf_urdf_mesh *mesh, const double scale[3])
{
    return mesh->scale[0] == scale[0] && mesh->scale[1] == scale[1] && mesh->scale[2] == scale[2];
}

/* The mesh of this name in this scale, a new one if there is none. NAME is that of the file without
 * folders and ending; the k-th scale after the first is called NAMEk. */
static mjcf_urdf_mesh *mesh_of(mjcf_urdf *u, const sal_xml_attr *file, const double scale[3],
                               bool *is_new)
{
    char name[200];
    const char *last = last_part(file->value), *dot = strrchr(last, '.');
    snprintf(name, sizeof name, "%.*s", (int)(dot == NULL ? strlen(last) : (size_t)(dot - last)),
             last);
    mjcf_urdf_mesh *first = spec_index_find(&u->meshes, name), *at = first, *before = NULL;
    int k = 0;
    while (at != NULL && !same_scale(at, scale)) {
        before = at;
        at = at->next;
        k++;
    }
    *is_new = at == NULL;
    if (at != NULL) {
        return at;
    }
    mjcf_urdf_mesh *mesh = spec_take(&u->pool, 1, sizeof *mesh);
    if (mesh == NULL) {
        return NULL;
    }
    sal_v3_copy(mesh->scale, scale);
    mesh->file = file->value;
    snprintf(mesh->name, sizeof mesh->name, k == 0 ? "%s" : "%s%d", name, k);
    if (before != NULL) {
        before->next = mesh;
    } else {
        char *copy = spec_take(&u->pool, sizeof name, 1);
        if (copy != NULL) {
            memcpy(copy, name, sizeof name);
            spec_index_put(&u->pool, &u->meshes, copy, mesh);
        }
    }
    return mesh;
}

static void put_asset(mjcf_urdf *u, const mjcf_urdf_mesh *mesh, const sal_xml *from,
                      const sal_xml_attr *file)
{
    static const double ones[3] = {1, 1, 1};
    sal_text path = {0};
    sal_xml *xml = mjcf_urdf_put(u, u->asset, "mesh", from);
    find_file(u, &path, file->value);
    mjcf_urdf_set(u, xml, "name", mesh->name, file);
    mjcf_urdf_set(u, xml, "file", u->nomem ? "" : path.data, file);
    if (!same_scale(mesh, ones)) {
        mjcf_urdf_set_reals(u, xml, "scale", mesh->scale, 3, sal_xml_find_attr(from, "scale"));
    }
    sal_text_clear(&path);
}

void mjcf_urdf_put_mesh(mjcf_urdf *u, sal_xml *geom, const sal_xml *from)
{
    double scale[3] = {1, 1, 1};
    const sal_xml_attr *file = mjcf_urdf_attr(u, from, "filename", true);
    mjcf_urdf_numbers(u, from, "scale", scale, 3, false);
    if (file == NULL || u->nomem) {
        return;
    }
    if (last_part(file->value)[0] == 0) {
        sal_diag_error(u->diag, file->value_place, NULL,
                       "the filename of this <mesh> names no file");
        return;
    }
    bool is_new;
    const mjcf_urdf_mesh *mesh = mesh_of(u, file, scale, &is_new);
    if (mesh == NULL) {
        return;
    }
    if (is_new) {
        put_asset(u, mesh, from, file);
    } else if (strcmp(mesh->file, file->value) != 0) {
        sal_diag_warning(u->diag, file->value_place, "give the files different names",
                         "two meshes are named '%.60s'; the file '%.120s' stands for both, as in "
                         "MuJoCo",
                         mesh->name, mesh->file);
    }
    mjcf_urdf_set(u, geom, "mesh", mesh->name, file);
}
