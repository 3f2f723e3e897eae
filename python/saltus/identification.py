"""What an identification found: parameters with their errors, and how every recording is met."""

from __future__ import annotations

from ctypes import byref
from typing import NamedTuple

import numpy as np

from ._identified import IdentificationStruct, ParameterStruct, RecordingStruct, RolloutStruct, identified_in
from ._library import Error, library
from ._views import view
from .result import Result

KINDS = ["body", "joint", "sensor", "site", "control", "force"]  # as prb_channel_kind numbers them


class Parameter(NamedTuple):
    """A number that all recordings share; NaN: there is none.

    name, unit   as the problem names it; '': no unit
    map          what of it is varied, u: 'linear', 'log', 'bounded'
    is_free      False: it was held
    nominal      as the model file says
    initial      where the search began
    value        what was found
    lower, upper its range
    prior_sigma  standard deviation of its prior, of u
    se           standard error, by clusters of recordings; inf: not determined, NaN: held, or on a bound
    se_freedom   degrees of freedom of se; inf: it is known as well as the sigmas are
    se_hessian   standard error if all residuals were independent
    se_resampled standard error from fits of other sets of recordings
    interval     (low, high): the true value lies between with probability 0.95
    at_bound     -1: on the lower bound, 1: on the upper one, 0: on none
    """

    name: str
    unit: str
    map: str
    is_free: bool
    nominal: float
    initial: float
    value: float
    lower: float
    upper: float
    prior_sigma: float
    se: float
    se_freedom: float
    se_hessian: float
    se_resampled: float
    interval: tuple[float, float]
    at_bound: int


class Local(NamedTuple):
    """A parameter that each recording has for itself (`each="recording"`): its mean over the recordings of the fit, and
    the scatter (standard deviation) of their values. The values are Recording.local."""

    name: str
    unit: str
    map: str
    mean: float
    scatter: float
    lower: float
    upper: float


class Channel(NamedTuple):
    """What a column, or several, of the recordings measures.

    unit       of its first numbers; places m, rotations rad
    kind       'body', 'joint', 'sensor', 'site', 'control', 'force'
    n          numbers in a sample; a rotation is a quaternion w x y z
    sigma      [nres] standard deviation of each of its residuals; none: the channel is given, not fitted
    rms        of the residuals of the fit, over sigma
    lag1       correlation of neighbouring residuals
    ljung_box  Q of Ljung and Box, with its degrees of freedom
    count      residuals of the fit
    is_white   neighbouring residuals are independent, or nearly
    text       the same in words
    """

    name: str
    unit: str
    kind: str
    n: int
    sigma: np.ndarray
    rms: float
    lag1: float
    ljung_box: float
    freedom: float
    count: int
    is_white: bool
    text: str


class Rollout(NamedTuple):
    """Errors of a forward simulation of a recording, from its first state, with known controls and forces alone: of the
    bodies' places (m) and rotations (rad), at the end and as root mean squares over time; NaN: not measured, or not
    simulated. diverged: s after its begin; NaN: it did not."""

    diverged: float
    position: float
    rotation: float
    position_rms: float
    rotation_rms: float


def _text(value: bytes) -> str:
    return value.decode()


def _parameter(p: ParameterStruct) -> Parameter:
    reach = library.sal_identification_reach(byref(p))
    return Parameter(_text(p.name), _text(p.unit), _text(p.map), p.free != 0, p.nominal, p.initial, p.value, p.lower,
                     p.upper, p.prior_sigma, p.se, p.freedom, p.se_hessian, p.se_resampled,
                     (p.value - reach, p.value + reach), p.at_bound)


def _local(p: ParameterStruct) -> Local:
    return Local(_text(p.name), _text(p.unit), _text(p.map), p.value, p.se, p.lower, p.upper)


def _rollout(r: RolloutStruct) -> Rollout:
    return Rollout(r.diverged, r.position, r.rotation, r.position_rms, r.rotation_rms)


