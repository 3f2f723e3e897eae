"""saltus.play with a stand-in for the package mujoco, and a clock that only sleeping moves."""

import os
import pathlib
import sys
import types

import numpy as np
import pytest
import saltus
from saltus import player

ROOT = pathlib.Path(os.environ["SALTUS_ROOT"])


class Clock:
    def __init__(self):
        self.now = 100.0

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        assert seconds >= 0
        self.now += seconds


class Handle:
    """A window that takes `cost` seconds to draw, and is closed after so many frames."""

    def __init__(self, clock, data, cost=0, frames=10**6):
        self.clock, self.data, self.cost, self.left, self.closed = clock, data, cost, frames, False
        self.shown = []  # (when, time, qpos)

    def is_running(self):
        return self.left > 0

    def sync(self):
        assert self.data.forward == self.data.qpos.tolist(), "mj_forward was not called for these positions"
        self.shown.append((self.clock.now - 100, float(self.data.time), self.data.qpos.copy()))
        self.clock.now += self.cost
        self.left -= 1

    def close(self):
        self.closed = True


@pytest.fixture(scope="module")
def motion():
    return saltus.solve(ROOT / "examples/pendulum_quick.xml")


@pytest.fixture
def mujoco(monkeypatch):
    """The stand-in: MjModel is our own Model of the text, MjData arrays of its sizes."""
    stand_in, viewer = types.ModuleType("mujoco"), types.ModuleType("mujoco.viewer")

    class MjModel:
        @staticmethod
        def from_xml_string(text):
            return saltus.Model(text)

    class MjData:
        def __init__(self, model):
            self.time, self.forward = 0.0, None
            self.qpos, self.qvel = np.zeros(model.nq), np.zeros(model.nv)
            self.ctrl, self.act = np.zeros(model.nu), np.zeros(0)

    def mj_forward(model, data):
        assert np.isfinite(data.ctrl).all()
        data.forward = data.qpos.tolist()

    clock = Clock()
    stand_in.MjModel, stand_in.MjData, stand_in.mj_forward, stand_in.viewer = MjModel, MjData, mj_forward, viewer
    stand_in.clock, stand_in.handles = clock, []
    viewer.launch_passive = lambda model, data: stand_in.handles.append(Handle(clock, data)) or stand_in.handles[-1]
    monkeypatch.setitem(sys.modules, "mujoco", stand_in)
    monkeypatch.setitem(sys.modules, "mujoco.viewer", viewer)
    monkeypatch.setattr(player, "time", clock)
    return stand_in


def test_every_row_is_shown_at_its_time(mujoco, motion):
    saltus.play(motion)
    shown = mujoco.handles[0].shown
    assert np.allclose([when for when, _, _ in shown], motion.time, atol=1e-9)
    assert np.array_equal([time for _, time, _ in shown], motion.time)
    assert np.array_equal([qpos for _, _, qpos in shown], motion.qpos)
    assert mujoco.handles[0].closed


def test_half_speed_takes_twice_as_long(mujoco, motion):
    saltus.play(motion, speed=0.5)
    assert np.allclose([when for when, _, _ in mujoco.handles[0].shown], 2 * motion.time, atol=1e-9)


def test_a_slow_window_keeps_the_pace(mujoco, motion):
    """With 3.3 steps to a drawing some rows are left out, none is late by more than a step, and the last one is shown."""
    h = motion.timestep
    handle = []
    saltus.play(motion, viewer=lambda model, data: handle.append(Handle(mujoco.clock, data, 3.3 * h)) or handle[0])
    shown = handle[0].shown
    assert 10 < len(shown) < 15 and shown[-1][1] == motion.time[-1]
    assert all(0 <= when - time + 1e-9 < h for when, time, _ in shown[:-1])


def test_a_loop_ends_with_the_window(mujoco, motion):
    handle = []
    saltus.play(motion, loop=True, viewer=lambda model, data: handle.append(Handle(mujoco.clock, data, 0, 100)) or handle[0])
    times = [time for _, time, _ in handle[0].shown]
    assert times == [*motion.time, *motion.time, *motion.time[:18]] and handle[0].closed
    saltus.play(motion, viewer=lambda model, data: handle.append(Handle(mujoco.clock, data, 0, 5)) or handle[1])
    assert len(handle[1].shown) == 5 and handle[1].closed  # closed before the end


def test_the_window_is_closed_after_a_fault(mujoco, motion):
    class Faulty(Handle):
        def sync(self):
            raise ZeroDivisionError

    handle = []
    with pytest.raises(ZeroDivisionError):
        saltus.play(motion, viewer=lambda model, data: handle.append(Faulty(mujoco.clock, data)) or handle[0])
    assert handle[0].closed


def test_what_it_needs_is_said(monkeypatch, motion):
    monkeypatch.setitem(sys.modules, "mujoco", None)  # as if it were not installed
    with pytest.raises(ImportError, match="pip install mujoco"):
        saltus.play(motion)
    with pytest.raises(ValueError, match="speed is 0; expected a number above 0"):
        saltus.play(motion, speed=0)
