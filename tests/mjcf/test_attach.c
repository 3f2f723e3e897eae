/* Sub-models: what is wrong in one is said with its own place; a remodel is the model of the file.
 * (attach_312.mjs compares the compiled arrays with MuJoCo's.) */
#include "tests/check.h"
#include "tests/same_block.h"

#include "base/reading.h"
#include "mjcf/mjcf.h"
#include "physics/physics.h"

static const char *path_to(const char *name)
{
    static char path[1024];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(path, sizeof path, "%s/tests/mjcf/attach/%s", root == NULL ? "." : root, name);
    return path;
}

typedef struct bad {
    /* the asset, what stands in the body */
    const char *asset, *body;
    /* the file, and what is said of it: error or warning, help or NULL */
    const char *file, *said, *help;
} bad;

static const bad bads[] = {
    {"<model name='m' file='bad/geom.xml'/>", "<attach model='m' body='b' prefix='x'/>",
     "bad/geom.xml", "4:13: error: unknown attribute 'siez' in <geom>", "did you mean 'size'?"},
    {"<model name='m' file='bad/typo.xml'/>", "<attach model='m' body='b' prefix='x'/>",
     "bad/typo.xml", "9:19: error: there is no joint named 'xhipp'", "did you mean 'xhip'?"},
    {"<model name='m' file='bad/typo.xml'/>", "<attach model='m' body='b' prefix='x'/>",
     "bad/typo.xml",
     "12:28: warning: <weld> of a sub-model names its world and is left out, as in MuJoCo", NULL},
    {"<model name='m' file='bad/itself.xml'/>", "<attach model='m' body='b' prefix='x'/>",
     "bad/itself.xml", "7:8: error: more than 1000 elements <attach>, or 20 levels of them",
     "does a model attach itself?"},
    {"<model name='m' file='bad/key.xml'/>", "<attach model='m' body='b' prefix='x'/>",
     "bad/key.xml", "9:16: error: qpos needs 7 numbers, and has 3", NULL},
    {"<model name='m' file='bad/sdf.xml'/>", "<attach model='m' body='b' prefix='x'/>",
     "bad/sdf.xml",
     "1:2: error: the root element of a model must be <mujoco> or <robot>, and this file has <sdf>",
     "a sub-model is an MJCF or URDF file"},
    {"<model name='m' file='bad/typo.xml'/>", "<attach model='m' body='c' prefix='x'/>", "t.xml",
     "3:25: error: there is no body named 'c' in the sub-model 'm'", NULL},
    {"<model name='m' file='bad/key.xml'/>", "<attach model='n' body='b' prefix='x'/>", "t.xml",
     "3:16: error: there is no sub-model named 'n'",
     "write <asset><model name=\"NAME\" file=\"FILE\"/></asset>"},
    {"<model name='m' file='bad/none.xml'/>", "<attach model='m' body='b' prefix='x'/>", "t.xml",
     "2:23: error: cannot read", "files of sub-models are relative to the folder of the model"},
    {"<model name='m' file='bad/key.xml'/>", "<attach model='m' body='b'/>", "t.xml",
     "3:2: error: <attach> needs the attribute 'prefix'",
     "write <attach model=\"NAME\" body=\"NAME\" prefix=\"NAME_\"/>"},
    {"<model name='k' file='parts/cup.xml'/>",
     "<replicate count='2'><body><attach model='k' body='cup' prefix='x'/></body></replicate>",
     "parts/cup.xml", "9:6: error: a keyframe of a sub-model that stands in <replicate>",
     "write the keyframe in the model itself"},
    {"", "<geom size='1' saltus-part='1'/>", "t.xml",
     "3:16: error: unknown attribute 'saltus-part' in <geom>", NULL},
    {"<model name='m' file='bad/option.xml'/></asset><compiler conflict='merge'/>"
     "<option gravity='0 0 -1'/><asset>",
     "<attach model='m' body='b' prefix='x'/>", "bad/option.xml",
     "2:20: error: gravity of this sub-model is '0 0 -2', and '0 0 -1' in the model that attaches "
     "it, with conflict=\"merge\"",
     "write the same in both, or leave one of them out"},
    {"<model name='m' file='bad/option.xml'/></asset><compiler conflict='error'/>"
     "<option><flag spring='enable'/></option><asset>",
     "<attach model='m' body='b' prefix='x'/>", "bad/option.xml",
     "3:19: error: spring of this sub-model is 'disable', and 'enable' in the model that attaches "
     "it, with conflict=\"error\"",
     "write the same in both, or leave one of them out"},
    {"<model name='m' file='bad/act.xml'/>", "<attach model='m' body='b' prefix='x'/>",
     "bad/act.xml",
     "18:15: error: act of this keyframe has 2 numbers, which are not those of its actuators, of "
     "which some are not attached",
     "leave it out, or attach all that has actuators"},
    {"<model name='m' file='bad/class.xml'/>", "<attach model='m' body='b' prefix='x'/>",
     "bad/class.xml",
     "2:19: error: the outermost <default> is the class 'main'; it cannot be called 'top'",
     "put a class of that name into a <default> without a name (only MuJoCo 2.2.2 renames 'main': "
     "--compat 2.2.2)"},
    {"<model name='m'/>", "<attach model='m' body='b' prefix='x'/>", "t.xml",
     "2:2: error: the sub-model 'm' has no file", NULL},
};

