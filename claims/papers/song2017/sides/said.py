"""Bounds of what two records around one tell multiply, said once."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains import gaps
from pufferproof.claims.vocabulary.entries.composition.columns import KERNEL
from pufferproof.claims.vocabulary.entries.foundations.logic import FIRST, NATURAL_LESS, NEXT, TIMES
from pufferproof.claims.vocabulary.entries.foundations.promise import LAW
from pufferproof.claims.vocabulary.families import CLOSE, rarely
from pufferproof.claims.vocabulary.probes.chains.gaps import (
    FARTHER,
    NONE,
    SURVIVORS,
    hi,
    i,
    lo,
    loose,
    n,
)
from pufferproof.claims.vocabulary.probes.chains.powers import A, P, m, v, w
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import NUMBER
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
a, b = letter("a", NUMBER), letter("b", NUMBER)
WITHIN_BOTH = gaps.QUILT_WITHIN(TIMES(a, b), m, P, n, lo, hi, i, v, w, A)


def told_by_sides(draws: Draws) -> Instance:
    """Two or three values, steps that are now and then no laws, a law of the first record, up to
    four records, two of which are beside a third one, or one in eight times in any order, and what
    each of the two tells at least, or numbers close to that.
    """
    found = dict(loose(draws))
    if rarely(draws):
        found["m"] = [F(-1), F(2), *[F(0)] * (found["A"] - 2)]
    if rarely(draws):
        found["P"] = [[F(2), F(-1), *row[2:]] for row in found["P"][:1]] + found["P"][1:]
    places = [found[name] for name in ("m", "P", "n")]
    ends = {"a": (found["lo"], found["n"]), "b": (0, found["hi"])}
    middle = [found[name] for name in ("i", "v", "w", "A")]
    for name, at in ends.items():
        compared = gaps.QUILT_WITHIN.value(F(1), *places, *at, *middle)
        least = max((left / right for left, right in compared if right > 0), default=F(1))
        found[name] = least * draws.among([*CLOSE])
    return found


SIDES = Proposition(
    "chains.Sides.sides_multiply",
    "A",
    [m, P, n, lo, hi, i, v, w, a, b],
    [
        *(LAW(m), KERNEL(P), NATURAL_LESS(lo, NEXT(i)), NATURAL_LESS(i, hi)),
        NATURAL_LESS(hi, NEXT(n)),
        gaps.QUILT_WITHIN(a, m, P, n, lo, n, i, v, w, A),
        gaps.QUILT_WITHIN(b, m, P, n, FIRST(), hi, i, v, w, A),
    ],
    WITHIN_BOTH,
    told_by_sides,
    decidable="A",
    survivors={
        **{words: why for words, why in SURVIVORS.items() if why in (FARTHER, NONE)},
        **dict.fromkeys(
            (
                "without: lo < i + 1",
                "hypothesis 3, <= for < [less, of natural numbers]",
                "without: i < hi",
                "hypothesis 4, <= for < [less, of natural numbers]",
            ),
            "superfluous: of two records on one side of X_i one tells nothing more",
        ),
        **dict.fromkeys(
            ("without: hi < n + 1", "hypothesis 5, <= for < [less, of natural numbers]"),
            "superfluous: a record beyond the last one tells nothing",
        ),
    },
)
