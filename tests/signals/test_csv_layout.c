/* One table, written as programs and people write tables: other separators, decimal commas, quotes,
 * comments, a line of units, other ends of lines. The same columns and numbers must come out. */
#include "tests/signals/read_bytes.h"

static void read_alike(const char *what, const char *text)
{
    char file[8];
    printf("     %s\n", what);
    snprintf(file, sizeof file, "a%s", strrchr(what, '.'));
    CHECK(read_text(file, text) == SAL_OK);
    CHECK(signals.nrow == 3 && diag.nwarning == 0 && sig_find(&signals, "hip") >= 0);
    if (signals.nrow == 3 && sig_find(&signals, "hip") >= 0 && signals.time >= 0) {
        CHECK_TEXT(signals.column[signals.time].name, "time");
        CHECK_NEAR(at(1, "time"), .25, 0);
        CHECK_NEAR(at(1, "hip"), -1.5, 0);
        CHECK_NEAR(at(2, "knee"), 2e-3, 1e-18);
    }
}

static void ways_to_write_a_table(void)
{
    static const char *const ways[][2] = {
        {"commas.csv", "time,hip,knee\n0,1,2\n.25,-1.5,3\n.5,0,2e-3\n"},
        {"semicolons.csv", "time;hip;knee\n0;1;2\n.25;-1.5;3\n.5;0;2e-3\n"},
        {"tabs.csv", "time\thip\tknee\n0\t1\t2\n.25\t-1.5\t3\n.5\t0\t2e-3\n"},
        {"bars.csv", "time|hip|knee\n0|1|2\n.25|-1.5|3\n.5|0|2e-3\n"},
        {"blanks.csv", "time hip   knee\n  0 1 2\n.25   -1.5 3 \n.5 0 2e-3\n"},
        {"decimal_commas.csv", "time;hip;knee\n0;1;2\n,25;-1,5;3\n,5;0;2,0e-3\n"},
        {"decimal_commas_and_tabs.tsv", "time\thip\tknee\n0\t1\t2\n0,25\t-1,5\t3\n,5\t0\t2e-3\n"},
        {"decimal_commas_and_blanks.txt", "time hip knee\n0,0 1,0 2,0\n0,25 -1,5 3\n,5 0 2e-3\n"},
        {"decimal_commas_in_quotes.csv",
         "time,hip,knee\n\"0,0\",1,2\n\",25\",\"-1,5\",3\n\",5\",0,2e-3\n"},
        {"cr.csv", "time,hip,knee\r0,1,2\r.25,-1.5,3\r.5,0,2e-3\r"},
        {"crlf.csv", "\xEF\xBB\xBFtime;hip;knee\r\n0;1;2\r\n.25;-1.5;3\r\n.5;0;2e-3\r\n"},
        {"quotes.csv", "\"time\";\"hip\";\"knee\"\n\"0\";\"1\";2\n.25;\"-1.5\";3\n.5;0;2e-3\n"},
        {"quotes_and_blanks.txt", "\"time\" \"hip\" \"knee\"\n0 1 2\n.25 -1.5 3\n.5 0 2e-3\n"},
        {"trailing.csv", "time,hip,knee,\n0,1,2,\n.25,-1.5,3,\n.5,0,2e-3,\n"},
        {"trailing_rows.csv", "time;hip;knee\n0;1;2;\n.25;-1.5;3;\n.5;0;2e-3;\n"},
        {"comments.csv", "# of me\n% fps: 4\n\ntime,hip,knee\n0,1,2\n# a rest\n.25,-1.5,3\n"
                         ".5,0,2e-3\n"},
        {"excel.csv", "sep=;\ntime;hip;knee\n0;1;2\n.25;-1.5;3\n.5;0;2e-3\n"},
        {"savetxt.csv", "# time,hip,knee\n0,1,2\n.25,-1.5,3\n.5,0,2e-3\n"},
        {"savetxt_blanks.txt", "# of me\n#time hip knee\n0 1 2\n.25 -1.5 3\n.5 0 2e-3\n"},
        {"index.csv", ",time,hip,knee\n0,0,1,2\n1,.25,-1.5,3\n2,.5,0,2e-3\n"},
    };
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        read_alike(ways[i][0], ways[i][1]);
    }
    CHECK(sig_find(&signals, "column1") == 0);
}

static void a_line_of_units(void)
{
    static const char *const units[] = {"s,deg,rad", "[s], (deg) ,[rad]", "s,deg,rad"};
    char text[200];
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "time,hip,knee\n%s\n0,1,2\n.25,-1.5,3\n.5,0,2e-3\n", units[i]);
        read_alike("units.csv", text);
        CHECK_TEXT(signals.column[0].unit, "s");
        CHECK_TEXT(signals.column[1].unit, "deg");
        CHECK_TEXT(signals.column[2].unit, "rad");
    }
    read_alike("units.csv", "time,hip [deg],knee\ns,,-\n0,1,2\n.25,-1.5,3\n.5,0,2e-3\n");
    CHECK_TEXT(signals.column[1].unit, "deg");
    CHECK_TEXT(signals.column[2].unit, "");
    refuse("b.csv", "time,hip\ns,fast\n0,1\n",
           "b.csv:2:1: error: 's' is not a number (column "
           "'time')");
}

