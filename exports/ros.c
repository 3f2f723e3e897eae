/* ros.c: a motion as messages of ROS 2 in an MCAP file, which Foxglove, rerun and ROS 2's bags
 * read:
 *
 *     /tf                poses of the bodies in the frame "world": tf2_msgs/msg/TFMessage
 *     /joint_states      hinges and slides, position, velocity, force: sensor_msgs/msg/JointState
 *     /shapes            surfaces of the geoms, once: visualization_msgs/msg/MarkerArray
 *     /contact/BODY      what the ground does to a body, about the origin of "world":
 *                        geometry_msgs/msg/WrenchStamped
 *
 * Messages are in ROS's CDR (OMG, "DDS-XTypes", plain CDR, lowest byte first): a number of n bytes
 * begins at a multiple of n behind the four bytes that say so; a text has its length with the zero
 * at its end. ROS takes time 0 for none: a motion begins at 1 s.
 */
#include "exports/formats.h"
#include "exports/mcap.h"
#include "exports/solid.h"

#include "base/house.h"
#include "problems/result/diagnose.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double RATE = 60, BEGIN = 1, ENDLESS = 10; /* Hz; s; m, of a plane without end */
enum { FRAMES_OF_A_CHUNK = 60, TRIANGLE_LIST = 11, TOPIC = 160 };
enum { TF = 1, JOINTS, SHAPES, CONTACT };

/* ---- definitions ---- */

#define LINE   "================================================================================\n"
#define TIME   LINE "MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n"
#define HEADER LINE "MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n" TIME
#define VECTOR LINE "MSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n"
#define QUATERNION                                                                                 \
    LINE "MSG: geometry_msgs/Quaternion\nfloat64 x\nfloat64 y\nfloat64 z\nfloat64 w\n"
#define POINT  LINE "MSG: geometry_msgs/Point\nfloat64 x\nfloat64 y\nfloat64 z\n"
#define COLOUR LINE "MSG: std_msgs/ColorRGBA\nfloat32 r\nfloat32 g\nfloat32 b\nfloat32 a\n"

static const char tf_definition[] =
    "geometry_msgs/TransformStamped[] transforms\n" LINE "MSG: geometry_msgs/TransformStamped\n"
    "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform\n" LINE
    "MSG: geometry_msgs/Transform\ngeometry_msgs/Vector3 translation\n"
    "geometry_msgs/Quaternion rotation\n" HEADER VECTOR QUATERNION;
static const char joints_definition[] =
    "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\n"
    "float64[] effort\n" HEADER;
static const char contact_definition[] =
    "std_msgs/Header header\ngeometry_msgs/Wrench wrench\n" LINE "MSG: geometry_msgs/Wrench\n"
    "geometry_msgs/Vector3 force\ngeometry_msgs/Vector3 torque\n" HEADER VECTOR;
static const char shapes_definition[] =
    "visualization_msgs/Marker[] markers\n" LINE "MSG: visualization_msgs/Marker\n"
    "std_msgs/Header header\nstring ns\nint32 id\nint32 type\nint32 action\n"
    "geometry_msgs/Pose pose\ngeometry_msgs/Vector3 scale\nstd_msgs/ColorRGBA color\n"
    "builtin_interfaces/Duration lifetime\nbool frame_locked\ngeometry_msgs/Point[] points\n"
    "std_msgs/ColorRGBA[] colors\nstring texture_resource\nsensor_msgs/CompressedImage texture\n"
    "visualization_msgs/UVCoordinate[] uv_coordinates\nstring text\nstring mesh_resource\n"
    "visualization_msgs/MeshFile mesh_file\nbool mesh_use_embedded_materials\n" LINE
    "MSG: geometry_msgs/Pose\ngeometry_msgs/Point position\n"
    "geometry_msgs/Quaternion orientation\n" LINE "MSG: builtin_interfaces/Duration\nint32 sec\n"
    "uint32 nanosec\n" LINE "MSG: sensor_msgs/CompressedImage\nstd_msgs/Header header\n"
    "string format\nuint8[] data\n" LINE "MSG: visualization_msgs/UVCoordinate\nfloat32 u\n"
    "float32 v\n" LINE
    "MSG: visualization_msgs/MeshFile\nstring filename\nuint8[] data\n" HEADER VECTOR QUATERNION
        POINT COLOUR;

