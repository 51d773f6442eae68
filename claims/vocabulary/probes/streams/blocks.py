"""Probes of streams of blocks."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import AT_MOST, EXP, LENGTH, TIMES
from pufferproof.claims.vocabulary.entries.streams import blocks
from pufferproof.claims.vocabulary.families import CLOSE, rarely, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import NATURAL, laws_in_time, levels_in_time, member, sequence, windows_in_time
from pufferproof.claims.vocabulary.terms import Log, letter

F = Fraction
p, B = letter("p", laws_in_time("Block")), letter("B", NATURAL)
K0, K1 = (letter(name, windows_in_time("Block", "W")) for name in ("K0", "K1"))
gamma = letter("gamma", levels_in_time("W"))
ys, y = letter("ys", sequence("W", "outputs in W")), letter("y", member("W", "an output in W"))
z, other = (letter(name, sequence("Block", "blocks in Block")) for name in ("z", "z'"))


def windows(draws: Draws) -> Instance:
    """Two values of a block, with laws of 1 to 3 blocks with zeros, windows of 1 to 3 blocks, two
    outputs, mechanisms of one or two steps, none to two outputs, and known blocks, which may be too
    many or impossible; gamma has the least levels at which steps are close, at times raised or
    lowered. Laws now and then have another sum or a negative entry, and mechanisms too.
    """
    wide = draws.among([1, 2, 2, 2, 3])
    found = {
        "Block": 2,
        "W": 2,
        "B": wide,
        "p": [_law(draws) for _ in range(draws.among([1, 1, 2, 3]))],
        "K0": [_rows(draws, 2**wide) for _ in range(1 + draws.below(2))],
        "K1": [_rows(draws, 2**wide) for _ in range(1 + draws.below(2))],
        "ys": [draws.below(2) for _ in range(draws.below(3))],
        "y": draws.below(2),
        "z": _blocks(draws, wide),
        "z'": _blocks(draws, wide),
    }
    return {**found, "gamma": _least(draws, found)}


def _law(draws: Draws) -> list[Fraction]:
    return vector(draws, 2) if rarely(draws) else [*draws.law(2, 2)]


def _rows(draws: Draws, size: int) -> list[list[Fraction]]:
    rows = [[*draws.law(2, 3)] for _ in range(size)]
    if rarely(draws):
        place = draws.below(size)
        rows[place] = draws.among([[F(-1, 200), F(1)], [F(-1), F(2)], [F(2), F(3)], [F(2), F(-1, 2)]])
    return rows


def _blocks(draws: Draws, wide: int) -> list[int]:
    length = wide - 1
    if rarely(draws):
        length = draws.among([length + 1, max(length - 1, 0)])
    return [draws.below(2) for _ in range(length)]


def _least(draws: Draws, at: Instance) -> list[list[Log]]:
    steps = range(max(map(len, (at["p"], at["K0"], at["K1"]))) + 1)
    off = draws.among([*CLOSE])
    return [[Log(_ratio(at, k, y) * off) for y in range(2)] for k in steps]


def _ratio(at: Instance, k: int, y: int) -> Fraction:
    """The least e^gamma of a step and an output, or 1/8 or 8 where there is no good one."""
    law, wide = at["p"], at["B"]
    zs = blocks.all_known(law, wide, k + 1)
    sides = [[blocks.step(law, wide, at[name], k, y, z) for z in zs] for name in ("K0", "K1")]
    top, bottom = max(sides[0], default=F(0)), min(sides[1], default=F(0))
    if bottom <= 0:
        return F(8)
    return max(top / bottom, F(1, 8))


def _any(draws: Draws) -> Instance:
    """As above, with a gamma that is off half the time."""
    found = windows(draws)
    off = draws.among([F(1), F(1), F(9, 10), F(1, 2)])
    return {**found, "gamma": [[Log(a.of * off) for a in row] for row in found["gamma"]]}


def _signed(draws: Draws) -> Instance:
    """As above, with a negative probability in one of three draws."""
    found = windows(draws)
    if not draws.below(3):
        found["K0"][-1][draws.below(2 ** found["B"])] = [F(-1, 2), F(3, 2)]
    if not draws.below(3):
        found["p"][-1] = [F(3, 2), F(-1, 2)]
    return found


def _same_blocks(p: Any, B: int, K0: Any, K1: Any, gamma: Any) -> Iterator[Any]:
    """The same with z' = z."""
    for k, out in product(range(max(map(len, (p, K0, K1, gamma))) + 1), range(2)):
        for z in blocks.all_known(p, B, k + 1):
            right = blocks.late(gamma, k)[out].of * blocks.step(p, B, K1, k, out, z)
            yield blocks.step(p, B, K0, k, out, z), right


