"""Which records around one of a chain to hide, said once: a block is best under all chains of a
class, longer ones are no worse, and what both sides tell multiplies.
"""

from collections.abc import Mapping, Sequence

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains import gaps, hidden
from pufferproof.claims.vocabulary.entries.composition.columns import KERNEL
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    FIRST,
    IFF,
    NATURAL_LESS,
    NEXT,
    NOT,
    NOTHING,
    TIMES,
)
from pufferproof.claims.vocabulary.entries.foundations.promise import LAW
from pufferproof.claims.vocabulary.entries.quilts.chains import CHAINS
from pufferproof.claims.vocabulary.families import CLOSE, rarely
from pufferproof.claims.vocabulary.probes.chains.gaps import FARTHER, NONE, hi, i, lo, n
from pufferproof.claims.vocabulary.probes.chains.hidden import C, hiding, of_class
from pufferproof.claims.vocabulary.probes.chains.powers import A, P, b, m, ratio, v, w
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import NATURAL, NUMBER
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
a, c = letter("a", NUMBER), letter("c", NUMBER)
NEAR = F(1), F(1, 2), F(199, 200), F(999, 1000), F(201, 200), F(5, 4)
"""Factors of what the record on the left tells."""
WIDE = letter("wide_lo", NATURAL, "lo'"), letter("wide_hi", NATURAL, "hi'")


def any_weights(draws: Draws) -> Instance:
    """One to three chains on two or three values, with zeros, whose steps may change once, weights
    that are no laws now and then, one to four records, one of them, how many are hidden, and R,
    often the least of some block under all chains, or close to it.
    """
    found = dict(of_class(draws))
    first, *others = found["class"]
    last = [F(0)] * (found["A"] - 2)
    if rarely(draws):
        first = first._replace(first=[F(-1), F(2), *last])
    if rarely(draws):
        first = first._replace(steps=[[[F(2), F(-1), *last], *first.steps[0][1:]]])
    return {**found, "class": [first, *others]}


def _signed(draws: Draws, found: Instance) -> Instance:
    if rarely(draws):
        found["m"] = [F(-1), F(2), *[F(0)] * (found["A"] - 2)]
    if rarely(draws):
        found["P"] = [[F(2), F(-1), *row[2:]] for row in found["P"][:1]] + found["P"][1:]
    return found


WHICH = ratio, C, n, i, b, v, w
BEST = Proposition(
    "chains.HiddenBlocks.block_is_best",
    "A",
    [*WHICH],
    [CHAINS(C)],
    IFF(hidden.HIDING(*WHICH, A), hidden.BLOCK(*WHICH, A)),
    any_weights,
    decidable="A",
)


def blocks(draws: Draws) -> Instance:
    """As above, with a block and one around it, one time in eight in any order, what the records
    beside the first one tell, or numbers close to that, and two numbers with that product, the
    first of which is what the left one tells or less, both of them negative now and then.
    """
    found = _signed(draws, dict(hiding(draws)))
    number, place = found["n"], found["i"]
    found["lo"], found["hi"] = draws.below(place + 1), place + 1 + draws.below(number - place)
    found["wide_lo"] = draws.below(found["lo"] + 1)
    found["wide_hi"] = found["hi"] + draws.below(number + 2 - found["hi"])
    if rarely(draws):
        found["hi"] = draws.below(place + 1)
    if rarely(draws):
        found |= {name: draws.below(5) for name in ("lo", "hi", "wide_lo", "wide_hi")}
    found["ratio"] = _least(found, found["lo"], found["hi"]) * draws.among([*CLOSE])
    left = _least(found, found["lo"], number) * draws.among([*NEAR])
    both = found["ratio"] / left * draws.among([*CLOSE]) if left else F(1)
    found |= {"a": left, "c": both}
    return {**found, "a": -left, "c": -both} if rarely(draws) else found


def _least(at: Instance, low: int, high: int) -> Fraction:
    places = [at[name] for name in ("m", "P", "n")], [at[name] for name in ("i", "v", "w", "A")]
    compared = gaps.QUILT_WITHIN.value(F(1), *places[0], low, high, *places[1])
    return max((left / right for left, right in compared if right > 0), default=F(1))


BLOCK = gaps.QUILT_WITHIN(ratio, m, P, n, lo, hi, i, v, w, A)
AT_ITSELF = "superfluous: it is X_i itself, which tells little only if v = w or one is impossible"
BEYOND = "superfluous: a record beyond the last one tells nothing"
LESS = "true and weaker: nothing is told then, and the bound is at least 1"
PLACES = {
    "hypothesis 3, <= for < [less, of natural numbers]": AT_ITSELF,
    "hypothesis 4, <= for < [less, of natural numbers]": AT_ITSELF,
    "without: hi < n + 1": BEYOND,
    "hypothesis 5, <= for < [less, of natural numbers]": BEYOND,
}