/* ---- CDR ---- */

enum { ENCAPSULATION = 4 };

static void begin_message(sal_text *out)
{
    static const char little[ENCAPSULATION] = {0, 1, 0, 0};
    out->length = 0;
    sal_text_addn(out, little, sizeof little);
}

/* A number as the machine has it, whose lowest byte is first, too */
static void put(sal_text *out, const void *number, size_t bytes)
{
    static const char zeros[8] = {0};
    const size_t over = (out->length - ENCAPSULATION) % bytes;
    sal_text_addn(out, zeros, over == 0 ? 0 : bytes - over);
    sal_text_addn(out, number, bytes);
}

static void put_int(sal_text *out, int value)
{
    put(out, &value, sizeof value);
}

static void put_reals(sal_text *out, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        put(out, x + i, sizeof *x);
    }
}

static void put_floats(sal_text *out, const float *x, int n)
{
    for (int i = 0; i < n; i++) {
        put(out, x + i, sizeof *x);
    }
}

static void put_string(sal_text *out, const char *text)
{
    put_int(out, (int)strlen(text) + 1);
    sal_text_addn(out, text, strlen(text) + 1);
}

static uint64_t nanoseconds(double time)
{
    return (uint64_t)llround((BEGIN + time) * 1e9);
}

static void put_header(sal_text *out, double time, const char *frame)
{
    const uint64_t at = nanoseconds(time);
    put_int(out, (int)(at / 1000000000));
    put_int(out, (int)(at % 1000000000));
    put_string(out, frame);
}

/* ---- messages ---- */

typedef struct bag {
    exp_frames f;
    const sal_model *m;
    exp_mcap file;
    sal_text message;
    /* [nbody] channel of the contacts of a body; 0: it has none */
    int *contact;
    exp_load *load;
    /* [ngeom] those that are shown */
    int *geom;
} bag;

/* A body's name, or its number: frames need one. */
static const char *frame_of(const bag *b, int body, char name[PRB_COLUMN_NAME])
{
    prb_object_name(name, b->m, SAL_OBJ_BODY, body);
    return body == 0 ? "world" : name;
}

static void put_quaternion(sal_text *out, const double *wxyz)
{
    put_reals(out, wxyz + 1, 3);
    put_reals(out, wxyz, 1);
}

static void write_transforms(bag *b, int k)
{
    char name[PRB_COLUMN_NAME];
    sal_text *out = &b->message;
    begin_message(out);
    put_int(out, b->m->nbody - 1);
    for (int i = 1; i < b->m->nbody; i++) {
        const ptrdiff_t at = (ptrdiff_t)k * b->m->nbody + i;
        put_header(out, b->f.time[k], "world");
        put_string(out, frame_of(b, i, name));
        put_reals(out, b->f.xpos + 3 * at, 3);
        put_quaternion(out, b->f.xquat + 4 * at);
    }
    exp_mcap_write(&b->file, TF, nanoseconds(b->f.time[k]), out);
}

static bool is_scalar(const sal_model *m, int j)
{
    return m->jnt_type[j] == SAL_JNT_HINGE || m->jnt_type[j] == SAL_JNT_SLIDE;
}

static int count_scalar(const sal_model *m)
{
    int n = 0;
    for (int j = 0; j < m->njnt; j++) {
        n += is_scalar(m, j);
    }
    return n;
}

/* One number of each hinge and slide, at `address` in x */
static void put_joints(bag *b, const int *address, const double *x)
{
    put_int(&b->message, count_scalar(b->m));
    for (int j = 0; j < b->m->njnt; j++) {
        if (is_scalar(b->m, j)) {
            put_reals(&b->message, x + address[j], 1);
        }
    }
}

