"""The rate of inverse dynamics of 100,000 states from Python, beside the same states from C in the same run.

    bench_python.py BENCH_STATES MODEL..

BENCH_STATES is the program of bench_states.c. Both compute all states in one call, after one that warms up, and take
turns. As bench/stopwatch.h says: one thread is timed by its own processor time, and the median of the ratios counts;
several threads by the wall's clock, and the fastest of each counts, since other programs disturb in one direction.
"""

import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import saltus

N, ROUNDS = 100_000, 15


def states(model):
    """Near the first pose, moving."""
    rng = np.random.default_rng(1)
    qpos = model.add(np.tile(model.qpos0, (N, 1)), 0.1 * rng.standard_normal((N, model.nv)))
    return qpos, rng.standard_normal((N, model.nv)), rng.standard_normal((N, model.nv))


def in_c(program, path, file, threads):
    words = [program, path, file, str(N), str(threads)]
    seconds, total = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
    return float(seconds), float(total)


def in_python(model, arrays, threads):
    clock = time.thread_time if threads == 1 else time.perf_counter
    begin = clock()
    forces = model.inverse(*arrays, threads=threads)
    return clock() - begin, forces


def race(program, path, threads):
    """Seconds in C, in Python, and C / Python."""
    model = saltus.Model(path)
    arrays = states(model)
    model.inverse(*arrays, threads=threads)
    c, python = [], []
    with tempfile.NamedTemporaryFile() as file:
        for array in arrays:
            array.tofile(file)
        file.flush()
        for _ in range(ROUNDS):
            seconds, total = in_c(program, path, file.name, threads)
            c.append(seconds)
            seconds, forces = in_python(model, arrays, threads)
            python.append(seconds)
            assert abs(forces.sum() - total) <= 1e-9 * np.abs(forces).sum(), "the two do not compute the same forces"
    if threads == 1:
        return np.median(c), np.median(python), np.median(np.divide(c, python))
    return min(c), min(python), min(c) / min(python)


def main(program, *paths):
    print(f"inverse dynamics of {N} states in one call, thousand states a second")
    print(f"{'model':<24}{'threads':>8}{'C':>10}{'Python':>10}{'Python / C':>12}")
    for path in paths:
        for threads in sorted({1, os.cpu_count() or 1}):
            c, python, ratio = race(program, path, threads)
            print(f"{os.path.basename(path):<24}{threads:>8}{N / c / 1000:>10.1f}{N / python / 1000:>10.1f}{ratio:>12.1%}",
                  flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