def _rotation_between(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """log(first* second) of unit quaternions [n x 4]: the rotation vector (rad) in the axes of `first`, the short way."""
    w1, v1, w2, v2 = first[:, :1], first[:, 1:], second[:, :1], second[:, 1:]
    w = w1 * w2 + np.sum(v1 * v2, axis=1, keepdims=True)
    v = w1 * v2 - w2 * v1 - np.cross(v1, v2)
    v, w = np.where(w < 0, -v, v), np.abs(w)
    sine = np.linalg.norm(v, axis=1, keepdims=True)
    return v * np.where(sine > 0, 2 * np.arctan2(sine, w) / np.where(sine > 0, sine, 1), 2)


class Recording:
    """A recording, as measured, fitted and predicted. Arrays are read-only views of the library's memory.

    Signals (measured, fitted, predicted, predicted_nominal) and residuals are dicts, an array for each channel
    by its name: [nsample] of one number, [nsample x n] of several; NaN: missing.
    """

    def __init__(self, owner: "Identification", struct: RecordingStruct):
        self._owner, self._struct = owner, struct

    def __repr__(self) -> str:
        return f"<saltus.Recording: {self.name}, {self.nsample} samples{', held out' if self.is_held_out else ''}>"

    # ---- what it is ----

    @property
    def name(self) -> str:
        return _text(self._struct.name)

    @property
    def cluster(self) -> str:
        """Recordings of one cluster may have errors in common."""
        return _text(self._struct.cluster)

    @property
    def is_held_out(self) -> bool:
        """It was left out of the fit, and is predicted."""
        return self._struct.held != 0

    @property
    def is_outlier(self) -> bool:
        """It fits far worse than the others."""
        return self._struct.outlier != 0

    @property
    def nsample(self) -> int:
        return self._struct.nsample

    @property
    def cost(self) -> float:
        return self._struct.cost

    @property
    def rms(self) -> float:
        """Root mean square of its residuals over their sigmas."""
        return self._struct.rms

    @property
    def local(self) -> dict[str, float]:
        """Its own parameters, {name: value}."""
        values = self._view("local", len(self._owner.locals))
        return dict(zip(self._owner.locals, values.tolist()))

    @property
    def rollout(self) -> Rollout:
        """Of the model that was found."""
        return _rollout(self._struct.rollout)

    @property
    def rollout_nominal(self) -> Rollout:
        """Of the model as its file says, from the same state."""
        return _rollout(self._struct.rollout_nominal)

    # ---- its motion ----

    def _view(self, name: str, *shape: int) -> np.ndarray:
        return view(self._owner, getattr(self._struct, name), shape)

    @property
    def time(self) -> np.ndarray:
        """s, of the steps of the motion [nstep + 1]."""
        return self._view("time", self._struct.nstep + 1)

    @property
    def qpos(self) -> np.ndarray:
        """The motion that was found [nstep + 1 x nq]; of a recording that was held out its first state alone."""
        return self._view("qpos", self._struct.nstep + 1, self._owner._found.nq)

    @property
    def qvel(self) -> np.ndarray:
        """[nstep + 1 x nv]"""
        return self._view("qvel", self._struct.nstep + 1, self._owner._found.nv)

    @property
    def unexplained(self) -> np.ndarray:
        """Forces that neither the model nor the recording explains, N and N m [nstep + 1 x nv]."""
        return self._view("unexplained", self._struct.nstep + 1, self._owner._found.nv)

    # ---- its signals ----

    @property
    def sample_time(self) -> np.ndarray:
        """s, of the samples, as in the file [nsample]."""
        return self._struct.start + self._struct.dt * np.arange(self.nsample)

    def _signal(self, name: str) -> dict[str, np.ndarray]:
        found = self._owner._found
        rows = self._view(name, self.nsample, found.nvalue)
        return {_text(c.name): rows[:, c.adr] if c.n == 1 else rows[:, c.adr:c.adr + c.n]
                for c in found.channel[:found.nchannel]}

    @property
    def measured(self) -> dict[str, np.ndarray]:
        return self._signal("measured")

    @property
    def fitted(self) -> dict[str, np.ndarray]:
        """Of the motion that was found."""
        return self._signal("fitted")

    @property
    def predicted(self) -> dict[str, np.ndarray]:
        """By forward simulation of the model that was found, from the first state."""
        return self._signal("predicted")

    @property
    def predicted_nominal(self) -> dict[str, np.ndarray]:
        """By forward simulation of the model as its file says, from the same state."""
        return self._signal("predicted_nominal")

    def residuals(self, of: str = "fitted", standardised: bool = False) -> dict[str, np.ndarray]:
        """Measured minus what a signal says, of each channel that is fitted: [nsample], or [nsample x nres] in the
        channel's unit. Of an orientation it is the rotation from the signal to what was measured, as a vector (rad).

        of            'fitted', 'predicted', 'predicted_nominal'
        standardised  divided by the sigma of each
        """
        if of not in ("fitted", "predicted", "predicted_nominal"):
            raise ValueError(f"of is {of!r}; expected 'fitted', 'predicted' or 'predicted_nominal'")
        found, out = self._owner._found, {}
        measured, said = (self._view(name, self.nsample, found.nvalue) for name in ("measured", of))
        for c, channel in zip(found.channel[:found.nchannel], self._owner.channels.values()):
            if c.nres == 0:
                continue
            turns = c.n >= 4 and c.nres == c.n - 1  # it ends in a quaternion
            plain, quat = slice(c.adr, c.adr + (c.n - 4 if turns else c.n)), slice(c.adr + c.n - 4, c.adr + c.n)
            rows = measured[:, plain] - said[:, plain]
            if turns:
                rows = np.hstack([rows, _rotation_between(said[:, quat], measured[:, quat])])
            rows = rows / channel.sigma if standardised else rows
            out[channel.name] = rows[:, 0] if c.nres == 1 else rows
        return out


class Identification(Result):
    """A Result, whose motion is that of the first recording of the fit, and what was identified.

        found = saltus.identify("examples/identify_pendulum.xml")
        found["mass"].value, found["mass"].se                  # kg
        found.recordings[0].residuals(standardised=True)["angle"]
    """

    def __repr__(self) -> str:
        return (f"<saltus.Identification: {self.status}, {self._found.nparameter} parameters, "
                f"{self._found.nrecording} recordings>")

    def __getitem__(self, name: str) -> Parameter:
        """The parameter of that name."""
        if name not in self.parameters:
            known = ", ".join(self.parameters)
            raise KeyError(f"there is no parameter {name!r}; there are: {known or 'none'}")
        return self.parameters[name]

    @property
    def _found(self) -> IdentificationStruct:
        return identified_in(self._pointer)

    def _matrix(self, name: str, *shape: int) -> np.ndarray:
        return view(self, getattr(self._found, name), shape)

    # ---- whether it is finished ----

    @property
    def is_converged(self) -> bool:
        """The search came to its end, and one more step of Newton's method would not move a parameter by a good part of
        its standard error."""
        return not self.reasons

    @property
    def reasons(self) -> list[str]:
        """Why the search has not converged, or may not have; [] if it has."""
        stopped = [f"The search stopped before it had converged: {self.status}."] if self.exit_code != 0 else []
        return stopped + [text for text in self.account if self._found.newton > 0 and text.startswith("The search ")]

    @property
    def account(self) -> list[str]:
        """What the data could not tell, and what stands out, in sentences."""
        return [text.value.decode() for text in self._found.sentence[:self._found.nsentence]]

    # ---- parameters ----

    @property
    def parameters(self) -> dict[str, Parameter]:
        """By name, in the order of the problem file."""
        found = self._found
        return {_text(p.name): _parameter(p) for p in found.parameter[:found.nparameter]}

    @property
    def locals(self) -> dict[str, Local]:
        """Parameters that each recording has for itself, by name."""
        return {_text(p.name): _local(p) for p in self._found.local[:self._found.nlocal]}

    @property
    def at_bounds(self) -> list[str]:
        """Names of the parameters that are on a bound of their range."""
        return [name for name, p in self.parameters.items() if p.at_bound != 0]

    @property
    def correlation(self) -> np.ndarray:
        """Of the errors of the parameters [n x n]; NaN where there is no standard error."""
        n = self._found.nparameter
        return self._matrix("correlation", n, n)

    @property
    def eigenvalues(self) -> np.ndarray:
        """Of the scaled information of the data, increasing [n]; near 0: parameters that cannot be told apart."""
        return self._matrix("eigenvalue", self._found.nparameter)

    @property
    def resampled(self) -> np.ndarray:
        """Values from fits of other sets of recordings (`errors=` of `<estimate>`) [fits x n]; [0 x n] without."""
        return self._matrix("resample", self._found.nresample, self._found.nparameter)

    @property
    def chi2(self) -> float:
        """Twice the cost; over `freedom`, it is how many times too small the squares of the sigmas are."""
        return self._found.chi2

    @property
    def freedom(self) -> float:
        """Residuals minus variables."""
        return self._found.freedom

    @property
    def ncluster(self) -> int:
        """Clusters of recordings in the fit."""
        return self._found.ncluster

    # ---- recordings ----

    @property
    def channels(self) -> dict[str, Channel]:
        """By name."""
        found = self._found
        sigma = self._matrix("sigma", found.nresidual)
        return {_text(c.name): Channel(_text(c.name), _text(c.unit), KINDS[c.kind], c.n,
                                       sigma[c.res_adr:c.res_adr + c.nres], c.rms, c.lag1, c.ljung_box, c.freedom,
                                       c.count, c.white != 0, _text(c.text))
                for c in found.channel[:found.nchannel]}

    @property
    def recordings(self) -> list[Recording]:
        """In the order of the problem file."""
        return [Recording(self, r) for r in self._found.recording[:self._found.nrecording]]

    # ---- out ----

    def mjcf(self) -> str:
        """Your model file with the numbers that were found in their places, as `saltus export --to mjcf` writes it."""
        xml = self._found.model_xml
        if xml is None:
            raise Error(2, "this result holds no identified model")
        return xml.decode()
