/* Models that mean harm, or were written by a program gone wrong: an error or a model, within
 * seconds and bounded memory. */
#include "tests/check.h"
#include "tests/folder.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/physics.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifdef SANITIZED
static const double seconds_max = 60; /* of processor time, for one model */
#else
static const double seconds_max = 8;
#endif

enum { MANY = 10000, MEGABYTE = 1 << 20 };

static void write_file(const char *name, const char *text)
{
    CHECK(sal_file_write(in_folder(name), text, strlen(text), NULL) == SAL_OK);
}

/* ---- a trial: the text becomes a model that has an inverse, or an error with a reason ---- */

static char reason[512]; /* of the last trial; "" if it went well */

static void try_to_use(const sal_model *m, sal_err *err)
{
    sal_data *d = NULL;
    if (sal_data_new(&d, m, err) == SAL_OK && sal_inverse(m, d, err) == SAL_OK) {
        CHECK(m->nv == 0 || isfinite(d->qfrc_inverse[0]));
    }
    sal_data_free(d);
}

static bool judge(sal_model *m, sal_status status, clock_t begin)
{
    const bool loaded = m != NULL;
    sal_err err = {0};
    CHECK((status == SAL_OK) == loaded);
    CHECK(loaded || reason[0] != 0);
    if (loaded) {
        try_to_use(m, &err);
        snprintf(reason, sizeof reason, "%s", err.message);
    }
    sal_model_free(m);
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (getenv("VERBOSE") != NULL) {
        printf("%6.2f s %s %.150s\n", seconds, loaded ? "model" : "error", reason);
    }
    if (!(seconds < seconds_max)) {
        printf("%.1f s: %s\n", seconds, reason);
    }
    CHECK(seconds < seconds_max);
    return loaded;
}

static bool loads_file(const char *path)
{
    const clock_t begin = clock();
    sal_model *m = NULL;
    sal_err err = {0};
    const sal_status status = sal_model_load(&m, path, NULL, NULL, &err);
    snprintf(reason, sizeof reason, "%s", err.message);
    return judge(m, status, begin);
}

/* Takes the text. */
static bool loads(sal_text *text)
{
    const clock_t begin = clock();
    sal_model *m = NULL;
    sal_err err = {0};
    CHECK(!text->failed);
    const sal_status status =
        sal_model_parse(&m, "m.xml", text->data, text->length, NULL, NULL, &err);
    snprintf(reason, sizeof reason, "%s", err.message);
    sal_text_clear(text);
    return judge(m, status, begin);
}

static bool says(const char *part)
{
    if (strstr(reason, part) == NULL) {
        printf("\"%s\" does not say \"%s\"\n", reason, part);
    }
    return strstr(reason, part) != NULL;
}

static void repeat(sal_text *text, const char *piece, int n)
{
    for (int i = 0; i < n; i++) {
        sal_text_add(text, piece);
    }
}

/* The piece n times, with the number of its turn in the place of %d. */
static void enumerate(sal_text *text, const char *before, const char *after, int n)
{
    for (int i = 0; i < n; i++) {
        sal_text_format(text, "%s%d%s", before, i, after);
    }
}

static sal_text begin_with(const char *start)
{
    sal_text text = {0};
    sal_text_add(&text, start);
    return text;
}

#define WORLD   "<mujoco><worldbody>"
#define END     "</worldbody></mujoco>"
#define ONE     "<body name='b'><joint name='j'/><geom name='g' size='1'/><site name='s'/></body>"
#define SECTION WORLD ONE "</worldbody>"

/* ---- sizes ---- */

static bool chain(int n)
{
    sal_text text = begin_with(WORLD);
    repeat(&text,
           "<body pos='0 0 .1'><joint type='ball'/><geom size='.01' contype='0' conaffinity='0'/>",
           n);
    repeat(&text, "</body>", n);
    sal_text_add(&text, END);
    return loads(&text);
}

