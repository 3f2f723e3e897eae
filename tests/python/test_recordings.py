"""saltus.follow, person and export: what the command does, and says."""

import os
import pathlib
import pickle
import subprocess

import numpy as np
import pytest
import saltus

ROOT = pathlib.Path(os.environ["SALTUS_ROOT"])
COMMAND = pathlib.Path(os.environ["SALTUS_BUILD"]) / "cli" / "saltus"
ROWS, RATE = 24, 30
ARM = """<mujoco><compiler angle='radian'/><worldbody>
  <body name='upper'><joint name='shoulder' axis='0 1 0'/>
    <geom type='capsule' size='.03' fromto='0 0 0 .3 0 0' density='500'/>
    <body name='lower' pos='.3 0 0'><joint name='elbow' axis='0 1 0'/>
      <geom type='capsule' size='.03' fromto='0 0 0 .3 0 0' density='500'/></body></body></worldbody>
  <actuator><motor joint='shoulder' gear='50'/><motor joint='elbow' gear='50'/></actuator></mujoco>"""


def angles(start):
    t = np.arange(ROWS) / RATE
    return np.column_stack([start + 0.1 * t, start - 0.1 * t])


@pytest.fixture
def arm(tmp_path):
    """A folder with the model of an arm, and a recording of it in a table without times."""
    (tmp_path / "arm.xml").write_text(ARM)
    np.savetxt(tmp_path / "clip.csv", angles(0.25), delimiter=",", header="shoulder,elbow", comments="")
    return tmp_path


