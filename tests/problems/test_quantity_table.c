/* A quantity is one row of the table in quantity_table.c: every row is complete, documented, and
 * can be read from a problem file; and nothing else in the program asks which quantity it is. */
#include "tests/check.h"
#include "tests/folder.h"

#include "guide/guide.h"
#include "problems/language/grammar.h"
#include "problems/quantity.h"

#include <dirent.h>
#include <limits.h>
#include <unistd.h>

static void every_row_is_complete(void)
{
    for (int k = 0; k < PRB_NQUANTITY; k++) {
        const prb_quantity *q = prb_quantity_row(k);
        CHECK((q->n > 0) != (q->count != NULL));
        CHECK((q->unit != NULL) != (q->unit_of != NULL));
        CHECK(q->counts_at_end != NULL && q->want != NULL && q->write != NULL);
        CHECK((q->most_order > 0) == ((q->uses & PRB_USE_OF) != 0));
        CHECK(!q->together || q->count == NULL);
        CHECK((q->uses & PRB_USE_SUM) == 0 || q->count == NULL);
        CHECK((q->uses & PRB_USE_WIDTH) == 0 || prb_object_is_over_floor(q->object));
    }
}

/* In the grammar, hence in `saltus explain`, the schema and the page of problem files. */
static void every_row_is_documented(void)
{
    const prb_rules *term = prb_grammar_element("term"),
                    *constraint = prb_grammar_element("constraint");
    for (int k = 0; k < PRB_NQUANTITY; k++) {
        const char *name = prb_quantity_name(k);
        const prb_rule *rule = prb_grammar_attribute(term, name);
        sal_text text = {0};
        CHECK(rule != NULL && rule->doc != NULL && strlen(rule->doc) > 20);
        CHECK(prb_grammar_attribute(constraint, name) != NULL);
        CHECK(sal_topic_explain(&text, name));
        sal_text_clear(&text);
    }
}

/* What a term of the model of quantities.xml may name, by the kind of object. */
static const char *objects_of(prb_object_kind kind)
{
    static const char *const word[] = {[PRB_OBJECT_ACTUATOR] = "shoulder",
                                       [PRB_OBJECT_JOINT] = "hip",
                                       [PRB_OBJECT_SENSOR] = "felt",
                                       [PRB_OBJECT_TENDON] = "cord",
                                       [PRB_OBJECT_TREE] = "arm",
                                       [PRB_OBJECT_BODY] = "arm",
                                       [PRB_OBJECT_SHAPE] = "foot",
                                       [PRB_OBJECT_FOOTHOLD] = "leg",
                                       [PRB_OBJECT_HIGH_POINT] = "foot+",
                                       [PRB_OBJECT_PLACE] = "palm",
                                       [PRB_OBJECT_POINT_PAIR] = "foot+ foot-",
                                       [PRB_OBJECT_GEOM_ENDS] = "foot",
                                       [PRB_OBJECT_GEOM_PAIR] = "foot hand",
                                       [PRB_OBJECT_ENERGY] = "total",
                                       [PRB_OBJECT_FLOOR] = "height",
                                       [PRB_OBJECT_MARKER] = "palm",
                                       [PRB_OBJECT_FUNCTION] = "own"};
    return word[kind];
}

static bool zero(void *user, int step, const double *x, int nx, double *r, double *J)
{
    (void)user, (void)step, (void)x, (void)nx, (void)J;
    r[0] = r[1] = 0;
    return true;
}

