/* The language of problem files as the command tells it: explain, and a schema that accepts what
 * check accepts. */
#include "cli/cli.h"
#include "tests/cli/command.h"

#include "guide/guide.h"

/* ---- explain ---- */

static void topics_are_listed(void)
{
    CHECK(run("explain") == 0 && errors[0] == 0);
    SAYS(out, "elements\n  problem  model");
    SAYS(out, "quantities\n  ctrl  force");
    SAYS(out, "  iteration limit");
    SAYS(out, "  130");
    const int heading = (int)strcspn(out, "\n"); /* with all choices */
    for (int i = heading, width = 0; out[i] != 0; i++) {
        width = out[i] == '\n' ? 0 : width + 1;
        CHECK(width <= 100);
    }
}

/* Nothing is listed that cannot be explained. */
static void every_topic_is_explained(void)
{
    const char *kind, *topic;
    sal_text text = {0};
    int n = 0;
    for (; (topic = sal_topic(n, &kind)) != NULL; n++) {
        const size_t before = text.length;
        CHECK(sal_topic_explain(&text, topic) && text.length > before + 20);
    }
    CHECK(n > 80);
    sal_text_clear(&text);
}

static void one_topic(void)
{
    CHECK(run("explain term") == 0);
    SAYS(out, "element <term> in <cost>: at least one\n");
    SAYS(out, "  weight  number in [0, 1e12]; default 1\n");
    CHECK(run("explain term/weight") == 0);
    CHECK(strncmp(out, "attribute weight of <term>: number in [0, 1e12]; default 1\n    Factor",
                  67) == 0);
    CHECK(run("explain key") == 0);
    SAYS(out, "attribute key of <start>, <end>: name\n");
    SAYS(out, "attribute key of <init>: name\n");
    CHECK(run("explain slip") == 0);
    SAYS(out, "Tangential velocity");
    CHECK(run("explain sensor") == 0);
    SAYS(out, "element <sensor>");
    SAYS(out, "attribute sensor of <term>");
    CHECK(run("explain smoothabs2") == 0);
    CHECK_TEXT(out, "norm smoothabs2 of the residual r\n    (|r|^q + p^q)^(1/q) − p\n");
    CHECK(run("explain 4") == 0);
    SAYS(out, "exit code 4: infeasible");
    CHECK(run("explain stalled") == 0);
    SAYS(out, "outcome of a solve: stalled\n");
    CHECK(run("explain solve") == 0);
    SAYS(out, "usage: saltus solve PROBLEM");
}

/* Runs of blanks become one. */
static void squeeze(char *text)
{
    char *end = text;
    for (const char *c = text; *c != 0; c++) {
        if (*c != ' ' || end == text || end[-1] != ' ') {
            *end++ = *c;
        }
    }
    *end = 0;
}

/* Which contact model to choose: a row and a sentence for each of them, headings with a meaning. */
static void contact_models_are_compared(void)
{
    CHECK(run("explain contactmodel") == 0);
    SAYS(out, "attribute contactmodel of <solver>: choice: soft, logbarrier, convex");
    const char *body = strchr(out, '\n'); /* behind the heading, which has all choices */
    for (int i = 0, width = 0; body[i] != 0; i++) {
        width = body[i] == '\n' ? 0 : width + 1;
        CHECK(width <= 100);
    }
    squeeze(out);
    SAYS(out, "\n cost inverse smooth early rest creep lift depth\n");
    SAYS(out, "\n soft 1 formula once no sinks in slowly 0 ");
    for (int i = 0; i < SAL_NCONTACTMODELS; i++) {
        char row[64], choose[64];
        snprintf(row, sizeof row, "\n %s ", sal_contact_model_name(i));
        snprintf(choose, sizeof choose, "\n Choose '%s' ", sal_contact_model_name(i));
        SAYS(out, row);
        SAYS(out, choose);
    }
    SAYS(out, "\n early: whether there is a force before things touch\n");
}

static void unknown_topics_have_neighbours(void)
{
    CHECK(run("explain wieght") == 2 && out[0] == 0);
    CHECK_TEXT(errors, "saltus: error: unknown topic 'wieght'; did you mean 'weight'?\n");
    CHECK(run("explain term/wieght") == 2);
    SAYS(errors, "did you mean 'weight'?");
    CHECK(run("explain travel/weight") == 2);
    CHECK(run("explain qqqqqqqqqq") == 2);
    SAYS(errors, "'saltus explain' lists the topics");
}

/* ---- schema ---- */