static void write_joints(bag *b, int k)
{
    const sal_model *m = b->m;
    char name[PRB_COLUMN_NAME];
    begin_message(&b->message);
    put_header(&b->message, b->f.time[k], "");
    put_int(&b->message, count_scalar(m));
    for (int j = 0; j < m->njnt; j++) {
        if (is_scalar(m, j)) {
            prb_object_name(name, m, SAL_OBJ_JOINT, j);
            put_string(&b->message, name);
        }
    }
    put_joints(b, m->jnt_qposadr, b->f.qpos + (ptrdiff_t)k * m->nq);
    put_joints(b, m->jnt_dofadr, b->f.qvel + (ptrdiff_t)k * m->nv);
    put_joints(b, m->jnt_dofadr, b->f.r->qfrc_actuator + (ptrdiff_t)b->f.step[k] * m->nv);
    exp_mcap_write(&b->file, JOINTS, nanoseconds(b->f.time[k]), &b->message);
}

static void write_contacts(bag *b, int k)
{
    exp_loads(b->f.r, b->f.step[k], true, b->load);
    for (int i = 0; i < b->m->nbody; i++) {
        if (b->contact[i] != 0) {
            begin_message(&b->message);
            put_header(&b->message, b->f.time[k], "world");
            put_reals(&b->message, b->load[i].force, 3);
            put_reals(&b->message, b->load[i].moment, 3);
            exp_mcap_write(&b->file, b->contact[i], nanoseconds(b->f.time[k]), &b->message);
        }
    }
}

/* ---- shapes ---- */

static void put_marker(bag *b, int geom, const exp_solid *s)
{
    static const double one[3] = {1, 1, 1};
    const sal_model *m = b->m;
    char name[PRB_COLUMN_NAME];
    sal_text *out = &b->message;
    put_header(out, 0, frame_of(b, m->geom_bodyid[geom], name));
    put_string(out, "geoms");
    put_int(out, geom);
    put_int(out, TRIANGLE_LIST);
    put_int(out, 0); /* add */
    put_reals(out, m->geom_pos + 3 * (ptrdiff_t)geom, 3);
    put_quaternion(out, m->geom_quat + 4 * (ptrdiff_t)geom);
    put_reals(out, one, 3);
    put_floats(out, m->geom_rgba + 4 * (ptrdiff_t)geom, 4);
    put_int(out, 0), put_int(out, 0); /* for ever */
    put(out, &(char){1}, 1);          /* it moves with its frame */
    put_int(out, 3 * s->ntriangle);
    for (int i = 0; i < 3 * s->ntriangle; i++) {
        for (int k = 0; k < 3; k++) {
            put_reals(out, &(double){(double)s->vertex[3 * s->corner[i] + (unsigned)k]}, 1);
        }
    }
    put_int(out, 0);                          /* colours */
    put_string(out, "");                      /* texture */
    put_int(out, 0), put_int(out, 0);         /* its image: time, */
    put_string(out, ""), put_string(out, ""); /* frame, format, */
    put_int(out, 0), put_int(out, 0);         /* bytes; places in it */
    put_string(out, ""), put_string(out, ""); /* text; a mesh, */
    put_string(out, ""), put_int(out, 0);     /* its file, */
    put(out, &(char){0}, 1);                  /* and materials */
}

static sal_status write_shapes(bag *b, sal_err *err)
{
    sal_status status = SAL_OK;
    const int n = exp_solid_shown(b->m, b->geom);
    begin_message(&b->message);
    put_int(&b->message, n);
    for (int i = 0; i < n && status == SAL_OK; i++) {
        exp_solid s = {0};
        status = exp_solid_new(&s, b->m, b->geom[i], ENDLESS, err);
        if (status == SAL_OK) {
            put_marker(b, b->geom[i], &s);
        }
        exp_solid_clear(&s);
    }
    exp_mcap_write(&b->file, SHAPES, nanoseconds(0), &b->message);
    return status;
}

