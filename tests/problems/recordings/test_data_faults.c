/* Recordings that are wrong: what <data> says of them, with the place and the likely cause. */
#include "tests/problems/recordings/recordings.h"

/* ---- what is wrong ---- */

static int backward(int k, double row[12])
{
    row[0] = k >= 30 ? row[0] - .2 : row[0];
    return 12;
}

static int repeated(int k, double row[12])
{
    row[0] = k == 30 ? .29 : row[0];
    return 12;
}

static int one_missing(int k, double row[12])
{
    row[8] = k == 30 ? (double)NAN : row[8];
    return 12;
}

static int all_missing(int k, double row[12])
{
    (void)k;
    row[8] = (double)NAN;
    return 12;
}

static int rows_missing(int k, double row[12])
{
    (void)row;
    return k >= 30 && k < 34 ? 0 : 12;
}

static int place_jumps(int k, double row[12])
{
    row[2] += k == 30 ? .03 : 0;
    return 12;
}

static int place_moves(int k, double row[12])
{
    row[2] += k >= 30 ? .03 : 0;
    return 12;
}

static int angle_jumps(int k, double row[12])
{
    row[8] += k == 30 ? .2 : 0;
    return 12;
}

static int swapped(int k, double row[12])
{
    (void)k;
    const double y = row[2];
    row[2] = row[3];
    row[3] = y;
    return 12;
}

static int slow_clock(int k, double row[12])
{
    (void)k;
    row[0] *= 1.5;
    return 12;
}

static int millimetres(int k, double row[12])
{
    (void)k;
    row[1] *= 1000, row[2] *= 1000, row[3] *= 1000;
    return 12;
}

static int long_quaternion(int k, double row[12])
{
    row[5] *= k == 30 ? 3 : 1;
    return 12;
}

static int degrees(int k, double row[12])
{
    (void)k;
    row[8] *= 180 / pi;
    row[10] *= 180 / pi;
    return 12;
}

/* a joint that goes from -20 to 20 degrees and stays there */
static int bent(int k, double row[12])
{
    row[8] = 20 * tanh(.1 * (k - 30));
    return 12;
}

/* .. of which there are few, so that they could be radians */
static int small_degrees(int k, double row[12])
{
    row[8] *= .1 * 180 / pi;
    row[9] *= .1;
    (void)k;
    return 12;
}

/* hip dhip knee: angular velocity in the cube's axes, deg/s */
static int turning(int k, double row[12])
{
    (void)k;
    row[8] = .6 * toss_spin * 180 / pi;
    row[9] = 0;
    row[10] = .8 * toss_spin * 180 / pi;
    return 12;
}

/* .. forces on the two moved kilograms and the cube, y up, though up="z" is said; 1 g */
static int pushed(int k, double row[12])
{
    (void)k;
    row[8] = 0;
    row[9] = 25;
    row[10] = 1;
    return 12;
}

/* the knee beyond its range of -2 .. 2 */
static int beyond(int k, double row[12])
{
    row[10] = -4 - .3 * sin(.1 * k);
    return 12;
}

static int dead(int k, double row[12])
{
    (void)k;
    row[8] = .25;
    return 12;
}

static int thousands(int k, double row[12])
{
    row[0] = 10 * k;
    return 12;
}

typedef struct fault {
    row_edit edit;
    const char *attributes, *channels, *said, *help;
} fault;

#define POSE "<channel name='pose' body='cube' columns='x y z qw qx qy qz' sigma='1e-4'/>"
#define HIP  "<channel name='hip' joint='hip' columns='hip' sigma='1e-3'/>"
#define DHIP "<channel name='dhip' joint='hip' of='vel' columns='dhip' sigma='1e-3'/>"
#define KNEE "<channel name='knee' joint='knee' columns='knee' sigma='1e-3'/>"

/* f.csv has its header in line 1, sample k in line k + 2; said: the end of the message's place, or
 * all of its line, and what it goes on with */