static void long_chains(void)
{
    CHECK(chain(400));
    CHECK(!chain(MANY));
    CHECK(says("nested too deeply"));
}

static void many_bodies(void)
{
    static const char *const bodies[] = {
        "<body><freejoint/><geom size='1' contype='0' conaffinity='0'/></body>",
        "<body><joint type='slide'/><geom size='1' contype='0' conaffinity='0'/></body>",
        "<body><joint/><geom size='1' contype='0'/><body><joint/><geom size='1'/></body></body>",
        "<body><geom size='1'/></body>",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        sal_text text = begin_with(WORLD);
        repeat(&text, bodies[i], MANY);
        sal_text_add(&text, END);
        loads(&text);
    }
}

static void many_geoms(void)
{
    sal_text text = begin_with(WORLD);
    repeat(&text, "<geom size='1'/>", MANY);
    sal_text_add(&text, ONE END);
    CHECK(loads(&text));
    text = begin_with(WORLD "<geom type='plane' size='1 1 1'/><body><freejoint/>");
    repeat(&text, "<geom size='1'/>", MANY);
    sal_text_add(&text, "</body>" END);
    CHECK(loads(&text));
    text = begin_with(
        "<mujoco><compiler discardvisual='true'/><worldbody><body><freejoint/><geom size='1'/>");
    enumerate(&text, "<geom size='1' contype='0' conaffinity='0' name='g", "'/>", 5 * MANY);
    sal_text_add(&text, "</body></worldbody><sensor>");
    enumerate(&text, "<framepos objtype='geom' objname='g", "'/>", 5 * MANY);
    sal_text_add(&text, "</sensor></mujoco>");
    CHECK(loads(&text));
}

static void many_of_each_list(void)
{
    static const char *const lists[][3] = {
        {"<actuator>", "<motor joint='j' name='a", "</actuator>"},
        {"<sensor>", "<jointpos joint='j' name='a", "</sensor>"},
        {"<keyframe>", "<key name='a", "</keyframe>"},
        {"<contact>", "<exclude body1='b' body2='world' name='a", "</contact>"},
        {"<equality>", "<weld body1='b' name='a", "</equality>"},
        {"<custom>", "<numeric data='1' name='a", "</custom>"},
        {"<asset>", "<material rgba='1 0 0 1' name='a", "</asset>"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        sal_text text = begin_with(SECTION);
        sal_text_add(&text, lists[i][0]);
        enumerate(&text, lists[i][1], "'/>", 10 * MANY);
        sal_text_format(&text, "%s</mujoco>", lists[i][2]);
        loads(&text);
    }
    sal_text text = begin_with(SECTION "<tendon>");
    repeat(&text, "<fixed><joint joint='j' coef='1'/></fixed>", 5 * MANY);
    sal_text_add(&text, "<fixed>");
    repeat(&text, "<joint joint='j' coef='1'/>", 5 * MANY);
    sal_text_add(&text, "</fixed></tendon></mujoco>");
    loads(&text);
}

static void many_classes(void)
{
    sal_text text = begin_with("<mujoco><default>");
    enumerate(&text, "<default class='c", "'/>", 2 * MANY);
    sal_text_add(&text, "</default><worldbody>" ONE);
    enumerate(&text, "<geom size='1' class='c", "'/>", 2 * MANY);
    sal_text_add(&text, END);
    loads(&text);
    text = begin_with("<mujoco><default>");
    enumerate(&text, "<default class='c", "'>", MANY);
    loads(&text);
}

static void sizes_that_overflow(void)
{
    sal_text text = begin_with(SECTION "<sensor>");
    repeat(&text, "<user dim='2147483647'/>", 5);
    sal_text_add(&text, "</sensor></mujoco>");
    CHECK(!loads(&text));
    text = begin_with(
        "<mujoco><size nkey='2147483647' nuser_body='2147483647' nuser_geom='1000000000' "
        "nuserdata='2147483647'/><worldbody>" ONE END);
    loads(&text);
    text = begin_with("<mujoco><size nkey='1000000' nuser_sensor='100000'/><worldbody>");
    repeat(&text, "<body><freejoint/><geom size='1' contype='0' conaffinity='0'/></body>", MANY);
    sal_text_add(&text, END);
    CHECK(!loads(&text));
}

/* ---- texts ---- */

static void many_faults(void)
{
    sal_text text = begin_with(WORLD);
    repeat(&text, "<goem size='1'/><geom siez='1'/>", 10 * MANY);
    sal_text_add(&text, END);
    CHECK(!loads(&text));
    text = begin_with(SECTION "<actuator>");
    for (int i = 0; i < 2 * MANY; i++) {
        sal_text_format(&text, "<motor name='actuator_with_a_long_name_%d' joint='jojo'/>", i);
    }
    sal_text_add(&text, "</actuator><sensor>");
    for (int i = 0; i < 2 * MANY; i++) {
        sal_text_format(&text, "<actuatorpos actuator='actuator_with_a_lnog_name_%d'/>", i);
    }
    sal_text_add(&text, "</sensor></mujoco>");
    CHECK(!loads(&text));
    text = begin_with(WORLD);
    repeat(&text, "<geom size='1' name='same'/>", 5 * MANY);
    sal_text_add(&text, END);
    CHECK(!loads(&text));
}

static void many_attributes(void)
{
    sal_text text = begin_with(WORLD "<geom size='1'");
    enumerate(&text, " a", "=''", 20 * MANY);
    sal_text_add(&text, "/>" END);
    CHECK(!loads(&text));
}

static void deep_nesting(void)
{
    static const char *const tags[] = {"a",     "worldbody", "body",
                                       "frame", "default",   "replicate count='2'"};
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        sal_text text = begin_with("<mujoco>");
        for (int k = 0; k < 10 * MANY; k++) {
            sal_text_format(&text, "<%s>", tags[i]);
        }
        CHECK(!loads(&text));
        CHECK(says("nested too deeply"));
    }
}

