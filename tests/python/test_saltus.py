"""The package `saltus` against the command, finite differences, and itself over threads."""

import json
import os
import pathlib
import subprocess

import numpy as np
import pytest
import saltus

ROOT = pathlib.Path(os.environ["SALTUS_ROOT"])
COMMAND = pathlib.Path(os.environ["SALTUS_BUILD"]) / "cli" / "saltus"

WALK = {
    "name": "walker_walk",
    "model": str(ROOT / "models/walker.xml"),
    "time": {"nstep": 20, "duration": 0.5},
    "boundary": {"type": "cycle", "mirror": "left_ right_", "travel": {"joint": "rootx", "speed": 1.2}},
    "cost": {"term": [{"name": "effort", "ctrl": "all", "weight": 1},
                      {"name": "upright", "joint": "rooty", "weight": 1},
                      {"name": "slip", "slip": "left_foot- left_foot+ right_foot- right_foot+", "weight": 2},
                      {"name": "impact", "impact": "left_foot- left_foot+ right_foot- right_foot+", "weight": 1.5}]},
    "init": {"key": "stand", "nstart": 4},
    "solver": {"smoothing": {"width": [0.15, 0.002], "dmax": [0.6, 0.985], "acceleration": [0.3, 0.005]}},
}


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    """The result of the command, and of the same problem from a dict."""
    folder = tmp_path_factory.mktemp("walk")
    subprocess.run([COMMAND, "solve", ROOT / "examples/walker_walk.xml", "-q", "-o", folder / "command"], check=True)
    return saltus.load(folder / "command"), saltus.solve(WALK)


def states(model, n, seed=1):
    """Configurations near the first pose, some of them in the floor."""
    rng = np.random.default_rng(seed)
    qpos = np.tile(model.qpos0, (n, 1)) + 0.1 * rng.standard_normal((n, model.nq))
    return qpos, rng.standard_normal((n, model.nv)), rng.standard_normal((n, model.nv))


def test_a_dict_gives_the_bytes_of_the_command(walk):
    command, own = walk
    assert own.status == command.status == "converged" and own.exit_code == 0
    for name in ("time", "qpos", "qvel", "qfrc_inverse", "ctrl", "contact_pos", "contact_force"):
        assert getattr(own, name).tobytes() == getattr(command, name).tobytes(), name
    assert np.array_equal(own.contact_geom, command.contact_geom)
    assert own.is_physical and own.is_as_asked and own.cost == command.cost


def test_arrays_have_names_and_shapes(walk):
    result, model = walk[0], walk[0].model
    assert result.qpos.shape == (21, model.nq) and result.ctrl.shape == (21, model.nu)
    assert np.array_equal(result.joint("left_knee"), result.qpos[:, model.jnt_qposadr[model.find("joint", "left_knee")]])
    assert np.isnan(result.ctrl[-1]).all() and np.isfinite(result.control("left_hip")[:-1]).all()
    assert result.contact_offset[-1] == len(result.contact_pos) == len(result.contact_geom)
    with pytest.raises(KeyError, match="there is no joint 'knee'; there are: rootx"):
        result.joint("knee")
    with pytest.raises(AttributeError, match="its arrays are time, qpos"):
        result.forces


def test_arrays_are_views_that_live_on(walk, tmp_path):
    walk[0].write(tmp_path / "again.h5")
    qpos = saltus.load(tmp_path / "again.h5").qpos  # the result itself is gone
    assert np.array_equal(qpos, walk[0].qpos) and not qpos.flags.writeable and not qpos.flags.owndata
    with pytest.raises(ValueError):
        qpos[0, 0] = 1


def test_the_floor_carries_the_weight(walk):
    """Over a period the mean vertical force of the floor is the weight, but for what the steps of 25 ms leave out."""
    floor = walk[0].model.find("geom", "floor")
    total = -walk[0].contact_forces()[:, floor].sum(axis=0) / walk[0].nstep
    assert total[2] == pytest.approx(walk[0].weight, rel=1e-3)


def test_figures_are_those_of_info(walk):
    assert walk[0].figures["speed"] == pytest.approx(1.2, rel=1e-9)
    assert all(isinstance(finding.text, str) for finding in walk[0].findings)


def test_progress_is_told_and_can_stop():
    told = []
    result = saltus.solve(WALK, progress=lambda p: told.append(p) or len(told) < 5, threads=1)
    assert len(told) == 5 and told[0]["phase"] == "soft" and result.status != "converged"


def test_a_fault_in_progress_is_raised():
    with pytest.raises(ZeroDivisionError):
        saltus.solve(WALK, progress=lambda p: 1 / 0)


