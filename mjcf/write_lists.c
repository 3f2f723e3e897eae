/* write_lists.c: the half of the model's file that stands behind its tree: lists of pairs,
 * constraints, actuators, sensors, keyframes. */
#include "mjcf/writer.h"
#include "physics/compiling.h"

static void write_pair(mjcf_writer *w, sal_xml *contact, int p)
{
    static const double none[2] = {0, 0};
    const sal_model *m = w->m;
    const double detect = m->pair_detect[p], include = m->pair_include[p];
    char made1[96], made2[96];
    sal_xml *xml = mjcf_put_element(w, contact, "pair");
    mjcf_put(w, xml, "geom1", mjcf_geom_name(w, m->pair_geom1[p], made1));
    mjcf_put(w, xml, "geom2", mjcf_geom_name(w, m->pair_geom2[p], made2));
    mjcf_put_int(w, xml, "condim", m->pair_dim[p]);
    mjcf_put_reals(w, xml, "friction", m->pair_friction + 5 * p, 5);
    mjcf_put_reals(w, xml, "solref", m->pair_solref + 2 * p, 2);
    if (m->mujoco != SAL_MUJOCO_222) {
        mjcf_put_unless(w, xml, "solreffriction", m->pair_solreffriction + 2 * p, none, 2);
    }
    mjcf_put_reals(w, xml, "solimp", m->pair_solimp + 5 * p, 5);
    mjcf_put_unless_zero(w, xml, "margin", m->mujoco == SAL_MUJOCO_222 ? detect : include);
    mjcf_put_unless_zero(w, xml, "gap", detect - include);
    mjcf_put_unless_zero(w, xml, "adhesion", m->pair_adhesion[p]);
}

/* Ends of a connect or weld: sites if they were given so, else bodies. */
static void put_ends(mjcf_writer *w, sal_xml *xml, int i)
{
    const sal_model *m = w->m;
    const int *site = m->eq_site + 2 * i;
    if (site[0] >= 0) {
        mjcf_put(w, xml, "site1", sal_model_name(m, SAL_OBJ_SITE, site[0]));
        mjcf_put(w, xml, "site2", sal_model_name(m, SAL_OBJ_SITE, site[1]));
        return;
    }
    mjcf_put(w, xml, "body1", sal_model_name(m, SAL_OBJ_BODY, m->eq_obj1id[i]));
    if (m->eq_obj2id[i] > 0) {
        mjcf_put(w, xml, "body2", sal_model_name(m, SAL_OBJ_BODY, m->eq_obj2id[i]));
    }
    mjcf_put_reals(w, xml, "anchor", m->eq_data + 11 * i, 3);
    if (m->eq_type[i] == SAL_EQ_WELD) {
        mjcf_put_reals(w, xml, "relpose", m->eq_data + 11 * i + 3, 7);
    }
}

static void write_equality(mjcf_writer *w, sal_xml *list, int i)
{
    static const char *const tags[] = {"connect", "weld", "joint", "tendon"};
    static const char *const law[2] = {"solref", "solimp"};
    const sal_model *m = w->m;
    const int type = m->eq_type[i];
    sal_xml *xml = mjcf_put_element(w, list, tags[type]);
    mjcf_put_name(w, xml, SAL_OBJ_EQUALITY, i);
    if (!m->eq_active[i]) {
        mjcf_put(w, xml, "active", "false");
    }
    if (type == SAL_EQ_JOINT || type == SAL_EQ_TENDON) {
        const bool joint = type == SAL_EQ_JOINT;
        const sal_object object = joint ? SAL_OBJ_JOINT : SAL_OBJ_TENDON;
        mjcf_put(w, xml, joint ? "joint1" : "tendon1", sal_model_name(m, object, m->eq_obj1id[i]));
        if (m->eq_obj2id[i] >= 0) {
            mjcf_put(w, xml, joint ? "joint2" : "tendon2",
                     sal_model_name(m, object, m->eq_obj2id[i]));
        }
        mjcf_put_reals(w, xml, "polycoef", m->eq_data + 11 * i, 5);
    } else {
        put_ends(w, xml, i);
    }
    if (type == SAL_EQ_WELD) {
        mjcf_put_real(w, xml, "torquescale", m->eq_data[11 * i + 10]);
    }
    mjcf_put_law(w, xml, law, m->eq_solref + 2 * i, m->eq_solimp + 5 * i);
}