static void long_words(void)
{
    static const char *const around[][2] = {
        {"<geom size='0.", "'/>"}, /* a million digits */
        {"<geom size='1e", "'/>"},
        {"<geom size='1' name='", "'/>"},
        {"<geom size='1' class='", "'/>"},
        {"<geom size='1' type='", "'/>"},
        {"<geom size='1' a", "='1'/>"},
        {"<geom", "/>"},
        {"<!--", "-->"},
    };
    for (size_t i = 0; i < sizeof around / sizeof around[0]; i++) {
        sal_text text = begin_with(WORLD ONE);
        sal_text_add(&text, around[i][0]);
        repeat(&text, "1", MEGABYTE);
        sal_text_format(&text, "%s" END, around[i][1]);
        loads(&text);
    }
    sal_text text = begin_with(WORLD ONE "<geom size='");
    repeat(&text, "1 ", MEGABYTE);
    sal_text_add(&text, "'/>" END);
    CHECK(!loads(&text));
}

static void large_numbers(void)
{
    static const char *const numbers[] = {"1e308", "-1e308", "1e-308", "1e15", "1e-15", "nan"};
    static const char *const models[] = {
        "<body pos='%s 0 0'><joint/><geom size='1'/></body>",
        "<body><joint axis='%s 0 0'/><geom size='1'/></body>",
        "<body><joint/><geom size='%s'/></body>",
        "<body><joint/><geom size='1' mass='%s'/></body>",
        "<body><joint damping='%s' stiffness='%s' armature='%s'/><geom size='1'/></body>",
        "<body><joint springdamper='%s 1'/><geom size='1'/></body>",
        "<geom type='plane' size='1 1 1' margin='%s'/><body><freejoint/><geom size='1'/></body>",
        "<geom type='box' size='%s 1 1' solref='%s 1' solimp='%s .9 1'/><body><freejoint/><geom "
        "type='box' "
        "size='1 1 1' friction='%s'/></body>",
    };
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
            sal_text text = begin_with(WORLD);
            for (const char *c = models[i]; *c != 0; c++) {
                const bool here = c[0] == '%';
                sal_text_addn(&text, here ? numbers[k] : c, here ? strlen(numbers[k]) : 1);
                c += here;
            }
            sal_text_add(&text, END);
            loads(&text);
        }
    }
}

