/* What is written never destroys what is read, nor what is of another kind. */
#include "tests/cli/command.h"
#include "tests/cli/sweep.h"

static const char states[] = "time,qpos0\n0,0\n.01,.1\n.02,.3\n.03,.4\n.04,.6\n.05,.7\n.06,.9\n";
static const char controls[] = "time,ctrl0\n0,0\n.1,1\n";
static const char page[] = "<!DOCTYPE html>\n<html><p>mine</p></html>\n";

#define TRY(line) printf("     %s\n", line)

static void put(const char *name, const char *text)
{
    files_write(name, text, strlen(text));
}

static void put_inputs(void)
{
    sweep_files();
    put("states.csv", states);
    put("controls.csv", controls);
}

static bool holds(const char *name, const char *text)
{
    static char now[20000];
    slurp(name, now, sizeof now);
    return strcmp(now, text) == 0;
}

static void make_result(const char *name)
{
    char line[200];
    snprintf(line, sizeof line, "simulate @pend.xml --time .1 -q -o @%s", name);
    CHECK(go(line) == 0);
}

/* ---- an output that is an input ---- */

static void refused_as_input(const char *line, const char *name, const char *text)
{
    TRY(line);
    CHECK(go(line) == 2);
    SAYS(errors, "is also read by this command");
    SAYS(errors, "give another path");
    CHECK(holds(name, text));
}

static void an_output_that_is_an_input_is_refused(void)
{
    put_inputs();
    CHECK(symlink("states.csv", files_path("link.csv")) == 0);
    CHECK(link(files_path("states.csv"), files_path("hard.csv")) == 0);
    CHECK(mkdir(files_path("sub"), 0777) == 0);
    refused_as_input("inverse @pend.xml @states.csv -o @pend.xml", "pend.xml", sweep_model);
    refused_as_input("inverse @pend.xml @states.csv -o @states.csv", "states.csv", states);
    refused_as_input("inverse @pend.xml @states.csv -o @link.csv", "states.csv", states);
    refused_as_input("inverse @pend.xml @link.csv -o @states.csv", "states.csv", states);
    refused_as_input("inverse @pend.xml @states.csv -o @hard.csv", "states.csv", states);
    refused_as_input("inverse @pend.xml @states.csv -o @sub/../states.csv", "states.csv", states);
    refused_as_input("inverse @pend.xml @states.csv --full -o @./states.csv", "states.csv", states);
    refused_as_input("simulate @pend.xml --controls @controls.csv -o @controls.csv", "controls.csv",
                     controls);
    CHECK(go("inverse @pend.xml @states.csv -o @forces.csv") == 0);
    CHECK(go("inverse @pend.xml @states.csv -o @forces.csv") == 0);
}

/* The second output has a name of its own. */
static void contacts_that_are_an_input_are_refused(void)
{
    put_inputs();
    put("all.contacts.csv", states);
    refused_as_input("inverse @pend.xml @all.contacts.csv --full -o @all.csv", "all.contacts.csv",
                     states);
    CHECK(!exists("all.csv"));
}

/* A page that is called x.pdf would not be one. */
static void a_page_has_the_ending_of_one(void)
{
    static const char *const paths[] = {"x.pdf", "x.mov", "x", "x.html.gz"};
    put_inputs();
    make_result("r.h5");
    for (int i = 0; i < 4; i++) {
        char line[80], says[80];
        snprintf(line, sizeof line, "report @r.h5 -o @%s", paths[i]);
        snprintf(says, sizeof says, "%s' ends neither in .html, for a page, nor in .svg", paths[i]);
        TRY(line);
        CHECK(go(line) == 2);
        SAYS(errors, says);
        CHECK(!exists(paths[i]));
    }
    CHECK(go("report @r.h5 -o @x.htm") == 0 && exists("x.htm"));
}

static void a_result_is_not_replaced_by_what_is_made_of_it(void)
{
    static const char *const lines[] = {"report @r.h5 -o @r.h5", "export @r.h5 --to csv -o @r.h5",
                                        "export @r.h5 --to mjcf -o @r.h5"};
    put_inputs();
    make_result("r.h5");
    for (int i = 0; i < 3; i++) {
        TRY(lines[i]);
        CHECK(go(lines[i]) == 2);
        SAYS(errors, "is also read by this command");
        CHECK(go("info @r.h5") == 0);
    }
}

