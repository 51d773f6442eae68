"""What exact laws of programs are compared with: samples of the very same function under NumPy's
own generator, and enumeration of what discrete draws may be.
"""

from collections import Counter
from fractions import Fraction
from itertools import count, product

import numpy as np
from scipy.stats import chi2

from pufferproof.verify.programs.law import law_of


class Listed:
    """A generator whose draws are listed beforehand, with their probabilities."""

    def __init__(self, values):
        self.values, self.asked, self.weight = values, count(), Fraction(1)

    def _next(self, weights):
        place = self.values[next(self.asked)]
        self.weight *= weights[place] if place < len(weights) else 0
        return min(place, len(weights) - 1)

    def integers(self, low, high):
        return low + self._next([Fraction(1, high - low)] * (high - low))

    def choice(self, values, p):
        return values[self._next([Fraction(w) for w in p])]


def enumerated(program, database, draws, values):
    """Return the law of a program that makes at most some draws, each of at most some values."""
    law = Counter()
    for places in product(range(values), repeat=draws):
        rng = Listed(places)
        output = program(database, rng)
        unused = draws - next(rng.asked)
        law[output] += rng.weight / values**unused
    return {output: mass for output, mass in law.items() if mass}


def exact(law, database):
    """Return the masses of a database as floats."""
    return {output: float(mass.ball()) for output, mass in law.masses[database].items()}


def plausibility(program, database, runs=4000, seed=11, law=None, **options):
    """Return how probable a chi-square as large as that of samples is under the exact law: 0 if an
    output has probability 0.
    """
    expected = exact(law or law_of(program, [database], **options), database)
    rng = np.random.default_rng(seed)
    with np.errstate(all="ignore"):
        drawn = Counter(str(label(program(database, rng))) for _ in range(runs))
    if any(output not in expected for output in drawn):
        return 0.0
    cells = [(drawn[y], runs * p) for y, p in expected.items() if runs * p >= 8]
    rest = runs - sum(n for n, _ in cells), runs - sum(e for _, e in cells)
    if rest[1] >= 8:
        cells.append(rest)
    return chi2.sf(sum((n - e) ** 2 / e for n, e in cells), max(len(cells) - 1, 1))


def label(output):
    """Return an output as laws label it."""
    output = output.tolist() if hasattr(output, "tolist") else output
    if isinstance(output, list | tuple):
        return "(" + ",".join(str(label(each)) for each in output) + ")"
    whole = isinstance(output, float) and output.is_integer()
    return int(output) if whole else output
