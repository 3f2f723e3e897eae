"""Own terms and constraints in numpy: against what the language of problem files has itself."""

import os

import numpy as np
import pytest

import saltus

ROOT = os.environ.get("SALTUS_ROOT", os.path.join(os.path.dirname(__file__), "..", ".."))
STEPS = 30


def problem(term, functions=None):
    return {
        "model": os.path.join(ROOT, "models", "acrobot.xml"),
        "time": {"nstep": STEPS, "duration": 0.6},
        "boundary": {"type": "open", "start": {"qpos": [0, 0], "qvel": 0}},
        "cost": {"term": [{"name": "effort", "ctrl": "all", "weight": 0.1}, {"name": "own", **term}]},
        "init": {"noise": 0.1, "more": 0},
        **({"function": functions} if functions else {}),
    }


INPUTS = {"name": "far", "input": [{"joint": "all"}, {"joint": "all", "of": "vel"}]}
ANGLES = {"joint": "all", "target": [0.4, -0.2], "weight": 50}


def test_it_is_what_the_language_has():
    """The squared distance from two angles: the same motion as of the term that the language has."""
    def far(step, x):
        return x[:2] - [0.4, -0.2], np.eye(2, 4)

    expected = saltus.solve(problem(ANGLES))
    found = saltus.solve(problem({"function": "far", "weight": 50}, INPUTS), functions={"far": (2, far)})
    assert expected.exit_code == found.exit_code == 0
    np.testing.assert_allclose(found.qpos, expected.qpos, atol=1e-9)
    assert found.cost == pytest.approx(expected.cost, rel=1e-9)


def test_derivatives_may_be_left_out():
    def far(step, x):
        assert x.shape == (4,) and 0 <= step < STEPS
        return x[:2] - [0.4, -0.2]

    expected = saltus.solve(problem(ANGLES))
    found = saltus.solve(problem({"function": "far", "weight": 50}, INPUTS), functions={"far": (2, far)})
    np.testing.assert_allclose(found.qpos, expected.qpos, atol=1e-6)


def test_the_threads_do_not_matter():
    def far(step, x):
        return np.sin(x[:1] - 0.4) * np.cos(x[1])

    one, two = (saltus.solve(problem({"function": "far", "weight": 50}, INPUTS), threads=threads,
                             functions={"far": (1, far)}) for threads in (1, 2))
    assert np.array_equal(one.qpos, two.qpos)


def test_what_a_function_raises_is_raised():
    calls = []

    def far(step, x):
        calls.append(step)
        if len(calls) > 100:
            raise KeyError("own")
        return x[:2]

    with pytest.raises(KeyError, match="own"):
        saltus.solve(problem({"function": "far"}, INPUTS), functions={"far": (2, far)}, threads=1)
    assert len(calls) == 101


@pytest.mark.parametrize("value, words", [(lambda step, x: x[:3], r"residuals of the shape \(3,\); expected \(2,\)"),
                                          (lambda step, x: (x[:2], np.eye(2)), r"Jacobian of the shape \(2, 2\)")])
def test_shapes_are_checked(value, words):
    with pytest.raises(ValueError, match=words):
        saltus.solve(problem({"function": "far"}, INPUTS), functions={"far": (2, value)})


@pytest.mark.parametrize("functions", [{"far": abs}, {"far": (0, abs)}, {"far": (2, 3)}])
def test_functions_are_pairs(functions):
    with pytest.raises(ValueError, match=r"functions\['far'\] is .*; expected \(n, f\)"):
        saltus.solve(problem({"function": "far"}, INPUTS), functions=functions)


def test_a_function_that_lacks_is_said():
    with pytest.raises(saltus.Error, match="there is no function 'far' in the program .*\n(.*\n)*.*the program gives near"):
        saltus.solve(problem({"function": "far"}, INPUTS), functions={"near": (2, abs)})


def test_the_page_is_true(monkeypatch):
    """The program of docs/functions.md, as it stands there."""
    with open(os.path.join(ROOT, "docs", "functions.md"), encoding="utf-8") as page:
        program = page.read().split("```python\n")[1].split("```")[0]
    monkeypatch.chdir(ROOT)
    names = {}
    exec(program, names)
    assert names["result"].exit_code == 0