/* What a problem names: model, data, first guess. */
static void inputs_of_a_problem_are_kept(void)
{
    put_inputs();
    CHECK(mkdir(files_path("follow.saltus"), 0777) == 0);
    CHECK(rename(files_path("states.csv"), files_path("follow.saltus/run.json")) == 0);
    put("follow.xml",
        "<problem name=\"follow\">\n"
        "  <model file=\"pend.xml\"/>\n"
        "  <time nstep=\"3\" duration=\".03\"/>\n"
        "  <data file=\"follow.saltus/run.json\" format=\"csv\">\n"
        "    <channel name=\"hinge\" joint=\"hinge\" columns=\"qpos0\" sigma=\".1\"/>\n"
        "  </data>\n"
        "  <cost><term name=\"follow\" data=\"all\"/></cost>\n"
        "</problem>\n");
    refused_as_input("solve @follow.xml -o @follow.saltus", "follow.saltus/run.json", states);
    CHECK(!exists("follow.saltus/result.h5") && !exists("follow.saltus/iterations.jsonl"));
}

static void a_guess_is_not_replaced_by_its_result(void)
{
    static const char warm[] =
        "<problem name=\"reach\">\n"
        "  <model file=\"pend.xml\"/>\n"
        "  <time nstep=\"6\" duration=\".6\"/>\n"
        "  <boundary type=\"open\"><start qpos=\"0\"/><end qpos=\"1\"/></boundary>\n"
        "  <cost><term name=\"effort\" ctrl=\"all\"/></cost>\n"
        "  <init result=\"warm/result.h5\"/>\n"
        "</problem>\n";
    put_inputs();
    CHECK(go("solve @reach.xml -q -o @warm") == 0);
    put("warm.xml", warm);
    CHECK(go("solve @warm.xml -q -o @warm") == 2);
    SAYS(errors, "warm/result.h5' is also read by this command");
    CHECK(go("solve @warm.xml -q -o @warmer") == 0);
    CHECK(go("solve @warm.xml -q -o @warmer") == 0);
}

static void the_file_of_a_sweep_is_kept(void)
{
    put_inputs();
    CHECK(mkdir(files_path("own"), 0777) == 0);
    put("own/sweep.xml", "<!-- mine -->\n<sweep name=\"small\" problem=\"../reach.xml\">\n"
                         "  <axis name=\"mass\" path=\"geom[#0]/mass\" values=\"1 2\"/>\n"
                         "</sweep>\n");
    CHECK(go("sweep @own/sweep.xml -q -o @own") == 2);
    SAYS(errors, "own/sweep.xml' is also read by this command");
    SAYS(errors, "give another path");
    put("small.xml", sweep_small);
    CHECK(go("sweep @small.xml -q -o @cells") == 0);
    CHECK(go("table @cells -o @cells/plan.tsv") == 2);
    SAYS(errors, "is also read by this command");
    CHECK(go("table @cells -o @cells/table.csv") == 0);
    CHECK(go("table @cells -o @cells/table.csv") == 0);
}

/* ---- an output of another kind ---- */

static void other_kinds_are_kept(void)
{
    static const struct {
        const char *line, *name, *what;
    } cases[] = {
        {"schema -o @pend.xml", "pend.xml", "a model"},
        {"schema -o @reach.xml", "reach.xml", "a problem"},
        {"inverse @pend.xml @states.csv -o @reach.xml", "reach.xml", "a problem"},
        {"inverse @pend.xml @states.csv -o @old.h5", "old.h5", "an HDF5 file"},
        {"inverse @pend.xml @states.csv -o @page.html", "page.html", "a page"},
        {"simulate @pend.xml --time .1 -o @page.csv", "page.csv", "a page"},
        {"simulate @pend.xml --time .1 -o @text.h5", "text.h5", "a text"},
        {"report @r.h5 -o @pend.xml", "pend.xml", "a model"},
        {"report @r.h5 -o @states.csv", "states.csv", "a text"},
        {"report @r.h5 -o @page.svg", "page.svg", "a page"},
        {"export @r.h5 --to csv -o @reach.xml", "reach.xml", "a problem"},
        {"solve @reach.xml -o @taken", "taken/result.h5", "a text"},
    };
    put_inputs();
    make_result("r.h5");
    make_result("old.h5");
    put("page.html", page);
    put("page.csv", page);
    put("page.svg", page);
    put("text.h5", "mine");
    CHECK(mkdir(files_path("taken"), 0777) == 0);
    put("taken/result.h5", "mine");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static char before[200000], after[200000];
        TRY(cases[i].line);
        slurp(cases[i].name, before, sizeof before);
        CHECK(go(cases[i].line) == 2);
        SAYS(errors, "would be overwritten");
        SAYS(errors, cases[i].what);
        slurp(cases[i].name, after, sizeof after);
        CHECK(memcmp(before, after, sizeof before) == 0);
    }
}

