"""saltus.identify against the command: the same bytes, the numbers of `info --json`, the text of `export`."""

import json
import math
import os
import pathlib
import subprocess

import numpy as np
import pytest
import saltus

ROOT = pathlib.Path(os.environ["SALTUS_ROOT"])
COMMAND = pathlib.Path(os.environ["SALTUS_BUILD"]) / "cli" / "saltus"
PENDULUM = ROOT / "examples/identify_pendulum.xml"

# the example, with recordings left out and a number that each recording has for itself
BIASED = {
    "name": "biased",
    "model": str(ROOT / "models/pendulum.xml"),
    "data": {"file": str(ROOT / "examples/identify/pendulum_*.csv"), "time": "t",
             "channel": [{"name": "angle", "joint": "hinge", "columns": "hinge", "sigma": 0.005},
                         {"name": "torque", "ctrl": "motor", "columns": "u_motor"}]},
    "parameter": [{"name": "mass", "path": "body[pendulum]/mass", "map": "log", "value": 1.5, "prior": 1.4, "sigma": 2},
                  {"name": "damping", "path": "joint[hinge]/damping", "value": 0.03, "range": [0.01, 0.05]},
                  {"name": "bias", "path": "channel[angle]/offset", "each": "recording", "sigma": 0.01}],
    "estimate": {"sigma": 0.05, "unit": "force", "norm": "quadratic", "holdout": 0.3},
}