static void write_wrap(mjcf_writer *w, sal_xml *tendon, int i)
{
    static const char *const tags[] = {"joint", "pulley", "site", "geom", "geom"};
    const sal_model *m = w->m;
    const int type = m->wrap_type[i], id = m->wrap_objid[i];
    sal_xml *xml = mjcf_put_element(w, tendon, tags[type]);
    char made[96];
    switch ((sal_wrap_type)type) {
    case SAL_WRAP_JOINT:
        mjcf_put(w, xml, "joint", sal_model_name(m, SAL_OBJ_JOINT, id));
        mjcf_put_real(w, xml, "coef", m->wrap_prm[i]);
        break;
    case SAL_WRAP_PULLEY:
        mjcf_put_real(w, xml, "divisor", m->wrap_prm[i]);
        break;
    case SAL_WRAP_SITE:
        mjcf_put(w, xml, "site", sal_model_name(m, SAL_OBJ_SITE, id));
        break;
    case SAL_WRAP_SPHERE:
    case SAL_WRAP_CYLINDER:
        mjcf_put(w, xml, "geom", mjcf_geom_name(w, id, made));
        if (m->wrap_side[i] >= 0) {
            mjcf_put(w, xml, "sidesite", sal_model_name(m, SAL_OBJ_SITE, m->wrap_side[i]));
        }
        break;
    }
}

static void write_tendon(mjcf_writer *w, sal_xml *list, int t)
{
    static const char *const limit_law[2] = {"solreflimit", "solimplimit"};
    static const char *const friction_law[2] = {"solreffriction", "solimpfriction"};
    const sal_model *m = w->m;
    const int adr = m->tendon_adr[t];
    const double *range = m->tendon_range + 2 * t, *rest = m->tendon_lengthspring + 2 * t;
    sal_xml *xml =
        mjcf_put_element(w, list, m->wrap_type[adr] == SAL_WRAP_JOINT ? "fixed" : "spatial");
    mjcf_put_name(w, xml, SAL_OBJ_TENDON, t);
    mjcf_put_bool(w, xml, "limited", m->tendon_limited[t]);
    if (range[0] != 0 || range[1] != 0) {
        mjcf_put_reals(w, xml, "range", range, 2);
    }
    mjcf_put_unless_zero(w, xml, "margin", m->tendon_margin[t]);
    mjcf_put_reals(w, xml, "springlength", rest, rest[0] == rest[1] ? 1 : 2);
    mjcf_put_polynomial(w, xml, "stiffness", m->tendon_stiffness[t],
                        m->tendon_stiffnesspoly + 2 * t);
    mjcf_put_polynomial(w, xml, "damping", m->tendon_damping[t], m->tendon_dampingpoly + 2 * t);
    mjcf_put_unless_zero(w, xml, "armature", m->tendon_armature[t]);
    mjcf_put_unless_zero(w, xml, "frictionloss", m->tendon_frictionloss[t]);
    if (m->tendon_actfrclimited[t]) {
        mjcf_put_bool(w, xml, "actuatorfrclimited", true);
        mjcf_put_reals(w, xml, "actuatorfrcrange", m->tendon_actfrcrange + 2 * t, 2);
    }
    mjcf_put_law(w, xml, limit_law, m->tendon_solref_lim + 2 * t, m->tendon_solimp_lim + 5 * t);
    mjcf_put_law(w, xml, friction_law, m->tendon_solref_fri + 2 * t, m->tendon_solimp_fri + 5 * t);
    for (int i = adr; i < adr + m->tendon_num[t]; i++) {
        write_wrap(w, xml, i);
    }
}

