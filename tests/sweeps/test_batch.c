/* Cells that one process solves one after the other share what is the same. Each is as if it was
 * solved alone, to the last bit and whatever came before it. */
#include "tests/problems/problem_files.h"

#include "sweeps/folder.h"

/* Two masses on slides that are pushed from one place to another; the second file includes. */
static const char puck[] = "<mujoco><option gravity='0 0 0'/><worldbody><body name='puck'>"
                           "<joint name='x' type='slide' axis='1 0 0'/>"
                           "<geom name='puck' size='.1' mass='2'/></body></worldbody>"
                           "<actuator><motor name='push' joint='x'/></actuator></mujoco>";
static const char other[] = "<mujoco><include file='body.xml'/>"
                            "<actuator><motor name='push' joint='x' gear='2'/></actuator></mujoco>";
static const char body[] = "<mujoco><worldbody><body name='puck'>"
                           "<joint name='x' type='slide' axis='1 0 0' damping='.3'/>"
                           "<geom name='puck' size='.1' mass='3'/></body></worldbody></mujoco>";
static const char push[] =
    "<problem name='push'><model file='puck.xml'/><time nstep='10' duration='1'/>"
    "<boundary type='open'><start qpos='0' qvel='0'/><end qpos='1' qvel='0'/></boundary>"
    "<cost><term name='effort' ctrl='all' weight='1'/></cost><init noise='.2'/></problem>";

static sal_sweep *read_sweep(const char *elements)
{
    static char text[4000];
    sal_sweep *s = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    files_write("puck.xml", puck, strlen(puck));
    files_write("other.xml", other, strlen(other));
    files_write("body.xml", body, strlen(body));
    files_write("push.xml", push, strlen(push));
    snprintf(text, sizeof text, "<sweep name='s' problem='push.xml'>%s</sweep>", elements);
    files_write("sweep.xml", text, strlen(text));
    CHECK_OK(sal_sweep_read(&s, files_path("sweep.xml"), NULL, &diag, &err), err);
    sal_diag_clear(&diag);
    if (s == NULL) {
        exit(1);
    }
    return s;
}

static void solve(const sal_sweep *s, const char *folder, int cell, sal_outcome_kind expected)
{
    sal_outcome out;
    sal_sweep_solve(&out, s, folder, cell, -1, 0, 1, NULL);
    CHECK(out.kind == expected && !out.found);
}

/* The motion's file of a cell; the caller frees. */
static char *motion(const sal_sweep *s, const char *folder, int cell, size_t *n)
{
    char path[4200], *bytes = NULL;
    sal_err err = {0};
    sal_sweep_motion(path, sizeof path, folder, s->hash[cell]);
    CHECK_OK(sal_text_read_file(path, (size_t)1 << 30, &bytes, n, &err), err);
    return bytes;
}

/* That of the same problem, read and solved by itself. */
static char *alone(const sal_sweep *s, int cell, size_t *n)
{
    char *bytes = NULL;
    swp_cell_settings settings;
    sal_request request = {0};
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    sal_status status = swp_cell_settings_of(&settings, s, "", cell, -1, &err);
    status = status == SAL_OK
                 ? sal_request_read(&request, s->problem_path, &settings.options, &diag, &err)
                 : status;
    status = status == SAL_OK ? sal_request_solve(&r, &request, 1, NULL, &err) : status;
    status = status == SAL_OK ? sal_result_write(r, files_path("alone.h5"), &err) : status;
    status = status == SAL_OK
                 ? sal_text_read_file(files_path("alone.h5"), (size_t)1 << 30, &bytes, n, &err)
                 : status;
    CHECK_OK(status, err);
    sal_result_free(r);
    sal_request_clear(&request);
    sal_diag_clear(&diag);
    sal_free(settings.list);
    return bytes;
}

/* Neighbours differ now in the model's file, now in a number of it, now in the problem, now in the
 * seed alone. */
static void cells_are_as_if_solved_alone(void)
{
    char elements[3000], path[300], there[300], across[300];
    sal_err err = {0};
    snprintf(path, sizeof path, "%.290s", files_path("puck.xml"));
    snprintf(there, sizeof there, "%.290s", files_path("there"));
    snprintf(across, sizeof across, "%.290s", files_path("across"));
    snprintf(elements, sizeof elements,
             "<axis name='mass' path='geom[puck]/mass' values='1 4'/>"
             "<axis name='file' path='model/file' values='%s %s'/>"
             "<axis name='time' path='time/duration' values='1 2'/>"
             "<repeat path='init/seed' count='2'/>",
             path, files_path("other.xml"));
    sal_sweep *s = read_sweep(elements);
    CHECK(s->ncell == 16);
    CHECK_OK(sal_sweep_begin(s, there, &err), err);
    CHECK_OK(sal_sweep_begin(s, across, &err), err);
    for (int i = 0; i < s->ncell; i++) {
        solve(s, there, i, SAL_CELL_PHYSICAL);
    }
    for (int k = 0; k < s->ncell; k++) {
        const int i = k / 2 + k % 2 * 8; /* the mass runs fastest */
        size_t n[3] = {0};
        solve(s, across, i, SAL_CELL_PHYSICAL);
        char *bytes[3] = {motion(s, there, i, &n[0]), motion(s, across, i, &n[1]),
                          alone(s, i, &n[2])};
        for (int j = 1; j < 3; j++) {
            CHECK(n[0] > 1000 && n[j] == n[0] && bytes[0] != NULL && bytes[j] != NULL &&
                  memcmp(bytes[0], bytes[j], n[0]) == 0);
        }
        for (int j = 0; j < 3; j++) {
            sal_free(bytes[j]);
        }
    }
    sal_sweep_free(s);
}

/* The file may even be gone; with another number in the model it is read anew. */
static void a_model_is_read_once_for_cells_that_have_it(void)
{
    sal_err err = {0};
    sal_sweep *s = read_sweep("<axis name='mass' path='geom[puck]/mass' values='1 4'/>"
                              "<axis name='time' path='time/duration' values='1 2 3'/>");
    char folder[300];
    snprintf(folder, sizeof folder, "%.290s", files_path("once"));
    CHECK_OK(sal_sweep_begin(s, folder, &err), err);
    solve(s, folder, 0, SAL_CELL_PHYSICAL);
    CHECK(unlink(files_path("puck.xml")) == 0);
    solve(s, folder, 1, SAL_CELL_PHYSICAL);
    solve(s, folder, 2, SAL_CELL_PHYSICAL);
    solve(s, folder, 3, SAL_CELL_INVALID);
    sal_sweep_free(s);
}

int main(void)
{
    RUN(cells_are_as_if_solved_alone);
    RUN(a_model_is_read_once_for_cells_that_have_it);
    files_remove();
    return check_done();
}