/* ---- the file ---- */

/* Letters, digits and _ alone may stand in the name of a topic. */
static void topic_of(const bag *b, int body, char topic[TOPIC])
{
    char name[PRB_COLUMN_NAME];
    snprintf(topic, TOPIC, "/contact/%.120s", frame_of(b, body, name));
    for (char *c = topic + strlen("/contact/"); *c != 0; c++) {
        *c = isalnum((unsigned char)*c) ? *c : '_';
    }
}

/* A channel for each body that the ground carries at some time. */
static int find_contacts(bag *b)
{
    int n = 0;
    for (int t = 0; t < b->f.r->nstep; t++) {
        exp_loads(b->f.r, t, true, b->load);
        for (int i = 0; i < b->m->nbody; i++) {
            b->contact[i] |= b->load[i].normal > 0;
        }
    }
    for (int i = 0; i < b->m->nbody; i++) {
        b->contact[i] = b->contact[i] ? CONTACT + n++ : 0;
    }
    return n;
}

static void define(bag *b)
{
    char topic[TOPIC];
    exp_mcap_schema(&b->file, "tf2_msgs/msg/TFMessage", "ros2msg", tf_definition);
    exp_mcap_schema(&b->file, "sensor_msgs/msg/JointState", "ros2msg", joints_definition);
    exp_mcap_schema(&b->file, "visualization_msgs/msg/MarkerArray", "ros2msg", shapes_definition);
    exp_mcap_schema(&b->file, "geometry_msgs/msg/WrenchStamped", "ros2msg", contact_definition);
    exp_mcap_channel(&b->file, TF, "/tf", "cdr");
    exp_mcap_channel(&b->file, JOINTS, "/joint_states", "cdr");
    exp_mcap_channel(&b->file, SHAPES, "/shapes", "cdr");
    for (int i = 0; i < b->m->nbody; i++) {
        if (b->contact[i] != 0) {
            topic_of(b, i, topic);
            exp_mcap_channel(&b->file, CONTACT, topic, "cdr");
        }
    }
}

static sal_status write_file(bag *b, sal_text *out, sal_err *err)
{
    const int channels = CONTACT - 1 + find_contacts(b);
    sal_status status =
        exp_mcap_begin(&b->file, out, "ros2", channels, 1 + channels * FRAMES_OF_A_CHUNK,
                       b->f.n / FRAMES_OF_A_CHUNK + 1, err);
    if (status != SAL_OK) {
        return status;
    }
    define(b);
    status = write_shapes(b, err);
    for (int k = 0; k < b->f.n; k++) {
        write_transforms(b, k);
        write_joints(b, k);
        write_contacts(b, k);
        if ((k + 1) % FRAMES_OF_A_CHUNK == 0) {
            exp_mcap_end_chunk(&b->file);
        }
    }
    exp_mcap_end(&b->file);
    return status;
}

sal_status exp_write_ros(sal_export *out, const sal_result *r, const sal_export_options *options,
                         sal_err *err)
{
    bag b = {.m = r->model};
    const size_t nbody = (size_t)r->model->nbody;
    sal_status status = exp_frames_new(&b.f, r, options, RATE, err);
    b.contact = sal_alloc(nbody, sizeof *b.contact);
    b.load = sal_alloc(nbody, sizeof *b.load);
    b.geom = sal_alloc((size_t)r->model->ngeom + 1, sizeof *b.geom);
    if (status == SAL_OK && (b.contact == NULL || b.load == NULL || b.geom == NULL)) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for an export");
    }
    status = status == SAL_OK ? write_file(&b, &out->file[0].text, err) : status;
    exp_mcap_clear(&b.file);
    exp_frames_clear(&b.f);
    sal_text_clear(&b.message);
    sal_free(b.contact);
    sal_free(b.load);
    sal_free(b.geom);
    return status;
}
