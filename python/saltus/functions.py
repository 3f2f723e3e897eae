"""Functions of the caller as terms and constraints: how the library calls them (docs/functions.md)."""

import ctypes
import threading

import numpy as np

from ._library import Function, FunctionCall


def _array(address, n):
    return np.frombuffer((ctypes.c_double * n).from_address(ctypes.addressof(address.contents)))


class Functions:
    """{name: (n, f)} as the library's array. What f raises is kept in `fault`, and the residuals are NaN from then on;
    f is not called again."""

    def __init__(self, functions):
        self.fault = None
        self.lock = threading.Lock()
        self.calls = []  # the library has their addresses only
        items = [self._item(name, *self._pair(name, value)) for name, value in (functions or {}).items()]
        self.array, self.n = (Function * max(len(items), 1))(*items), len(items)

    @staticmethod
    def _pair(name, value):
        try:
            n, function = value
            if n != int(n) or n < 1 or not callable(function):
                raise ValueError
        except (TypeError, ValueError):
            raise ValueError(f"functions[{name!r}] is {value!r}; expected (n, f): the number of residuals, "
                             "and a function f(step, x)") from None
        return int(n), function

    def _item(self, name, n, function):
        def call(_, step, x, nx, r, J):
            try:
                if self.fault is None:
                    return self._call(name, function, step, _array(x, nx).copy(), _array(r, n),
                                      _array(J, n * nx).reshape(n, nx) if J else None)
            except BaseException as fault:  # no exception passes through C
                with self.lock:
                    self.fault = self.fault or fault
            _array(r, n)[:] = np.nan
            return True

        self.calls.append(FunctionCall(call))
        return Function(name.encode(), n, self.calls[-1], None)

    @staticmethod
    def _call(name, function, step, x, r, J):
        value = function(step, x)
        differentiated = isinstance(value, tuple)
        residual, jacobian = value if differentiated else (value, None)
        for what, array, shape in (("residuals", residual, r.shape), ("Jacobian", jacobian, (r.size, x.size))):
            if array is not None and np.shape(array) != shape and not (np.ndim(array) == 0 and shape == (1,)):
                raise ValueError(f"the function {name!r} returns {what} of the shape {np.shape(array)}; "
                                 f"expected {shape}")
        r[:] = residual
        if J is not None and differentiated:
            J[:] = jacobian
        return differentiated