static const fault faults[] = {
    {backward, "file='f.csv'", HIP,
     "f.csv:32:1: error: the time goes back: 0.1 s comes after 0.29 s (column 't')",
     "holds two recordings"},
    {repeated, "file='f.csv'", HIP,
     "f.csv:32:1: error: the time repeats: 0.29 s comes after 0.29 s (column 't')",
     "the row occurs twice"},
    {one_missing, "file='f.csv'", HIP,
     "error: numbers are missing for 1 sample, 0.01 s (column 'hip', channel 'hip')", "gap= (s)"},
    {all_missing, "file='f.csv' gap='10'", HIP,
     "f.csv:1:21: error: column 'hip' (channel 'hip') is empty", "skip="},
    {rows_missing, "file='f.csv' gap='.01'", HIP,
     "f.csv:32:1: error: there are no samples for 0.05 s before this row; rows are usually 0.01 s "
     "apart",
     "gap= (s)"},
    {uneven, "file='f.csv'", HIP, "error: samples are not evenly spaced", "resample=, Hz"},
    {place_jumps, "file='f.csv' up='z'", POSE,
     "f.csv:32:5: error: channel 'pose' jumps by about 0.0424 m to this row", "jump="},
    {place_moves, "file='f.csv' up='z'", POSE,
     "error: channel 'pose' jumps by about 0.03 m to this row", "jump="},
    {angle_jumps, "file='f.csv'", HIP, "error: channel 'hip' jumps by about 0.282 rad to this row",
     "jump="},
    {wrapped, "file='f.csv'", HIP,
     "error: channel 'hip' jumps by a whole turn, because its angle is limited to one turn",
     "unwrap"},
    {swapped, "file='f.csv' up='z'", POSE, "it falls towards -y; axes may be exchanged",
     "up= and the order of columns="},
    {NULL, "file='f.csv' up='y'", POSE, "it falls towards +y; axes may be exchanged",
     "up= and the order of columns="},
    {slow_clock, "file='f.csv' up='z'", POSE,
     "it falls, but with 0.444 times the acceleration of gravity; the rate may be 0.6667 times the "
     "true one",
     "rate=, time= and units="},
    {millimetres, "file='f.csv' up='z'", POSE,
     "it falls, but with 1e+03 times the acceleration of gravity", "units="},
    {slow_clock, "file='f.csv'", HIP DHIP,
     "f.csv:1:25: error: channel 'dhip' is 1.501 times the rate of change of channel 'hip'",
     "the rate or the units are wrong"},
    {small_degrees, "file='f.csv'", HIP DHIP, "error: channel 'dhip' is 0.0174",
     "one of the two is in degrees"},
    {degrees, "file='f.csv'", KNEE,
     "f.csv:1:30: error: column 'knee' ranges from -22.92 to 22.92, read as radians (channel "
     "'knee'): these may be degrees",
     "units=\"deg\""},
    {bent, "file='f.csv'", HIP,
     "f.csv:1:21: warning: column 'hip' ranges from -19.9 to 19.88, read as radians (channel "
     "'hip'), and its joint has no range to compare with: these may be degrees",
     "units=\"deg\""},
    {NULL, "file='f.csv'",
     "<channel name='knee' joint='knee' columns='knee' units='deg' sigma='1'/>",
     "warning: column 'knee' ranges from -0.4 to 0.4, read as degrees (channel 'knee'): these may "
     "be radians",
     NULL},
    {long_quaternion, "file='f.csv' up='z'", POSE,
     "error: the quaternion of channel 'pose' has length 1.", "w x y z"},
    {NULL, "file='f.csv' up='z'",
     "<channel name='pose' body='cube' columns='x y z qx qy qz qw' sigma='1'/>",
     "p.xml:3:69: error: the quaternion of channel 'pose' is in the order xyzw", "w first"},
    {turning, "file='f.csv' up='z'",
     POSE "<channel name='gyro' sensor='gyro' columns='hip dhip knee' sigma='.1'/>",
     "f.csv:1:21: error: channel 'gyro' is 57.3", "units="},
    {pushed, "file='f.csv' up='z'",
     POSE "<channel name='ground' force='hand' columns='hip dhip knee'/>",
     "warning: the mean of the recorded forces is (0, 25, 1) N", "up="},
    {pushed, "file='f.csv' up='z'",
     POSE "<channel name='feel' sensor='feel' columns='hip hip knee' sigma='.1'/>",
     "warning: channel 'feel' typically reads 1 m/s2", "in g"},
    {beyond, "file='f.csv'", KNEE,
     "warning: channel 'knee' is outside the range of its joint, -2 .. 2 rad, in 60 of 60 samples",
     "sign"},
    {NULL, "file='f.csv f*.csv'", HIP, "f.csv' is named twice and would be used twice", "skip="},
    {NULL, "file='slow.csv f.csv copy.csv'", HIP, "copy.csv' has the same samples as", "skip="},
    {NULL, "file='f.csv' also='g*.csv'", HIP, "error: no file matches", NULL},
    {NULL, "file='f.csv' also='f.csv m.csv'", HIP, "error: file= names 1 file, but also= names 2",
     "index table"},
    {NULL, "file='f.csv' also='g.csv'", HIP, "error: cannot read", NULL},
    {NULL, "file='f.csv'",
     "<channel name='gyro' sensor='gyro' columns='hip dhip knee' units='turns' sigma='.1'/>",
     "error: 'turns' is not a known unit", "explain"},
    {NULL, "file='f.csv slow.csv'", HIP,
     "warning: this recording has 66.6667 samples per second, but the first has 100", "resample="},
    {thousands, "file='f.csv'", HIP, "warning: samples are 10 s apart; perhaps the time is in ms",
     "[ms]"},
    {dead, "file='f.csv'", HIP, "warning: channel 'hip' has the same value in all 60 samples",
     NULL},
    {NULL, "file='f.csv' rate='50'", HIP, "p.xml:3:26: error: the times of", "units of the time"},
    {NULL, "file='f.csv' time='tt'", HIP, "has no column 'tt'", "did you mean 't'?"},
    {NULL, "file='f.csv'", "<channel name='hip' joint='hip' columns='hipp' sigma='1'/>",
     "has no column 'hipp'", "did you mean 'hip'?"},
    {NULL, "file='f.csv'", "<channel name='hip' joint='hop' columns='hip' sigma='1'/>",
     "error: the model has no joint 'hop'", "did you mean 'hip'?"},
    {NULL, "file='f.csv'", "<channel name='hip' joint='hip' columns='hip'/>",
     "error: the channel needs 'sigma'", NULL},
    {NULL, "file='f.csv'", "<channel name='hip' joint='hip' columns='hip u' sigma='1'/>",
     "error: 2 columns do not fit this channel", NULL},
    {NULL, "file='f.csv'", "<channel name='hip' joint='hip' columns='hip' units='mm' sigma='1'/>",
     "error: 'mm' is not a unit of an angle (rad)", NULL},
    {NULL, "file='f.csv'", "<channel name='hip' columns='hip' sigma='1'/>",
     "error: this <channel> names no object", NULL},
    {NULL, "file='f.csv'",
     "<channel name='hip' joint='hip' sensor='gyro' columns='hip' sigma='1'/>",
     "error: a channel can measure only one object; this one names 'joint' and 'sensor'", NULL},
    {NULL, "file='f.csv'", HIP "<channel name='v' ctrl='motor' columns='u' sigma='1'/>",
     "error: a channel of 'ctrl' or 'force' cannot have 'sigma', since it is taken as known",
     "remove it"},
    {NULL, "file='f.csv'", HIP "<channel name='v' ctrl='motor' columns='u' norm='huber'/>",
     "error: a channel of 'ctrl' or 'force' cannot have 'norm', since it is taken as known",
     "remove it"},
    {NULL, "file='f.csv'", HIP HIP, "error: two channels are named 'hip'", NULL},
    {NULL, "file='f.csv'", "", "error: no channel of these recordings measures the motion", NULL},
    {NULL, "file='f.csv'", POSE, "error: the vertical axis of channel 'pose' is not known",
     "up=\"z\""},
    {NULL, "file='none.csv'", HIP, "error: cannot read", NULL},
    {NULL, "file='none*.csv'", HIP, "there are no recordings", NULL},
    {NULL, "file='f.csv' skip='f'", HIP, "error: there are no recordings left", "skip="},
    {NULL, "file='f.csv' from='5'", HIP,
     "has only 0 samples between 5 and 0.59 s (of 60 from 0 to 0.59 s); more are needed", "from="},
    {NULL, "file='f.csv' from='5' to='4'", HIP, "error: from=5 s must be less than to=4 s", NULL},
    {NULL, "file='f.csv' lowpass='60'", HIP,
     "error: the low-pass frequency is too high: 100 samples per second contain only frequencies "
     "up to 50 Hz",
     NULL},
    {NULL, "file='f.csv' order='3'", HIP, "error: order must be an even number", NULL},
    {NULL, "file='f.csv' index='f.csv'", HIP, "error: <data> cannot have both 'file' and 'index'",
     NULL},
    {NULL, "", HIP, "error: <data> needs 'file' or 'index'", NULL},
    {NULL, "index='f.csv'", HIP, "error: the index table has no column 'file'", NULL},
    {NULL, "file='f.csv' where='t=1'", HIP, "error: 'where' needs 'index'", NULL},
    {NULL, "file='f.csv' resample='50'", HIP,
     "warning: 100 samples per second are reduced to 50 without a filter", "does not apply to"},
};

