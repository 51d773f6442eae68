"""The laws of differential privacy, and that Pufferfish does not compose, each said once."""

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.composition.conditions import (
    LEVEL_OF,
    MECHANISM_OF,
    MECHANISMS_OF,
    PRODUCT_OF_LEVELS,
    RELEASES,
)
from pufferproof.claims.vocabulary.entries.foundations.logic import BOTH, NOT, at, each, every
from pufferproof.claims.vocabulary.entries.foundations.pairs import (
    COLLAPSES,
    DIFFER,
    ONE_PAIR,
    SINGLE,
    SOME_COLLAPSE,
    THREE,
)
from pufferproof.claims.vocabulary.entries.foundations.promise import (
    LIKELIHOOD,
    NONNEGATIVE,
    PROCESS,
)
from pufferproof.claims.vocabulary.entries.noise.differential import CHOSEN, CLOSE
from pufferproof.claims.vocabulary.probes.foundations.pairs import drawn as pair_drawn
from pufferproof.claims.vocabulary.probes.foundations.pairs import p, s, sized, t, x, y
from pufferproof.claims.vocabulary.probes.noise.differential import Es, M, N, Ns, drawn, ratio
from pufferproof.claims.vocabulary.proposition import Proposition, set_named
from pufferproof.claims.vocabulary.sorts import NUMBER, member, table
from pufferproof.claims.vocabulary.terms import Sort, letter

F = Fraction
D, W = set_named("D"), set_named("W")
K, w = letter("K", table("W", "V")), letter("w", member("W"))
second = letter("second", NUMBER, "R'")
i = letter("i", Sort("(D -> W -> R) * R", "a mechanism with a ratio"))
SOME = Proposition(
    "composition.Collapses.there_are",
    "D",
    [x, y],
    [THREE(D), DIFFER(x, y)],
    SOME_COLLAPSE(D, x, y),
    sized,
    decidable="D",
    survivors={
        f"hypothesis {number}, for some, not for all [{name}]": "equivalent: it is one condition"
        for number, name in ((1, "three databases"), (2, "differ"))
    },
)
COLLAPSE = Proposition(
    "composition.Collapses.two_runs",
    "D",
    [p, s, t],
    [ONE_PAIR(p, s, t), NOT(BOTH(SINGLE(p, s), SINGLE(p, t)))],
    COLLAPSES(p, s, t),
    pair_drawn,
    decidable="D",
)
TWO = {"D": 2, "W": 1, "V": 1, "neighbours": [(0, 1)], "ratio": F(1), "second": F(1)}
EDGES = [
    TWO | {"M": [[F(1, 4)], [F(1)]], "K": [[F(-1, 200)]], "Ns": [[[F(1)], [F(1)]]]},
    TWO | {"M": [[F(-1, 200)], [F(-1, 200)]], "Ns": [[[F(1, 4)], [F(1)]]], "K": [[F(1)]]},
    TWO | {"M": [[F(1, 4)], [F(1)]], "Ns": [[[F(-1, 200)], [F(-1, 200)]]], "K": [[F(1)]]},
]
SIGNED = [
    {**TWO, "Es": [([[F(-1, 200)], [F(-1, 200)]], F(1)), ([[F(1, 4)], [F(1)]], F(1))]},
]
DP_PROCESSED = Proposition(
    "foundations.Neighbours.processed",
    "D W V~",
    [ratio, M, K, N],
    [NONNEGATIVE(K), CLOSE(ratio, M, N)],
    CLOSE(ratio, PROCESS(M, K), N),
    drawn,
    EDGES,
)
DP_TOGETHER = Proposition(
    "foundations.Neighbours.together",
    "D W",
    [Es, N],
    [
        each(i, LIKELIHOOD(MECHANISM_OF(i)), Es),
        each(i, CLOSE(LEVEL_OF(i), MECHANISM_OF(i), N), Es),
    ],
    CLOSE(PRODUCT_OF_LEVELS(Es), RELEASES(MECHANISMS_OF(Es)), N),
    drawn,
    SIGNED,
)
DP_CHOSEN = Proposition(
    "foundations.Neighbours.chosen",
    "D W V",
    [ratio, second, M, Ns, N],
    [
        LIKELIHOOD(M),
        every(w, LIKELIHOOD(at(Ns, w)), W),
        CLOSE(ratio, M, N),
        every(w, CLOSE(second, at(Ns, w), N), W),
    ],
    CLOSE(ratio * second, CHOSEN(M, Ns), N),
    drawn,
    EDGES,
)