def command(*words):
    return subprocess.run([COMMAND, *words], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def pendulum(tmp_path_factory):
    """The folder of the command, and what was identified here."""
    folder = tmp_path_factory.mktemp("pendulum")
    command("solve", PENDULUM, "-q", "-o", folder / "command")
    return folder / "command", saltus.identify(PENDULUM)


@pytest.fixture(scope="module")
def biased():
    return saltus.identify(BIASED)


@pytest.fixture(scope="module")
def box(tmp_path_factory):
    """Channels that are poses."""
    folder = tmp_path_factory.mktemp("box")
    half = f"data[#0]/file={ROOT}/examples/identify/box_1*.csv"
    command("solve", ROOT / "examples/identify_box.xml", "-q", "-o", folder, "--set", half)
    return folder, saltus.load(folder)


def same(own, said):
    """As JSON says it, in which NaN and inf are null."""
    if isinstance(own, (float, np.floating)):
        return said is None if not math.isfinite(own) else own == said
    return own == said


def agrees(found, estimate):
    """Every number of `info --json` is the number here."""
    for p, said in zip(found.parameters.values(), estimate["parameters"], strict=True):
        for name, own in p._asdict().items():
            word = {"is_free": "free"}.get(name, name)
            if name == "interval":
                assert all(same(a, b) for a, b in zip(own, said["interval"])), p
            elif word in said:
                assert same(own, said[word]), (p, name)
    for p, said in zip(found.locals.values(), estimate["locals"], strict=True):
        assert all(same(own, said[name]) for name, own in p._asdict().items())
    for c, said in zip(found.channels.values(), estimate["channels"], strict=True):
        assert all(same(getattr(c, name), said[name]) for name in said)
    for r, said in zip(found.recordings, estimate["recordings"], strict=True):
        own = {"name": r.name, "cluster": r.cluster, "held": r.is_held_out, "samples": r.nsample, "cost": r.cost,
               "fit": r.rms, "diverged": r.rollout.diverged, "outlier": r.is_outlier, "position": r.rollout.position,
               "rotation_rms": r.rollout.rotation_rms, "nominal_rotation": r.rollout_nominal.rotation}
        assert all(same(own[name], said[name]) for name in own), r
        assert list(r.local.values()) == said.get("local", [])
    correlation = np.array(estimate["correlation"], dtype=float)
    assert np.array_equal(found.correlation, correlation, equal_nan=True)
    assert (found.chi2, found.freedom, found.ncluster) == (estimate["chi2"], estimate["freedom"], estimate["clusters"])
    assert found.account == estimate["account"]


def test_the_bytes_are_those_of_the_command(pendulum, tmp_path):
    folder, found = pendulum
    found.write(tmp_path / "own")
    assert (tmp_path / "own/result.h5").read_bytes() == (folder / "result.h5").read_bytes()
    run = json.loads((tmp_path / "own/run.json").read_text())
    assert run["problem"] == "identify_pendulum" and run["seconds"] > 0 and run["threads"] >= 1
    assert command("info", tmp_path / "own") == command("info", folder)
    saltus.load(folder).write(tmp_path / "own")  # not solved here: no word of a run that was another one
    assert sorted(p.name for p in (tmp_path / "own").iterdir()) == ["result.h5"]
    found.write(tmp_path / "file.h5")
    assert (tmp_path / "file.h5").read_bytes() == (folder / "result.h5").read_bytes()


def test_numbers_are_those_of_info(pendulum, box, biased, tmp_path):
    for folder in (pendulum[0], box[0]):
        agrees(saltus.load(folder), json.loads(command("info", folder, "--json"))["estimate"])
    agrees(pendulum[1], json.loads(command("info", pendulum[0], "--json"))["estimate"])
    biased.write(tmp_path / "biased")
    agrees(biased, json.loads(command("info", tmp_path / "biased", "--json"))["estimate"])


def test_the_true_values_are_found(pendulum):
    found = pendulum[1]
    assert type(found) is type(saltus.load(pendulum[0])) is saltus.Identification
    assert found.is_converged and found.reasons == [] and found.at_bounds == [] and found.status == "converged"
    assert abs(found["mass"].value - 1) < 3 * found["mass"].se and found["mass"].unit == "kg"
    assert found["mass"].interval[0] < 1 < found["mass"].interval[1]
    assert np.array_equal(found.recordings[0].qpos, found.qpos[:-1])  # the motion, which a step more ends
    with pytest.raises(KeyError, match="there is no parameter 'weight'; there are: mass, damping"):
        found["weight"]


def test_residuals_are_what_the_figures_are_of(pendulum, box, biased):
    """The library's root mean squares, over sigma, of each channel in the fit and of each recording."""
    for found in (pendulum[1], box[1], biased):
        rows = [r.residuals(standardised=True) for r in found.recordings]
        for name, channel in found.channels.items():
            if len(channel.sigma) == 0:
                assert all(name not in row for row in rows)
                continue
            fitted = np.concatenate([row[name].ravel() for row, r in zip(rows, found.recordings) if not r.is_held_out])
            assert np.sqrt(np.nanmean(fitted ** 2)) == pytest.approx(channel.rms, rel=1e-9)
            assert np.count_nonzero(np.isfinite(fitted)) == channel.count
        for row, r in zip(rows, found.recordings):
            if r.is_held_out:
                assert np.isnan(r.rms)
                continue
            every = np.concatenate([part.ravel() for part in row.values()])
            assert np.sqrt(np.nanmean(every ** 2)) == pytest.approx(r.rms, rel=1e-9)
    plain, over = (pendulum[1].recordings[3].residuals(standardised=s)["angle"] for s in (False, True))
    assert np.allclose(plain, 0.005 * over, rtol=1e-12)


def test_signals_are_those_of_the_files(pendulum):
    recording = pendulum[1].recordings[2]
    table = np.genfromtxt(ROOT / "examples/identify" / f"{recording.name}.csv", delimiter=",", names=True)
    assert np.allclose(recording.measured["angle"], table["hinge"]) and not recording.measured["angle"].flags.writeable
    assert np.allclose(recording.sample_time, table["t"])
    assert recording.measured["torque"].shape == recording.fitted["angle"].shape == (recording.nsample,)
    assert np.array_equal(recording.qpos[:, 0], recording.fitted["angle"])  # which is measured at every step
    assert recording.unexplained.shape == recording.qvel.shape == (len(recording.time), 1)
    with pytest.raises(ValueError, match="of is 'guessed'; expected 'fitted'"):
        recording.residuals("guessed")


def test_poses_have_places_and_rotations(box):
    recording = box[1].recordings[0]
    pose = next(name for name, c in box[1].channels.items() if c.kind == "body")
    assert recording.measured[pose].shape == (recording.nsample, 7)
    assert recording.residuals()[pose].shape == (recording.nsample, 6)


def test_a_residual_turns_what_is_said_to_what_was_measured(box):
    """said (+) residual is what was measured, in the sense of the model's free joint."""
    recording = box[1].recordings[2]
    pose = next(name for name, c in box[1].channels.items() if c.kind == "body")
    said, measured, residual = recording.fitted[pose], recording.measured[pose], recording.residuals()[pose]
    assert np.linalg.norm(residual[:, 3:], axis=1).max() > 1e-4
    moved = box[1].model.add(said, residual)
    sign = np.sign(np.sum(moved[:, 3:] * measured[:, 3:], axis=1, keepdims=True))  # q and -q are one rotation
    assert np.allclose(moved[:, :3], measured[:, :3], atol=1e-12)
    assert np.allclose(sign * moved[:, 3:], measured[:, 3:] / np.linalg.norm(measured[:, 3:], axis=1, keepdims=True),
                       atol=1e-9)


def test_what_is_held_out_is_predicted(biased):
    held = [r for r in biased.recordings if r.is_held_out]
    assert 0 < len(held) < len(biased.recordings)
    for recording in held:
        found, nominal = recording.residuals("predicted")["angle"], recording.residuals("predicted_nominal")["angle"]
        assert np.isfinite(found).all() and np.isfinite(nominal).all() and not np.array_equal(found, nominal)


def test_a_bound_and_a_prior_are_told(biased):
    assert biased.at_bounds == ["damping"] and biased["damping"].at_bound == 1 and biased["damping"].upper == 0.05
    assert math.isnan(biased["damping"].se) and biased["mass"].prior_sigma == 2
    assert any("damping is at its upper bound" in text for text in biased.account)
    values = [r.local["bias"] for r in biased.recordings if not r.is_held_out]
    assert np.mean(values) == pytest.approx(biased.locals["bias"].mean, rel=1e-9)


def test_why_it_has_not_converged():
    found = saltus.identify(PENDULUM, settings={"estimate/maxiter": 3})
    assert not found.is_converged and found.exit_code == 1
    assert found.reasons[0] == "The search stopped before it had converged: iteration limit."
    assert "one more Newton step would change mass" in found.reasons[1]


def test_progress_stops_it():
    told = []
    found = saltus.identify(PENDULUM, progress=lambda p: told.append(p["cost"]) or len(told) < 3, threads=1)
    assert len(told) == 3 and found.status == "interrupted" and not found.is_converged


def test_the_model_is_that_of_export(pendulum):
    folder, found = pendulum
    assert found.mjcf() == saltus.load(folder).mjcf() == command("export", folder, "--to", "mjcf")
    assert saltus.Model(found.mjcf()).body_mass[1] == pytest.approx(found["mass"].value, rel=1e-12)


def test_what_is_no_identification_is_refused():
    with pytest.raises(saltus.Error, match="it has no <estimate>; solve it with saltus.solve") as fault:
        saltus.identify(ROOT / "examples/pendulum_swingup.xml")
    assert fault.value.code == 2
    with pytest.raises(saltus.Error, match="did you mean 'pendulum'"):
        saltus.identify(PENDULUM, settings={"parameter[mass]/path": "body[pendulm]/mass"})
    with pytest.raises(saltus.Error, match="nothing.xml"):
        saltus.identify("nothing.xml")
    with pytest.raises(ValueError, match="compat is '2.1'"):
        saltus.identify(PENDULUM, compat="2.1")
