"""Probes of logic and arithmetic."""

from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations import logic
from pufferproof.claims.vocabulary.families import vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.proposition import set_named
from pufferproof.claims.vocabulary.sorts import LEVEL, NATURAL, NUMBER, member, sequence, weights
from pufferproof.claims.vocabulary.terms import Log, Term, letter

D = set_named("D")
a, b, c = (letter(name, NUMBER) for name in "abc")
m, n = letter("m", NATURAL), letter("n", NATURAL)
eps, other = letter("eps", LEVEL), letter("eta", LEVEL)
p, x = letter("p", weights("D")), letter("x", member("D"))
l = letter("l", sequence("D", "members of D"))


def drawn(draws: Draws) -> Instance:
    """Small numbers, levels, a vector and a list, often equal."""
    numbers = [Fraction(draws.below(5) - 2, 1 + draws.below(2)) for _ in range(3)]
    size = 2 + draws.below(2)
    return {
        "D": size,
        **dict(zip("abc", numbers)),
        "m": draws.below(4),
        "n": draws.below(4),
        "eps": Log(Fraction(1 + draws.below(4), 2)),
        "eta": Log(Fraction(1 + draws.below(4), 2)),
        "p": vector(draws, size),
        "x": draws.below(size),
        "l": [draws.below(size) for _ in range(draws.below(4))],
    }


def _close(left: Any, right: Any) -> Any:
    yield left, right + Fraction(1)


ABOVE, BELOW = logic.LESS(a, b), logic.AT_MOST(b, c)
AT_X: Term = logic.LESS(logic.NOTHING(), logic.at(p, x))
PROBES = [
    Probe("at most", logic.AT_MOST(a, b), "", drawn, {"at most": _close}),
    Probe("less", logic.LESS(a, b), "", drawn, {"less": _close}),
    Probe("equal", logic.EQUAL(a, b), "", drawn, {"equal": _close}),
    Probe(
        "less, of natural numbers",
        logic.NATURAL_LESS(m, n),
        "",
        drawn,
        {"less, of natural numbers": lambda m, n: iter(((m, n + 1),))},
    ),
    Probe(
        "0 and 1",
        logic.BOTH(logic.AT_MOST(logic.NOTHING(), a), logic.AT_MOST(b, logic.ONE())),
        "",
        drawn,
        {"0": lambda: Fraction(1), "1": lambda: Fraction(0)},
    ),
    Probe(
        "times and plus",
        logic.PLUS(logic.TIMES(a, b), c),
        "",
        drawn,
        {"times": lambda a, b: a + b, "plus": lambda a, b: a - b},
    ),
    Probe(
        "0, of natural numbers", logic.NATURAL_LESS(logic.FIRST(), n), "", drawn, {"0, of natural numbers": lambda: 1}
    ),
    Probe("next", logic.NATURAL_LESS(logic.NEXT(m), n), "", drawn, {"next": lambda m: m}),
    Probe(
        "plus, of natural numbers",
        logic.NATURAL_LESS(logic.NATURAL_PLUS(m, n), logic.LENGTH(l)),
        "D",
        drawn,
        {"plus, of natural numbers": lambda m, n: m + n + 1},
    ),
    Probe("or", logic.EITHER(ABOVE, BELOW), "", drawn, {"or": lambda a, b: iter((a,))}),
    Probe("and", logic.BOTH(ABOVE, BELOW), "", drawn, {"and": lambda a, b: iter((a or b,))}),
    Probe("if and only if", logic.IFF(ABOVE, BELOW), "", drawn, {"if and only if": lambda a, b: iter((not a or b,))}),
    Probe("implies", logic.IMPLIES(ABOVE, BELOW), "", drawn, {"implies": lambda a, b: iter((not b or a,))}),
    Probe(
        "levels",
        logic.EXP(logic.LEVEL_PLUS(logic.LEVEL_TIMES(n, eps), logic.LEVEL_PLUS(other, logic.LN(a)))),
        "",
        drawn,
        {
            "exp": lambda level: level.of + 1,
            "ln": lambda a: Log(abs(a) or Fraction(1)),
            "sum of levels": lambda a, b: Log(a.of + b.of),
            "multiple of a level": lambda n, a: Log(a.of * n) if n else Log(Fraction(1)),
        },
    ),
    Probe("length", logic.NATURAL_LESS(logic.LENGTH(l), n), "D", drawn, {"length": lambda things: len({*things})}),
    Probe(
        "value at and for all",
        logic.every(x, AT_X, D),
        "D",
        drawn,
        {"value at": lambda f, x: f[0], "for all": lambda size, holds: (holds(x) for x in range(size - 1))},
    ),
    Probe(
        "for each of a list",
        logic.each(x, AT_X, l),
        "D",
        drawn,
        {"for each of a list": lambda things, holds: (holds(x) for x in things[1:])},
    ),
    Probe(
        "sum",
        logic.total(x, logic.at(p, x), D),
        "D",
        drawn,
        {"sum": lambda size, term: sum((term(x) for x in range(1, size)), Fraction(0))},
    ),
]
