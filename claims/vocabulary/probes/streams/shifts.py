"""Probes of sets of outputs of streams."""

from itertools import product
from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import EXP
from pufferproof.claims.vocabulary.entries.streams import blocks, shifts
from pufferproof.claims.vocabulary.families import CLOSE, rarely
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.streams.blocks import windows
from pufferproof.claims.vocabulary.sorts import (
    LEVEL,
    LEVELS_OF_STEPS,
    NATURAL,
    NUMBERS_OF_STEPS,
    laws_in_time,
    sequence,
    windows_in_time,
)
from pufferproof.claims.vocabulary.terms import Log, letter

F = Fraction
p, B, n = letter("p", laws_in_time("Block")), letter("B", NATURAL), letter("n", NATURAL)
K0, K1 = (letter(name, windows_in_time("Block", "W")) for name in ("K0", "K1"))
gamma, delta = letter("gamma", LEVELS_OF_STEPS), letter("delta", NUMBERS_OF_STEPS)
eps, z = letter("eps", LEVEL), letter("z", sequence("Block", "a list of blocks in Block"))


def shifted(draws: Draws) -> Instance:
    """Two values of a block, with laws of 1 to 3 blocks with zeros, windows of 1 to 3 blocks, two
    outputs, mechanisms of one or two steps, and known blocks, which may be too many or impossible;
    none to two steps before the last one, with levels from ln(1/2) to ln 4 and shifts that are the
    least, at times raised or lowered, and any other behind them. Laws now and then have another sum
    or a negative entry, and mechanisms too.
    """
    found = windows(draws)
    number = draws.among([0, 1, 1, 1, 2])
    levels = [draws.among([F(1, 2), F(1), F(1), F(3, 2), F(2), F(4)]) for _ in range(number + 1)]
    least = [_least(found, k, levels[k]) for k in range(number)]
    least.append(_least_at(found, number, levels[-1]))
    off = draws.among([*CLOSE])
    more = {"n": number, "gamma": [Log(each) for each in levels], "eps": Log(levels[-1])}
    kept = {name: found[name] for name in ("Block", "W", "B", "p", "K0", "K1", "z")}
    return {**kept, **more, "delta": [*(each * off for each in least), draws.among([F(0), F(-1)])]}


def _above(at: Instance, k: int, ratio: Fraction, z: Any, other: Any) -> Fraction:
    """The largest P0(S) - ratio P1(S) over all sets of outputs of a step."""
    law, wide = at["p"], at["B"]
    top = shifts.law_of_step(law, wide, at["K0"], k, z)
    bottom = shifts.law_of_step(law, wide, at["K1"], k, other)
    return sum((max(F(0), a - ratio * b) for a, b in zip(top, bottom)), F(0))


def _least(at: Instance, k: int, ratio: Fraction) -> Fraction:
    zs = blocks.all_known(at["p"], at["B"], k + 1)
    return max((_above(at, k, ratio, z, other) for z, other in product(zs, zs)), default=F(0))


def _least_at(at: Instance, k: int, ratio: Fraction) -> Fraction:
    return _above(at, k, ratio, at["z"], at["z"])


def _any(draws: Draws) -> Instance:
    """As above, with shifts that are lowered one time in two."""
    found = shifted(draws)
    off = draws.among([F(1), F(1), F(9, 10), F(1, 2)])
    return {**found, "delta": [each * off for each in found["delta"]]}


def _signed(draws: Draws) -> Instance:
    """As above, with a negative probability or another sum in one of three draws."""
    found = shifted(draws)
    if not draws.below(3):
        row = draws.among([[F(-1, 2), F(3, 2)], [F(1, 2), F(1)]])
        found["K0"][-1][draws.below(2 ** found["B"])] = row
    return found


def _summed(draws: Draws) -> Instance:
    """As above, with the sum of the shifts, or a little less, as the last one, and any level."""
    found = shifted(draws)
    total = sum(found["delta"], F(0))
    top = draws.among([F(1), F(1), F(3, 4), F(1, 2)]) * total
    ratio = draws.among([F(1, 2), F(1), F(2)])
    if rarely(draws):
        found["n"] += 1
    return {**found, "delta": [top], "eps": Log(ratio)}


USING = "Planes Sequences"
PROBES = [
    Probe(
        "laws at windows",
        shifts.LAWS_AT_WINDOWS(B, K0),
        "Block W",
        _signed,
        {"laws at windows": lambda B, K: iter((min(K[0][0]) >= 0, sum(K[0][0]) == 1))},
        USING,
    ),
    Probe(
        "sets of steps within",
        shifts.SETS_OF_STEPS(p, B, K0, K1, gamma, delta, n),
        "Block W",
        _any,
        {
            "sets of steps within": lambda p, B, K0, K1, gamma, delta, n: shifts.sets_of_steps(
                p, B, K0, K1, gamma, delta, n + 1
            )
        },
        USING,
    ),
    Probe(
        "sets of a step within",
        shifts.SETS_OF_STEP(p, B, K0, K1, n, EXP(eps), delta, z),
        "Block W",
        _any,
        {
            "sets of a step within": lambda p, B, K0, K1, k, ratio, delta, z: shifts.SETS_OF_STEP.value(
                p, B, K0, K1, k, ratio, [2 * d for d in delta], z
            )
        },
        USING,
    ),
    Probe(
        "sets of outputs within",
        shifts.SETS_OF_OUTPUTS(p, B, K0, K1, n, EXP(eps), shifts.SHIFTS_BEFORE(delta, n), z),
        "Block W",
        _summed,
        {
            "sets of outputs within": lambda p, B, K0, K1, n, ratio, delta, z: shifts.SETS_OF_OUTPUTS.value(
                p, B, K0, K1, n, ratio, delta / 2, z
            )
        },
        USING,
    ),
    Probe(
        "levels before a step",
        EXP(shifts.LEVELS_BEFORE(gamma, n)),
        "W",
        shifted,
        {"levels before a step": lambda gamma, n: shifts.LEVELS_BEFORE.value(gamma, n + 1)},
        USING,
    ),
    Probe(
        "shifts before a step",
        shifts.SHIFTS_BEFORE(delta, n),
        "W",
        shifted,
        {"shifts before a step": lambda delta, n: shifts.SHIFTS_BEFORE.value(delta, n + 1)},
        USING,
    ),
]
