/* Histories of controls and readings: their first samples, what a reset and a copy of the model
 * keep of them, and how they are read between samples. Steps beside MuJoCo are in delay_314.mjs. */
#include "tests/check.h"

#include "mjcf/mjcf.h"
#include "physics/history.h"
#include "physics/physics.h"

static const char scene[] =
    "<mujoco><option timestep='0.01'/><worldbody><body><joint name='j' type='slide' axis='1 0 0'/>"
    "<geom size='.1' mass='2'/></body></worldbody><actuator><motor joint='j' delay='.03' "
    "nsample='4'/><motor joint='j' nsample='2'/><motor joint='j'/></actuator><sensor>"
    "<jointpos joint='j' delay='.02' nsample='3' interp='linear'/>"
    "<jointvel joint='j' interval='.03 -.01' nsample='2'/><jointpos joint='j'/></sensor>"
    "<keyframe><key time='1' qpos='.5' ctrl='3 4 5'/></keyframe></mujoco>";

static sal_model *load(const char *xml)
{
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    CHECK_OK(sal_model_parse(&m, "t.xml", xml, strlen(xml), NULL, &diag, &err), err);
    sal_diag_clear(&diag);
    return m;
}

static sal_data *data_of(const sal_model *m)
{
    sal_data *d = NULL;
    sal_err err = {0};
    CHECK_OK(sal_data_new(&d, m, &err), err);
    return d;
}

/* The same numbers as MuJoCo 3.14 has after a reset: tick, newest, times, values */
static void begins_as_mujoco(void)
{
    static const double first[] = {
        0,    3, -.04, -.03, -.02, -.01, 0, 0, 0, 0, /* a delay */
        0,    1, -.02, -.01, 0,    0,                /* a history without delay */
        -.01, 2, -.03, -.02, -.01, 0,    0, 0,       /* a sensor */
        -.01, 1, -.04, -.01, 0,    0,                /* one with an interval and its phase */
    };
    sal_model *m = load(scene);
    sal_data *d = data_of(m);
    CHECK(m->nhistory == (int)(sizeof first / sizeof *first));
    for (int i = 0; i < m->nhistory; i++) {
        CHECK_NEAR(d->history[i], first[i], 1e-15);
    }
    CHECK(m->actuator_historyadr[2] == -1 && m->sensor_historyadr[2] == -1);
    sal_data_reset_key(m, d, 0); /* the key's time and controls are not theirs */
    for (int i = 0; i < m->nhistory; i++) {
        CHECK_NEAR(d->history[i], first[i], 1e-15);
    }
    sal_data_free(d);
    sal_model_free(m);
}

enum { STEPS = 40, ROW = 5 };

/* qpos, qvel and sensors before each step, under controls that change */
static void roll(const sal_model *m, sal_data *d, double rows[STEPS][ROW])
{
    sal_err err = {0};
    for (int k = 0; k < STEPS; k++) {
        for (int i = 0; i < m->nu; i++) {
            d->ctrl[i] = i == 0 ? sin(0.3 * k) : 0;
        }
        CHECK_OK(sal_step(m, d, &err), err);
        rows[k][0] = d->qpos[0];
        rows[k][1] = d->qvel[0];
        memcpy(rows[k] + 2, d->sensordata, 3 * sizeof(double));
    }
}

/* v' = v + h u(t - delay)/m: a control acts three steps later (or four, where times are the same
 * but for their last digit), a position is shown two steps later */
static void acts_late(void)
{
    sal_model *m = load(scene);
    sal_data *d = data_of(m);
    double rows[STEPS][ROW];
    roll(m, d, rows);
    for (int k = 1; k < STEPS; k++) {
        const double push = (rows[k][1] - rows[k - 1][1]) / 0.01 * 2;
        const double three = k < 3 ? 0 : sin(0.3 * (k - 3)), four = k < 4 ? 0 : sin(0.3 * (k - 4));
        CHECK(fabs(push - three) < 1e-9 || fabs(push - four) < 1e-9);
        CHECK_NEAR(rows[k][2], k < 2 ? 0 : rows[k - 2][4], 1e-12);
    }
    sal_data_free(d);
    sal_model_free(m);
}

/* A reset forgets, a copy of the model remembers as much; to the last bit. */
static void reset_and_copy(void)
{
    sal_model *m = load(scene), *copy = NULL;
    sal_data *d = data_of(m);
    double first[STEPS][ROW], again[STEPS][ROW], other[STEPS][ROW];
    sal_err err = {0};
    roll(m, d, first);
    sal_data_reset(m, d);
    roll(m, d, again);
    CHECK_OK(sal_model_copy(&copy, m, &err), err);
    sal_data *dc = data_of(copy);
    roll(copy, dc, other);
    CHECK(memcmp(first, again, sizeof first) == 0);
    CHECK(memcmp(first, other, sizeof first) == 0);
    CHECK(memcmp(d->history, dc->history, (size_t)m->nhistory * sizeof(double)) == 0);
    sal_data_free(dc);
    sal_data_free(d);
    sal_model_free(copy);
    sal_model_free(m);
}