/* A problem about this quantity, read, labelled and transcribed: its row was enough. */
static void check_row(int k)
{
    const char *name = prb_quantity_name(k);
    char text[PATH_MAX + 512], label[64], model[PATH_MAX];
    const char *root = getenv("SALTUS_ROOT") == NULL ? "." : getenv("SALTUS_ROOT"),
               *path = in_folder("quantity.xml"), *recorded = in_folder("quantity.csv"),
               *data = "<data file='quantity.csv' up='z'><channel name='c' site='palm' "
                       "columns='x y z' sigma='.1'/></data>",
               *marks = "time,x,y,z\n0,0,0,1\n.04,0,0,1\n.08,0,0,1\n.12,0,0,1\n"
                        ".16,0,0,1\n.2,0,0,1\n";
    const bool marker = prb_quantity_row(k)->object == PRB_OBJECT_MARKER;
    const sal_function own = {"own", 2, zero, NULL};
    const sal_problem_options options = {.function = &own, .nfunction = 1};
    sal_problem *p = NULL;
    prb_transcription *tr = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(text, sizeof text, "%s/tests/problems/quantities_model.xml", root);
    if (realpath(text, model) == NULL) {
        CHECK(false);
        return;
    }
    snprintf(text, sizeof text,
             "<problem name='one'><model file='%s'/>"
             "<sensor><framepos name='felt' objtype='site' objname='palm'/></sensor>"
             "%s<time nstep='4' duration='0.1'/><boundary type='open'/>"
             "<cost><term name='t' %s='%s' weight='1'/>%s</cost>"
             "<function name='own'><input joint='hip'/></function></problem>",
             model, marker ? data : "", name, objects_of(prb_quantity_row(k)->object),
             marker ? "<term name='f' data='all'/>" : "");
    CHECK_OK(sal_file_write(path, text, strlen(text), &err), err);
    CHECK_OK(sal_file_write(recorded, marks, strlen(marks), &err), err);
    CHECK_OK(sal_problem_read(&p, path, &options, &diag, &err), err);
    if (p == NULL) {
        printf("  %s: %s", name, diag.text.data == NULL ? "" : diag.text.data);
    } else {
        const prb_feature *f = &p->term[0].feature;
        CHECK((int)f->quantity == k && f->nobject > 0 && f->dim > 0);
        CHECK_OK(prb_transcription_new(&tr, p, 1, &err), err);
        for (int i = 0; i < f->dim; i++) {
            prb_feature_label(p, f, i, label, sizeof label);
            CHECK(label[0] != 0 && prb_feature_unit(p, f, i) != NULL);
        }
    }
    prb_transcription_free(tr);
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

static void every_row_can_be_read(void)
{
    for (int k = 0; k < PRB_NQUANTITY; k++) {
        check_row(k);
    }
}

static int ends_in(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

/* Files of a folder that ask by its code for a quantity, beyond those that may. */
static int count_others(const char *room)
{
    /* the names; the table; terms that follow recordings are made of chosen quantities */
    static const char *const may[] = {"problems/problems.h", "problems/quantity_table.c",
                                      "problems/read/track.c"};
    const char *root = getenv("SALTUS_ROOT") == NULL ? "." : getenv("SALTUS_ROOT");
    char path[1024], at[512], *text;
    int n = 0;
    size_t length;
    sal_err err;
    snprintf(path, sizeof path, "%s/%s", root, room);
    DIR *d = opendir(path);
    CHECK(d != NULL);
    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        bool allowed = !ends_in(e->d_name, ".c") && !ends_in(e->d_name, ".h");
        snprintf(at, sizeof at, "%s/%s", room, e->d_name);
        for (size_t i = 0; i < sizeof may / sizeof *may; i++) {
            allowed = allowed || strcmp(at, may[i]) == 0;
        }
        snprintf(path, sizeof path, "%s/%s", root, at);
        if (!allowed && sal_text_read_file(path, 1 << 20, &text, &length, &err) == SAL_OK) {
            if (strstr(text, "SAL_QTY_") != NULL) {
                printf("  %s asks which quantity it is; let the table say it\n", at);
                n++;
            }
            sal_free(text);
        }
    }
    if (d != NULL) {
        closedir(d);
    }
    return n;
}

static void a_row_is_enough(void)
{
    static const char *const rooms[] = {"problems",        "problems/language",
                                        "problems/read",   "problems/recordings",
                                        "problems/result", "problems/solve",
                                        "identify",        "sweeps",
                                        "pages",           "cli"};
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        CHECK(count_others(rooms[i]) == 0);
    }
}

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    RUN(every_row_is_complete);
    RUN(every_row_is_documented);
    RUN(every_row_can_be_read);
    RUN(a_row_is_enough);
    remove(in_folder("quantity.xml"));
    remove(in_folder("quantity.csv"));
    rmdir(folder);
    return check_done();
}