static void faults_are_said_where_they_stand(void)
{
    for (size_t i = 0; i < sizeof bads / sizeof bads[0]; i++) {
        char xml[1000], line[1400], help[300];
        sal_model *m = NULL;
        sal_diag diag = {0};
        sal_err err = {0};
        const int n =
            snprintf(xml, sizeof xml, "<mujoco><asset>\n%s\n</asset><worldbody><body name='own'>",
                     bads[i].asset);
        const int all = n + snprintf(xml + n, sizeof xml - (size_t)n,
                                     "\n%s\n</body></worldbody></mujoco>", bads[i].body);
        char *at = strstr(xml, "\n</asset>");
        memmove(at, at + 1, strlen(at)); /* the body's text is on line 3 */
        const sal_status status =
            sal_model_parse(&m, path_to("t.xml"), xml, (size_t)all - 1, NULL, &diag, &err);
        snprintf(line, sizeof line, "%s:%s", path_to(bads[i].file), bads[i].said);
        snprintf(help, sizeof help, "= help: %s\n", bads[i].help == NULL ? "" : bads[i].help);
        CHECK(status == SAL_BADINPUT && m == NULL);
        CHECK(diag.text.data != NULL && strstr(diag.text.data, line) != NULL);
        CHECK(bads[i].help == NULL || strstr(diag.text.data, help) != NULL);
        if (diag.text.data == NULL || strstr(diag.text.data, line) == NULL) {
            printf("expected %s in\n%s", line, diag.text.data);
        }
        sal_diag_clear(&diag);
        sal_model_free(m);
    }
}

static void compat_222_has_none(void)
{
    const sal_load_options old = {.mujoco = SAL_MUJOCO_222};
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    CHECK(sal_model_load(&m, path_to("scene.xml"), &old, &diag, &err) == SAL_BADINPUT);
    CHECK(strstr(diag.text.data, "compat=\"2.2.2\" does not have the element <attach>") != NULL);
    sal_diag_clear(&diag);
    sal_model_free(m);
}

/* The same numbers from the text that joins all files. */
static void a_remodel_has_its_sub_models(void)
{
    char *xml = NULL;
    size_t n = 0;
    int id = -1;
    sal_err err = {0};
    sal_model *m = NULL;
    sal_remodel *r = NULL;
    const sal_setting mass = {"joint[l_elbow]/damping", "0.7"};
    const sal_load_options o = {.setting = &mass, .nsetting = 1};
    CHECK_OK(sal_text_read_file(path_to("scene.xml"), 1 << 20, &xml, &n, &err), err);
    CHECK_OK(sal_model_load(&m, path_to("scene.xml"), &o, NULL, &err), err);
    CHECK_OK(sal_remodel_new(&r, path_to("scene.xml"), xml, n, &o, &err), err);
    if (m != NULL && r != NULL) {
        const sal_model *same = sal_remodel_nominal(r);
        CHECK(same_block(m, same));
        CHECK_NEAR(m->dof_damping[m->jnt_dofadr[sal_model_find(m, SAL_OBJ_JOINT, "l_elbow")]], 0.7,
                   0);
        CHECK_OK(sal_remodel_loosen(r, "body[r_lower]/mass", &id, &err), err);
    }
    sal_remodel_free(r);
    sal_model_free(m);
    sal_free(xml);
}

int main(void)
{
    RUN(faults_are_said_where_they_stand);
    RUN(compat_222_has_none);
    RUN(a_remodel_has_its_sub_models);
    return check_done();
}