static void put_transmission(mjcf_writer *w, sal_xml *xml, int i)
{
    static const struct {
        sal_object object;
        const char *attr, *ref;
    } kinds[] = {
        [SAL_TRN_JOINT] = {SAL_OBJ_JOINT, "joint", NULL},
        [SAL_TRN_TENDON] = {SAL_OBJ_TENDON, "tendon", NULL},
        [SAL_TRN_SITE] = {SAL_OBJ_SITE, "site", "refsite"},
        [SAL_TRN_SLIDERCRANK] = {SAL_OBJ_SITE, "cranksite", "slidersite"},
        [SAL_TRN_BODY] = {SAL_OBJ_BODY, "body", NULL},
    };
    const sal_model *m = w->m;
    const int type = m->actuator_trntype[i];
    mjcf_put(w, xml, m->actuator_inparent[i] ? "jointinparent" : kinds[type].attr,
             sal_model_name(m, kinds[type].object, m->actuator_trnid[i]));
    if (m->actuator_refid[i] >= 0) {
        mjcf_put(w, xml, kinds[type].ref, sal_model_name(m, SAL_OBJ_SITE, m->actuator_refid[i]));
    }
    if (type == SAL_TRN_SLIDERCRANK) {
        mjcf_put_real(w, xml, "cranklength", m->actuator_cranklength[i]);
    }
}

static void put_activation(mjcf_writer *w, sal_xml *xml, int i)
{
    static const char *const words[] = {"none", "integrator", "filter", "filterexact", "muscle"};
    const sal_model *m = w->m;
    mjcf_put(w, xml, "dyntype", words[m->actuator_dyntype[i]]);
    mjcf_put_reals(w, xml, "dynprm", m->actuator_dynprm + 10 * i, 10);
    if (m->actuator_actadr[i] >= 0) {
        mjcf_put_bool(w, xml, "actlimited", m->actuator_actlimited[i]);
        mjcf_put_reals(w, xml, "actrange", m->actuator_actrange + 2 * i, 2);
        if (m->actuator_actearly[i]) {
            mjcf_put_bool(w, xml, "actearly", true);
        }
    }
}

/* interval: of a sensor, else NULL */
static void put_history(mjcf_writer *w, sal_xml *xml, const int history[2], double delay,
                        const double *interval)
{
    static const char *const words[] = {"zoh", "linear", "cubic"};
    if (history[0] == 0) {
        return;
    }
    mjcf_put_int(w, xml, "nsample", history[0]);
    mjcf_put(w, xml, "interp", words[history[1]]);
    mjcf_put_unless_zero(w, xml, "delay", delay);
    if (interval != NULL && (interval[0] != 0 || interval[1] != 0)) {
        mjcf_put_reals(w, xml, "interval", interval, 2);
    }
}

/* The group, the delay */
static void put_rest(mjcf_writer *w, sal_xml *xml, int i)
{
    const sal_model *m = w->m;
    if (m->actuator_group[i] != 0) {
        mjcf_put_int(w, xml, "group", m->actuator_group[i]);
    }
    put_history(w, xml, m->actuator_history + 2 * i, m->actuator_delay[i], NULL);
}

/* The control's range, and these */
static void put_common(mjcf_writer *w, sal_xml *xml, int i)
{
    if (w->m->actuator_ctrllimited[i]) {
        mjcf_put_reals(w, xml, "ctrlrange", w->m->actuator_ctrlrange + 2 * i, 2);
    }
    put_rest(w, xml, i);
}

static void begin_actuator(mjcf_writer *w, sal_xml *xml, int i)
{
    mjcf_put_name(w, xml, SAL_OBJ_ACTUATOR, i);
    put_transmission(w, xml, i);
    mjcf_put_reals(w, xml, "gear", w->m->actuator_gear + 6 * i, 6);
}

/* What controls a motor, and what feeds it */
static void put_inputs(mjcf_writer *w, sal_xml *xml, int i)
{
    static const char *const words[] = {"pos", "vel", "ff", "voltage"};
    const double *gain = w->m->actuator_gainprm + 10 * i;
    char text[32];
    int n = snprintf(text, sizeof text, "%s", words[(int)gain[8]]);
    for (int k = 1; k <= (int)gain[6]; k++) {
        const int input = (int)w->m->actuator_gainprm[10 * (i + k) + 3];
        n += snprintf(text + n, sizeof text - (size_t)n, " %s", words[input]);
    }
    mjcf_put(w, xml, "input", text);
}

