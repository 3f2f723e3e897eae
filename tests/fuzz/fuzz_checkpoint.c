/* Any bytes as the checkpoint of a solve. As they are: refused with a message. With an odd first
 * byte the rest is the state of an optimizer in a checkpoint that is whole: the solve refuses it,
 * or goes on from it. Never a crash. */
#include "tests/problems/problem_files.h"

#include "problems/problems.h"
#include "problems/solve/checkpoint.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n);

static const char checkpoint_problem[] =
    "<problem name=\"c\"><model file=\"m.xml\"/><time nstep=\"4\" duration=\".4\"/>"
    "<boundary type=\"open\"><start key=\"stand\"/></boundary>"
    "<cost><term name=\"effort\" ctrl=\"all\"/></cost>"
    "<init key=\"stand\" more=\"0\"/><solver maxiter=\"2\"/></problem>";

static sal_problem *read_problem(void)
{
    static sal_problem *p;
    sal_diag diag = {0};
    sal_err err = {0};
    if (p == NULL) {
        files_write("m.xml", files_model, strlen(files_model));
        files_write("p.xml", checkpoint_problem, strlen(checkpoint_problem));
        mkdir(files_path("c"), 0777);
        if (sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err) != SAL_OK) {
            printf("%s\n", diag.text.data == NULL ? err.message : diag.text.data);
            abort();
        }
        sal_diag_clear(&diag);
    }
    return p;
}

static void resume(const sal_problem *p)
{
    sal_result *r = NULL;
    sal_err err = {0};
    const sal_watch watch = {.checkpoint = files_path("c"), .resume = true};
    if (sal_problem_solve(&r, p, 1, &watch, &err) != SAL_OK && err.message[0] == 0) {
        abort(); /* no reason was given */
    }
    sal_result_free(r);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n)
{
    const sal_problem *p = read_problem();
    prb_fingerprint print;
    sal_err err = {0};
    sal_text text = {0};
    int linearisations[16];
    bool found = false;
    if (n > 0 && data[0] % 2 == 1) {
        const prb_iteration none = {0};
        const prb_checkpoint c = {
            .nstart = prb_starts_most(p), .iteration = &none, .nstate = n - 1, .state = data + 1};
        if (prb_fingerprint_of(p, &print, &err) != SAL_OK ||
            prb_checkpoint_write(files_path("c"), &print, &c, &text, &err) != SAL_OK) {
            abort();
        }
        resume(p);
    } else {
        files_write("c/0", (const char *)data, n);
        const sal_status status =
            sal_checkpoint_look(p, files_path("c"), linearisations, &found, &err);
        if (status == SAL_OK || err.message[0] == 0) {
            abort(); /* what has no seal is damaged */
        }
    }
    sal_text_clear(&text);
    return 0;
}
