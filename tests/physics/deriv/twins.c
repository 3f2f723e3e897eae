#include "tests/physics/deriv/twins.h"

#include "tests/check.h"
#include "tests/physics/corpus.h"
#include "tests/physics/deriv/judge.h"
#include "tests/physics/deriv/lively.h"

#include "base/house.h"
#include "mjcf/mjcf.h"

enum { NVMAX = 60, NMATRIX = 3, ENOUGH = 100, MANY = 400 };
static const double MOST = 1e-6;                      /* error of any state */
static const double USUAL[2] = {1e-9, 1e-8};          /* median and 95 % */
static const double SHARE_OF_DOUBT[2] = {0.02, 0.08}; /* of the states, not judged, where */
static const double FEW =
    3; /* contacts and limits act at once; of more, one is at a kink more often */

/* PLAIN: all that is in the state has a formula; HYBRID: of something, only itself was
 * differenced */
enum { PLAIN, HYBRID, NKIND };
static const char *const doubts[] = {"",
#define DOUBT_NAME(code, name) name,
                                     DOUBT_LIST(DOUBT_NAME)
#undef DOUBT_NAME
};

/* What became of the states of one model. */
typedef struct tally {
    const char *name;
    int states[NKIND], judged[NKIND], doubt[NDOUBT], doubted[NKIND], faults;
    long contacts, own_contacts, limits; /* with force */
    double *error[NKIND][NMATRIX];       /* of states whose reference is as good as is asked for */
    int fine[NKIND];                     /* how many those are */
    double worst[NKIND];                 /* of all judged */
    int worst_state[NKIND];
    int equal; /* states whose matrices are the reference's to the last bit */
    double *Dq, *Dv, *Da;
} tally;

static struct {
    int nstate, models, without, states, judged, doubt[NDOUBT];
    double leniency; /* by which more states may be left out */
    double worst[NKIND];
    int faults;
} sum;

/* ---- what a state holds ---- */

static bool pair_is_plain(int type1, int type2)
{
    const bool round = type2 == SAL_GEOM_SPHERE || type2 == SAL_GEOM_CAPSULE;
    return type1 == SAL_GEOM_PLANE
               ? type2 != SAL_GEOM_CYLINDER && type2 != SAL_GEOM_MESH
               : round && (type1 == SAL_GEOM_SPHERE || type1 == SAL_GEOM_CAPSULE);
}

static bool model_has_hybrids(const sal_model *m)
{
    bool found = m->opt.density > 0 || m->opt.viscosity > 0;
    for (int i = 0; i < m->neq; i++) {
        found = found || (m->eq_active[i] &&
                          (m->eq_type[i] == SAL_EQ_CONNECT || m->eq_type[i] == SAL_EQ_WELD));
    }
    for (int i = 0; i < m->nwrap; i++) {
        found = found || m->wrap_type[i] != SAL_WRAP_JOINT;
    }
    return found;
}

static int kind_of(const sal_model *m, const sal_data *d)
{
    int kind = model_has_hybrids(m) ? HYBRID : PLAIN;
    for (int i = 0; i < d->ncon; i++) {
        const sal_contact *c = d->contact + i;
        if (c->efc_address >= 0 && !pair_is_plain(m->geom_type[c->geom1], m->geom_type[c->geom2])) {
            kind = HYBRID;
        }
    }
    return kind;
}

static void count_what_acts(tally *t, const sal_model *m, const sal_data *d)
{
    for (int i = 0; i < d->ncon; i++) {
        const sal_contact *c = d->contact + i;
        const int b1 = m->geom_bodyid[c->geom1], b2 = m->geom_bodyid[c->geom2];
        double force[6];
        sal_contact_force(m, d, i, force);
        t->contacts += force[0] > 0;
        t->own_contacts += force[0] > 0 && m->body_chainnum[b1] > 0 && m->body_chainnum[b2] > 0;
    }
    for (int i = 0; i < d->nefc; i++) {
        t->limits += d->efc_force[i] > 0 && (d->efc_type[i] == SAL_EFC_LIMIT_JOINT ||
                                             d->efc_type[i] == SAL_EFC_LIMIT_TENDON);
    }
}

/* ---- one state ---- */

static bool is_zero(const double *a, int n)
{
    int i = 0;
    while (i < n && a[i] == 0) {
        i++;
    }
    return i == n;
}

/* What the twin leaves unwritten shows. */
static void spoil(double *a, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = (double)NAN;
    }
}

static sal_status twin_at(const tally *t, const sal_model *m, sal_data *d, sal_err *err)
{
    spoil(t->Dq, NMATRIX * m->nv * m->nv);
    const sal_status status = sal_inverse(m, d, err);
    return status == SAL_OK ? sal_inverse_deriv(m, d, t->Dq, t->Dv, t->Da, err) : status;
}

