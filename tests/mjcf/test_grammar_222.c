/* The elements and attributes that we read with compat="2.2.2" are those that libmujoco 2.2.2
 * reads, or a message says that one is not supported. */
#include "tests/check.h"
#include "tests/mjcf/grammar_probes.h"

#include <mujoco/mujoco.h>
#include <unistd.h>

/* Whether libmujoco knows the names in the document, whatever else is wrong. */
static bool mujoco_knows(const char *xml, const char *about)
{
    char path[] = "/tmp/saltus-grammar-XXXXXX", error[1000] = "";
    const int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, xml, strlen(xml)) == (ssize_t)strlen(xml));
    close(fd);
    mj_deleteModel(mj_loadXML(path, NULL, error, sizeof error));
    unlink(path);
    return strstr(error, "Schema violation: unrecognized") == NULL &&
           (strchr(about, '=') == NULL || strstr(error, "invalid keyword") == NULL);
}

typedef struct tally {
    int read, younger, unsupported;
} tally;

static void compare(void *context, const char *xml, const char *about)
{
    tally *t = context;
    sal_text said = {0};
    const bool known = mujoco_knows(xml, about);
    const probe_verdict verdict = probe_ask(xml, about, true, &said);
    const bool good =
        verdict == PROBE_UNSUPPORTED || (known ? verdict == PROBE_READ : verdict != PROBE_READ);
    if (!good) {
        printf("  libmujoco %s %s: %s\n%s", known ? "knows" : "does not know", about, xml,
               said.data);
    }
    CHECK(good);
    t->read += verdict == PROBE_READ;
    t->younger += verdict == PROBE_YOUNGER;
    t->unsupported += verdict == PROBE_UNSUPPORTED;
    sal_text_clear(&said);
}

static void what_we_read_is_what_it_reads(void)
{
    tally t = {0};
    probe_grammar(compare, &t);
    printf("  %d names are read, %d are of later versions, %d not supported\n", t.read, t.younger,
           t.unsupported);
    CHECK(t.read > 1000 && t.younger > 300);
}

static void what_values_we_read_are_its_values(void)
{
    tally t = {0};
    probe_words(compare, &t);
    printf("  %d values are read, %d are of later versions, %d not supported\n", t.read, t.younger,
           t.unsupported);
    CHECK(t.read > 200);
}

/* ---- libmujoco's own list ---- */

enum { DEPTH = 10, INDENT = 3, COLUMN = 30, WORD = 40 };

typedef struct branch {
    char tag[DEPTH][WORD];
    /* of the current element, the root being 0; how much deeper it is than the indent says */
    int depth, more;
} branch;

/* The current element with the attribute (NULL: none) inside all that hold it. */
static void write_branch(const branch *b, const char *attr, char xml[PROBE_SIZE])
{
    size_t n = 0;
    for (int i = 0; i <= b->depth; i++) {
        n += (size_t)snprintf(xml + n, PROBE_SIZE - n, "<%s", b->tag[i]);
        if (i == b->depth && attr != NULL) {
            n += (size_t)snprintf(xml + n, PROBE_SIZE - n, " %s='1.1'", attr);
        }
        n += (size_t)snprintf(xml + n, PROBE_SIZE - n, ">");
    }
    for (int i = b->depth; i >= 0; i--) {
        n += (size_t)snprintf(xml + n, PROBE_SIZE - n, "</%s>", b->tag[i]);
    }
}

static void must_be_known(const branch *b, const char *attr)
{
    char xml[PROBE_SIZE];
    sal_text said = {0};
    write_branch(b, attr, xml);
    const probe_verdict verdict = probe_ask(xml, b->tag[b->depth], true, &said);
    if (verdict != PROBE_READ && verdict != PROBE_UNSUPPORTED) {
        printf("  of libmujoco's schema, we do not know %s\n%s", xml, said.data);
    }
    CHECK(verdict == PROBE_READ || verdict == PROBE_UNSUPPORTED);
    sal_text_clear(&said);
}

/* Indented names of elements, then those of attributes from a fixed column on. */
static int read_line(branch *b, const char *line)
{
    int n = 0, spaces = (int)strspn(line, " ");
    if (spaces < COLUMN && line[spaces] != 0) {
        b->more = spaces == INDENT ? 0 : b->more;
        b->depth = spaces / INDENT + b->more;
        snprintf(b->tag[b->depth], WORD, "%.*s", (int)strcspn(line + spaces, " "), line + spaces);
        if (strcmp(b->tag[b->depth], "(world)body") == 0) { /* stands for both */
            strcpy(b->tag[b->depth], "worldbody");
            strcpy(b->tag[++b->depth], "body");
            b->more = 1;
        }
        must_be_known(b, NULL);
        n++;
    }
    for (const char *at = strlen(line) > COLUMN ? line + COLUMN : ""; *at != 0;) {
        char attr[WORD];
        const int length = (int)strcspn(at, " ");
        snprintf(attr, sizeof attr, "%.*s", length, at);
        must_be_known(b, length > 0 ? attr : NULL);
        n += length > 0;
        at += length + (at[length] == ' ');
    }
    return n;
}

static void what_its_schema_has_is_known_to_us(void)
{
    static char schema[100000];
    branch b = {.depth = 0};
    int n = 0;
    CHECK(mj_printSchema(NULL, schema, sizeof schema, 0, 0) > 0);
    for (char *line = schema, *end; line != NULL && *line != 0;
         line = end == NULL ? NULL : end + 1) {
        end = strchr(line, '\n');
        if (end != NULL) {
            *end = 0;
        }
        n += read_line(&b, line);
    }
    printf("  %d names of its schema\n", n);
    CHECK(n > 800);
}

int main(void)
{
    RUN(what_we_read_is_what_it_reads);
    RUN(what_values_we_read_are_its_values);
    RUN(what_its_schema_has_is_known_to_us);
    return check_done();
}