static void faults_are_named(void)
{
    write_motion("copy.csv", ROWS, NULL);
    write_motion("slow.csv", ROWS, slow_clock); /* another rate than that of f.csv */
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        char data[2000];
        sal_text text = {0};
        const fault *f = faults + i;
        const bool warns =
            strncmp(f->said, "warning", 7) == 0 || strstr(f->said, ": warning:") != NULL;
        write_motion("f.csv", ROWS, f->edit);
        snprintf(data, sizeof data, "<data %s>%s%s</data>", f->attributes, f->channels, motor);
        sal_problem *p = read_data(data, &text);
        const char *at = text.data == NULL ? NULL : strstr(text.data, f->said);
        if (at == NULL || (f->help != NULL && strstr(at, f->help) == NULL) ||
            (p != NULL) != warns) {
            check_case_faults++;
            printf("%s\n%s\nexpected: %s %s\n", data, text.data == NULL ? "nothing" : text.data,
                   f->said, f->help == NULL ? "" : f->help);
        }
        sal_problem_free(p);
        sal_text_clear(&text);
    }
}

/* Not the samples of another recording */
static int higher(int k, double row[12])
{
    (void)k;
    row[3] += .1;
    return 12;
}

static bool says(const sal_text *text, const char *part)
{
    return text->data != NULL && strstr(text->data, part) != NULL;
}

