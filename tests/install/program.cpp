// A user's C++17 program: every installed header, a ball that falls, and a problem file that is read and solved.
#include <cmath>
#include <cstring>
#include <iostream>
#include <memory>
#include <saltus/base.h>
#include <saltus/identify.h>
#include <saltus/invdyn.h>
#include <saltus/mjcf.h>
#include <saltus/optim.h>
#include <saltus/physics.h>
#include <saltus/problems.h>

static bool falls()
{
    const char *xml =
        "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
    sal_model *model = nullptr;
    sal_data *data = nullptr;
    sal_err err;
    sal_diag diag{};
    const sal_status read =
        sal_model_parse(&model, "ball", xml, std::strlen(xml), nullptr, &diag, &err);
    sal_diag_clear(&diag);
    const std::unique_ptr<sal_model, decltype(&sal_model_free)> own_model(model, sal_model_free);
    if (read != SAL_OK || sal_data_new(&data, model, &err) != SAL_OK) {
        return false;
    }
    const std::unique_ptr<sal_data, decltype(&sal_data_free)> own_data(data, sal_data_free);
    return sal_forward(model, data, &err) == SAL_OK && std::fabs(data->qacc[2] + 9.81) < 1e-12;
}

// Of a file that may ask for a motion or for an identification.
static bool solves(const char *path)
{
    sal_request request{};
    sal_result *result = nullptr;
    sal_err err{};
    sal_diag diag{};
    sal_status status = sal_request_read(&request, path, nullptr, &diag, &err);
    sal_diag_clear(&diag);
    if (status == SAL_OK) {
        status = sal_request_solve(&result, &request, 1, nullptr, &err);
    }
    const std::unique_ptr<sal_result, decltype(&sal_result_free)> own_result(result,
                                                                             sal_result_free);
    sal_request_clear(&request);
    if (status != SAL_OK) {
        std::cerr << "program.cpp: " << err.message << '\n';
        return false;
    }
    int nrow = 0;
    int ncol = 0;
    const int *offset = nullptr;
    const double *qpos = sal_result_array(result, "qpos", &nrow, &ncol);
    sal_result_contacts(result, &offset);
    return sal_identification_of(result) == nullptr && sal_result_exit_code(result) == 0 &&
           sal_result_violation(result) <= 1 && nrow == sal_result_nstep(result) + 1 &&
           ncol == sal_result_model(result)->nq && std::isfinite(qpos[nrow * ncol - 1]) &&
           offset[0] == 0;
}

int main(int argc, char **argv)
{
    return argc == 2 && falls() && solves(argv[1]) ? 0 : 1;
}
