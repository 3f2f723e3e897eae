"""Figures of a result over time, with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

import numpy as np

if TYPE_CHECKING:
    from .result import Result

SCALAR = (2, 3)  # jnt_type of slides and hinges


def _scalar_joints(result: "Result") -> Iterator[tuple[str, int, int]]:
    """Name, place in qpos, place in qvel of the slides and hinges; the others have no single number."""
    model = result.model
    for j, name in enumerate(model.names("joint")):
        if model.jnt_type[j] in SCALAR:
            yield name or f"joint {j}", int(model.jnt_qposadr[j]), int(model.jnt_dofadr[j])


def _positions(result: "Result", axes: Any) -> None:
    for name, place, _ in _scalar_joints(result):
        axes.plot(result.time, result.qpos[:, place], label=name)


def _velocities(result: "Result", axes: Any) -> None:
    for name, _, dof in _scalar_joints(result):
        axes.plot(result.time, result.qvel[:, dof], label=name)


def _dofs(array: str):
    """Forces of slides and hinges, which are constant over a step."""

    def draw(result: "Result", axes: Any) -> None:
        for name, _, dof in _scalar_joints(result):
            axes.step(result.time, getattr(result, array)[:, dof], where="post", label=name)

    return draw


def _controls(result: "Result", axes: Any) -> None:
    for a, name in enumerate(result.model.names("actuator")):
        axes.step(result.time, result.ctrl[:, a], where="post", label=name or f"actuator {a}")


def _contacts(result: "Result", axes: Any) -> None:
    """The vertical force of all contacts of each geom that moves and touches."""
    vertical, names = result.contact_forces()[:, :, 2], result.model.names("geom")
    for g in np.flatnonzero(np.any(vertical != 0, axis=0) & (result.model.geom_bodyid > 0)):
        axes.step(result.time[:-1], vertical[:, g], where="post", label=names[g] or f"geom {g}")


# name: label of the axis, what draws it
PANELS = {
    "positions": ("position (m, rad)", _positions),
    "velocities": ("velocity (m/s, rad/s)", _velocities),
    "controls": ("ctrl", _controls),
    "actuators": ("actuators (N, N m)", _dofs("qfrc_actuator")),
    "unactuated": ("unactuated (N, N m)", _dofs("qfrc_unactuated")),
    "contacts": ("vertical force (N)", _contacts),
}


def draw(result: "Result", panels: tuple) -> Any:
    """A matplotlib figure with these panels, one above the other."""
    for panel in panels:
        if panel not in PANELS:
            raise ValueError(f"there is no panel {panel!r}; there are: {', '.join(PANELS)}")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 2.5 * len(panels)), layout="constrained")
    for axes, panel in zip(figure.subplots(len(panels), sharex=True, squeeze=False)[:, 0], panels):
        label, draw_panel = PANELS[panel]
        draw_panel(result, axes)
        axes.set_ylabel(label)
        if axes.lines:
            axes.legend(fontsize="x-small", ncols=3)
    axes.set_xlabel("time (s)")
    return figure
