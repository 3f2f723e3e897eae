"""An environment for reinforcement learning that tracks a motion which saltus found.

    python3 examples/python/track_env.py examples/walker_walk.xml      # a problem, or a result

The agent adds offsets to the controls of the motion; the nearer the mechanism stays to the motion, the larger the
reward. The interface is that of Gymnasium. Where the package `gymnasium` is installed, TrackMotion is a gymnasium.Env
with gymnasium.spaces.Box; where it is not, it has the same functions on the small classes below, which are enough to
run it but no substitute for the package's wrappers and checks.
"""

from __future__ import annotations

import sys
from typing import Any, Optional

import numpy as np
import saltus

try:
    from gymnasium import Env
    from gymnasium.spaces import Box
except ImportError:

    class Env:
        """What TrackMotion needs of gymnasium.Env: a generator of random numbers."""

        metadata: dict = {}
        np_random = np.random.default_rng()

        def reset(self, *, seed: Optional[int] = None, options: Optional[dict] = None) -> None:
            if seed is not None:
                self.np_random = np.random.default_rng(seed)

        def close(self) -> None:
            pass

    class Box:
        """All arrays of a shape between two bounds; as gymnasium.spaces.Box."""

        def __init__(self, low: float, high: float, shape: tuple, dtype: type = np.float32):
            self.low, self.high = np.full(shape, low, dtype), np.full(shape, high, dtype)
            self.shape, self.dtype = shape, np.dtype(dtype)
            self.seed()

        def seed(self, seed: Optional[int] = None) -> None:
            self._random = np.random.default_rng(seed)

        def sample(self) -> np.ndarray:
            """Between bounds that are finite."""
            return self._random.uniform(self.low, self.high).astype(self.dtype)

        def contains(self, x: np.ndarray) -> bool:
            return x.shape == self.shape and bool(np.all((x >= self.low) & (x <= self.high)))