def test_faults_of_problems_are_said():
    with pytest.raises(saltus.Error, match="did you mean 'nstep'") as fault:
        saltus.solve({**WALK, "time": {"nsteps": 20, "duration": 0.5}})
    assert fault.value.code == 2
    with pytest.raises(saltus.Error, match="none.h5"):
        saltus.load("none.h5")
    assert saltus.solve(WALK, settings={"solver/maxiter": 2}, threads=1).exit_code != 0


def test_texts_become_attributes():
    xml = saltus.problem_xml({"model": "a&b.xml", "time": {"nstep": np.int64(3), "h": 0.1}, "cost": {"term": [
        {"name": '"<', "weight": [1, 2.5]}, {"name": "b", "on": True}]}})
    assert 'file="a&amp;b.xml"' in xml and 'nstep="3" h="0.1"' in xml
    assert "name='\"&lt;' weight=\"1 2.5\"" in xml and 'on="true"' in xml


def test_inverse_is_that_of_the_command(tmp_path):
    model = saltus.Model(str(ROOT / "models/walker.xml"))
    qpos, qvel, qacc = states(model, 50)
    header = ",".join([f"qpos{i}" for i in range(model.nq)] + [f"qvel{i}" for i in range(model.nv)]
                      + [f"qacc{i}" for i in range(model.nv)])
    np.savetxt(tmp_path / "states.csv", np.hstack([qpos, qvel, qacc]), fmt="%.17g", delimiter=",", header=header,
               comments="")
    subprocess.run([COMMAND, "inverse", ROOT / "models/walker.xml", tmp_path / "states.csv", "-o", tmp_path / "out.csv"],
                   check=True)
    table = np.genfromtxt(tmp_path / "out.csv", delimiter=",", names=True)
    forces = np.stack([table[name] for name in table.dtype.names if name.startswith("qfrc_inverse")], axis=1)
    assert np.array_equal(model.inverse(qpos, qvel, qacc), forces)
    assert np.array_equal(model.inverse(qpos[7], qvel[7], qacc[7]), forces[7])


def test_numbers_do_not_depend_on_threads():
    model = saltus.Model(str(ROOT / "models/walker.xml"))
    batch = states(model, 200)
    for one, two in zip(model.inverse(*batch, derivatives=True, threads=1), model.inverse(*batch, derivatives=True, threads=2)):
        assert one.tobytes() == two.tobytes()
    ahead = model.forward(*batch[:2], threads=2)
    assert ahead.tobytes() == model.forward(*batch[:2], threads=1).tobytes()


def test_derivatives_are_slopes():
    model = saltus.Model(str(ROOT / "models/cartpole.xml"))
    qpos, qvel, qacc = states(model, 5)
    _, Dq, Dv, Da = model.inverse(qpos, qvel, qacc, derivatives=True)
    step = 1e-6
    for k in range(model.nv):
        e = step * np.eye(model.nv)[k]
        for D, up, down in ((Dq, (qpos + e, qvel, qacc), (qpos - e, qvel, qacc)),
                            (Dv, (qpos, qvel + e, qacc), (qpos, qvel - e, qacc)),
                            (Da, (qpos, qvel, qacc + e), (qpos, qvel, qacc - e))):
            slope = (model.inverse(*up) - model.inverse(*down)) / (2 * step)
            assert np.allclose(D[:, :, k], slope, rtol=1e-6, atol=1e-6)


def test_inverse_undoes_forward():
    model = saltus.Model(str(ROOT / "models/walker.xml"))
    qpos, qvel, _ = states(model, 40)
    qacc = model.forward(qpos, qvel)
    assert np.abs(model.inverse(qpos, qvel, qacc)).max() < 1e-5 * np.abs(qacc).max()


def test_a_step_leads_to_the_next_row(walk):
    """Every row of a motion is stepped alone, under its controls: a result is what forward dynamics gives."""
    result = walk[0]
    one = result.model.step(result.qpos[:-1], result.qvel[:-1], result.ctrl[:-1], threads=1)
    two = result.model.step(result.qpos[:-1], result.qvel[:-1], result.ctrl[:-1], threads=2)
    assert one.qpos.tobytes() == two.qpos.tobytes() and one.qvel.tobytes() == two.qvel.tobytes()
    assert np.abs(one.qpos - result.qpos[1:]).max() < 1e-6 and np.abs(one.qvel - result.qvel[1:]).max() < 1e-4
    alone = result.model.step(result.qpos[3], result.qvel[3], result.ctrl[3])
    assert np.array_equal(alone.qpos, one.qpos[3]) and alone.act.shape == (0,)


