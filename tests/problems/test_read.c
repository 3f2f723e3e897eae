/* Problem files as people write them, and as they should not: every bad one has exactly one error,
 * with its place and its help. */
#include "tests/problems/problem_files.h"

#include "problems/problem.h"

static sal_err err;
static sal_diag diag;

static sal_status read_text(sal_problem **p, const char *text, const sal_problem_options *options)
{
    files_write("m.xml", files_model, strlen(files_model));
    files_write("p.xml", text, strlen(text));
    diag = (sal_diag){0};
    return sal_problem_read(p, files_path("p.xml"), options, &diag, &err);
}

/* Reads a good text; the test ends if it is not. */
static sal_problem *read_good(const char *text)
{
    sal_problem *p;
    if (read_text(&p, text, NULL) != SAL_OK) {
        printf("%s", diag.text.data == NULL ? err.message : diag.text.data);
        check_case_faults++;
    }
    sal_diag_clear(&diag);
    return p;
}

/* ---- good files ---- */

static void a_mirrored_cycle(void)
{
    sal_problem *p = read_good(files_problem);
    if (p == NULL) {
        return;
    }
    CHECK_TEXT(p->name, "test");
    CHECK(p->nstep == 10 && p->duration == 0.5);
    CHECK(p->duration_range[0] == 0.5 && p->duration_range[1] == 0.5);
    CHECK(p->boundary == PRB_CYCLE && p->image != NULL && p->image->mirrored);
    CHECK(p->travel == PRB_TRAVEL_SPEED && p->travel_value == 1.5);
    CHECK(p->image->travel[0] == 1 && p->image->travel[1] == 0);
    /* the hips change places */
    CHECK(p->image->qpos_index[4] == 5 && p->image->qpos_index[5] == 4);
    CHECK(p->nterm == 1 && p->npoint == 0);
    CHECK_TEXT(p->term[0].feature.name, "effort");
    CHECK(p->term[0].feature.quantity == PRB_QTY_CTRL && p->term[0].feature.nobject == 2);
    CHECK(p->term[0].weight == 2 && p->term[0].softweight == 2 &&
          p->term[0].feature.target == NULL);
    CHECK(p->term[0].norm.kind == SAL_NORM_QUADRATIC);
    CHECK(p->init_qpos[2] == -.1 && p->init_qpos[5] == .2);
    CHECK(p->init_noise == .02 && p->nstart == 1 && p->seed == 1 && p->init_ground);
    CHECK(p->optim.maxiter == 7 && p->optim.maxtime == 0 && p->optim.tolerance == 1e-3);
    CHECK(p->optim.cap == .15 && p->optim.increments == 59);
    CHECK(p->contact_table && p->differences == SAL_FD_FORWARD && p->mujoco != SAL_MUJOCO_222);
    CHECK(p->derivatives == SAL_DERIV_AUTO);
    CHECK(strlen(p->sha256_problem) == 64 && strlen(p->sha256_model) == 64);
    sal_problem_free(p);
}

static void contact_terms(void)
{
    sal_problem *p = read_good(
        files_replace(files_problem, "  </cost>",
                      "<term name='slip' slip='left_foot- left_foot+ nose' near='force'/>"
                      "<term name='impact' impact='left_foot+ right_foot' width='.03' sigma='.5'/>"
                      "<term name='load' normal='left_foot right_leg' target='3'/>"
                      "<term name='flat' flat='right_foot left_foot'/>"
                      "<term name='level' level='left_foot right_foot nose left_foot'/>"
                      "</cost>"));
    if (p == NULL) {
        return;
    }
    const prb_feature *slip = &p->term[1].feature, *impact = &p->term[2].feature,
                      *load = &p->term[3].feature, *flat = &p->term[4].feature,
                      *level = &p->term[5].feature;
    const int left = sal_model_find(p->model, SAL_OBJ_GEOM, "left_foot");
    CHECK(slip->nobject == 3 && slip->by_force);
    CHECK_TEXT(p->point_name[slip->object[0]], "left_foot-");
    CHECK(p->point_geom[slip->object[0]] == left);
    /* the z axis of a capsule runs from the second point of fromto to the first */
    CHECK_NEAR(p->point[slip->object[0]].pos[0], -.1, 1e-12);
    CHECK_NEAR(p->point[slip->object[1]].pos[0], .2, 1e-12);
    CHECK_NEAR(p->point[slip->object[0]].radius, .04, 1e-12);
    CHECK(p->point_geom[slip->object[2]] == -1 - sal_model_find(p->model, SAL_OBJ_BODY, "torso"));
    CHECK(!impact->by_force && impact->width == .03 && p->term[2].weight == 4);
    CHECK(impact->object[0] == slip->object[1]); /* the same point */
    CHECK(load->object[0] == left && load->object[1] == -1 - 3 && load->target[1] == 3);
    CHECK(flat->nobject == 4 && level->nobject == 4);
    CHECK_TEXT(p->point_name[flat->object[0]], "right_foot+");
    CHECK_TEXT(p->point_name[flat->object[1]], "right_foot-");
    CHECK_TEXT(p->point_name[level->object[1]], "right_foot");
    CHECK(p->npoint == 7); /* of left foot and right foot three each, and the nose */
    sal_problem_free(p);
}