/* What no reader reads may be written by what wrote it, or by Python, so that one does. */
static void other_formats_get_advice(void)
{
    static const char *const advice[][2] = {{"a.npy", "in Python, numpy.savez("},
                                            {"a.PT", "in Python, numpy.savez("},
                                            {"a.fbx", "export the motion as .bvh"},
                                            {"a.xyz", "say format=, or rename it"}};
    for (int i = 0; i < 4; i++) {
        CHECK(read_text(advice[i][0], "x") == SAL_BADINPUT);
        CHECK(diag.text.data != NULL && strstr(diag.text.data, advice[i][1]) != NULL);
        unlink(in_folder(advice[i][0]));
    }
}

static void times_by_their_names(void)
{
    CHECK(read_text("a.csv", "hip,time_ms\n1,0\n2,20\n") == SAL_OK && signals.time == 1);
    CHECK(read_text("a.csv", "hip,TIME\n1,0\n2,1\n") == SAL_OK && signals.time == 1);
    CHECK_TEXT(signals.column[1].unit, "");
    CHECK(read_text("a.csv", "hip,Time_ms\n1,0\n2,20\n") == SAL_OK && signals.time == 1);
    CHECK_TEXT(signals.column[1].unit, "ms");
    CHECK(read_text("a.csv", "hip,timestamp_ns\n1,0\n2,20\n") == SAL_OK && signals.time == 1);
    CHECK_TEXT(signals.column[1].unit, "ns");
    CHECK(read_text("a.csv", "hip,__time\n1,0\n2,20\n") == SAL_OK && signals.time == 1);
    CHECK(read_text("a.csv", "hip,t_s\n1,0\n2,20\n") == SAL_OK && signals.time == 1);
    CHECK_TEXT(signals.column[1].unit, "");
}

static void tables_without_names(void)
{
    CHECK(read_text("a.csv", "0;1,5;2\n1;2;3\n") == SAL_OK && signals.headless);
    CHECK_NEAR(at(0, "column2"), 1.5, 0);
    CHECK(read_text("a.csv", "4 5 6\n1 2 3\n") == SAL_OK && signals.ncol == 3);
    CHECK(read_text("a.csv", "1,2,\n3,4,\n") == SAL_OK && signals.ncol == 2 && signals.headless);
    CHECK(read_text("a.csv", "7\n8\n") == SAL_OK && signals.ncol == 1 && signals.nrow == 2);
    CHECK(read_text("a.csv", "# 30 Hz\n5,6\n7,8\n") == SAL_OK && signals.headless);
}

/* What is not clear is refused. */
static void tables_that_are_not_clear(void)
{
    refuse("b.csv", "t,x\n0,5,1,5\n0,6,1,6\n",
           "b.csv:2:1: error: this row has 4 cells, but there are 2 columns");
    CHECK(strstr(diag.text.data, "help: if its decimal signs are commas") != NULL);
    refuse("b.csv", "t;x\n0,5;1.5\n0,6;2\n",
           "b.csv:2:1: error: '0,5' is not a number (column 't')");
    refuse("b.csv", "t;x\n0;1.234,5\n1;2\n",
           "b.csv:2:3: error: '1.234,5' is not a number (column 'x')");
    refuse("b.csv", "t;x\n0;1,234,5\n1;2\n",
           "b.csv:2:3: error: '1,234,5' is not a number (column 'x')");
    refuse("b.csv", "t;x\n0;1\n1;2;3\n",
           "b.csv:3:1: error: this row has 3 cells, but there are 2 columns");
    refuse("b.csv", "t,,x\n0,1,2\n", "b.csv:1:3: error: column 2 has no name");
    refuse("b.csv", "# only this\n", "b.csv:1:1: error: the file is empty");
    refuse("b.csv", "#", "b.csv:1:1: error: the file is empty");
    refuse("b.csv", "t;\"x\n0;1\n", "b.csv:1:4: error: the quotes of this name do not match");
    CHECK(read_bytes("b.csv", "\xFF\xFEt\0,\0", 6) == SAL_BADINPUT);
    CHECK(strstr(diag.text.data, "its text is UTF-16: save it as UTF-8") != NULL);
}

static void memory_runs_out(void)
{
    static const char text[] = "# a\n;t;x\n;s;rad\n1;0,5;1\n2;1;2\n";
    exhaust("a.csv", text, strlen(text));
}

int main(void)
{
    static const char *const files[] = {"a.csv", "a.tsv", "a.txt", "b.csv"};
    CHECK(mkdtemp(folder) != NULL);
    RUN(ways_to_write_a_table);
    RUN(a_line_of_units);
    RUN(other_formats_get_advice);
    RUN(times_by_their_names);
    RUN(tables_without_names);
    RUN(tables_that_are_not_clear);
    RUN(memory_runs_out);
    read_end(files, sizeof files / sizeof files[0]);
    return check_done();
}