def test_a_recording_becomes_a_problem_a_motion_and_a_file(arm):
    problem = saltus.follow(arm / "clip.csv", arm / "clip.xml", robot=arm / "arm.xml", rate=RATE)
    assert problem.path == str(arm / "clip.xml") and os.fspath(problem) == problem.path
    assert f'rate="{RATE}"' in (arm / "clip.xml").read_text()
    result = saltus.solve(problem)
    middle = result.qpos[len(result.qpos) // 2]
    t = 0.5 * (ROWS - 1) / RATE
    assert abs(middle - [0.25 + 0.1 * t, 0.25 - 0.1 * t]).max() < 0.01
    written = saltus.export(result, arm / "clip.npz", "npz")
    assert np.array_equal(np.load(written)["qpos"], result.qpos)
    result.write(arm / "clip.h5")
    by_hand = subprocess.run([COMMAND, "export", arm / "clip.h5", "--to", "csv", "-o", arm / "hand.csv"], check=True)
    assert by_hand.returncode == 0
    saltus.export(arm / "clip.h5", arm / "clip2.csv", "csv")
    assert (arm / "clip2.csv").read_bytes() == (arm / "hand.csv").read_bytes()


def test_time_steps_are_as_asked(arm):
    problem = saltus.follow(arm / "clip.csv", arm / "clip.xml", robot=arm / "arm.xml", rate=RATE, timestep=0.02)
    assert saltus.solve(problem).timestep == pytest.approx(0.02, rel=1e-12)
    with pytest.raises(saltus.Error, match="saltus harden RESULT --timestep 0.002"):
        saltus.follow(arm / "clip.csv", arm / "other.xml", robot=arm / "arm.xml", rate=RATE, timestep="model")


def test_arrays_are_followed_as_the_file_is(arm):
    by_file = saltus.follow(arm / "clip.csv", arm / "a.xml", robot=arm / "arm.xml", rate=RATE)
    arrays = saltus.follow({"fps": RATE, "dof_pos": angles(0.25)}, arm / "b.xml", robot=arm / "arm.xml")
    assert "b_clip.npz" in (arm / "b.xml").read_text()
    difference = saltus.solve(by_file).qpos - saltus.solve(arrays).qpos
    assert np.abs(difference).max() < 1e-9


def test_recording_and_motion_are_compared(tmp_path):
    """A ball that is recorded as it slides over the floor at 0.2 m/s."""
    (tmp_path / "ball.xml").write_text("""<mujoco><worldbody><geom name='floor' type='plane' size='5 5 .1'/>
      <body name='ball' pos='0 0 .1'><freejoint name='root'/><geom name='ball' size='.1' density='1000'/></body>
      </worldbody></mujoco>""")
    t = np.arange(ROWS) / RATE
    pose = np.column_stack([t, 0.2 * t, 0 * t, 0.1 + 0 * t, 1 + 0 * t, 0 * t, 0 * t, 0 * t])
    np.savetxt(tmp_path / "clip.csv", pose, delimiter=",", header="time,x,y,z,qw,qx,qy,qz", comments="")
    result = saltus.solve(saltus.follow(tmp_path / "clip.csv", tmp_path / "clip.xml", robot=tmp_path / "ball.xml"))
    compared = saltus.compare(result)
    result.write(tmp_path / "clip.h5")
    assert compared == saltus.compare(tmp_path / "clip.h5")
    assert abs(compared["recorded"]["slip"] - 0.2) < 1e-3 and compared["found"]["depth"] < 0.01
    still = saltus.solve(ROOT / "examples/pendulum_quick.xml")
    assert saltus.compare(still) is None


def test_what_is_found_is_said(arm):
    table = np.column_stack([angles(0.25), angles(0)])
    np.savetxt(arm / "more.csv", table, delimiter=",", header="shoulder,elbow,wrist,hand", comments="")
    problem = saltus.follow(arm / "more.csv", arm / "more.xml", robot=arm / "arm.xml", rate=RATE)
    assert any("'wrist', 'hand'" in line for line in problem.said)
    assert not any(line.startswith("saltus:") for line in problem.said)
    assert repr(problem) == f"<saltus.Written '{arm / 'more.xml'}': {len(problem.said)} lines said>"


def test_several_recordings_become_a_sweep(arm):
    clips = {name: {"fps": RATE, "dof_pos": angles(start)} for name, start in (("walk", 0.25), ("run", 0.5))}
    (arm / "clips.pkl").write_bytes(pickle.dumps(clips))
    alone = saltus.follow(arm / "clips.pkl", arm / "run.xml", robot=arm / "arm.xml", name="run")
    assert 'clip="run"' in (arm / "run.xml").read_text() and alone.path.endswith("run.xml")
    sweep = saltus.follow(arm / "clips.pkl", arm / "audit", robot=arm / "arm.xml", sweep=True)
    assert sweep.path == str(arm / "audit" / "sweep.xml")
    table = saltus.sweep(sweep, folder=arm / "audit" / "results")
    assert table["clip"].tolist() == ["walk", "run"] and table["kind"].tolist() == ["physical"] * 2


def test_what_is_there_is_replaced_only_where_asked(arm):
    one = {"fps": RATE, "dof_pos": angles(0.25)}
    for to, sweep, clip in (("b.xml", False, one), ("audit", True, arm / "clips.pkl")):
        (arm / "clips.pkl").write_bytes(pickle.dumps({"walk": one, "run": one}))
        saltus.follow(clip, arm / to, robot=arm / "arm.xml", sweep=sweep)
        with pytest.raises(saltus.Error, match="would be overwritten"):
            saltus.follow(clip, arm / to, robot=arm / "arm.xml", sweep=sweep)
        saltus.follow(clip, arm / to, robot=arm / "arm.xml", sweep=sweep, overwrite=True)
        was = sorted((path, path.read_bytes()) for path in arm.rglob("*.xml"))
        with pytest.raises(saltus.Error, match="none.csv"):
            saltus.follow(arm / "none.csv", arm / to, robot=arm / "arm.xml", sweep=sweep, overwrite=True)
        assert sorted((path, path.read_bytes()) for path in arm.rglob("*.xml")) == was
        assert not list(arm.rglob("*.before"))


def test_errors_are_those_of_the_command(arm):
    with pytest.raises(saltus.Error, match="has no column of the time and no rate: none of its 2 columns"):
        saltus.follow(arm / "clip.csv", arm / "clip.xml", robot=arm / "arm.xml")
    with pytest.raises(saltus.Error, match="give either robot= or person="):
        saltus.follow(arm / "clip.csv", arm / "clip.xml")
    with pytest.raises(saltus.Error, match="none.trc"):
        saltus.person(arm / "none.trc", arm / "person.xml", mass=70)
    with pytest.raises(saltus.Error, match="clip.csv"):
        saltus.export(arm / "clip.csv", arm / "clip.npz", "npz")


def test_names_that_are_not_utf_8_are_quoted(arm):
    header = "H\xfcfte,Knie\n".encode("latin-1")
    (arm / "latin.csv").write_bytes(header + b"".join(b"%.3f,%.3f\n" % tuple(row) for row in angles(0.25)))
    with pytest.raises(saltus.Error, match="H\ufffdfte"):
        saltus.follow(arm / "latin.csv", arm / "latin.xml", robot=arm / "arm.xml", rate=RATE)


CORPUS = pathlib.Path(os.environ.get("SALTUS_CORPUS", "")) / "data" / "people"


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the recordings of others are not there")
def test_markers_become_a_person_who_is_followed(tmp_path):
    markers = next(CORPUS.glob("**/squats1*.trc"))
    model = saltus.person([markers], tmp_path / "person.xml", mass=60)
    assert any("markers" in line for line in model.said)
    assert abs(saltus.Model(model.path).body_mass.sum() - 60) < 1e-6
    problem = saltus.follow(markers, tmp_path / "squat.xml", person=model)
    assert any("markers are sites of the model" in line for line in problem.said)
