"""Solvers that answer rubbish, instead of those that the package asks: wrong vertices, a wrong
status, numbers that are none, an error of their own, or no answer in time.
"""

import math
import random
from types import SimpleNamespace

import highspy
import numpy as np
from scipy import optimize

HIGHS, LINPROG, NNLS = highspy.Highs, optimize.linprog, optimize.nnls
STATUS, BASIC, LOWER = (highspy.HighsModelStatus, highspy.HighsBasisStatus.kBasic, highspy.HighsBasisStatus.kLower)


def bent(values, kind):
    """Numbers instead of those that a solver found."""
    values = [float(value) for value in values]
    draw = random.Random(len(values))
    new = {
        "nan": lambda: [math.nan] * len(values),
        "infinite": lambda: [math.inf if k % 2 else -math.inf for k in range(len(values))],
        "zero": lambda: [0.0] * len(values),
        "wrong": lambda: [draw.uniform(-3, 3) for _ in values],
        "huge": lambda: [1e308 * draw.choice((-1, 1)) for _ in values],
        "near": lambda: [value * (1 + 1e-7) + 1e-7 for value in values],
        "short": lambda: values[:-1],
    }
    return new[kind]() if kind in new else values


def turned(statuses):
    """Another basis of as many variables."""
    return statuses[1:] + statuses[:1]


class Highs:
    """HiGHS, with answers of a kind of rubbish."""

    kind = "near"

    def __init__(self):
        self.true = HIGHS()

    def __getattr__(self, name):
        return getattr(self.true, name)

    def run(self):
        if self.kind == "error":
            raise RuntimeError("the solver broke")
        return None if self.kind == "hung" else self.true.run()

    def getModelStatus(self):  # noqa: N802
        said = {"infeasible": STATUS.kInfeasible, "unknown": STATUS.kUnknown, "hung": STATUS.kTimeLimit}
        return said.get(self.kind, STATUS.kOptimal)

    def getBasis(self):  # noqa: N802
        basis = self.true.getBasis()
        columns, rows = list(basis.col_status), list(basis.row_status)
        if self.kind == "vertex":
            columns, rows = turned(columns), turned(rows)
        elif self.kind == "no basis":
            columns, rows = [LOWER] * len(columns), [LOWER] * len(rows)
        elif self.kind == "whole basis":
            columns, rows = [BASIC] * len(columns), [BASIC] * len(rows)
        return SimpleNamespace(col_status=columns, row_status=rows, valid=True)

    def getSolution(self):  # noqa: N802
        found = self.true.getSolution()
        names = "col_value", "row_value", "col_dual", "row_dual"
        return SimpleNamespace(**{name: bent(getattr(found, name), self.kind) for name in names})

    def getInfo(self):  # noqa: N802
        info = self.true.getInfo()
        value = bent([info.objective_function_value], self.kind)
        return SimpleNamespace(
            objective_function_value=value[0] if value else 0.0, simplex_iteration_count=info.simplex_iteration_count
        )


def linprog(kind):
    """SciPy's linear programs, with answers of a kind of rubbish."""

    def answered(*arguments, **options):
        if kind == "error":
            raise RuntimeError("the solver broke")
        found = LINPROG(*arguments, **options)
        if kind in ("infeasible", "unknown", "hung") or found.x is None:
            return SimpleNamespace(
                x=None, nit=0, status=2, success=False, ineqlin=None, eqlin=None, fun=None, message=""
            )
        left = np.roll(found.x, 1) if kind == "vertex" else bent(found.x, kind)
        sides = [
            SimpleNamespace(marginals=np.array(bent(side.marginals, kind)), residual=np.array(side.residual))
            for side in (found.ineqlin, found.eqlin)
        ]
        return SimpleNamespace(
            x=np.array(left),
            nit=found.nit,
            status=0,
            success=True,
            ineqlin=sides[0],
            eqlin=sides[1],
            fun=found.fun,
            message="",
        )

    return answered


def nnls(kind):
    """SciPy's non-negative least squares, with answers of a kind of rubbish."""

    def answered(*arguments, **options):
        if kind == "error":
            raise RuntimeError("Maximum number of iterations reached.")
        weights, distance = NNLS(*arguments, **options)
        if kind == "vertex":
            return np.roll(weights, 1), 0.0
        return np.array(bent(weights, kind)), 0.0 if kind == "wrong" else bent([distance], kind)[0]

    return answered


KINDS = (
    "nan", "infinite", "zero", "wrong", "huge", "near", "vertex", "no basis", "whole basis",
    "infeasible", "unknown", "hung", "error",
)  # fmt: skip