/* ---- files ---- */

static void large_files(void)
{
    sal_text text = begin_with(WORLD ONE);
    repeat(&text, "<!-- a hundred million bytes of comments, nothing else -->\n",
           100 * MEGABYTE / 60);
    sal_text_add(&text, END);
    CHECK(sal_file_write(in_folder("large.xml"), text.data, text.length, NULL) == SAL_OK);
    sal_text_clear(&text);
    CHECK(!loads_file(in_folder("large.xml")));
    unlink(in_folder("large.xml"));
    static const char *const pieces[] = {"<geom/>", "<site/>", "<x/>", "<body/>"};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        text = begin_with(WORLD);
        repeat(&text, pieces[i], 60 * MEGABYTE / (int)strlen(pieces[i]));
        sal_text_add(&text, END);
        CHECK(!loads(&text));
    }
}

static void includes(void)
{
    write_file("self.xml", "<mujoco><include file='self.xml'/></mujoco>");
    CHECK(!loads_file(in_folder("self.xml")));
    write_file("dot.xml", "<mujoco><include file='./dot.xml'/></mujoco>");
    CHECK(!loads_file(in_folder("dot.xml")));
    write_file("a.xml", "<mujoco><include file='b.xml'/><include file='b.xml'/></mujoco>");
    write_file("b.xml", "<mujoco><include file='a.xml'/><include file='a.xml'/></mujoco>");
    CHECK(!loads_file(in_folder("a.xml")));
    CHECK(mkfifo(in_folder("fifo"), 0600) == 0);
    static const char *const files[] = {
        "/dev/zero", "/dev/full",       "/",       ".", "fifo",
        "/dev/null", "/nowhere/at/all", "a.xml/b", "",  "/proc/self/mem"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "<mujoco><include file='%s'/></mujoco>", files[i]);
        write_file("c.xml", text);
        CHECK(!loads_file(in_folder("c.xml")));
    }
    static const char *const names[] = {"self.xml", "dot.xml", "a.xml", "b.xml", "c.xml", "fifo"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        unlink(in_folder(names[i]));
    }
}

/* A hundred files that include each other in a chain, each with a part of the model. */
static void many_includes(void)
{
    char name[32], text[200];
    for (int i = 0; i < 1100; i++) {
        snprintf(name, sizeof name, "%d.xml", i);
        snprintf(text, sizeof text, "<mujoco><include file='%d.xml'/></mujoco>", i + 1);
        write_file(name, text);
    }
    CHECK(!loads_file(in_folder("0.xml")));
    for (int i = 0; i < 1100; i++) {
        snprintf(name, sizeof name, "%d.xml", i);
        unlink(in_folder(name));
    }
}

int main(void)
{
#ifndef SANITIZED
    const struct rlimit limit = {(rlim_t)3 << 30, (rlim_t)3 << 30};
    if (setrlimit(RLIMIT_AS, &limit) != 0) {
        return 1;
    }
#endif
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    RUN(long_chains);
    RUN(many_bodies);
    RUN(many_geoms);
    RUN(many_of_each_list);
    RUN(many_classes);
    RUN(sizes_that_overflow);
    RUN(many_faults);
    RUN(many_attributes);
    RUN(deep_nesting);
    RUN(long_words);
    RUN(large_numbers);
    RUN(large_files);
    RUN(includes);
    RUN(many_includes);
    rmdir(folder);
    return check_done();
}
