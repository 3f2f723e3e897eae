"""saltus: trajectory optimization through contact, from Python.

    import saltus

    result = saltus.solve("examples/walker_walk.xml")     # or a dict, see saltus.problem_xml
    result.qpos                                           # [T x nq], a view of the library's memory
    result.write("walk.h5")                               # as `saltus solve` writes it

    model = saltus.Model("models/humanoid.xml")
    forces = model.inverse(qpos, qvel, qacc)              # n states at once, over all threads

Units are SI and radians, quaternions are w x y z, arrays are C-contiguous, row by row. The classes
need the shared library `libsaltus.so`: SALTUS_LIBRARY names it, or it is where the loader finds it.
"""

from ._library import Error
from .model import Model
from .problem import problem_xml, solve
from .result import Finding, Result, load

__all__ = ["Error", "Finding", "Model", "Result", "load", "problem_xml", "solve"]
