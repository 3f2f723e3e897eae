"""saltus: trajectory optimization through contact, from Python.

    import saltus

    result = saltus.solve("examples/walker_walk.xml")     # or a dict, see saltus.problem_xml
    result.qpos                                           # [T x nq], a view of the library's memory
    result.write("walk.h5")                               # as `saltus solve` writes it

    clip = saltus.follow("clip.csv", "clip.xml", robot="robot.xml")       # a problem, for saltus.solve
    saltus.export(saltus.solve(clip), "clip.npz", "mjlab", rate=50)

    found = saltus.identify("examples/identify_pendulum.xml")
    found["mass"].value, found["mass"].se                     # kg

    model = saltus.Model("models/humanoid.xml")
    forces = model.inverse(qpos, qvel, qacc)              # n states at once, over all threads

Units are SI and radians, quaternions are w x y z, arrays are C-contiguous, row by row. The classes
need the shared library `libsaltus.so`: SALTUS_LIBRARY names it, or it is where the loader finds it.
"""

from ._library import Error
from .identification import Channel, Identification, Local, Parameter, Recording, Rollout
from .model import Model, State
from .player import play
from .problem import identify, problem_xml, solve
from .reading import load
from .recordings import Written, compare, export, follow, person
from .result import Finding, Result
from .sweeps import SweepTable, sweep

__all__ = ["Channel", "Error", "Finding", "Identification", "Local", "Model", "Parameter", "Recording", "Result",
           "Rollout", "State", "SweepTable", "Written", "compare", "export", "follow", "identify", "load", "person",
           "play", "problem_xml", "solve", "sweep"]
