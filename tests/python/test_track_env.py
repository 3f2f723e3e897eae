"""examples/python/track_env.py: the motion's own controls keep its reward at the best, others do not."""

import importlib.util
import os
import pathlib
import runpy
import sys
import types

import numpy as np
import pytest
import saltus

ROOT = pathlib.Path(os.environ["SALTUS_ROOT"])
FILE = ROOT / "examples/python/track_env.py"


def module(name):
    spec = importlib.util.spec_from_file_location(name, FILE)
    made = importlib.util.module_from_spec(spec)
    sys.modules[name] = made
    spec.loader.exec_module(made)
    return made


@pytest.fixture(scope="module")
def example():
    return module("track_env")


@pytest.fixture(scope="module", params=["walker_walk", "pendulum_quick", "arm_muscles"])
def motion(request):
    """A gait through contact, a swing, and an arm whose muscles have activations."""
    return saltus.solve(ROOT / f"examples/{request.param}.xml")


def none(env):
    return np.zeros(env.action_space.shape)


def test_the_motions_controls_keep_the_best_reward(example, motion):
    env = example.TrackMotion(motion)
    rewards = example.episode(env, lambda _: none(env))
    assert len(rewards) == motion.nstep and min(rewards) > 0.999
    assert np.abs(env._state.qpos - motion.qpos[-1]).max() < 1e-3


def test_other_controls_lose_it(example, motion):
    env = example.TrackMotion(motion, authority=0.5)
    rewards = example.episode(env, lambda _: np.ones(env.action_space.shape))
    assert min(rewards) < 0.9
    if len(rewards) < motion.nstep:  # it ended where it was lost, and not before
        assert rewards[-1] < env.lost and min(rewards[:-1], default=1) >= env.lost


def test_an_episode_has_the_interface(example, motion):
    env = example.TrackMotion(motion)
    observation, info = env.reset(seed=4)
    assert env.observation_space.contains(observation) and observation.shape == env.observation_space.shape
    assert np.array_equal(observation[:motion.model.nq], motion.qpos[0]) and observation[-1] == 0
    assert info == {"row": 0, "time": motion.time[0], "position": 0, "velocity": 0}
    action = env.action_space.sample()
    assert env.action_space.contains(action) and action.shape == (motion.model.nu,)
    observation, reward, terminated, truncated, info = env.step(action)
    assert env.observation_space.contains(observation) and 0 <= reward <= 1 and info["row"] == 1
    assert observation[-1] == pytest.approx(1 / motion.nstep) and (terminated, truncated) == (reward < 0.05, False)


def test_it_begins_where_it_is_told(example, motion):
    env = example.TrackMotion(motion, noise=0.01, random_start=True)
    last = motion.nstep - 1
    _, info = env.reset(options={"row": last}, seed=1)
    assert info["row"] == last and 0 < info["position"] < 0.1
    assert env.step(none(env))[3] is True
    with pytest.raises(RuntimeError, match="call reset"):
        env.step(none(env))
    with pytest.raises(ValueError, match="row is -1; expected 0"):
        env.reset(options={"row": -1})
    first, again, other = (env.reset(seed=seed)[0] for seed in (7, 7, 8))
    assert np.array_equal(first, again) and not np.array_equal(first, other)
    assert len({env.reset()[1]["row"] for _ in range(20)}) > 1


def test_controls_stay_in_their_range(example, motion):
    """An action beyond 1 is one of 1."""
    ends = []
    for size in (1, 5):
        env = example.TrackMotion(motion, authority=3)
        env.reset()
        ends.append(env.step(size * np.ones(env.action_space.shape))[0])
    assert np.array_equal(*ends)


def test_a_motion_without_controls_is_refused(example):
    motion = saltus.solve(ROOT / "examples/pendulum_quick.xml", settings={"solver/maxiter": 1})
    with pytest.raises(ValueError, match="the motion is not physical"):
        example.TrackMotion(motion)


def test_gymnasium_is_used_where_it_is(monkeypatch):
    gymnasium, spaces = types.ModuleType("gymnasium"), types.ModuleType("gymnasium.spaces")
    gymnasium.Env, gymnasium.spaces = type("Env", (), {}), spaces
    spaces.Box = lambda low, high, shape, dtype: ("box", low, high, shape, dtype)
    monkeypatch.setitem(sys.modules, "gymnasium", gymnasium)
    monkeypatch.setitem(sys.modules, "gymnasium.spaces", spaces)
    made = module("track_env_with_gymnasium")
    assert issubclass(made.TrackMotion, gymnasium.Env)
    env = made.TrackMotion(saltus.solve(ROOT / "examples/pendulum_quick.xml"))
    assert env.action_space == ("box", -1.0, 1.0, (1,), np.float32)


def test_the_program_tells_both(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [str(FILE), str(ROOT / "examples/pendulum_quick.xml")])
    runpy.run_path(str(FILE), run_name="__main__")
    own, other = capsys.readouterr().out.splitlines()
    assert own.startswith("the motion's own controls: 40 of 40 steps, lowest reward 1.0000")
    assert other.startswith("random offsets: ")
