"""saltus.sweep and SweepTable: the table of the command, and what happens to a sweep that is stopped."""

import csv
import io
import os
import pathlib
import signal
import subprocess

import numpy as np
import pytest
import saltus

ROOT = pathlib.Path(os.environ["SALTUS_ROOT"])
COMMAND = pathlib.Path(os.environ["SALTUS_BUILD"]) / "cli" / "saltus"
QUICK = ROOT / "examples/pendulum_quick.xml"
WEIGHT, MOTOR = "term[effort]/weight", "override[#0]/value"
WEAK = {"motor": {"path": MOTOR, "values": [[-8, 8], [-0.5, 0.5]]}}  # the second cannot swing it up


def command(*words):
    return subprocess.run([COMMAND, *words], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    """A sweep made here, with what was told of it."""
    told = []
    folder = tmp_path_factory.mktemp("sweep") / "weights.sweep"
    table = saltus.sweep(QUICK, {WEIGHT: [1, 2.5], "stiff": {"path": "override[#0]/value", "values": [[-8, 8], [-9, 9]]}},
                         folder=folder, columns=["cost", "linearisations"], progress=told.append)
    return table, told


def test_rows_are_those_of_the_command(weights):
    table = weights[0]
    said = list(csv.DictReader(io.StringIO(command("table", table.folder, "--format", "csv"))))
    assert list(table)[:len(said[0])] == list(said[0]) == [WEIGHT, "stiff", "status", "cost", "linearisations"]
    assert table.nrow == len(said) == 4 and table.exit_code == 0 and table.is_complete
    for name in (WEIGHT, "cost", "linearisations"):
        assert table[name].dtype == np.float64 and table[name].tolist() == [float(row[name]) for row in said]
    assert table["stiff"].tolist() == ["-8 8", "-9 9", "-8 8", "-9 9"] and set(table["status"]) == {"converged"}
    assert table["kind"].tolist() == ["physical"] * 4 and table["point"].tolist() == [0, 1, 2, 3]


def test_a_cell_is_the_result_of_solve(weights):
    table = weights[0]
    cell = table.load(2)
    alone = saltus.solve(QUICK, settings={WEIGHT: 2.5, MOTOR: [-8, 8]})
    assert cell.qpos.tobytes() == alone.qpos.tobytes() and cell.cost == alone.cost == table["cost"][2]


def test_progress_ends_with_all_cells(weights):
    last = weights[1][-1]
    assert last["cells"] == last["done"] == last["physical"] == 4 and last["waiting"] == 0


def test_a_sweep_file_and_a_dict_are_solved(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.xml").write_text(f'<!-- <sweep name="no"> --><sweep name="pair" problem="{QUICK}">'
                                      f'<axis name="w" path="{WEIGHT}" values="1 2"/></sweep>')
    table = saltus.sweep("two.xml", workers=1, threads=1)
    assert table.folder == str(tmp_path / "pair.sweep") and table["w"].tolist() == [1, 2]
    problem = {"name": "swing", "model": os.path.relpath(ROOT / "models/pendulum.xml"),
               "override": {"path": "motor[motor]/ctrlrange", "value": [-8, 8]}, "time": {"nstep": 40, "duration": 2},
               "boundary": {"type": "open", "start": {"key": "hang"}, "end": {"key": "up"}},
               "cost": {"term": {"name": "effort", "ctrl": "all", "weight": 1}}}
    own = saltus.sweep(problem, {"w": {"path": WEIGHT, "range": [1, 2], "count": 2}}, settings={"init/seed": 3}, repeat=2)
    assert own.folder == str(tmp_path / "swing.sweep") and own["w"].tolist() == [1, 1, 2, 2]
    assert own["repeat"].tolist() == [0, 1, 0, 1] and own["cost"][0] == pytest.approx(table["cost"][0], rel=1e-6)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pair.sweep", "swing.sweep", "two.xml"]
    assert saltus.SweepTable("swing.sweep", best=True).nrow == 2
    assert saltus.SweepTable("swing.sweep", where="w=2 repeat=1").nrow == 1
    assert saltus.SweepTable("swing.sweep").exit_code is None


def test_cells_without_a_solution_are_rows(tmp_path):
    table = saltus.sweep(QUICK, WEAK, folder=tmp_path / "weak", settings={"solver/maxiter": 40}, limit={"tries": 1})
    assert table.exit_code == 6 and table["kind"].tolist() == ["physical", "unsolved"]
    assert table["reason"][0] == "" and table["reason"][1] != "" and not table.load(1).is_physical
    assert table["cost"][1] < table["cost"][0] and table.lowest() == 0  # that of a motion which is none does not count
    with pytest.raises(saltus.Error, match="no row has a physical motion"):
        saltus.SweepTable(table.folder, where="kind=unsolved").lowest()
    (tmp_path / "keep").mkdir()
    none = saltus.sweep(QUICK, {WEIGHT: [1]}, folder=tmp_path / "keep", repeat={"count": 1, "keep": "none"})
    with pytest.raises(saltus.Error, match="row 0 has no motion: its status is 'converged', or the sweep does not keep"):
        none.load(0)


def test_identifications_are_swept(tmp_path):
    table = saltus.sweep(ROOT / "examples/identify_pendulum.xml", {"estimate/sigma": [0.05, 0.1]},
                         folder=tmp_path / "sigmas", columns=["parameter[mass]", "se[mass]"])
    found = table.load(1)
    assert type(found) is saltus.Identification
    assert (found["mass"].value, found["mass"].se) == (table["parameter[mass]"][1], table["se[mass]"][1])


def press_ctrl_c(told):
    if told["physical"] >= 1:
        os.kill(os.getpid(), signal.SIGINT)


def slow(folder, **more):
    """One cell that is quick, and four that take seconds each."""
    axes = {**WEAK, WEIGHT: [1, 2, 3, 4], "time/nstep": [400]}
    return saltus.sweep(QUICK, axes, folder=folder, skip=[{"where": f"motor='-8 8' {WEIGHT}>1"}], workers=1, threads=1,
                        **more)


def test_ctrl_c_ends_it_and_says_how_to_go_on(tmp_path):
    with pytest.raises(KeyboardInterrupt, match="1 of 5 cells are finished; call saltus.sweep again .* in '.*/slow'"):
        slow(tmp_path / "slow", progress=press_ctrl_c)
    table = saltus.SweepTable(tmp_path / "slow")
    assert table["status"][0] == "converged" and "waiting" in table["status"] and not table.is_complete
    kept = os.stat(str(table["motion"][0])).st_mtime_ns
    again = slow(tmp_path / "slow", progress=lambda told: False)  # as it was stopped: it goes on, and is stopped again
    assert again.exit_code == 130 and not again.is_complete
    assert os.stat(str(again["motion"][0])).st_mtime_ns == kept
    with pytest.raises(saltus.Error, match="row 4 has no motion: its status is 'waiting'"):
        again.load(4)


def test_a_fault_in_progress_ends_it(tmp_path):
    with pytest.raises(ZeroDivisionError):
        slow(tmp_path / "slow", progress=lambda told: 1 / 0)
    assert not saltus.SweepTable(tmp_path / "slow").is_complete
    command("sweep", "--status", tmp_path / "slow")  # nothing runs there: the folder can be read
    assert saltus.sweeps._status(str(tmp_path / "slow"))["running"] == 0


def test_faults_are_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(saltus.Error, match="did you mean 'effort'") as fault:
        saltus.sweep(QUICK, {"term[efort]/weight": [1]})
    assert fault.value.code == 2
    with pytest.raises(saltus.Error, match="is not the folder of a sweep") as fault:
        saltus.SweepTable(tmp_path)
    assert fault.value.code == 3
    with pytest.raises(saltus.Error, match="none.xml"):
        saltus.sweep("none.xml")
    with pytest.raises(ValueError, match="axes are missing"):
        saltus.sweep({"name": "x"})
    with pytest.raises(ValueError, match="axis 'w' has the values '1 2'; expected a list"):
        saltus.sweep(QUICK, {"w": "1 2"})
    assert list(tmp_path.iterdir()) == []


def test_a_missing_command_is_said(monkeypatch, weights):
    monkeypatch.setenv("SALTUS_COMMAND", "/nowhere/saltus")
    with pytest.raises(saltus.Error, match="need the command saltus, which is not there .looked for: /nowhere/saltus"):
        saltus.SweepTable(weights[0].folder)
