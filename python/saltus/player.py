"""A result in the viewer of MuJoCo, whose Python package `mujoco` it needs."""

from __future__ import annotations

import importlib
import time
from typing import Any, Callable, Optional

import numpy as np

from .result import Result


def _mujoco() -> Any:
    try:
        mujoco = importlib.import_module("mujoco")
        importlib.import_module("mujoco.viewer")
    except ImportError as error:
        raise ImportError(f"saltus.play shows motions in the viewer of MuJoCo, whose package cannot be loaded ({error}): "
                          "pip install mujoco. Without it: `saltus report` makes a page that plays the motion") from None
    return mujoco


def _show(mujoco: Any, model: Any, data: Any, result: Result, row: int) -> None:
    """Row of the motion, with the contacts and forces that go with it; the last row has no controls."""
    data.time = result.time[row]
    data.qpos[:] = result.qpos[row]
    data.qvel[:] = result.qvel[row]
    data.ctrl[:] = np.nan_to_num(result.ctrl[row])
    if result.act.shape[1] > 0:
        data.act[:] = result.act[row]
    mujoco.mj_forward(model, data)


def _play_once(viewer: Any, due: np.ndarray, show: Callable[[int], None]) -> None:
    """Each row when it is due (s from now); of several that are due at once the last one alone."""
    begin = time.monotonic()
    row = 0
    while row < len(due) and viewer.is_running():
        late = time.monotonic() - begin - due[row]
        if late < 0:
            time.sleep(-late)
        row = max(row, int(np.searchsorted(due, time.monotonic() - begin, side="right")) - 1)
        show(row)
        viewer.sync()
        row += 1


def play(result: Result, viewer: Optional[Callable[[Any, Any], Any]] = None, speed: float = 1,
         loop: bool = False) -> None:
    """Plays a motion in the viewer of MuJoCo, at its own times; returns when it is over or the window is closed.

    result  a Result; of an Identification the first recording moves
    viewer  a function of (MjModel, MjData) that returns a handle with is_running(), sync() and close(); None:
            mujoco.viewer.launch_passive
    speed   0.5: half as fast
    loop    from the beginning again, until the window is closed

    ImportError: the package `mujoco` is not there.
    """
    if not speed > 0:
        raise ValueError(f"speed is {speed!r}; expected a number above 0")
    mujoco = _mujoco()
    model = mujoco.MjModel.from_xml_string(result.model.mjcf())
    data = mujoco.MjData(model)
    handle = (viewer or mujoco.viewer.launch_passive)(model, data)
    due = (result.time - result.time[0]) / speed
    try:
        while True:
            _play_once(handle, due, lambda row: _show(mujoco, model, data, result, row))
            if not loop or not handle.is_running():
                return
    finally:
        handle.close()