/* A shape that meets nothing is often drawn by a geom that has the name of its body: that is not
 * what is meant. */
static void a_body_and_a_geom_that_only_shows_it_have_one_name(void)
{
    static const char drawn[] = "    <geom name='left_leg' type='capsule' fromto='0 0 0 0 0 -.4' "
                                "size='.06' mass='0' contype='0' conaffinity='0'/>\n";
    static char model[sizeof files_model + sizeof drawn], text[8192];
    const char *inside = strstr(files_model, "        <geom name='left_shank'");
    const int before = (int)(inside - files_model);
    snprintf(model, sizeof model, "%.*s%s%s", before, files_model, drawn, inside);
    files_write("drawn.xml", model, strlen(model));
    snprintf(text, sizeof text, "%s",
             files_replace(files_problem, "  </cost>",
                           "<term name='slip' slip='left_leg'/>"
                           "<term name='load' normal='left_leg'/>"
                           "<term name='whole' slip='left_shank'/></cost>"));
    sal_problem *p = read_good(files_replace(text, "m.xml", "drawn.xml"));
    if (p == NULL) {
        return;
    }
    const int shank = sal_model_find(p->model, SAL_OBJ_GEOM, "left_shank"),
              foot = sal_model_find(p->model, SAL_OBJ_GEOM, "left_foot"),
              leg = sal_model_find(p->model, SAL_OBJ_BODY, "left_leg");
    const prb_feature *slip = &p->term[1].feature;
    CHECK(slip->nobject == 4);
    for (int k = 0; k < slip->nobject; k++) {
        CHECK(p->point_geom[slip->object[k]] == (k < 2 ? shank : foot));
    }
    CHECK(p->term[2].feature.object[0] == -1 - leg);
    CHECK(p->term[3].feature.nobject == 1);
    sal_problem_free(p);
}

static void distances(void)
{
    sal_problem *p = read_good(files_replace(files_problem, "  </cost>",
                                             "<term name='reach' distance='left_foot right_foot "
                                             "torso left_foot' target='.1 .5'/></cost>"));
    if (p == NULL) {
        return;
    }
    const prb_feature *reach = &p->term[1].feature;
    CHECK(reach->nobject == 2 && reach->dim == 2 && reach->target[1] == .5);
    CHECK(p->ndistance == 2);
    CHECK(p->distance[reach->object[1]][0] == sal_model_find(p->model, SAL_OBJ_GEOM, "torso"));
    CHECK(p->distance[reach->object[1]][1] == sal_model_find(p->model, SAL_OBJ_GEOM, "left_foot"));
    sal_problem_free(p);
}

/* Letters name numbers of each object, numbers those of all. */
static void components(void)
{
    sal_problem *p = read_good(files_replace(
        files_problem, "  </cost>",
        "<term name='a' position='nose left_foot torso' component='y'/>"
        "<term name='b' position='nose left_foot' component='x z'/>"
        "<term name='c' position='nose left_foot' component='1 5'/>"
        "<term name='d' contact='left_foot right_foot' sum='true' component='z'/></cost>"));
    static const int expected[4][5] = {{3, 1, 4, 7}, {4, 0, 2, 3, 5}, {2, 1, 5}, {1, 2}};
    for (int i = 0; p != NULL && i < 4; i++) {
        const prb_feature *f = &p->term[i + 1].feature;
        CHECK(f->dim == expected[i][0]);
        for (int k = 0; k < f->dim; k++) {
            CHECK(f->component[k] == expected[i][k + 1]);
        }
    }
    sal_problem_free(p);
}