class TrackMotion(Env):
    """A mechanism that is to follow a motion, a time step of the motion at a time.

    motion        a saltus.Result that is physical; its model is what moves
    authority     how far an action of 1 moves a control: a share of half its range; of a control without a range, in
                  units of the largest control of the motion
    tolerance     (positions m, rad; velocities m/s, rad/s): a root mean square deviation by which the reward falls from 1
                  to 1/e; each alone
    lost          reward below which the mechanism is lost and the episode ends
    noise         m, rad: standard deviation of the first positions about those of the motion
    random_start  begin at a row drawn at random, not at the first one

    observation [nq + nv + na + 1]   qpos, qvel, act, and the share of the motion that is over
    action      [nu] in [-1, 1]      offsets to the controls of the motion; 0: these controls alone
    reward      in [0, 1]            exp(-(rms of the deviation of positions / tolerance)^2 - (the same of velocities)^2)
    """

    def __init__(self, motion: saltus.Result, authority: float = 0.05, tolerance: tuple = (0.2, 5.0), lost: float = 0.05,
                 noise: float = 0, random_start: bool = False):
        if not motion.is_physical:
            raise ValueError(f"the motion is not physical (status '{motion.status}'): no controls produce it")
        self.motion, self.model = motion, motion.model
        self.tolerance, self.lost, self.noise, self.random_start = tolerance, lost, noise, random_start
        self._low, self._high = _bounds(self.model)
        self._scale = authority * _reach(self.model, motion.ctrl[:-1])
        size = self.model.nq + self.model.nv + self.model.na + 1
        self.observation_space = Box(-np.inf, np.inf, (size,), np.float64)
        self.action_space = Box(-1.0, 1.0, (self.model.nu,), np.float32)
        self._row, self._state = 0, self._of_motion(0)

    # ---- the interface of Gymnasium ----

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict] = None) -> tuple[np.ndarray, dict]:
        """options: {"row": the row of the motion at which the episode begins}"""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(self.motion.nstep)) if self.random_start else 0
        self._row = int((options or {}).get("row", drawn))
        if not 0 <= self._row < self.motion.nstep:
            raise ValueError(f"row is {self._row}; expected 0 .. {self.motion.nstep - 1}")
        self._state = self._of_motion(self._row)
        if self.noise > 0:
            offset = self.noise * self.np_random.standard_normal(self.model.nv)
            self._state = self._state._replace(qpos=self.model.add(self._state.qpos, offset))
        return self._observation(), self._info()

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict]:
        """(observation, reward, terminated: it is lost, truncated: the motion is over, info)"""
        if self._row >= self.motion.nstep:
            raise RuntimeError("the motion is over; call reset")
        offset = self._scale * np.clip(np.asarray(action, dtype=float), -1, 1)
        control = np.clip(self.motion.ctrl[self._row] + offset, self._low, self._high)
        self._row += 1
        try:
            self._state = self.model.step(self._state.qpos, self._state.qvel, control, self._state.act, threads=1)
        except saltus.Error:  # it left the finite numbers; the state is the last that was finite
            return self._observation(), 0.0, True, False, self._info()
        reward = self._reward()
        return self._observation(), reward, reward < self.lost, self._row == self.motion.nstep, self._info()

    # ---- where it is, and where it should be ----

    def _of_motion(self, row: int) -> saltus.State:
        act = self.motion.act[row] if self.model.na > 0 else np.zeros(0)
        return saltus.State(self.motion.qpos[row], self.motion.qvel[row], act)

    def _observation(self) -> np.ndarray:
        return np.concatenate([*self._state, [self._row / self.motion.nstep]])

    def _deviation(self) -> tuple[float, float]:
        """Root mean squares over the degrees of freedom."""
        wanted = self._of_motion(self._row)
        place = self.model.difference(wanted.qpos, self._state.qpos)
        return float(np.sqrt(np.mean(place**2))), float(np.sqrt(np.mean((self._state.qvel - wanted.qvel)**2)))

    def _reward(self) -> float:
        return float(np.exp(-sum((part / width)**2 for part, width in zip(self._deviation(), self.tolerance))))

    def _info(self) -> dict[str, Any]:
        place, speed = self._deviation()
        return {"row": self._row, "time": float(self.motion.time[self._row]), "position": place, "velocity": speed}


def _bounds(model: saltus.Model) -> tuple[np.ndarray, np.ndarray]:
    """Of the controls [nu]; infinite where there are none."""
    limited, bounds = model.actuator_ctrllimited != 0, model.actuator_ctrlrange
    return np.where(limited, bounds[:, 0], -np.inf), np.where(limited, bounds[:, 1], np.inf)


def _reach(model: saltus.Model, ctrl: np.ndarray) -> np.ndarray:
    """Half the range of each control [nu], or its largest size in the motion."""
    low, high = _bounds(model)
    return np.where(np.isfinite(high - low), (high - low) / 2, np.abs(ctrl).max(axis=0))


# ---- a look at it ----


def episode(env: TrackMotion, policy) -> list:
    """The rewards of an episode under a policy, a function from observation to action."""
    observation, _ = env.reset()
    rewards, over = [], False
    while not over:
        observation, reward, terminated, truncated, _ = env.step(policy(observation))
        rewards.append(reward)
        over = terminated or truncated
    return rewards


def main(path: str) -> None:
    motion = saltus.solve(path) if path.endswith(".xml") else saltus.load(path)
    env = TrackMotion(motion)
    policies = {"the motion's own controls": lambda _: np.zeros(env.action_space.shape),
                "random offsets": lambda _: env.action_space.sample()}
    for name, policy in policies.items():
        rewards = episode(env, policy)
        print(f"{name}: {len(rewards)} of {motion.nstep} steps, lowest reward {min(rewards):.4f}, "
              f"sum {sum(rewards):.3f} of at most {motion.nstep}")


if __name__ == "__main__":
    main(*sys.argv[1:])