/* A <pid> with a state, or the first of several */
static void write_pid(mjcf_writer *w, sal_xml *list, int i)
{
    static const char *const ranges[] = {"posrange", "velrange", "ffrange"};
    const sal_model *m = w->m;
    const double *dyn = m->actuator_dynprm + 10 * i;
    sal_xml *xml = mjcf_put_element(w, list, "pid");
    begin_actuator(w, xml, i);
    put_inputs(w, xml, i);
    mjcf_put_real(w, xml, "kp", 0 - m->actuator_biasprm[10 * i + 1]);
    mjcf_put_real(w, xml, "kv", 0 - m->actuator_biasprm[10 * i + 2]);
    mjcf_put_real(w, xml, "ki", m->actuator_gainprm[10 * i + 5]);
    mjcf_put_real(w, xml, "imax", dyn[8]);
    mjcf_put_real(w, xml, "slewmax", dyn[7]);
    if (m->actuator_forcelimited[i]) {
        mjcf_put_reals(w, xml, "forcerange", m->actuator_forcerange + 2 * i, 2);
    }
    for (int k = i; k <= i + (int)m->actuator_gainprm[10 * i + 6]; k++) {
        const int input = (int)m->actuator_gainprm[10 * k + (k == i ? 8 : 3)];
        if (m->actuator_ctrllimited[k]) {
            mjcf_put_reals(w, xml, ranges[input], m->actuator_ctrlrange + 2 * k, 2);
        }
    }
    put_rest(w, xml, i);
}

/* Cogging and the range of the force */
static void end_dcmotor(mjcf_writer *w, sal_xml *xml, int i, double rate)
{
    const sal_model *m = w->m;
    const double most = m->actuator_forcelimited[i] ? m->actuator_forcerange[2 * i + 1] : 0;
    const double saturation[3] = {most, 0, rate};
    if (m->actuator_biastype[i] == SAL_BIAS_COGGING) {
        mjcf_put_reals(w, xml, "cogging", m->actuator_biasprm + 10 * i + 3, 3);
    }
    if (most > 0 || rate > 0) {
        mjcf_put_reals(w, xml, "saturation", saturation, rate > 0 ? 3 : 1);
    }
    put_common(w, xml, i);
}

/* A <dcmotor> with a state or a largest voltage, or the first of several */
static void write_motor(mjcf_writer *w, sal_xml *list, int i)
{
    const sal_model *m = w->m;
    const double *dyn = m->actuator_dynprm + 10 * i, *gain = m->actuator_gainprm + 10 * i;
    const double *bias = m->actuator_biasprm + 10 * i;
    const bool voltage = gain[8] == 3;
    const double controller[6] = {
        voltage ? 0 : 0 - bias[1], gain[5], voltage ? 0 : 0 - bias[2], dyn[7], dyn[8], gain[7]};
    const double inductance[2] = {0, dyn[0]};
    const double thermal[6] = {dyn[2], dyn[3], 0, gain[2], gain[3], dyn[4]};
    sal_xml *xml = mjcf_put_element(w, list, "dcmotor");
    begin_actuator(w, xml, i);
    mjcf_put_real(w, xml, "motorconst", gain[1]);
    mjcf_put_real(w, xml, "resistance", gain[4]);
    put_inputs(w, xml, i);
    mjcf_put_reals(w, xml, "controller", controller, 6);
    mjcf_put_reals(w, xml, "inductance", inductance, 2);
    mjcf_put_reals(w, xml, "thermal", thermal, 6);
    if (dyn[5] > 0) {
        const double lugre[5] = {dyn[5], dyn[6], bias[6], bias[7], bias[8]};
        mjcf_put_reals(w, xml, "lugre", lugre, 5);
    }
    end_dcmotor(w, xml, i, dyn[1]);
}

/* A <dcmotor> that does the same: one of these inputs gives force = gain u + b1 l + b2 ldot, with
 * the motor constant K and the resistance R where K/R is the gain and K^2/R = -b2. */