def _edge(B: int, p: Any, K0: Any, K1: Any, gamma: Any, ys: list[int], z: list[int]) -> Instance:
    sizes: Instance = {"Block": 2, "W": 2, "B": B}
    laws = {"p": p, "K0": K0, "K1": K1, "gamma": [[Log(F(a)) for a in gamma]]}
    return {**sizes, **laws, "ys": ys, "y": ys[-1], "z": z, "z'": z, "eps": Log(F(1))}


def _table(*rows: tuple[Any, Any]) -> list[list[Fraction]]:
    return [[F(a), F(b)] for a, b in rows]


HALF, SMALL = F(1, 2), F(1, 200)
NEGATIVE_WEIGHT = _edge(
    1, [[F(2), F(-1)]], [_table((0, 1), (1, 0))], [_table((F(1, 4), F(3, 4)), (1, 0))], (1, 2), [0, 0], []
)
NEGATIVE_ABOVE = _edge(1, [[F(1), F(0)]], [_table((-SMALL, 1), (0, 1))], [_table((0, 1), (0, 1))], (1, 1), [0, 0], [])
NEGATIVE_BELOW = _edge(
    2,
    [[HALF, HALF]],
    [_table(*[(0, HALF)] * 4)],
    [_table((0, 1), (0, HALF), (0, 1), (0, HALF)), _table(*[(-SMALL, HALF)] * 2, *[(SMALL, HALF)] * 2)],
    (1, 1),
    [1, 0],
    [0],
)
EDGES = [NEGATIVE_WEIGHT, NEGATIVE_ABOVE, NEGATIVE_BELOW]
"""Weights and probabilities that are negative, where everything else is as it must be."""
USING = "Sequences"
PROBES = [
    Probe(
        "laws of blocks",
        blocks.LAWS_OF_BLOCKS(p),
        "Block",
        _signed,
        {"laws of blocks": lambda p: iter((min(p[0]) >= 0, sum(p[0]) == 1))},
        USING,
    ),
    Probe(
        "positive at windows",
        blocks.POSITIVE(B, K0),
        "Block W",
        _signed,
        {"positive at windows": lambda B, K: ((F(0), a) for row in K[0] for a in row)},
        USING,
    ),
    Probe("steps within", blocks.WITHIN(p, B, K0, K1, gamma), "Block W", _any, {"steps within": _same_blocks}, USING),
    Probe(
        "known blocks",
        blocks.KNOWN(p, B, LENGTH(ys), z),
        "Block W",
        windows,
        {"known blocks": lambda p, B, j, z: blocks.known(p, B, j + 1, z)},
        USING,
    ),
    Probe(
        "outputs of a stream",
        blocks.GIVEN(p, B, K0, LENGTH(ys), ys, z),
        "Block W",
        windows,
        {"outputs of a stream": lambda p, B, K, n, ys, z: blocks.outputs_given(p, B, K, n, ys[::-1], z)},
        USING,
    ),
    Probe(
        "output of a step",
        blocks.STEP(p, B, K0, LENGTH(ys), y, z),
        "Block W",
        windows,
        {"output of a step": lambda p, B, K, k, y, z: blocks.step(p, B, K, 0, y, z)},
        USING,
    ),
    Probe(
        "levels of outputs",
        EXP(blocks.SPENT(gamma, ys)),
        "W",
        windows,
        {"levels of outputs": lambda gamma, ys: blocks.SPENT.value(gamma[1:], ys)},
        USING,
    ),
    Probe(
        "one more output",
        AT_MOST(
            blocks.GIVEN(p, B, K0, LENGTH(blocks.APPENDED(ys, y)), blocks.APPENDED(ys, y), z),
            TIMES(EXP(blocks.SPENT(gamma, blocks.APPENDED(ys, y))), blocks.GIVEN(p, B, K1, LENGTH(ys), ys, z)),
        ),
        "Block W",
        windows,
        {"one more output": lambda ys, y: [y, *ys]},
        USING,
    ),
]