def _told(reasons: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return why a quilt may have another record or value, by the reason."""
    return {
        f"conclusion, {words} [a quilt tells at most]": reason
        for reason, some in reasons.items()
        for words in some
    }


IN_ORDER = NATURAL_LESS(lo, NEXT(i)), NATURAL_LESS(i, hi), NATURAL_LESS(hi, NEXT(n))
UNSIGNED: Instance = {
    **{"A": 3, "m": [F(1, 2), F(1, 2), F(0)], "n": 3, "lo": 0, "hi": 1, "i": 0, "v": 0, "w": 1},
    "P": [[F(3, 4), F(0), F(1, 4)], [F(1, 2), F(0), F(1, 2)], [F(2), F(-1), F(0)]],
    **{"wide_lo": 0, "wide_hi": 2, "ratio": F(3, 2)},
}
"""A row with a negative entry, which X_1 is followed by."""
NEARER: Instance = {
    **{"A": 2, "m": [F(1, 2)] * 2, "P": [[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]], "n": 3},
    **{"v": 0, "w": 1, "ratio": F(5, 3), "lo": 0, "hi": 2, "i": 0, "wide_lo": 0, "wide_hi": 1},
}
"""A record that is nearer tells more."""
TO_THE_LEFT: list[Instance] = [
    {**NEARER, "i": 2, "lo": 1, "hi": 3, "wide_lo": 2, "wide_hi": 3},
    {**NEARER, "i": 2, "lo": 0, "hi": 1, "wide_lo": 0, "wide_hi": 2, "ratio": F(3)},
]
"""The same before X_i, and two records of which none is after X_i."""
LONGER = Proposition(
    "chains.HiddenBlocks.longer_block",
    "A",
    [ratio, m, P, n, lo, hi, *WIDE, i, v, w],
    [
        *(LAW(m), KERNEL(P), *IN_ORDER),
        NATURAL_LESS(WIDE[0], NEXT(lo)),
        NATURAL_LESS(hi, NEXT(WIDE[1])),
        BLOCK,
    ],
    gaps.QUILT_WITHIN(ratio, m, P, n, *WIDE, i, v, w, A),
    blocks,
    [UNSIGNED, NEARER, *TO_THE_LEFT],
    "A",
    {
        **PLACES,
        **_told(
            {
                NONE: ("lo for n", "lo' for n", "i for n", "hi for n", "hi' for n", "n for i"),
                FARTHER: ("lo for lo'", "hi for hi'", "hi' + 1 for hi'", "n for hi'"),
            }
        ),
    },
)
REACHED = Proposition(
    "chains.HiddenBlocks.sides_reached",
    "A",
    [m, P, n, lo, hi, i, v, w, a, c],
    [
        *(LAW(m), KERNEL(P), *IN_ORDER, NOTHING() <= a, NOTHING() <= c),
        gaps.QUILT_WITHIN(TIMES(a, c), m, P, n, lo, hi, i, v, w, A),
        NOT(gaps.QUILT_WITHIN(a, m, P, n, lo, n, i, v, w, A)),
    ],
    gaps.QUILT_WITHIN(c, m, P, n, FIRST(), hi, i, v, w, A),
    blocks,
    [
        {**NEARER, "i": 2, "lo": 1, "hi": 1, "a": F(3, 2), "c": F(2)},
        {
            **{"A": 2, "m": [F(1, 4), F(3, 4)], "P": [[F(2), F(-1)], [F(1), F(0)]], "n": 3},
            **{"lo": 1, "hi": 2, "i": 1, "v": 0, "w": 0, "a": F(1, 2), "c": F(2)},
        },
    ],
    "A",
    {
        **PLACES,
        **dict.fromkeys(
            ("without: 0 <= a", "without: 0 <= c"),
            "superfluous: if only one of a and c is negative, no such a c bounds what both tell of "
            "possible values",
        ),
        **{
            f"hypothesis {k}, 101/100 of the right side [at most]": "equivalent: 0 is the left side"
            for k in (6, 7)
        },
        **_told(
            {
                NONE: ("lo for n", "i for n", "hi for n", "n for i"),
                FARTHER: ("hi + 1 for hi", "n for hi", "lo for i"),
                LESS: ("w for v", "v for w"),
            }
        ),
    },
)