static void write_dcmotor(mjcf_writer *w, sal_xml *list, int i)
{
    const sal_model *m = w->m;
    const double gain = m->actuator_gainprm[10 * i], *bias = m->actuator_biasprm + 10 * i;
    const bool pos = gain == -bias[1] && gain != 0, voltage = bias[1] == 0 && bias[2] < 0;
    const double K = voltage && !pos ? -bias[2] / gain : 1, R = voltage && !pos ? K / gain : 1;
    const double controller[3] = {-bias[1], 0, -bias[2]};
    sal_xml *xml = mjcf_put_element(w, list, "dcmotor");
    begin_actuator(w, xml, i);
    mjcf_put_real(w, xml, "motorconst", K);
    mjcf_put_real(w, xml, "resistance", R);
    if (pos || !voltage) {
        mjcf_put(w, xml, "input", pos ? "pos" : gain == -bias[2] ? "vel" : "ff");
        mjcf_put_reals(w, xml, "controller", controller, 3);
    }
    end_dcmotor(w, xml, i, 0);
}

/* Of three or four actuators, once: i is the first */
static void write_orientation(mjcf_writer *w, sal_xml *list, int i)
{
    const sal_model *m = w->m;
    const bool quat = m->actuator_gainprm[10 * i + 3] != 0;
    const int axis = quat ? i + 1 : i;
    const double *gain = m->actuator_gainprm + 10 * axis, range[2] = {0, gain[2]};
    sal_xml *xml = mjcf_put_element(w, list, "orientation");
    mjcf_put_name(w, xml, SAL_OBJ_ACTUATOR, i);
    put_transmission(w, xml, i);
    mjcf_put(w, xml, "input", quat ? "quat" : "expmap");
    mjcf_put_real(w, xml, "kp", gain[0]);
    mjcf_put_real(w, xml, "kv", -m->actuator_biasprm[10 * axis + 2]);
    if (gain[2] > 0) {
        mjcf_put_reals(w, xml, "forcerange", range, 2);
    }
    put_common(w, xml, i);
}

static void write_actuator(mjcf_writer *w, sal_xml *list, int i)
{
    static const char *const gains[] = {"fixed", "affine", "muscle"};
    static const char *const biases[] = {"none", "affine", "muscle"};
    const sal_model *m = w->m;
    const double *lengths = m->actuator_lengthrange + 2 * i;
    if (m->actuator_gaintype[i] == SAL_GAIN_ORIENTATION) {
        const double *gain = m->actuator_gainprm + 10 * i;
        if (gain[1] == (gain[3] != 0 ? -1 : 0)) {
            write_orientation(w, list, i);
        }
        return;
    }
    if (phy_motor_fed_by(m, i) >= 0) {
        return;
    }
    if (m->actuator_dyntype[i] == SAL_DYN_MOTOR) {
        const bool electric = m->actuator_gainprm[10 * i + 1] > 0;
        (electric ? write_motor : write_pid)(w, list, i);
        return;
    }
    if (m->actuator_biastype[i] == SAL_BIAS_COGGING) {
        write_dcmotor(w, list, i);
        return;
    }
    sal_xml *xml = mjcf_put_element(w, list, "general");
    begin_actuator(w, xml, i);
    if (m->actuator_dyntype[i] != SAL_DYN_NONE) {
        put_activation(w, xml, i);
    }
    if (lengths[0] < lengths[1]) {
        mjcf_put_reals(w, xml, "lengthrange", lengths, 2);
    }
    mjcf_put(w, xml, "gaintype", gains[m->actuator_gaintype[i]]);
    mjcf_put(w, xml, "biastype", biases[m->actuator_biastype[i]]);
    mjcf_put_reals(w, xml, "gainprm", m->actuator_gainprm + 10 * i, 10);
    mjcf_put_reals(w, xml, "biasprm", m->actuator_biasprm + 10 * i, 10);
    mjcf_put_bool(w, xml, "ctrllimited", m->actuator_ctrllimited[i]);
    mjcf_put_reals(w, xml, "ctrlrange", m->actuator_ctrlrange + 2 * i, 2);
    mjcf_put_bool(w, xml, "forcelimited", m->actuator_forcelimited[i]);
    mjcf_put_reals(w, xml, "forcerange", m->actuator_forcerange + 2 * i, 2);
    if (m->actuator_group[i] != 0) {
        mjcf_put_int(w, xml, "group", m->actuator_group[i]);
    }
    put_history(w, xml, m->actuator_history + 2 * i, m->actuator_delay[i], NULL);
}

