/* Every model of the corpus, compiled by us with the old behaviour and by MuJoCo 2.2.2: all constants must agree, or we must refuse the
 * model and name an element that is really in it. */
#include "tests/check.h"
#include "tests/physics/mjcf_compare.h"

#include "physics/physics.h"

#include <mujoco/mujoco.h>

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
        const sal_load_options options = {.compat222 = true};
        sal_model *s = NULL;
        sal_diag diag = {0};
        sal_err err = {0};
        const sal_status status = sal_model_load(&s, path, &options, &diag, &err);
        if (m != NULL && status == SAL_OK) {
            comparison c = {.file = names[i], .tolerance = tolerance};
            compare_models(&c, s, m);
            printf("  %-48s %.1e %s\n", names[i], c.worst, c.where);
            CHECK(c.worst <= tolerance);
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

int main(void)
{
    RUN(the_corpus_compiles_as_in_mujoco);
    return check_done();
}