static void joints_sensors_norms(void)
{
    sal_problem *p = read_good(files_replace(
        files_problem, "  </cost>",
        "<term name='still' joint='pitch left_hip' of='vel' target='1 2' softweight='8'/>"
        "<term name='up' sensor='up' target='0 0 1' norm='smoothabs2' p='.5' q='3'/>"
        "<term name='acc' joint='all' of='acc' norm='power' p='1.5' weight='1e-3'/></cost>"));
    if (p == NULL) {
        return;
    }
    CHECK(p->term[1].feature.order == 1 && p->term[1].feature.dim == 2 &&
          p->term[1].feature.target[1] == 2);
    CHECK(p->term[1].softweight == 8 && p->term[1].weight == 1);
    CHECK(p->term[2].feature.dim == 3 && p->term[2].feature.target[2] == 1);
    CHECK(p->term[2].norm.kind == SAL_NORM_SMOOTHABS2 && p->term[2].norm.p == .5);
    CHECK(p->term[2].norm.q == 3);
    CHECK(p->term[3].feature.order == 2 && p->term[3].feature.nobject == 6);
    sal_problem_free(p);
}

static const char open_boundary[] = "<boundary type=\"open\"><start key='go'/>"
                                    "<end qpos='0 0 0 0 1 1' qvel='0'/></boundary>";
static const char cycle_boundary[] = "<boundary type=\"cycle\" mirror=\"left_ right_\">\n"
                                     "    <travel joint=\"rootx\" speed=\"1.5\"/>\n"
                                     "  </boundary>";

static void an_open_motion(void)
{
    sal_problem *p = read_good(files_replace(files_problem, cycle_boundary, open_boundary));
    if (p == NULL) {
        return;
    }
    CHECK(p->boundary == PRB_OPEN && p->image == NULL && !p->init_ground);
    CHECK(p->start.fixed_pos && p->start.fixed_vel && p->end.fixed_pos && p->end.fixed_vel);
    CHECK(p->start.qpos[5] == .4 && p->start.qvel[5] == 2);
    CHECK(p->end.qpos[5] == 1 && p->end.qvel[0] == 0 && p->end.qvel[5] == 0);
    sal_problem_free(p);
    p = read_good(files_replace(files_problem, cycle_boundary,
                                "<boundary type='open'><start key='go' fixed='qvel'/>"
                                "<end qvel='1 2 3 4 5 6'/></boundary>"));
    if (p == NULL) {
        return;
    }
    CHECK(!p->start.fixed_pos && p->start.fixed_vel && !p->end.fixed_pos && p->end.fixed_vel);
    CHECK(p->start.qvel[5] == 2 && p->end.qvel[5] == 6);
    sal_problem_free(p);
}

static void the_start_of_a_pinned_motion_is_its_guess(void)
{
    const char *copy = files_replace(files_problem, cycle_boundary, open_boundary);
    sal_problem *p = read_good(files_replace(copy, "<init key=\"stand\"/>", ""));
    if (p != NULL) {
        CHECK(p->init_qpos[0] == 1 && p->init_qpos[5] == .4);
    }
    sal_problem_free(p);
}

static void free_duration_and_travel(void)
{
    const char *copy =
        files_replace(files_problem, "duration=\"0.5\"", "duration='.5' range='.2 .8'");
    sal_problem *p = read_good(files_replace(copy, "speed=\"1.5\"", "range='.4 1'"));
    if (p == NULL) {
        return;
    }
    CHECK(p->duration_range[0] == .2 && p->duration_range[1] == .8);
    CHECK(p->travel == PRB_TRAVEL_FREE && p->travel_range[0] == .4 && p->travel_range[1] == 1);
    CHECK_NEAR(p->travel_value, .7, 1e-15);
    sal_problem_free(p);
    p = read_good(files_replace(files_problem, " speed=\"1.5\"", ""));
    if (p != NULL) {
        CHECK(p->travel == PRB_TRAVEL_FREE && isinf(p->travel_range[1]));
    }
    sal_problem_free(p);
}