static void put_object(mjcf_writer *w, sal_xml *xml, const char *type_attr, const char *name_attr,
                       int type, int id)
{
    char made[96];
    const char *name = type == SAL_OBJ_GEOM ? mjcf_geom_name(w, id, made)
                                            : sal_model_name(w->m, (sal_object)type, id);
    if (type_attr != NULL) {
        static const char *const words[] = {
            [SAL_OBJ_BODY] = "body",     [SAL_OBJ_XBODY] = "xbody",
            [SAL_OBJ_JOINT] = "joint",   [SAL_OBJ_GEOM] = "geom",
            [SAL_OBJ_SITE] = "site",     [SAL_OBJ_CAMERA] = "camera",
            [SAL_OBJ_TENDON] = "tendon", [SAL_OBJ_ACTUATOR] = "actuator"};
        mjcf_put(w, xml, type_attr, words[type]);
    }
    mjcf_put(w, xml, name_attr, name);
}

/* The words of the bits */
static void put_data(mjcf_writer *w, sal_xml *xml, int bits, const char *const *words, int n)
{
    char data[64] = "";
    for (int k = 0; k < n; k++) {
        if (bits & (1 << k)) {
            const size_t used = strlen(data);
            snprintf(data + used, sizeof data - used, "%s%s", used == 0 ? "" : " ", words[k]);
        }
    }
    mjcf_put(w, xml, "data", data);
}

static void put_ray_sensor(mjcf_writer *w, sal_xml *xml, int i)
{
    static const char *const words[] = {
#define RAY_WORD(code, word, numbers) word,
        SAL_RAY_DATA_LIST(RAY_WORD)
#undef RAY_WORD
    };
    const int type = w->m->sensor_objtype[i], bits = w->m->sensor_intprm[3 * i];
    put_object(w, xml, NULL, type == SAL_OBJ_CAMERA ? "camera" : "site", type,
               w->m->sensor_objid[i]);
    if (bits != 1 << SAL_RAYDATA_DIST) {
        put_data(w, xml, bits, words, SAL_NRAYDATA);
    }
}

static void put_contact_sensor(mjcf_writer *w, sal_xml *xml, int i)
{
    static const char *const words[] = {
#define DATA_WORD(code, word, numbers) word,
        SAL_CONTACT_DATA_LIST(DATA_WORD)
#undef DATA_WORD
    };
    static const char *const reduces[] = {"none", "mindist", "maxforce", "netforce"};
    static const char *const attrs[2][SAL_OBJ_NONE] = {
        {[SAL_OBJ_GEOM] = "geom1",
         [SAL_OBJ_BODY] = "body1",
         [SAL_OBJ_XBODY] = "subtree1",
         [SAL_OBJ_SITE] = "site"},
        {[SAL_OBJ_GEOM] = "geom2", [SAL_OBJ_BODY] = "body2", [SAL_OBJ_XBODY] = "subtree2"}};
    const sal_model *m = w->m;
    const int *prm = m->sensor_intprm + 3 * i;
    const int type[2] = {m->sensor_objtype[i], m->sensor_reftype[i]};
    const int id[2] = {m->sensor_objid[i], m->sensor_refid[i]};
    for (int k = 0; k < 2; k++) {
        if (type[k] != SAL_OBJ_NONE) {
            put_object(w, xml, NULL, attrs[k][type[k]], type[k], id[k]);
        }
    }
    put_data(w, xml, prm[0], words, SAL_NCONDATA);
    mjcf_put(w, xml, "reduce", reduces[prm[1]]);
    mjcf_put_int(w, xml, "num", prm[2]);
}