/* Angles, and controls of a quicker clock, `rate` a second, in a file of their own */
static void write_apart(int rate)
{
    sal_text angles = {0}, drive = {0};
    sal_text_add(&angles, "t,hip\n");
    sal_text_add(&drive, "t,u\n");
    for (int k = 0; k <= 50; k++) {
        sal_text_format(&angles, "%.9g,%.9g\n", .01 * k, .3 * sin(.05 * k));
    }
    for (int k = 0; k <= rate / 2; k++) {
        sal_text_format(&drive, "%.9g,%.9g\n", (double)k / rate, sin((double)k));
    }
    files_write("angles.csv", angles.data, angles.length);
    files_write("drive.csv", drive.data, drive.length);
    sal_text_clear(&angles);
    sal_text_clear(&drive);
}

/* Of a thousand controls a second those at the hundred instants of the angles are no picture; a
 * filter, which comes later and leaves controls alone, is no help. */
static void controls_of_another_file_are_folded(void)
{
    static const char said[] =
        "warning: 1000 samples per second of channel 'u' are reduced to the 100 of the first file";
    static const char *const attributes[] = {"", "lowpass='6'"};
    for (int i = 0; i < 3; i++) {
        char data[1000];
        sal_text text = {0};
        write_apart(i < 2 ? 1000 : 100);
        snprintf(data, sizeof data, "<data file='angles.csv' also='drive.csv' %s>%s%s</data>",
                 attributes[i % 2], HIP, motor);
        sal_problem *p = read_data(data, &text);
        CHECK(p != NULL);
        CHECK(says(&text, said) == (i < 2) && says(&text, "write the mean") == (i < 2));
        sal_problem_free(p);
        sal_text_clear(&text);
    }
}