static void smoothing_is_given_or_filled(void)
{
    sal_problem *p = read_good(files_replace(
        files_problem, "<solver maxiter=\"7\"/>",
        "<solver contact='model' differences='centred' derivatives='analytic'><smoothing "
        "width='.2 .01' dmax='.9' timeconst='2h'/></solver>"));
    if (p == NULL) {
        return;
    }
    CHECK(!p->contact_table && p->differences == SAL_FD_CENTRED && p->optim.maxiter == 400);
    CHECK(p->derivatives == SAL_DERIV_ANALYTIC);
    CHECK(p->smoothing.width.soft == .2 && p->smoothing.width.final == .01);
    CHECK(p->smoothing.dmax.soft == .9 && p->smoothing.dmax.final == .9);
    CHECK(p->smoothing.timeconst_tied);
    CHECK(p->smoothing.sigma.soft > 0 && p->smoothing.dynamics.final > 0); /* filled */
    sal_problem_free(p);
}

static void sensors_are_added(void)
{
    const char *copy = files_replace(files_problem, "  <time",
                                     "<sensor><subtreecom name='com' body='torso'/></sensor><time");
    sal_problem *p =
        read_good(files_replace(copy, "  </cost>", "<term name='c' sensor='com'/></cost>"));
    if (p != NULL) {
        CHECK(p->model->nsensor == 6 && p->term[1].feature.object[0] == 5);
    }
    sal_problem_free(p);
}

/* ---- settings ---- */

static sal_status read_set(sal_problem **p, const char *text, int n, const sal_setting *settings)
{
    const sal_problem_options options = {.setting = settings, .nsetting = n};
    return read_text(p, text, &options);
}