static void write_sensor(mjcf_writer *w, sal_xml *list, int i)
{
    static const char *const tags[] = {
#define SENSOR_TAG(code, element, dim, stage, datatype) element,
        SAL_SENSOR_LIST(SENSOR_TAG)
#undef SENSOR_TAG
    };
    static const char *const stages[] = {"pos", "vel", "acc"};
    static const char *const datatypes[] = {"real", "positive", "axis", "quaternion"};
    static const char *const attrs[] = {[SAL_OBJ_BODY] = "body",
                                        [SAL_OBJ_JOINT] = "joint",
                                        [SAL_OBJ_SITE] = "site",
                                        [SAL_OBJ_TENDON] = "tendon",
                                        [SAL_OBJ_ACTUATOR] = "actuator"};
    const sal_model *m = w->m;
    const int type = m->sensor_type[i], object = m->sensor_objtype[i];
    sal_xml *xml = mjcf_put_element(w, list, tags[type]);
    mjcf_put_name(w, xml, SAL_OBJ_SENSOR, i);
    const bool user = type == SAL_SENS_USER;
    if (user && m->sensor_objid[i] < 0) {
        if (m->mujoco == SAL_MUJOCO_222) { /* it wants one */
            put_object(w, xml, "objtype", "objname", SAL_OBJ_BODY, 0);
        }
    } else if (type == SAL_SENS_INSIDESITE) {
        put_object(w, xml, "objtype", "objname", object, m->sensor_objid[i]);
        put_object(w, xml, NULL, "site", SAL_OBJ_SITE, m->sensor_refid[i]);
    } else if (type == SAL_SENS_RANGEFINDER) {
        put_ray_sensor(w, xml, i);
    } else if (type == SAL_SENS_CAMPROJECTION) {
        put_object(w, xml, NULL, "site", SAL_OBJ_SITE, m->sensor_objid[i]);
        put_object(w, xml, NULL, "camera", SAL_OBJ_CAMERA, m->sensor_refid[i]);
    } else if (type == SAL_SENS_CONTACT) {
        put_contact_sensor(w, xml, i);
    } else if (type == SAL_SENS_TACTILE) {
        put_object(w, xml, NULL, "geom", SAL_OBJ_GEOM, m->sensor_refid[i]);
        put_object(w, xml, NULL, "mesh", SAL_OBJ_MESH, m->sensor_objid[i]);
    } else if (type >= SAL_SENS_GEOMDIST && type <= SAL_SENS_GEOMFROMTO) {
        put_object(w, xml, NULL, object == SAL_OBJ_GEOM ? "geom1" : "body1", object,
                   m->sensor_objid[i]);
        put_object(w, xml, NULL, m->sensor_reftype[i] == SAL_OBJ_GEOM ? "geom2" : "body2",
                   m->sensor_reftype[i], m->sensor_refid[i]);
    } else if (user || (type >= SAL_SENS_FRAMEPOS && type <= SAL_SENS_FRAMEANGACC)) {
        put_object(w, xml, "objtype", "objname", object, m->sensor_objid[i]);
        if (m->sensor_refid[i] >= 0) {
            put_object(w, xml, "reftype", "refname", m->sensor_reftype[i], m->sensor_refid[i]);
        }
    } else if (m->sensor_objid[i] >= 0) {
        put_object(w, xml, NULL, attrs[object], object, m->sensor_objid[i]);
    }
    if (user) {
        mjcf_put(w, xml, "datatype", datatypes[m->sensor_datatype[i]]);
        mjcf_put_int(w, xml, "dim", m->sensor_dim[i]);
        mjcf_put(w, xml, "needstage", stages[m->sensor_stage[i]]);
    }
    mjcf_put_unless_zero(w, xml, "cutoff", m->sensor_cutoff[i]);
    mjcf_put_unless_zero(w, xml, "noise", m->sensor_noise[i]);
    put_history(w, xml, m->sensor_history + 2 * i, m->sensor_delay[i], m->sensor_interval + 2 * i);
    if (m->nuser_sensor > 0) {
        mjcf_put_reals(w, xml, "user", m->sensor_user + (size_t)i * (size_t)m->nuser_sensor,
                       m->nuser_sensor);
    }
}