def test_activations_are_stepped():
    """A filter, act' = (ctrl - act) / tau, by Euler's method; the motor beside it has none."""
    text = ('<mujoco><option timestep="0.01" gravity="0 0 0"/><worldbody><body><joint name="j" type="slide"/>'
            '<geom size=".1" mass="2"/></body></worldbody><actuator><motor joint="j"/>'
            '<general joint="j" dyntype="filter" dynprm="0.1" gainprm="3"/></actuator></mujoco>')
    model = saltus.Model(text)
    assert (model.nu, model.na) == (2, 1)
    after = model.step([0], [0.5], [1, 0.8], [0.3])
    assert after.act == pytest.approx([0.3 + 0.01 * (0.8 - 0.3) / 0.1], rel=1e-12)
    assert model.forward([0], [0.5], [1, 0.8], act=[0.3]) == pytest.approx([(1 + 3 * 0.3) / 2], rel=1e-9)
    assert after.qvel == pytest.approx([0.5 + 0.01 * 0.95], rel=1e-9)
    assert model.forward([0], [0.5], [1, 0.8]) == pytest.approx([0.5], rel=1e-9)
    with pytest.raises(ValueError, match=r"act has the shape \(2,\); expected \[n x 1\]"):
        model.step([0], [0], [0, 0], [0.5, 0.5])


def test_configurations_have_differences():
    """A free joint: its quaternion turns by the angle, about its own axis; -q is the same rotation as q."""
    model = saltus.Model(str(ROOT / "models/box.xml"))
    there = np.concatenate([[0.1, -0.2, 0.3], 1.5 * np.array([0.6, 0, 0.8])])
    start = np.array([0, 0, 1, 0.5, 0.5, 0.5, 0.5])
    moved = model.add(start, there)
    assert moved[:3] == pytest.approx([0.1, -0.2, 1.3]) and np.linalg.norm(moved[3:]) == pytest.approx(1)
    assert 2 * np.arccos(abs(moved[3:] @ start[3:])) == pytest.approx(1.5)
    both = model.difference(np.tile(start, (2, 1)), np.stack([moved, moved * [1, 1, 1, -1, -1, -1, -1]]))
    assert both == pytest.approx(np.tile(there, (2, 1)), rel=1e-9)
    with pytest.raises(ValueError, match=r"second has the shape \(3,\); expected"):
        model.difference(start, [0, 0, 0])


def test_models_come_from_text_with_settings():
    text = '<mujoco><worldbody><body><joint name="j" type="slide" axis="0 0 1"/><geom size=".1" mass="2"/></body></worldbody></mujoco>'
    model = saltus.Model(text, settings={"option/gravity": [0, 0, -1]})
    assert model.inverse([0], [0], [0]) == pytest.approx([2], rel=1e-12)
    assert model.names("joint") == ["j"] and model.nbody == 2 and model.body_mass[1] == 2
    with pytest.raises(saltus.Error, match="model.xml:1"):
        saltus.Model("<mujoco><bogus/></mujoco>")
    with pytest.raises(ValueError, match=r"qvel has the shape \(3,\); expected \[n x 1\]"):
        model.inverse([0], [0, 0, 0], [0])
    with pytest.raises(AttributeError, match="has no array 'body_weight'"):
        model.body_weight


def test_bad_states_are_named():
    model = saltus.Model(str(ROOT / "models/walker.xml"))
    qpos, qvel, qacc = states(model, 4)
    qpos[2, 0] = np.nan
    with pytest.raises(saltus.Error, match="state 2: "):
        model.inverse(qpos, qvel, qacc)


def test_a_figure_is_drawn(walk, tmp_path):
    pytest.importorskip("matplotlib")
    walk[0].plot().savefig(tmp_path / "walk.png")
    assert (tmp_path / "walk.png").stat().st_size > 10000


def test_panels_show_the_arrays(walk):
    pytest.importorskip("matplotlib")
    result = walk[0]
    shown = {axes.get_ylabel(): {line.get_label(): line.get_ydata() for line in axes.lines}
             for axes in result.plot("controls", "velocities", "actuators", "unactuated", "contacts").axes}
    knee = result.model.jnt_dofadr[result.model.find("joint", "left_knee")]
    assert np.array_equal(shown["ctrl"]["left_knee"], result.control("left_knee"), equal_nan=True)
    assert np.array_equal(shown["velocity (m/s, rad/s)"]["left_knee"], result.qvel[:, knee])
    for label, array in (("actuators (N, N m)", result.qfrc_actuator), ("unactuated (N, N m)", result.qfrc_unactuated)):
        assert np.array_equal(shown[label]["left_knee"], array[:, knee], equal_nan=True)
    feet = shown["vertical force (N)"]
    floor = result.model.find("geom", "floor")
    assert "floor" not in feet and np.allclose(sum(feet.values()), -result.contact_forces()[:, floor, 2])
    with pytest.raises(ValueError, match="there is no panel 'torques'; there are: positions, velocities, controls"):
        result.plot("torques")