static void settings_reach_problem_and_model(void)
{
    sal_problem *p;
    const sal_setting set[] = {
        {"term[effort]/weight", "5"},
        {"term[#0]/norm", "l2"},
        {"init/seed", "9"},
        {"smoothing/width", ".3"}, /* added, within <solver> */
        {"joint[left_hip]/damping", ".7"},
        {"joint[right_hip]/damping", ".7"},
        {"option/gravity", "0 0 -1"},
        {"travel/speed", "2"},
    };
    CHECK_OK(read_set(&p, files_problem, 8, set), err);
    if (p != NULL) {
        CHECK(p->term[0].weight == 5 && p->term[0].norm.kind == SAL_NORM_L2 && p->seed == 9);
        CHECK(p->smoothing.width.soft == .3 && p->smoothing.width.final == .3);
        CHECK(p->model->dof_damping[4] == .7);
        CHECK(p->model->opt.gravity[2] == -1 && p->travel_value == 2);
        CHECK(strstr(p->problem_xml, "joint[left_hip]/damping") != NULL);
    }
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

static void an_override_in_the_file_comes_before_a_setting(void)
{
    sal_problem *p;
    const sal_setting set[] = {{"joint[left_hip]/damping", "4"}};
    const char *text = files_replace(files_problem, "  <time",
                                     "<override path='joint[left_hip]/damping' value='3'/>"
                                     "<override path='joint[right_hip]/damping' value='4'/><time");
    CHECK_OK(read_set(&p, text, 1, set), err);
    if (p != NULL) {
        CHECK(p->model->dof_damping[4] == 4 && p->model->dof_damping[5] == 4);
    }
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

/* A value that the model does not allow is shown as it was set, and where. */
static void a_wrong_override_has_its_place(void)
{
    sal_problem *p;
    const char *text = files_replace(files_problem, "  <time",
                                     "<override path='joint[left_hip]/damping' value='x'/><time");
    CHECK(read_text(&p, text, NULL) == SAL_BADINPUT && diag.nerror == 1);
    CHECK(strstr(diag.text.data, "override:1:25: error: ") != NULL);
    CHECK(strstr(diag.text.data, "      = set at ") != NULL);
    CHECK(strstr(diag.text.data, "p.xml:3:17\n") != NULL);
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

/* Elements that are not there yet come where they belong; those that may be several are told apart
 * by their number. */
static void settings_add_elements(void)
{
    sal_problem *p;
    const sal_setting set[] = {
        {"boundary/type", "open"}, {"start/joint", "rootx pitch"}, {"start/qpos", ".1 .2"},
        {"end[#0]/qvel", "0"},     {"init/keys", "stand go"},      {"init/times", "0 .3"},
    };
    const char *text = files_replace(files_problem,
                                     "<boundary type=\"cycle\" mirror=\"left_ right_\">\n"
                                     "    <travel joint=\"rootx\" speed=\"1.5\"/>",
                                     "<boundary type='cycle'><end key='go'/>");
    CHECK_OK(read_set(&p, text, 6, set), err);
    if (p != NULL) {
        CHECK(p->start.pos[0] && p->start.pos[3] && !p->start.pos[1] && p->start.qpos[3] == .2);
        CHECK(p->end.fixed_pos && p->end.fixed_vel && p->end.qvel[0] == 0);
        CHECK(p->init_states != NULL);
    }
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

static void the_model_of_the_command_line_is_relative_to_the_current_folder(void)
{
    sal_problem *p;
    const sal_setting set[] = {{"model/file", files_path("m.xml")}};
    CHECK_OK(read_set(&p, files_replace(files_problem, "m.xml", "nowhere.xml"), 1, set), err);
    sal_problem_free(p);
    sal_diag_clear(&diag);
    const sal_setting none[] = {{"model/file", "no-such-model.xml"}};
    CHECK(read_set(&p, files_problem, 1, none) == SAL_BADPATH && p == NULL);
    CHECK(strstr(err.message, "cannot read 'no-such-model.xml'") != NULL);
    sal_diag_clear(&diag);
}

static void the_digest_covers_includes(void)
{
    sal_problem *p, *again;
    const char *include = "<mujoco><include file='part.xml'/></mujoco>";
    files_write("m2.xml", include, strlen(include));
    files_write("part.xml", files_model, strlen(files_model));
    const char *text = files_replace(files_problem, "m.xml", "m2.xml");
    p = read_good(text);
    const char *changed = files_replace(files_model, "-.1 0 .2 .2", "-.1 0 .2 .3");
    files_write("part.xml", changed, strlen(changed));
    again = read_good(text);
    if (p != NULL && again != NULL) {
        CHECK(strcmp(p->sha256_model, again->sha256_model) != 0);
        CHECK(strcmp(p->sha256_problem, again->sha256_problem) == 0);
    }
    sal_problem_free(p);
    sal_problem_free(again);
}

/* ---- bad files: what tests/problems/bad does not hold, each a small change of one problem ---- */

static const struct {
    const char *from, *to; /* a change of files_problem; from NULL: a text of its own */
    const char *error;     /* "line:column: error: .." of the only error */
    const char *help;      /* NULL: whatever it says */
} bad[] = {
#include "tests/problems/bad_problems.inc"
};

static void check_bad(const char *from, const char *to, const char *error, const char *help)
{
    sal_problem *p;
    char expected[700];
    const int before = check_case_faults;
    const char *text = from == NULL ? to : files_replace(files_problem, from, to);
    CHECK(read_text(&p, text, NULL) == SAL_BADINPUT);
    CHECK(p == NULL && diag.nerror == 1);
    snprintf(expected, sizeof expected, "%s:%s", files_path("p.xml"), error);
    char *star = strchr(expected, '*');
    if (star != NULL) { /* what follows is not said here */
        star[0] = 0;
        diag.first[star - expected] = 0;
    }
    CHECK_TEXT(diag.first, expected);
    if (help != NULL) {
        snprintf(expected, sizeof expected, "= help: %s\n", help);
        CHECK(diag.text.data != NULL && strstr(diag.text.data, expected) != NULL);
    }
    if (check_case_faults > before) {
        printf("for '%s' -> '%s':\n%s\n", from, to, diag.text.data == NULL ? "" : diag.text.data);
    }
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

static void bad_files(void)
{
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        check_bad(bad[i].from, bad[i].to, bad[i].error, bad[i].help);
    }
}

static void all_errors_at_once(void)
{
    sal_problem *p;
    CHECK(read_text(&p,
                    "<problem nme='x'>\n <model file='m.xml'/>\n <time nstep='nan' duration='1'/>\n"
                    " <boundary type='cycle'><travel joint='root'/></boundary>\n"
                    " <cost><term name='a' ctrl='left_hop'/><term name='b'/></cost>\n</problem>\n",
                    NULL) == SAL_BADINPUT);
    CHECK(p == NULL && diag.nerror == 5);
    sal_diag_clear(&diag);
}

static void warnings_do_not_stop(void)
{
    sal_problem *p;
    CHECK_OK(read_text(&p, files_replace(files_problem, "weight=\"2\"", "weight='0' p='1'"), NULL),
             err);
    CHECK(p != NULL && diag.nwarning == 2 && diag.nerror == 0);
    CHECK(strstr(diag.text.data, "warning: the term has weight 0, so it has no effect") != NULL);
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

static void bad_settings(void)
{
    static const struct {
        const char *path, *value, *error;
    } cases[] = {
        {"term[efort]/weight", "1",
         "error: 'term[efort]/weight': no <term> is named 'efort'; did you mean 'effort'?"},
        {"time/nsteps", "3", "override:1:6: error: unknown attribute 'nsteps' in <time>"},
        {"time/nstep", "1e99", "override:1:12: error: nstep = 1e99 is outside [3, 100000]"},
        {"term[#1]/weight", "3",
         "error: 'term[#1]/weight': the file has 1 element <term>; the first is #0"},
        {"start/key", "stand", "override:1:1: error: <start> has no effect in a cycle"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sal_problem *p;
        const sal_setting set = {cases[i].path, cases[i].value};
        CHECK(read_set(&p, files_problem, 1, &set) == SAL_BADINPUT && p == NULL);
        CHECK_TEXT(diag.first, cases[i].error);
        sal_diag_clear(&diag);
    }
}

static void paths_that_cannot_be_read(void)
{
    sal_problem *p;
    diag = (sal_diag){0};
    CHECK(sal_problem_read(&p, "/nowhere/p.xml", NULL, &diag, &err) == SAL_BADPATH && p == NULL);
    CHECK(sal_problem_read(&p, "/tmp", NULL, &diag, &err) == SAL_BADPATH && p == NULL);
    CHECK(diag.nerror == 0);
    sal_diag_clear(&diag);
}

/* ---- memory ---- */

static void every_allocation_may_fail(void)
{
    const char *text = files_replace(
        files_problem, "  </cost>",
        "<term name='s' slip='left_foot- nose'/>"
        "<term name='up' sensor='up' target='0 0 1'/>"
        "<term name='i' impact='left_leg' component='0'/>"
        "<term name='c' contact='left_leg' with='floor'/>"
        "<term name='h' height='left_leg nose'/><term name='v' velocity='torso'/><term name='e' "
        "energy='kinetic'/><term name='m' com='all'/>"
        "<term name='o' orientation='torso' times='0 .5' target='1 0 "
        "0 0 1 0 1 0'/></cost>");

    const sal_setting set[] = {
        {"joint[pitch]/damping", ".7"},
        {"smoothing/width", ".3"},
    };
    const sal_problem_options options = {.setting = set, .nsetting = 2};
    long n = 1;
    for (; n < 5000; n++) {
        sal_problem *p;
        files_write("m.xml", files_model, strlen(files_model));
        files_write("p.xml", text, strlen(text));
        diag = (sal_diag){0};
        sal_alloc_fail_at(n);
        const sal_status status = sal_problem_read(&p, files_path("p.xml"), &options, &diag, &err);
        sal_alloc_fail_at(0);
        sal_diag_clear(&diag);
        if (status == SAL_OK) {
            sal_problem_free(p);
            break;
        }
        sal_problem_free(p);
        if (status != SAL_NOMEM || p != NULL) {
            printf("allocation %ld: %s\n", n, err.message);
            check_case_faults++;
        }
    }
    CHECK(n > 50 && n < 5000);
}

int main(void)
{
    RUN(a_mirrored_cycle);
    RUN(contact_terms);
    RUN(a_body_and_a_geom_that_only_shows_it_have_one_name);
    RUN(distances);
    RUN(components);
    RUN(joints_sensors_norms);
    RUN(an_open_motion);
    RUN(the_start_of_a_pinned_motion_is_its_guess);
    RUN(free_duration_and_travel);
    RUN(smoothing_is_given_or_filled);
    RUN(sensors_are_added);
    RUN(settings_reach_problem_and_model);
    RUN(an_override_in_the_file_comes_before_a_setting);
    RUN(a_wrong_override_has_its_place);
    RUN(settings_add_elements);
    RUN(the_model_of_the_command_line_is_relative_to_the_current_folder);
    RUN(the_digest_covers_includes);
    RUN(bad_files);
    RUN(all_errors_at_once);
    RUN(warnings_do_not_stop);
    RUN(bad_settings);
    RUN(paths_that_cannot_be_read);
    RUN(every_allocation_may_fail);
    files_remove();
    return check_done();
}