/* Looking at the forward dynamics changes no history. */
static void forward_forgets_nothing(void)
{
    sal_model *m = load(scene);
    sal_data *d = data_of(m), *looked = data_of(m);
    double first[STEPS][ROW];
    sal_err err = {0};
    roll(m, d, first);
    for (int k = 0; k < STEPS; k++) {
        looked->ctrl[0] = sin(0.3 * k);
        for (int look = 0; look < 3; look++) {
            CHECK_OK(sal_forward(m, looked, &err), err);
        }
        CHECK_OK(sal_step(m, looked, &err), err);
        CHECK(looked->qpos[0] == first[k][0]);
        CHECK(memcmp(looked->sensordata, first[k] + 2, 3 * sizeof(double)) == 0);
    }
    sal_data_free(looked);
    sal_data_free(d);
    sal_model_free(m);
}

/* Numbers of MuJoCo 3.14: the force of a motor with these samples in its history */
static void between_samples(void)
{
    static const double time[] = {1, 2, 4, 5}, value[] = {1, 3, 2, -1};
    static const double at[] = {0, 1, 1.5, 2, 2.25, 3.75, 4, 4.5, 5, 6};
    static const double expected[3][10] = {
        {1, 1, 1, 3, 3, 3, 2, 2, -1, -1},
        {1, 1, 2, 3, 2.875, 2.125, 2, 0.5, -1, -1},
        {1, 1, 1.9583333333333333, 3, 3.057291666666667, 2.307291666666667, 2, 0.33333333333333337,
         -1, -1},
    };
    double tick = 0, newest = 1, times[4], values[4], out;
    for (int interp = SAL_INTERP_ZOH; interp <= SAL_INTERP_CUBIC; interp++) {
        const phy_history s = {&tick, &newest, times, values, 4, 1, interp};
        for (int k = 0; k < 4; k++) { /* the oldest stands behind the newest */
            times[(k + 2) % 4] = time[k];
            values[(k + 2) % 4] = value[k];
        }
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            phy_history_at(&s, at[i], &out);
            CHECK_NEAR(out, expected[interp][i], 1e-12);
        }
    }
}

/* A sample of a time that is known, of one before all, of one between, of one behind */
static void out_of_order(void)
{
    double tick = 0, newest = 2, times[3] = {1, 2, 3}, values[3] = {10, 20, 30}, out;
    const phy_history s = {&tick, &newest, times, values, 3, 1, SAL_INTERP_ZOH};
    *phy_history_add(&s, 2) = 21; /* 1 2 3 */
    phy_history_at(&s, 2.5, &out);
    CHECK(out == 21);
    *phy_history_add(&s, 0.5) = 5; /* 0.5 2 3 */
    phy_history_at(&s, 1.5, &out);
    CHECK(out == 5);
    *phy_history_add(&s, 2.5) = 25; /* 2 2.5 3 */
    phy_history_at(&s, 0, &out);
    CHECK(out == 21);
    phy_history_at(&s, 2.7, &out);
    CHECK(out == 25);
    *phy_history_add(&s, 4) = 40; /* 2.5 3 4 */
    phy_history_at(&s, 0, &out);
    CHECK(out == 25);
    phy_history_at(&s, 9, &out);
    CHECK(out == 40);
}

static void single_instants_refuse(void)
{
    sal_model *m = load(scene);
    sal_err err = {0};
    CHECK(sal_model_prompt(m, "a test", &err) == SAL_UNSUPPORTED);
    CHECK(strstr(err.message, "actuator 0 (unnamed") != NULL);
    m->actuator_delay[0] = 0;
    CHECK(sal_model_prompt(m, "a test", &err) == SAL_UNSUPPORTED);
    CHECK(strstr(err.message, "sensor 0 (unnamed") != NULL);
    m->sensor_delay[0] = m->sensor_interval[2] = 0;
    CHECK_OK(sal_model_prompt(m, "a test", &err), err);
    sal_model_free(m);
}

int main(void)
{
    RUN(begins_as_mujoco);
    RUN(acts_late);
    RUN(reset_and_copy);
    RUN(forward_forgets_nothing);
    RUN(between_samples);
    RUN(out_of_order);
    RUN(single_instants_refuse);
    return check_done();
}
