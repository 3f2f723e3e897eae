/* saltus import as a user runs it: what it shows of files of signals, what it guesses, and the
 * element it drafts. */
#include "tests/cli/command.h"

#include "base/base.h"

/* Imports the text as a file of that name. */
static int import(const char *name, const char *text, const char *more)
{
    char line[700];
    files_write(name, text, strlen(text));
    snprintf(line, sizeof line, "import %s %s", files_path(name), more);
    return run(line);
}

static void an_arm_in_a_table(void)
{
    static const char arm[] = "time,theta1,theta2,tau1\n0,0.1,-3.1,5\n0.01,0.2,-3,\n0.02,,-2.9,\n"
                              "0.03,,-2.8,4\n0.05,0.3,-2.7,3\n";
    CHECK(import("arm.csv", arm, "") == 0);
    CHECK(errors[0] == 0);
    SAYS(out, "format    csv\nrows      5\nduration  0.05 s, from 0 to 0.05\n");
    SAYS(out,
         "rate      100 Hz at the median; not uniform: steps from 0.01 to 0.02 s; 1 longer than "
         "1.5 of the median, the first before row 5\n");
    SAYS(out, "  theta1               0.1 .. 0.3       missing 2, at most 2 in a row\n");
    SAYS(out, "  tau1                   3 .. 5         missing 2, at most 2 in a row\n");
    SAYS(out, "theta1 theta2: values up to 3.1 and no unit: radians?");
    SAYS(out, "<channel name=\"theta1\" joint=\"theta1\" columns=\"theta1\" units=\"rad\"");
    SAYS(out, "<!-- in no channel: tau1 -->\n</data>\n");
    CHECK(strstr(out, "up=\"") == NULL); /* a joint needs none */
    CHECK(import("arm.csv", arm, "--json") == 0);
    SAYS(out, "\"long_steps\": 1");
    SAYS(out, "\"guesses\": [");
    CHECK(import("arm.csv", "t,theta1\n0,100\n1,-170\n2,3\n", "") == 0);
    SAYS(out, "theta1: values up to 170 and no unit: degrees?");
    SAYS(out, "t advances by 1 from row to row: ms?");
}

static void a_pose_and_a_force(void)
{
    CHECK(import("p.csv",
                 "t,x,y,z,qx,qy,qz,qw,fx,fy,fz,px,py,pz\n"
                 "0,1,2,3,0,0,0,1,0,0,0,700,0,5\n.01,1,2,3,0,0,.6,.8,0,0,500,.2,.1,0\n",
                 "") == 0);
    SAYS(out, "qx qy qz qw: a unit quaternion, w last?");
    SAYS(out, "px py pz: points up to 700 where there is no force, up to 0.2 under load");
    SAYS(out,
         "time=\"t\" up=\"?\">\n  <channel name=\"pose\" body=\"?\" columns=\"x y z qw qx qy qz\"");
    CHECK(strstr(out, "forces alone") == NULL);
    SAYS(out, "<channel name=\"force\" force=\"?\" columns=\"fx fy fz px py pz\"/>");
}

/* Which of four nameless columns is w, nobody can see. */
static void a_pose_without_a_header(void)
{
    CHECK(import("n.csv", "1,2,3,0,0,0,1\n1,2,3,0,0,.6,.8\n", "") == 0 && errors[0] == 0);
    SAYS(out, "  column7              0.8 .. 1\n");
    SAYS(out, "no column is called time or t: say time= or rate=");
    SAYS(out, "column4 column5 column6 column7: a unit quaternion, w first or last?");
    SAYS(out, "remarks\n  the first line holds numbers, not names: the columns are named by their "
              "places, column1 to column7\n");
}

/* What a force plate recorded goes beside the file of the motion. */
static void forces_alone(void)
{
    CHECK(import("f.csv", "t,l_fx,l_fy,l_fz\n0,0,0,1\n.1,0,0,2\n", "") == 0);
    SAYS(out, "<channel name=\"l\" force=\"?\" columns=\"l_fx l_fy l_fz\"/>\n  <!-- forces alone");
}

/* Each plate's point and torque are those that bear its name, wherever they stand: OpenSim's older
 * files have the torques of all plates behind their forces. */
