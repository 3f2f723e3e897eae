"""The structs of <saltus/identify.h> in which the library says what it identified."""

import ctypes
from ctypes import POINTER, Structure, c_char, c_char_p, c_double, c_int, c_void_p

from ._library import library

NAME, UNIT, TEXT = 96, 24, 512


def _fields(names, ctype):
    return [(name, ctype) for name in names.split()]


class ParameterStruct(Structure):
    _fields_ = [("name", c_char * NAME), ("unit", c_char * UNIT), ("map", c_char * 16), ("free", c_int),
                *_fields("nominal initial value lower upper prior_sigma weight se se_hessian freedom se_resampled",
                         c_double), ("at_bound", c_int)]


class ChannelStruct(Structure):
    _fields_ = [("name", c_char * NAME), ("unit", c_char * UNIT), *_fields("kind n adr nres res_adr", c_int),
                *_fields("rms lag1 ljung_box freedom", c_double), *_fields("count white", c_int),
                ("text", c_char * TEXT)]


class RolloutStruct(Structure):
    _fields_ = _fields("diverged position rotation position_rms rotation_rms", c_double)


class RecordingStruct(Structure):
    _fields_ = [("name", c_char * NAME), ("cluster", c_char * NAME), *_fields("held nsample nstep", c_int),
                *_fields("start dt timestep cost", c_double), *_fields("nresidual nvariable", c_int),
                *_fields("time qpos qvel unexplained measured fitted predicted predicted_nominal local",
                         c_void_p),
                ("rms", c_double), ("outlier", c_int),
                *_fields("channel_rms channel_predicted channel_nominal", c_void_p),
                ("rollout", RolloutStruct), ("rollout_nominal", RolloutStruct), ("block", c_void_p)]


class IdentificationStruct(Structure):
    _fields_ = [*_fields("nparameter nlocal nchannel nvalue nresidual nrecording nq nv nsentence", c_int),
                ("parameter", POINTER(ParameterStruct)), ("local", POINTER(ParameterStruct)),
                ("channel", POINTER(ChannelStruct)), ("recording", POINTER(RecordingStruct)),
                *_fields("sigma slope S score correlation eigenvalue", c_void_p),
                *_fields("chi2 freedom", c_double),
                *_fields("ncluster sandwich resampling resamples nresample", c_int),
                ("resample", c_void_p), ("newton", c_double), ("sentence", POINTER(c_char * TEXT)),
                ("model_xml", c_char_p), ("block", c_void_p)]


# What the C compiler makes of them on a machine of 64 bits; test_identify.py compares every member.
assert [ctypes.sizeof(s) for s in (ParameterStruct, ChannelStruct, RecordingStruct, IdentificationStruct)] \
    == [240, 696, 448, 200]

library.sal_identification_of.restype = POINTER(IdentificationStruct)
library.sal_identification_of.argtypes = [c_void_p]
library.sal_identification_reach.restype = c_double
library.sal_identification_reach.argtypes = [POINTER(ParameterStruct)]


def identified_in(pointer):
    """What a result identified; None: it is of a motion alone."""
    found = library.sal_identification_of(pointer)
    return found.contents if found else None
