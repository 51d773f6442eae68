"""Normal integrals in floats, with a proven relative error.

erfcx(x) = e^(x^2) erfc(x) = (2 / sqrt(pi)) times the integral of e^(-t^2 - 2xt) over t >= 0. Its
Taylor coefficients at x >= 0 alternate, and |c_k| <= 1/Gamma(k/2 + 1), also relative to erfcx(x)
(the weight e^(-2xt) prefers small t). With cells of half-width 1/64 the nine coefficients of
degree 0 .. 8 leave out at most 64^-9 / Gamma(11/2), far below one rounding. Beyond 32 the
alternating asymptotic series is used, whose first term left out is below 1.5e-16 of the value.
Coefficients come from Arb, rounded once.
"""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

ERROR = 2.0**-48
"""Relative error of `erfcx_approx`, and of an exponential of numpy at a float, with room: both take
a handful of roundings of 2^-53.
"""
_CELLS = 32  # per unit
_LAST = 32
_DEGREE = 8
_ZERO_BEYOND = 39.0  # e^(-39^2 / 2) is no float but 0


@cache
def _coefficients() -> "Floats":
    """Return the Taylor coefficients of erfcx at every multiple of 1/32, a row per degree."""
    import numpy as np
    from flint import arb, arb_series, ctx

    columns = []
    with ctx.workprec(160):
        for cell in range(_CELLS * _LAST + 1):
            argument = arb_series([arb(cell) / _CELLS, 1], prec=_DEGREE + 1)
            series = (argument * argument).exp() * argument.erfc()
            columns.append([float(series[k]) for k in range(_DEGREE + 1)])
    return np.array(columns).T.copy()


def erfcx_approx(x: "Floats") -> "Floats":
    """Return e^(x^2) erfc(x) for x >= 0, up to a relative `ERROR`.

    >>> import numpy as np
    >>> erfcx_approx(np.array([0.0, 1.0, 100.0])).round(9).tolist()
    [1.0, 0.427583576, 0.005641614]
    """
    import numpy as np

    table = _coefficients()
    near = np.minimum(x, _LAST)
    cell = np.rint(near * _CELLS)
    offset = near - cell / _CELLS
    index = cell.astype(np.intp)
    value = table[_DEGREE].take(index)
    for row in table[_DEGREE - 1 :: -1]:
        value *= offset
        value += row.take(index)
    far = x > _LAST
    if far.any():
        value[far] = _asymptotic_approx(x[far])
    return np.asarray(value)


def _asymptotic_approx(x: "Floats") -> "Floats":
    """Return sum over k < 6 of (-1)^k (2k - 1)!! / (2 x^2)^k, over x sqrt(pi)."""
    import numpy as np

    step = 0.5 / (x * x)
    value = np.ones_like(x)
    for factor in (9, 7, 5, 3, 1):
        value = 1 - factor * step * value
    return np.asarray(value / (x * 1.7724538509055161))


def tail_approx(t: "Floats") -> "Floats":
    """Return P(Z > t) for a standard normal Z and t >= 0."""
    import numpy as np

    value = np.zeros_like(t)
    some = t < _ZERO_BEYOND
    near = t[some]
    value[some] = 0.5 * np.exp(-0.5 * near * near) * erfcx_approx(near * 0.7071067811865476)
    return np.asarray(value)
