"""Coupled worlds, exactly: a kernel, a law of X, a private value and a scrubbed database, and the
rows they give.

Everything is computed from the definition of CW-privacy, with Sim = M and no auxiliary information.
Source: "Composition Theorem for streaming CW-privacy", Section 1.2.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from pufferproof.claims.papers.streaming_cw.plane.planar import Pmf, Rows, differentially_private, distributions


@dataclass(frozen=True)
class World:
    """One CW instance without auxiliary information: a kernel, a law of X, priv and alt as maps of
    databases.

    `alt[x]` is the scrubbed database of x, `priv[x]` the private value; databases are numbered from
    0.
    """

    kernel: tuple[Pmf, ...]
    law: Pmf
    priv: tuple[int, ...]
    alt: tuple[int, ...]

    def unconditional(self) -> Rows:
        """Return f_D M and f'_D M, the laws of M(X) and M(alt(X))."""
        return self._rows(self.law, Fraction(1))

    def given(self) -> dict[int, Rows]:
        """Return the laws of M(X) and M(alt(X)) given priv(X) = v, for every v of positive
        probability.
        """
        rows = {}
        for value in sorted(set(self.priv)):
            kept = tuple(p if self.priv[x] == value else Fraction(0) for x, p in enumerate(self.law))
            if sum(kept):
                rows[value] = self._rows(kept, sum(kept, Fraction(0)))
        return rows

    def conditional(self) -> list[Rows]:
        """Return the same without the values v."""
        return list(self.given().values())

    def private(self, ratio: Fraction, shift: Fraction) -> bool:
        """Decide (epsilon, delta)-CW-privacy with Sim = M."""
        return all(two_sided(rows, ratio, shift) for rows in self.conditional())

    def _rows(self, weights: Pmf, total: Fraction) -> Rows:
        outputs = range(len(self.kernel[0]))
        real = (sum((w * self.kernel[x][y] for x, w in enumerate(weights)), Fraction(0)) / total for y in outputs)
        scrubbed = (
            sum((w * self.kernel[self.alt[x]][y] for x, w in enumerate(weights)), Fraction(0)) / total for y in outputs
        )
        return tuple(real), tuple(scrubbed)


def two_sided(rows: Rows, ratio: Fraction, shift: Fraction) -> bool:
    """Decide privacy of two rows in both orders."""
    return all(differentially_private(*each, ratio, shift) for each in (rows, rows[::-1]))


def worlds(denominator: int, secret: bool) -> Iterator[World]:
    """Yield instances, fewest databases and outcomes first, then by a common denominator of the
    law; M is deterministic.

    `secret` lets priv be any map; otherwise priv is constant.
    """
    for databases, outcomes, scale in product((1, 2), (1, 2), range(1, denominator + 1)):
        kernels = product(distributions(outcomes, 1), repeat=databases)
        privs = list(product(range(databases), repeat=databases)) if secret else [(0,) * databases]
        alts = list(product(range(databases), repeat=databases))
        for kernel, law, priv, alt in product(list(kernels), distributions(databases, scale), privs, alts):
            yield World(kernel, law, priv, alt)


def world_evidence(world: World, **values: object) -> dict[str, object]:
    """Return an instance as the evidence of a counterexample, with further exact values."""
    return {"M": world.kernel, "law of X": world.law, "priv": world.priv, "alt": world.alt, **values}


def chance(world: World, scrubbed: bool, y: int, value: int | None = None, law: str = "law_of_X") -> str:
    """Write the probability of an output, given priv(X) where there is a value, in numbers of the
    evidence.
    """
    kept = [x for x, priv in enumerate(world.priv) if value in (None, priv)]
    seen = world.alt if scrubbed else range(len(world.alt))
    terms = " + ".join(f"item({law}, {x})*entry(M, {seen[x]}, {y})" for x in kept)
    return f"({terms})/({' + '.join(f'item({law}, {x})' for x in kept)})"


def compared(world: World, equal: bool, value: int | None = None, law: str = "law_of_X") -> list[str]:
    """Write for every output that it is as probable on the scrubbed data, or is not."""
    sign = "=" if equal else "!="
    return [
        f"{chance(world, False, y, value, law)} {sign} {chance(world, True, y, value, law)}"
        for y in range(len(world.kernel[0]))
    ]


ONE, ZERO = Fraction(1), Fraction(0)