/* Who has many recordings hears of all that have jumps at once, and may leave them out. */
static void all_jumps_are_named(void)
{
    sal_text text = {0};
    write_motion("j1.csv", ROWS, place_jumps);
    write_motion("j2.csv", ROWS, NULL);
    write_motion("j3.csv", ROWS, place_jumps);
    write_motion("j4.csv", ROWS, higher);
    write_motion("j5.csv", ROWS, place_jumps);
    char data[2000];
    static const char form[] = "<data %s up='z'>%s%s</data>";
    snprintf(data, sizeof data, form, "file='j*.csv'", pose, motor);
    CHECK(read_data(data, &text) == NULL);
    CHECK(says(&text, "3 of 5 recordings have jumps: j1, j3, j5"));
    CHECK(says(&text, "j1.csv:32:"));
    CHECK(!says(&text, "j3.csv:"));
    sal_text_clear(&text);
    snprintf(data, sizeof data, form, "file='j*.csv' onjump='skip'", pose, motor);
    sal_problem *p = read_data(data, &text);
    CHECK(says(&text, "warning: 3 of 5 recordings have jumps and are left out: j1, j3, j5"));
    CHECK(p != NULL && p->data->nrecording == 2);
    if (p != NULL && p->data->nrecording == 2) {
        CHECK_TEXT(p->data->recording[0].name, "j2");
        CHECK_TEXT(p->data->recording[1].name, "j4");
    }
    sal_problem_free(p);
    sal_text_clear(&text);
    snprintf(data, sizeof data, form, "file='j1.csv j3.csv' onjump='skip'", pose, motor);
    CHECK(read_data(data, &text) == NULL);
    CHECK(says(&text, "error: all 2 recordings have jumps, so none is left"));
    sal_text_clear(&text);
}

/* What a user has looked at is taken as it is. */
static void what_is_said_is_believed(void)
{
    write_motion("f.csv", ROWS, place_jumps);
    sal_problem *p = read_format("file='f.csv' up='z' jump='0'", pose);
    CHECK(p != NULL);
    sal_problem_free(p);
    write_motion("f.csv", ROWS, place_jumps);
    p = read_format("file='f.csv' up='z' jump='10'", pose);
    CHECK(p != NULL);
    sal_problem_free(p);
    write_motion("f.csv", ROWS, backward);
    p = read_format("file='f.csv' to='.05'", hip); /* rows 0..5, and none of those after row 29 */
    CHECK(p != NULL && p->data->recording[0].nsample == 6);
    sal_problem_free(p);
}

/* Counts of an encoder, 4096 a turn: whole, and of which the file has what is over whole turns. */
static const double PER_RADIAN = 4096 / (2 * 3.14159265358979323846);

static int counts(int k, double row[12])
{
    row[8] = round(PER_RADIAN * 3 * tanh(.1 * (k - 30)));
    return 12;
}

static int wrapped_counts(int k, double row[12])
{
    counts(k, row);
    row[8] -= 4096 * floor(row[8] / 4096);
    return 12;
}

