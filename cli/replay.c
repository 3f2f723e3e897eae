#include "cli/cli.h"

#include "problems/result/result.h"
#include "runs/runs.h"

static void replay_json(sal_json *json, const sal_replay *replay, bool has_act)
{
    sal_json_object(json, NULL);
    sal_json_object(json, "onestep");
    sal_json_number(json, "qpos", replay->onestep_qpos);
    sal_json_number(json, "qvel", replay->onestep_qvel);
    sal_json_integer(json, "step", replay->onestep_step);
    sal_json_integer(json, "dof", replay->onestep_dof);
    if (has_act) {
        sal_json_number(json, "act", replay->onestep_act);
    }
    sal_json_end(json);
    sal_json_object(json, "rollout");
    sal_json_numbers(json, "qpos", replay->rollout_qpos, replay->nstep);
    sal_json_numbers(json, "qvel", replay->rollout_qvel, replay->nstep);
    sal_json_end(json);
    sal_json_end(json);
}

static void replay_lines(sal_text *out, const sal_replay *replay, const sal_result *result)
{
    const sal_model *m = result->model;
    const int dof = replay->onestep_dof;
    char joint[SAL_LABEL_MAX] = "no joint";
    if (dof >= 0) {
        sal_model_label(m, SAL_OBJ_JOINT, m->dof_jntid[dof], joint);
    }
    sal_text_format(out, "one step   largest error %.3g in qpos, %.3g in qvel (step %d, %s)\n",
                    replay->onestep_qpos, replay->onestep_qvel, replay->onestep_step, joint);
    if (m->na > 0) {
        sal_text_format(out, "           %.3g in act\n", replay->onestep_act);
    }
    sal_text_format(out, "rollout    error after %6s %12s %12s\n", "step", "qpos", "qvel");
    for (int t = 0; t < replay->nstep; t++) {
        const bool shown = t == replay->nstep - 1 || (t & (t + 1)) == 0; /* 1, 2, 4, 8, .. */
        if (shown) {
            sal_text_format(out, "                       %6d %12.3g %12.3g\n", t + 1,
                            replay->rollout_qpos[t], replay->rollout_qvel[t]);
        }
    }
}

static int replay(const cli_arguments *a, const sal_result *result)
{
    sal_replay replay;
    sal_err err = {0};
    const sal_status status = sal_result_replay(&replay, result, a->given[CLI_OPT_FORCES], &err);
    if (status != SAL_OK) {
        return cli_fail(a, status, &err);
    }
    sal_text text = {0};
    sal_json json = {.out = &text, .lines = true};
    if (a->given[CLI_OPT_JSON]) {
        replay_json(&json, &replay, result->model->na > 0);
        sal_text_add(&text, "\n");
    } else {
        replay_lines(&text, &replay, result);
    }
    const int code = cli_write(a, &text, NULL);
    sal_text_clear(&text);
    sal_replay_clear(&replay);
    return code;
}

/* --contact-model, where the motion is replayed in the result's own model. Its margins are as wide
 * as the result's contact model needs them, which soft would take for its own. */
static int take_contact_model(const cli_arguments *a, sal_result *result)
{
    sal_err err = {0};
    if (!a->given[CLI_OPT_CONTACTMODEL] || a->given[CLI_OPT_MODEL]) {
        return CLI_EXIT_OK;
    }
    if (a->contact_model == SAL_CONTACT_SOFT && result->contact.model != SAL_CONTACT_SOFT) {
        cli_say("error: --contact-model soft cannot be given to a result of the contact model %s; "
                "add --model with the file of the model",
                sal_contact_model_name(result->contact.model));
        return CLI_EXIT_USAGE;
    }
    sal_status status = cli_give_contact_model(a, result->model, &err);
    if (status == SAL_OK && result->softer != NULL) {
        status = cli_give_contact_model(a, result->softer, &err);
    }
    return status == SAL_OK ? CLI_EXIT_OK : cli_fail(a, status, &err);
}

int cli_replay(const cli_arguments *a)
{
    sal_result *result;
    int code = cli_read_result(a, a->file[0], &result);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    code = cli_fail_still(a, result->model, "there is no motion to replay");
    code = code == CLI_EXIT_OK ? take_contact_model(a, result) : code;
    if (code == CLI_EXIT_OK) {
        code = cli_asks_rollout(a) ? cli_rollout(a, result) : replay(a, result);
    }
    sal_result_free(result);
    return code;
}
