/* read_body.c: the tree of bodies, and what stands in them. */
#include "mjcf/attach/attach.h"
#include "mjcf/compile.h"
#include "mjcf/reader.h"

#include <string.h>

enum { DEPTH_MAX = 500 };

/* Where the reader is in the tree. */
typedef struct place_in_tree {
    spec_body *body;
    const spec_class *class; /* the innermost childclass; NULL: main */
    const spec_frame *frame; /* of the <frame>s between the body and here */
    int depth;
} here;

static spec_head head_of(sal_xml *xml)
{
    return (spec_head){.xml = xml};
}

/* Of a record that is its class's */
static void take_over(spec_head *head, sal_xml *xml)
{
    *head = (spec_head){.xml = xml, .nuser = head->nuser};
}

static void read_joint(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, const here *at)
{
    spec_joint joint = mjcf_class_of(r, xml, at->class)->joint;
    take_over(&joint.head, xml);
    joint.frame = at->frame;
    mjcf_read_attrs(r, rule, xml, false, &joint);
    spec_keep(r->spec, &at->body->joint, &joint, sizeof joint);
}

/* A free joint with nothing from default classes. */
static void read_freejoint(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, const here *at)
{
    spec_joint joint = spec_joint_default(SAL_JNT_FREE);
    joint.head = head_of(xml);
    mjcf_read_attrs(r, rule, xml, false, &joint);
    spec_keep(r->spec, &at->body->joint, &joint, sizeof joint);
}

static void read_geom(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, const here *at)
{
    spec_geom geom = mjcf_class_of(r, xml, at->class)->geom;
    take_over(&geom.head, xml);
    geom.frame = at->frame;
    mjcf_read_attrs(r, rule, xml, false, &geom);
    spec_keep(r->spec, &at->body->geom, &geom, sizeof geom);
}

static void read_site(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, const here *at)
{
    spec_site site = mjcf_class_of(r, xml, at->class)->site;
    take_over(&site.head, xml);
    site.frame = at->frame;
    mjcf_read_attrs(r, rule, xml, false, &site);
    spec_keep(r->spec, &at->body->site, &site, sizeof site);
}

static void read_camera(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, const here *at)
{
    spec_camera camera = mjcf_class_of(r, xml, at->class)->camera;
    take_over(&camera.head, xml);
    camera.frame = at->frame;
    mjcf_read_attrs(r, rule, xml, false, &camera);
    spec_keep(r->spec, &at->body->camera, &camera, sizeof camera);
}

static void read_inertial(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, const here *at)
{
    spec_inertial inertial = {
        .head = head_of(xml), .frame = at->frame, .pose = spec_pose_default()};
    inertial.diaginertia[0] = inertial.fullinertia[0] = (double)NAN;
    mjcf_read_attrs(r, rule, xml, false, &inertial);
    if (at->body->inertial != NULL) {
        mjcf_error(r, xml->place, NULL,
                   "this is a second <inertial> of the same body; a body can have only one");
        return;
    }
    spec_inertial *kept = spec_take(r->spec, 1, sizeof *kept);
    if (kept != NULL) {
        *kept = inertial;
        at->body->inertial = kept;
    }
}

static void read_children(mjcf_reader *r, sal_xml *xml, const here *at);

static spec_body empty_body(sal_xml *xml)
{
    return (spec_body){.head = head_of(xml), .pose = spec_pose_default()};
}

static void read_body(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, const here *at)
{
    spec_body body = empty_body(xml);
    body.parent = at->body;
    body.frame = at->frame;
    mjcf_read_attrs(r, rule, xml, false, &body);
    spec_body *kept = spec_keep(r->spec, &r->spec->body, &body, sizeof body);
    if (kept != NULL) {
        const here inner = {kept, mjcf_class_of(r, xml, at->class), NULL, at->depth + 1};
        read_children(r, xml, &inner);
    }
}

/* <frame>: its pose goes in front of the poses of its children, and it is gone. */
static void read_frame(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, const here *at)
{
    const bool attached = sal_xml_find_attr(xml, MJCF_PART) != NULL; /* with classes of its own */
    spec_body said = empty_body(xml);
    spec_work work = {.spec = r->spec, .diag = r->diag};
    mjcf_read_attrs(r, rule, xml, false, &said);
    spec_frame *frame = spec_take(r->spec, 1, sizeof *frame);
    if (frame == NULL) {
        return;
    }
    if (said.head.name != NULL) {
        spec_keep(r->spec, &r->spec->frame, &said.head, sizeof said.head);
    }
    sal_v3_copy(frame->pos, said.pose.pos);
    spec_orientation(&work, &said.head, &said.pose, frame->quat);
    if (at->frame != NULL) {
        spec_frame_mul(frame, at->frame, frame);
    }
    const here inner = {at->body, mjcf_class_of(r, xml, attached ? NULL : at->class), frame,
                        at->depth + 1};
    read_children(r, xml, &inner);
}

static void read_child(mjcf_reader *r, const mjcf_rule *rule, sal_xml *xml, const here *at)
{
    switch ((int)rule->element) {
    case MJCF_EL_BODY:
        read_body(r, rule, xml, at);
        break;
    case MJCF_EL_FRAME:
        read_frame(r, rule, xml, at);
        break;
    case MJCF_EL_COMPOSITE:
        mjcf_read_composite(r, rule, xml, at->body, at->frame);
        break;
    case MJCF_EL_INERTIAL:
        read_inertial(r, rule, xml, at);
        break;
    case MJCF_EL_JOINT:
        read_joint(r, rule, xml, at);
        break;
    case MJCF_EL_FREEJOINT:
        read_freejoint(r, rule, xml, at);
        break;
    case MJCF_EL_GEOM:
        read_geom(r, rule, xml, at);
        break;
    case MJCF_EL_SITE:
        read_site(r, rule, xml, at);
        break;
    case MJCF_EL_CAMERA:
        read_camera(r, rule, xml, at);
        break;
    default:
        break;
    }
}

static void read_children(mjcf_reader *r, sal_xml *xml, const here *at)
{
    if (at->depth > DEPTH_MAX) {
        mjcf_error(r, xml->place, NULL,
                   "bodies are nested too deeply: at most %d levels are allowed", DEPTH_MAX);
        return;
    }
    for (sal_xml *child = xml->child; child != NULL; child = child->next) {
        const mjcf_rule *rule =
            mjcf_rule_of(r, child, at->body->parent == NULL ? MJCF_IN_WORLD : MJCF_IN_BODY);
        if (rule != NULL) {
            read_child(r, rule, child, at);
        }
    }
}

void mjcf_read_world(mjcf_reader *r, sal_xml *xml)
{
    spec_body *world = r->spec->body.item[0];
    world->head.xml = xml;
    const here at = {world, NULL, NULL, 0};
    read_children(r, xml, &at);
}