/* Its angle says whether there are degrees, turns or jumps, not its numbers. */
static void scaled_angles_are_angles(void)
{
    static int (*const edits[])(int k, double row[12]) = {counts, wrapped_counts};
    char data[2000];
    for (int i = 0; i < 2; i++) {
        sal_text text = {0};
        write_motion("f.csv", ROWS, edits[i]);
        snprintf(data, sizeof data,
                 "<data file='f.csv'><channel name='hip' joint='hip' columns='hip' "
                 "scale='651.8986469' sigma='.3' unwrap='%s'/>%s</data>",
                 i == 0 ? "false" : "true", motor);
        sal_problem *p = read_data(data, &text);
        const char *said = text.data == NULL ? "" : text.data;
        CHECK(p != NULL && strstr(said, "channel 'hip'") == NULL);
        for (int k = 1; p != NULL && k < ROWS; k++) {
            const prb_recording *r = p->data->recording;
            double now[12] = {0}, before[12] = {0};
            counts(k, now);
            counts(k - 1, before);
            CHECK_NEAR(r->value[k * p->data->nvalue + p->data->channel[0].adr] -
                           r->value[(k - 1) * p->data->nvalue + p->data->channel[0].adr],
                       now[8] - before[8], 1e-5);
        }
        sal_problem_free(p);
        sal_text_clear(&text);
    }
    sal_text text = {0};
    write_motion("f.csv", ROWS, wrapped_counts);
    CHECK(read_data("<data file='f.csv'><channel name='hip' joint='hip' columns='hip' "
                    "scale='651.8986469' sigma='.3'/></data>",
                    &text) == NULL);
    CHECK(says(&text, "channel 'hip' jumps by a whole turn"));
    sal_text_clear(&text);
}

/* Six markers that stand as those of the model do, written down by who has this axis upward. */
static void markers(const char *name, char up)
{
    static const double place[6][3] = {{0, 0, .1},    {0, .1, .5},   {.1, 0, .9},
                                       {.1, .1, 1.2}, {0, -.1, 1.5}, {-.1, 0, 1.7}};
    sal_text text = {0};
    sal_text_add(&text, "t,u");
    for (int i = 0; i < 6; i++) {
        sal_text_format(&text, ",s%d_x,s%d_y,s%d_z", i, i, i);
    }
    for (int k = 0; k < 20; k++) {
        sal_text_format(&text, "\n%.2f,0", .01 * k);
        for (int i = 0; i < 6; i++) {
            const double x = place[i][0] + .01 * k, y = place[i][1], z = place[i][2];
            sal_text_format(&text, ",%.6f,%.6f,%.6f", x, up == 'y' ? z : y, up == 'y' ? -y : z);
        }
    }
    files_write(name, text.data, text.length);
    sal_text_clear(&text);
}

static sal_problem *read_markers(const char *attributes, const char *units, sal_text *messages)
{
    char data[4000];
    size_t n = (size_t)snprintf(data, sizeof data, "<data file='s.csv' %s>%s", attributes, motor);
    for (int i = 0; i < 6; i++) {
        n += (size_t)snprintf(
            data + n, sizeof data - n,
            "<channel name='s%d' site='s%d' columns='s%d_x s%d_y s%d_z' %s sigma='.01'/>", i, i, i,
            i, i, units);
    }
    snprintf(data + n, sizeof data - n, "</data>");
    return read_data(data, messages);
}

static void markers_stand_upright(void)
{
    sal_text text = {0};
    markers("s.csv", 'z');
    sal_problem *p = read_markers("up='z'", "", NULL);
    CHECK(p != NULL);
    sal_problem_free(p);
    p = read_markers("up='y'", "", &text);
    CHECK(p == NULL && text.data != NULL && strstr(text.data, "are not upright") != NULL &&
          strstr(text.data, "correlate with their -y") != NULL);
    sal_problem_free(p);
    sal_text_clear(&text);
    p = read_markers("up='z'", "units='mm'", &text);
    CHECK(p == NULL && text.data != NULL &&
          strstr(text.data, "lengths may be in other units") != NULL);
    sal_problem_free(p);
    sal_text_clear(&text);
    markers("s.csv", 'y');
    p = read_markers("up='y'", "", NULL);
    CHECK(p != NULL);
    if (p != NULL) {
        CHECK_NEAR(sample(p, 0, 0)[1 + 3 * 4 + 1], -.1, 1e-12);
        CHECK_NEAR(sample(p, 0, 0)[1 + 3 * 4 + 2], 1.5, 1e-12);
    }
    sal_problem_free(p);
}

int main(void)
{
    RUN(faults_are_named);
    RUN(controls_of_another_file_are_folded);
    RUN(all_jumps_are_named);
    RUN(what_is_said_is_believed);
    RUN(scaled_angles_are_angles);
    RUN(markers_stand_upright);
    files_remove();
    return check_done();
}
