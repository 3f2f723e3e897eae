/* Every model of the corpus, compiled by us with the old behaviour and by MuJoCo 2.2.2: all
 * constants must agree, or we must refuse the model and name an element that is really in it. */
#include "tests/check.h"
#include "tests/mjcf/mjcf_compare.h"

#include "mjcf/mjcf.h"
#include "physics/physics.h"

#include <mujoco/mujoco.h>
#include <unistd.h>

static const double tolerance = 1e-12;

/* <element> of "... <element> ..." must occur in the file that the message names. */
static bool names_an_element_of_the_file(const char *message)
{
    char path[1024], element[80] = "<";
    const char *colon = strstr(message, ".xml:"), *open = strchr(message, '<');
    if (colon == NULL || open == NULL || sscanf(open, "<%70[a-z_]", element + 1) != 1) {
        return false;
    }
    snprintf(path, sizeof path, "%.*s", (int)(colon + 4 - message), message);
    char *text;
    size_t length;
    if (sal_text_read_file(path, 1 << 24, &text, &length, NULL) != SAL_OK) {
        return false;
    }
    const bool found = strstr(text, element) != NULL;
    sal_free(text);
    return found;
}

static void ignore(const char *message)
{
    (void)message;
}

static void the_corpus_compiles_as_in_mujoco(void)
{
    char *names[512], error[1000];
    const int n = list_corpus_models(names);
    int same = 0, refused = 0;
    if (n == 0) {
        SKIP("the corpus is absent");
    }
    mju_user_warning = ignore;
    for (int i = 0; i < n; i++) {
        char name[600];
        snprintf(name, sizeof name, "models/%s", names[i]);
        const char *path = check_corpus(name);
        mjModel *m = mj_loadXML(path, NULL, error, sizeof error);
        const sal_load_options options = {.mujoco = SAL_MUJOCO_222};
        sal_model *s = NULL;
        sal_diag diag = {0};
        sal_err err = {0};
        const sal_status status = sal_model_load(&s, path, &options, &diag, &err);
        if (m != NULL && status == SAL_OK) {
            /* which axes of a cube are principal is decided by rounding */
            const double allowed = m->nmesh > 0 ? 1e-7 : tolerance;
            comparison c = {.file = names[i], .tolerance = allowed};
            compare_models(&c, s, m);
            printf("  %-48s %.1e %s\n", names[i], c.worst, c.where);
            CHECK(c.worst <= allowed);
            same++;
        } else if (m != NULL) {
            printf("  %-48s refused: %s\n", names[i], strstr(err.message, "error:"));
            CHECK(status == SAL_BADINPUT && names_an_element_of_the_file(err.message));
            refused++;
        }
        mj_deleteModel(m);
        sal_model_free(s);
        sal_diag_clear(&diag);
        free(names[i]);
    }
    printf("  %d models agree, %d are refused\n", same, refused);
    CHECK(same >= 40);
}

/* ---- small models, one a line ---- */

/* '=' both load it or both refuse it, '<' only MuJoCo loads it, '>' only we do. */
static void check_small(const char *line)
{
    const char mark = line[0], *text = line + 2;
    char path[] = "/tmp/saltus-small-XXXXXX", error[1000];
    const int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    const sal_load_options options = {.mujoco = SAL_MUJOCO_222};
    mjModel *m = mj_loadXML(path, NULL, error, sizeof error);
    sal_model *s = NULL;
    const bool ours =
        sal_model_parse(&s, "t.xml", text, strlen(text), &options, NULL, NULL) == SAL_OK;
    unlink(path);
    bool good = (ours || mark != '>') && (m != NULL || mark != '<') &&
                (ours == (m != NULL)) == (mark == '=');
    if (m != NULL && ours) {
        comparison c = {.file = text, .tolerance = tolerance};
        compare_models(&c, s, m);
        good = good && c.worst <= tolerance;
    }
    if (!good) {
        printf("  we %s it, MuJoCo %s it: %s\n", ours ? "load" : "refuse",
               m != NULL ? "loads" : "refuses", line);
    }
    CHECK(good);
    mj_deleteModel(m);
    sal_model_free(s);
}

static void small_models_compile_as_in_mujoco(void)
{
    char path[1024], *text;
    const char *root = getenv("SALTUS_ROOT");
    size_t length;
    sal_err err;
    snprintf(path, sizeof path, "%s/tests/mjcf/small_models.txt", root == NULL ? "." : root);
    CHECK_OK(sal_text_read_file(path, 1 << 20, &text, &length, &err), err);
    mju_user_warning = ignore;
    int n = 0;
    for (char *line = text, *end; line != NULL && *line != 0; line = end == NULL ? NULL : end + 1) {
        end = strchr(line, '\n');
        if (end != NULL) {
            *end = 0;
        }
        if (line[0] != '#' && line[0] != 0) {
            check_small(line);
            n++;
        }
    }
    printf("  %d small models\n", n);
    sal_free(text);
}

int main(void)
{
    RUN(small_models_compile_as_in_mujoco);
    RUN(the_corpus_compiles_as_in_mujoco);
    return check_done();
}