static void write_key(mjcf_writer *w, sal_xml *list, int i)
{
    const sal_model *m = w->m;
    sal_xml *xml = mjcf_put_element(w, list, "key");
    mjcf_put_name(w, xml, SAL_OBJ_KEY, i);
    mjcf_put_unless_zero(w, xml, "time", m->key_time[i]);
    mjcf_put_reals(w, xml, "qpos", m->key_qpos + i * m->nq, m->nq);
    mjcf_put_reals(w, xml, "qvel", m->key_qvel + i * m->nv, m->nv);
    mjcf_put_reals(w, xml, "act", m->key_act + i * m->na, m->na);
    mjcf_put_reals(w, xml, "ctrl", m->key_ctrl + i * m->nu, m->nu);
    mjcf_put_reals(w, xml, "mpos", m->key_mpos + 3 * i * m->nmocap, 3 * m->nmocap);
    mjcf_put_reals(w, xml, "mquat", m->key_mquat + 4 * i * m->nmocap, 4 * m->nmocap);
}

static void write_custom(mjcf_writer *w, sal_xml *root)
{
    static const char *const words[] = {
        [SAL_OBJ_BODY] = "body",         [SAL_OBJ_XBODY] = "xbody",
        [SAL_OBJ_JOINT] = "joint",       [SAL_OBJ_GEOM] = "geom",
        [SAL_OBJ_SITE] = "site",         [SAL_OBJ_CAMERA] = "camera",
        [SAL_OBJ_EQUALITY] = "equality", [SAL_OBJ_TENDON] = "tendon",
        [SAL_OBJ_ACTUATOR] = "actuator", [SAL_OBJ_SENSOR] = "sensor",
        [SAL_OBJ_KEY] = "key",           [SAL_OBJ_NUMERIC] = "numeric",
        [SAL_OBJ_TEXT] = "text",         [SAL_OBJ_TUPLE] = "tuple"};
    const sal_model *m = w->m;
    const bool any = m->nnumeric + m->ntext + m->ntuple > 0;
    sal_xml *custom = any ? mjcf_put_element(w, root, "custom") : NULL;
    for (int i = 0; i < m->nnumeric; i++) {
        sal_xml *xml = mjcf_put_element(w, custom, "numeric");
        mjcf_put(w, xml, "name", sal_model_name(m, SAL_OBJ_NUMERIC, i));
        mjcf_put_reals(w, xml, "data", m->numeric_data + m->numeric_adr[i], m->numeric_size[i]);
    }
    for (int i = 0; i < m->ntext; i++) {
        sal_xml *xml = mjcf_put_element(w, custom, "text");
        mjcf_put(w, xml, "name", sal_model_name(m, SAL_OBJ_TEXT, i));
        mjcf_put(w, xml, "data", m->text_data + m->text_adr[i]);
    }
    for (int i = 0; i < m->ntuple; i++) {
        sal_xml *xml = mjcf_put_element(w, custom, "tuple");
        mjcf_put(w, xml, "name", sal_model_name(m, SAL_OBJ_TUPLE, i));
        for (int k = m->tuple_adr[i]; k < m->tuple_adr[i] + m->tuple_size[i]; k++) {
            const int type = m->tuple_objtype[k];
            sal_xml *one = type == SAL_OBJ_NONE ? NULL : mjcf_put_element(w, xml, "element");
            if (one != NULL) {
                mjcf_put(w, one, "objtype", words[type]);
                mjcf_put(w, one, "objname", sal_model_name(m, (sal_object)type, m->tuple_objid[k]));
                mjcf_put_real(w, one, "prm", m->tuple_objprm[k]);
            }
        }
    }
}

static void write_list(mjcf_writer *w, sal_xml *root, const char *tag, int n,
                       void (*write_one)(mjcf_writer *, sal_xml *, int))
{
    sal_xml *list = n > 0 ? mjcf_put_element(w, root, tag) : NULL;
    for (int i = 0; i < n && !w->nomem; i++) {
        write_one(w, list, i);
    }
}

void mjcf_write_lists(mjcf_writer *w, sal_xml *root)
{
    const sal_model *m = w->m;
    write_custom(w, root);
    if (w->spec != NULL) {
        mjcf_write_contact(w, root);
    } else {
        write_list(w, root, "contact", m->npair, write_pair);
    }
    write_list(w, root, "equality", m->neq, write_equality);
    write_list(w, root, "tendon", m->ntendon, write_tendon);
    write_list(w, root, "actuator", m->nu, write_actuator);
    write_list(w, root, "sensor", m->nsensor, write_sensor);
    write_list(w, root, "keyframe", m->nkey, write_key);
}