/* The same kind, an empty file, and what is no file are written. */
static void the_same_kind_is_replaced(void)
{
    static const char *const lines[] = {
        "schema -o @s.xsd",
        "schema -o @empty",
        "schema -o /dev/null",
        "report @r.h5 -o @p.html",
        "report @r.h5 -o @p.svg",
        "inverse @pend.xml @states.csv -o @f.csv",
        "simulate @pend.xml --time .1 -o @f.csv",
        "simulate @pend.xml --time .1 -o @r2.h5",
        "solve @reach.xml -q -o @reach",
    };
    put_inputs();
    put("empty", "");
    make_result("r.h5");
    for (int again = 0; again < 2; again++) {
        for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
            TRY(lines[i]);
            CHECK(go(lines[i]) == 0);
        }
    }
}

/* Without -o results have the name of the problem, and two files may be of one name. A file that is
 * solved again, and a folder that was moved with its results, replace theirs. */
static void results_of_namesakes_are_kept(void)
{
    static char before[200000], after[200000], text[20000];
    char here[1100], *at = getcwd(here, sizeof here);
    put_inputs();
    slurp("reach.xml", text, sizeof text);
    put("again.xml", text);
    CHECK(at != NULL && chdir(files_folder()) == 0);
    CHECK(go("solve @reach.xml -q") == 0);
    slurp("reach.saltus/result.h5", before, sizeof before);
    CHECK(go("solve @again.xml -q") == 2);
    SAYS(errors, "'reach.saltus' has the result of a problem of the same name");
    SAYS(errors, "reach.xml', which would be lost; name another folder with -o");
    slurp("reach.saltus/result.h5", after, sizeof after);
    CHECK(memcmp(before, after, sizeof before) == 0);
    CHECK(go("solve @reach.xml -q") == 0);
    CHECK(go("solve @again.xml -q -o reach.saltus") == 0);
    CHECK(unlink(files_path("again.xml")) == 0);
    CHECK(go("solve @reach.xml -q") == 0);
    /* a copy of all of it in another folder */
    CHECK(mkdir(files_path("copy"), 0777) == 0 && chdir("copy") == 0);
    put("copy/reach.xml", text);
    put("copy/pend.xml", sweep_model);
    CHECK(go("solve @copy/reach.xml -q") == 0);
    CHECK(chdir("..") == 0 && go("solve @reach.xml -q -o copy/reach.saltus") == 0);
    CHECK(chdir("copy") == 0 && go("solve @copy/reach.xml -q") == 0);
    CHECK(chdir("..") == 0 && go("solve @copy/reach.xml -q") == 2);
    CHECK(at != NULL && chdir(here) == 0);
}

int main(void)
{
    RUN(an_output_that_is_an_input_is_refused);
    RUN(contacts_that_are_an_input_are_refused);
    RUN(a_page_has_the_ending_of_one);
    RUN(a_result_is_not_replaced_by_what_is_made_of_it);
    RUN(inputs_of_a_problem_are_kept);
    RUN(a_guess_is_not_replaced_by_its_result);
    RUN(the_file_of_a_sweep_is_kept);
    RUN(other_kinds_are_kept);
    RUN(the_same_kind_is_replaced);
    RUN(results_of_namesakes_are_kept);
    return check_done();
}
