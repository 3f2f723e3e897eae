/* A mechanism of one dof and very many elements, checked and solved as any other. */
#include "tests/cli/command.h"

#include "base/base.h"

enum { TENDONS = 250 };

static const char problem[] = "<problem name='many'>"
                              "<model file='m.xml'/><time nstep='8' duration='0.4'/>"
                              "<boundary type='open'><start key='left'/><end key='right'/>"
                              "</boundary>"
                              "<cost><term name='effort' ctrl='all' weight='1'/></cost>"
                              "</problem>";

static void write_model(void)
{
    sal_text xml = {0};
    sal_text_add(&xml, "<mujoco><worldbody><site name='w' pos='0 0 1'/><body name='arm'>"
                       "<joint name='h' axis='0 1 0'/><geom size='.1' pos='.5 0 0'/>"
                       "<site name='s' pos='.4 .1 0'/></body></worldbody><tendon>");
    for (int i = 0; i < TENDONS; i++) {
        sal_text_format(&xml,
                        "<spatial stiffness='%g' damping='.01'><site site='w'/>"
                        "<site site='s'/></spatial>",
                        0.01 * (i % 3));
    }
    sal_text_add(&xml,
                 "</tendon><actuator><motor name='a' joint='h'/></actuator>"
                 "<keyframe><key name='left' qpos='0'/><key name='right' qpos='.3'/></keyframe>"
                 "</mujoco>");
    files_write("m.xml", xml.data, xml.length);
    sal_text_clear(&xml);
}

static void tendons_without_number(void)
{
    char line[1400];
    write_model();
    files_write("p.xml", problem, strlen(problem));
    snprintf(line, sizeof line, "check %s --derivatives", files_path("p.xml"));
    CHECK(run(line) == 0);
    snprintf(line, sizeof line, "solve %s -o %s", files_path("p.xml"), files_path("r.saltus"));
    CHECK(run(line) == 0);
    if (check_case_faults > 0) {
        printf("%s%s", out, errors);
    }
}

int main(void)
{
    RUN(tendons_without_number);
    files_remove();
    return check_done();
}