static void hold_against(tally *t, const judge *p, int kind, int state)
{
    const int n = p->m->nv * p->m->nv;
    const double *const twin[] = {t->Dq, t->Dv, t->Da}, *const reference[] = {p->Dq, p->Dv, p->Da};
    bool equal = true, zero = true;
    for (int x = 0; x < NMATRIX; x++) {
        const double e = judge_error(p, twin[x], reference[x], n);
        t->error[kind][x][t->fine[kind]] = e;
        if (e > t->worst[kind]) {
            t->worst[kind] = e;
            t->worst_state[kind] = state;
        }
        equal = equal && memcmp(twin[x], reference[x], (size_t)n * sizeof(double)) == 0;
        zero = zero && is_zero(twin[x], n);
    }
    t->equal += equal && !zero;
    t->judged[kind]++;
    t->fine[kind] += p->coarse <= USUAL[kind];
}

/* False if the model has no twin. */
static bool compare_state(tally *t, judge *p, sal_model *m, sal_data *d, int k, sal_err *err)
{
    doubt why;
    m->opt.cone = k % 2;
    lively_state(m, d, k);
    sal_status status = twin_at(t, m, d, err);
    if (status != SAL_OK) {
        return false;
    }
    const int kind = kind_of(m, d);
    count_what_acts(t, m, d);
    if (!judge_at(p, d, &why, err)) {
        return false;
    }
    t->states[kind]++;
    t->doubt[why]++;
    if (why == DOUBT_NONE) {
        hold_against(t, p, kind, k);
    } else {
        t->doubted[kind]++;
    }
    return true;
}

/* ---- a model ---- */

static double quantile(double *x, int n, double share)
{
    sal_sort(x, n);
    return x[(int)(share * (n - 1) + 0.5)];
}

static void fault(tally *t, const char *what)
{
    printf("  %s: %s\n", t->name, what);
    t->faults++;
}

static void report_kind(tally *t, int kind)
{
    static const char *const matrix[] = {"Dq", "Dv", "Da"};
    const int n = t->fine[kind];
    if (t->judged[kind] == 0) {
        return;
    }
    printf("    %-6s %4d fine %4d", kind == PLAIN ? "" : "hybrid", t->judged[kind], n);
    for (int x = 0; x < NMATRIX && n > 0; x++) {
        double *e = t->error[kind][x];
        const double median = quantile(e, n, 0.5), usual = quantile(e, n, 0.95);
        printf("  %s %.0e %.0e %.0e", matrix[x], median, usual, e[n - 1]);
        t->faults += !(median <= USUAL[kind]) + !(n < ENOUGH || usual <= USUAL[kind]);
    }
    const bool good = t->worst[kind] <= MOST;
    printf("  all %.0e%s", t->worst[kind], good ? "\n" : "");
    if (!good) {
        printf("  <--- state %d\n", t->worst_state[kind]);
        t->faults++;
    }
}

/* Which of the sixteen corners of a cylinder's cap touch a flat side, and which are kept, jumps
 * every few degrees: so many more states are left out where there are such pairs. */
static double share_of_caps(const sal_model *m)
{
    for (int i = 0; i < m->npair; i++) {
        const int type1 = m->geom_type[m->pair_geom1[i]], type2 = m->geom_type[m->pair_geom2[i]];
        if (m->mujoco == SAL_MUJOCO_314 && type1 == SAL_GEOM_CYLINDER &&
            type2 >= SAL_GEOM_CYLINDER) {
            return 0.15;
        }
    }
    return 0;
}

static void report(tally *t, const sal_model *m)
{
    const int n = t->states[PLAIN] + t->states[HYBRID];
    const double acting = (double)(t->contacts + t->limits) / n;
    const double allowed =
        sum.leniency * fmax(1, acting / FEW) *
        fmax(share_of_caps(m) * n,
             SHARE_OF_DOUBT[PLAIN] * t->states[PLAIN] + SHARE_OF_DOUBT[HYBRID] * t->states[HYBRID]);
    printf("%-34.34s nv %2d  %4d states: contacts %.2f, own %.2f, limits %.2f; left out", t->name,
           m->nv, n, (double)t->contacts / n, (double)t->own_contacts / n, (double)t->limits / n);
    for (int w = DOUBT_NONE + 1; w < NDOUBT; w++) {
        printf(" %s %d", doubts[w], t->doubt[w]);
    }
    printf("\n");
    report_kind(t, PLAIN);
    report_kind(t, HYBRID);
    if (n >= MANY && t->doubted[PLAIN] + t->doubted[HYBRID] > allowed) {
        fault(t, "too many states left out");
    }
    if (t->equal == n) {
        fault(t, "the twin is the reference to the last bit");
    }
    fflush(stdout);
}