/* 0 if the file is valid, as the code of xmllint; 127: there is none. */
static int validate(const char *file)
{
    char line[2000];
    snprintf(line, sizeof line, "xmllint --noout --schema %s %s >%s 2>&1", files_path("s.xsd"),
             file, files_path("xmllint"));
    const int status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool write_schema(void)
{
    char line[600];
    snprintf(line, sizeof line, "schema -o %s", files_path("s.xsd"));
    CHECK(run(line) == 0 && out[0] == 0);
    return system("xmllint --version >/dev/null 2>&1") == 0;
}

static void the_schema_accepts_the_examples(void)
{
    char folder[1024], file[2100];
    int n = 0;
    const char *root = getenv("SALTUS_ROOT");
    if (!write_schema()) {
        SKIP("no xmllint");
    }
    snprintf(folder, sizeof folder, "%s/examples", root == NULL ? "." : root);
    DIR *examples = opendir(folder);
    for (struct dirent *e = NULL; examples != NULL && (e = readdir(examples)) != NULL;) {
        const char *ending = strrchr(e->d_name, '.');
        if (ending != NULL && strcmp(ending, ".xml") == 0) {
            snprintf(file, sizeof file, "%s/%s", folder, e->d_name);
            if (validate(file) != 0) {
                printf("the schema refuses %s\n", file);
                check_case_faults++;
            }
            n++;
        }
    }
    if (examples != NULL) {
        closedir(examples);
    }
    CHECK(n >= 5);
    files_write("p.xml", files_problem, strlen(files_problem));
    CHECK(validate(files_path("p.xml")) == 0);
}

/* Changes of the problem that break its grammar, and one each that does not. */
static void the_schema_refuses_what_the_grammar_refuses(void)
{
    static const struct {
        const char *from, *to;
        bool good;
    } changes[] = {
        {"<time", "<sensor><touch/></sensor><override path='a' value='b'/><time", true},
        {"<init key=\"stand\"/>", "", true},
        {"<init", "<override path='a' value='b'/><override path='c' value=''/><init", true},
        {"nstep=\"10\"", "nstep=' 1.e1 '", true},
        {"maxiter=\"7\"/>", "><smoothing timeconst='2h' width='.1 .01'/></solver>", true},
        /* as in an identification */
        {"<time nstep=\"10\" duration=\"0.5\"/>", "", true},
        {"<cost>",
         "<function name='f'><input joint='all'/><input ctrl='all'/></function><function "
         "name='g'><input com='all'/></function><cost>",
         true},
        {"<cost>", "<function name='f'/><cost>", false},
        {"<cost>", "<function><input joint='all'/></function><cost>", false},
        {"<time", "<time nstep='3' duration='1'/><time", false},
        {"<init", "<init/><init", false},
        {"<solver", "<solver/><solver", false},
        {"<cost>", "<cost/><cost>", false},
        {"<term name=\"effort\" ctrl=\"all\" weight=\"2\"/>", "", false},
        {"<travel", "<travel joint='a'/><travel", false},
        {"<model", "<modle file='a'/><model", false},
        {"<init", "<travel joint='a'/><init", false},
        {"nstep=\"10\"", "nstep='2'", false},
        {"nstep=\"10\"", "nstep='10.5'", false},
        {"nstep=\"10\"", "nstep='10 11'", false},
        {"duration=\"0.5\"", "duration='0'", false},
        {"duration=\"0.5\"", "duration='nan'", false},
        {"duration=\"0.5\"", "duration='.5' range='.1'", false},
        {"duration=\"0.5\"", "duration='.5' range='.1 1'", true},
        {"type=\"cycle\"", "type='circle'", false},
        {" type=\"cycle\"", "", false},
        {"mirror=\"left_ right_\"", "mirror=''", false},
        {"ctrl=\"all\"", "ctlr='all'", false},
        {"ctrl=\"all\"", "ctrl='all' norm='hubert'", false},
        {"ctrl=\"all\"", "ctrl='all' target='1 two'", false},
        {"<problem name=\"test\">", "<problem name='test'>text", false},
    };
    if (!write_schema()) {
        SKIP("no xmllint");
    }
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        const char *text = files_replace(files_problem, changes[i].from, changes[i].to);
        files_write("p.xml", text, strlen(text));
        if ((validate(files_path("p.xml")) == 0) != changes[i].good) {
            printf("the schema judges '%s' wrongly\n", changes[i].to);
            check_case_faults++;
        }
    }
}

int main(void)
{
    RUN(topics_are_listed);
    RUN(every_topic_is_explained);
    RUN(one_topic);
    RUN(contact_models_are_compared);
    RUN(unknown_topics_have_neighbours);
    RUN(the_schema_accepts_the_examples);
    RUN(the_schema_refuses_what_the_grammar_refuses);
    files_remove();
    return check_done();
}