static void plates_keep_their_own(void)
{
    CHECK(import("old.csv",
                 "t,ground_force_vx,ground_force_vy,ground_force_vz,ground_force_px,"
                 "ground_force_py,ground_force_pz,1_ground_force_vx,1_ground_force_vy,"
                 "1_ground_force_vz,1_ground_force_px,1_ground_force_py,1_ground_force_pz,"
                 "ground_torque_x,ground_torque_y,ground_torque_z,1_ground_torque_x,"
                 "1_ground_torque_y,1_ground_torque_z\n"
                 "0,0,0,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7\n.1,0,0,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7\n",
                 "") == 0);
    SAYS(out, "name=\"ground_force\" force=\"?\" columns=\"ground_force_vx ground_force_vy "
              "ground_force_vz ground_force_px ground_force_py ground_force_pz ground_torque_x "
              "ground_torque_y ground_torque_z\"/>");
    SAYS(out, "name=\"1_ground_force\" force=\"?\" columns=\"1_ground_force_vx 1_ground_force_vy "
              "1_ground_force_vz 1_ground_force_px 1_ground_force_py 1_ground_force_pz "
              "1_ground_torque_x 1_ground_torque_y 1_ground_torque_z\"/>");
    CHECK(strstr(out, "in no channel") == NULL);
    CHECK(import("new.csv",
                 "t,ground_force_1_vx,ground_force_1_vy,ground_force_1_vz,ground_force_1_px,"
                 "ground_force_1_py,ground_force_1_pz,ground_force_1_mx,ground_force_1_my,"
                 "ground_force_1_mz,ground_force_2_vx,ground_force_2_vy,ground_force_2_vz,"
                 "ground_force_2_mx,ground_force_2_my,ground_force_2_mz\n"
                 "0,0,0,1,2,3,4,5,6,7,8,9,1,2,3,4\n.1,0,0,1,2,3,4,5,6,7,8,9,1,2,3,4\n",
                 "") == 0);
    SAYS(out, "ground_force_1_pz ground_force_1_mx ground_force_1_my ground_force_1_mz\"/>");
    /* without a point, a torque has no place */
    SAYS(out, "columns=\"ground_force_2_vx ground_force_2_vy ground_force_2_vz\"/>");
    SAYS(out, "in no channel: ground_force_2_mx ground_force_2_my ground_force_2_mz");
}

static void markers_with_their_faults(void)
{
    sal_text text = {0};
    sal_text_add(&text, "PathFileType\t4\t(X/Y/Z)\tw.trc\nDataRate\tNumFrames\tNumMarkers\tUnits\n"
                        "100\t30\t3\tmm\nFrame#\tTime\tHEAD\t\t\tHAND\t\t\tFOOT\t\t\n"
                        "\t\tX1\tY1\tZ1\tX2\tY2\tZ2\tX3\tY3\tZ3\n");
    for (int i = 0; i < 30; i++) {
        sal_text_format(&text, "%d\t%g\t%d\t1700\t-900\t%d\t1000\t-800\t", i + 1, .01 * i, 10 * i,
                        i == 20 ? 700 : 10 * i);
        sal_text_format(&text, i == 9 ? "\t\t\n" : "%d\t40\t-900\n", 10 * i);
    }
    CHECK(import("w.trc", text.data, "") == 0);
    SAYS(errors, "w.trc:26:");
    SAYS(errors, "marker 'HAND' jumps by up to 1 m");
    SAYS(out, "all markers lie from the floor to a person's height along y: up is y?");
    SAYS(out, "  jumps 3\n");
    SAYS(out, "  missing 1, at most 1 in a row\n");
    SAYS(out,
         "<channel name=\"HAND\" site=\"HAND\" columns=\"HAND\" units=\"mm\" sigma=\"0.005\"/>");
    sal_text_clear(&text);
}

static void what_cannot_be_imported(void)
{
    CHECK(import("b.csv", "time,x\n0,1\n1,2\n0.5,3\n", "") == 3);
    SAYS(errors, "b.csv:4:1: error: the time goes back: 0.5 comes after 1");
    SAYS(out, "rate      not known\ntime      time\n"); /* what it holds is shown all the same */
    CHECK(import("b.csv", "time,x\n0,1\n1,2\n0.5,3\n", "--json") == 3);
    SAYS(out, "\"status\": \"bad input\"");
    CHECK(strstr(out, "draft") == NULL);
    CHECK(import("b.csv", "t,x\n0,one\n1,2\n", "") == 3 && out[0] == 0);
    SAYS(errors, "b.csv:2:3: error: 'one' is not a number");
    CHECK(import("b.dat", "t,x\n0,1\n1,2\n", "") == 3);
    CHECK(import("b.dat", "t,x\n0,1\n1,2\n", "--format csv") == 0);
    CHECK(import("b.dat", "t,x\n0,1\n1,2\n", "--format xls") == 3);
    SAYS(errors, "'xls' is not a format of signals; the formats are csv, sto, trc, bvh, json, npz, "
                 "pickle, hdf5, mat, c3d");
    CHECK(run("import /nonexistent/a.csv") == 5);
    CHECK(run("import") == 2);
}

int main(void)
{
    RUN(an_arm_in_a_table);
    RUN(a_pose_and_a_force);
    RUN(a_pose_without_a_header);
    RUN(forces_alone);
    RUN(plates_keep_their_own);
    RUN(markers_with_their_faults);
    RUN(what_cannot_be_imported);
    files_remove();
    return check_done();
}