static void add_up(const tally *t)
{
    sum.models++;
    sum.faults += t->faults;
    for (int w = 0; w < NDOUBT; w++) {
        sum.doubt[w] += t->doubt[w];
    }
    for (int kind = 0; kind < NKIND; kind++) {
        sum.states += t->states[kind];
        sum.judged += t->judged[kind];
        sum.worst[kind] = fmax(sum.worst[kind], t->worst[kind]);
    }
}

static void compare_model(sal_model *m, const char *name, int nstate)
{
    const size_t n = (size_t)(m->nv * m->nv);
    tally t = {.name = name};
    judge p = {0};
    sal_data *d = NULL;
    sal_err err = {SAL_OK, ""};
    bool done = sal_data_new(&d, m, &err) == SAL_OK && judge_new(&p, m);
    t.Dq = sal_alloc(NMATRIX * n, sizeof *t.Dq);
    t.Dv = t.Dq + n, t.Da = t.Dv + n;
    for (int i = 0; i < NKIND * NMATRIX; i++) {
        t.error[i / NMATRIX][i % NMATRIX] = sal_alloc((size_t)(2 * nstate), sizeof(double));
    }
    for (int k = 0; k < 2 * nstate && done; k++) {
        done = compare_state(&t, &p, m, d, k, &err);
    }
    if (done) {
        report(&t, m);
        add_up(&t);
    } else {
        printf("%-34.34s not compared: %s\n", name, err.message);
        sum.without++;
    }
    for (int i = 0; i < NKIND * NMATRIX; i++) {
        sal_free(t.error[i / NMATRIX][i % NMATRIX]);
    }
    sal_free(t.Dq);
    judge_free(&p);
    sal_data_free(d);
}

static void compare_file_as(const char *path, const char *name, bool compat222, double sigma,
                            int nstate)
{
    const sal_load_options options = {.mujoco = compat222 ? SAL_MUJOCO_222 : SAL_MUJOCO_314};
    sal_model *m;
    sal_err err = {SAL_OK, ""};
    if (sal_model_load(&m, path, &options, NULL, &err) != SAL_OK) {
        return; /* models that are refused are the business of other tests */
    }
    m->opt.disable |= SAL_DSBL_SENSOR;
    m->opt.sigma = sigma;
    if (m->nv > 0 && m->nv <= NVMAX) {
        char title[80];
        snprintf(title, sizeof title, "%s%s%.50s", compat222 ? "2.2.2 " : "",
                 sigma > 0 ? "smooth " : "", name);
        compare_model(m, title, nstate);
    }
    sal_model_free(m);
}

static bool is_left_out(const char *name)
{
    const char *only = getenv("TWINS_ONLY"); /* to look at one model */
    return (only != NULL && strstr(name, only) == NULL) || strstr(name, "__") != NULL ||
           strncmp(name, "dmc_common", 10) == 0; /* parts of models */
}

static void compare_file(const char *path, const char *name)
{
    if (is_left_out(name)) {
        return;
    }
    compare_file_as(path, name, false, 0, sum.nstate);
    compare_file_as(path, name, true, 0, (sum.nstate + 7) / 8);
}

/* Also with the force law averaged over some acceleration. */
static void compare_small_file(const char *path, const char *name)
{
    if (is_left_out(name)) {
        return;
    }
    compare_file(path, name);
    compare_file_as(path, name, false, 15, sum.nstate);
}

static void begin(int nstate, double leniency)
{
    memset(&sum, 0, sizeof sum);
    sum.nstate = nstate;
    sum.leniency = leniency;
}

static int end(int *nfault)
{
    printf("%d models, %d states, %d judged; left out:", sum.models, sum.states, sum.judged);
    for (int w = DOUBT_NONE + 1; w < NDOUBT; w++) {
        printf(" %s %d", doubts[w], sum.doubt[w]);
    }
    printf("; largest errors %.1e, with hybrids %.1e; %d models without a twin, %d faults\n",
           sum.worst[PLAIN], sum.worst[HYBRID], sum.without, sum.faults);
    *nfault = sum.faults + sum.without;
    return sum.models;
}

int twins_of_models(int nstate, int *nfault)
{
    begin(nstate, 1);
    corpus_each("models", ".xml", compare_file);
    corpus_each("models/modern", ".xml", compare_file);
    const int of_corpus = sum.models + sum.without;
    corpus_each_own("models", ".xml", compare_file);
    end(nfault);
    return of_corpus;
}

int twins_of_small_models(int nstate, int *nfault)
{
    begin(nstate, 3); /* each has something of everything, and kinks of all */
    corpus_each_own("tests/physics/deriv/twins", ".xml", compare_small_file);
    return end(nfault);
}
