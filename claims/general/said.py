"""General laws of the promise, each said once."""

from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.dependence import LAWS_ONLY
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    EXP,
    IFF,
    LEVEL_TIMES,
    ONE,
    at,
    every,
)
from pufferproof.claims.vocabulary.entries.foundations.odds import (
    IN_BOTH_ORDERS,
    ODDS_AT_MOST,
    ODDS_STAY,
    ODDS_WITHIN,
)
from pufferproof.claims.vocabulary.entries.foundations.partitions import (
    CLOSED,
    KEEPS_CELLS,
    KEEPS_EVENTS,
)
from pufferproof.claims.vocabulary.entries.foundations.promise import (
    HIDDEN,
    KEEPS,
    LIKELIHOOD,
    NONNEGATIVE,
    PROCESS,
    PUBLISHED,
    WEIGHTS,
)
from pufferproof.claims.vocabulary.entries.quilts.minimal import TWO
from pufferproof.claims.vocabulary.entries.records.accounts import (
    ADAPTIVE,
    GOOD,
    SPENT,
    TELL,
    Chosen,
)
from pufferproof.claims.vocabulary.entries.records.curves import (
    APART,
    CHANGED,
    PER_ENTRY,
    PRODUCT,
)
from pufferproof.claims.vocabulary.families import framework, one_output
from pufferproof.claims.vocabulary.probes.foundations import partitions
from pufferproof.claims.vocabulary.probes.records import accounts, curves
from pufferproof.claims.vocabulary.probes.records.accounts import A, B, E, H, n
from pufferproof.claims.vocabulary.proposition import Proposition, set_named, tightened
from pufferproof.claims.vocabulary.sorts import (
    LEVEL,
    NATURAL,
    NUMBER,
    cells,
    mechanism,
    member,
    pairs,
    priors,
    table,
    tables,
    weights,
)
from pufferproof.claims.vocabulary.terms import Log, letter

F = Fraction
D, W, V, C = map(set_named, "DWVC")
ratio = letter("ratio", NUMBER, "R")
M, K = letter("M", mechanism("D", "W")), letter("K", table("W", "V"))
Q, T = letter("pairs", pairs("D"), "Q"), letter("priors", priors("D"), "Theta")
c, Ms, i = (
    letter("c", weights("C")),
    letter("Ms", tables("C", "D", "W"), "M"),
    letter("i", member("C")),
)


PROCESSED = [NONNEGATIVE(K), KEEPS(ratio, M, Q, T)]
POST_PROCESSING = Proposition(
    "foundations.Laws.post_processing",
    "D W V~",
    [ratio, M, K, Q, T],
    PROCESSED,
    KEEPS(ratio, PROCESS(M, K), Q, T),
    tightened(framework, PROCESSED, "ratio"),
)
CHOSEN = [WEIGHTS(c), every(i, KEEPS(ratio, at(Ms, i), Q, T), C)]
PUBLISHED_COIN = Proposition(
    "foundations.Laws.published_coin",
    "D W~ C~",
    [ratio, c, Ms, Q, T],
    CHOSEN,
    KEEPS(ratio, PUBLISHED(c, Ms), Q, T),
    tightened(framework, CHOSEN, "ratio"),
)
HIDDEN_COIN = Proposition(
    "foundations.Laws.hidden_coin",
    "D W C",
    [ratio, c, Ms, Q, T],
    CHOSEN,
    KEEPS(ratio, HIDDEN(c, Ms), Q, T),
    tightened(framework, CHOSEN, "ratio"),
    decidable="W",
)

BAYES = [LAWS_ONLY(T), LIKELIHOOD(M)]
ODDS_FORM = Proposition(
    "foundations.Laws.odds_form",
    "D W",
    [ratio, M, Q, T],
    BAYES,
    IFF(KEEPS(ratio, M, Q, T), ODDS_AT_MOST(ratio, M, Q, T)),
    one_output,
)
ODDS_IN_BOTH_ORDERS = Proposition(
    "foundations.Laws.odds_in_both_orders",
    "D W",
    [ratio, M, Q, T],
    BAYES,
    IFF(IN_BOTH_ORDERS(ratio, M, Q, T), ODDS_WITHIN(ratio, M, Q, T)),
    one_output,
)

NO_EVIDENCE = {
    **{"D": 3, "W": 2, "M": [[F(1), F(0)], [F(0), F(1)], [F(1), F(1)]]},
    **{"pairs": [(frozenset({0}), frozenset({1}))], "priors": [[F(1), F(1), F(-1)]]},
}
"""A prior that is no law and gives no output a positive probability."""
ODDS_THAT_STAY = Proposition(
    "foundations.Laws.odds_stay",
    "D W",
    [M, Q, T],
    BAYES,
    IFF(IN_BOTH_ORDERS(ONE(), M, Q, T), ODDS_STAY(M, Q, T)),
    one_output,
    [NO_EVIDENCE],
)

OF_TABLES = accounts.pairs, accounts.priors
NO_LAW = {
    **{"A": 3, "W": 1, "n": 1, "hidden": frozenset({0}), "factor": F(1), "budget": F(2)},
    **{"pairs": [(frozenset({0, 1}), frozenset({2}))], "priors": [[F(1), F(-1, 2), F(1, 2)]]},
    "Ms": [Chosen([[[F(2)], [F(1)], [F(1)]]], [[F(2)]])],
}
EVEN, ODD = [[F(1, 2), F(1, 2)]] * 2, [[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]]
SPENT_AT_TIMES = {
    **{"A": 2, "W": 2, "n": 1, "hidden": frozenset({0}), "factor": F(1), "budget": F(1)},
    **{"pairs": [(frozenset({0}), frozenset({1}))], "priors": [[F(1, 2), F(1, 2)]]},
    "Ms": [Chosen([EVEN], [[F(1)]]), Chosen([EVEN, EVEN, ODD], [[F(1)], [F(1)], [F(3)]])],
}
"""The second release spends more than the budget after one output of the first."""
ACCOUNT = Proposition(
    "records.Accounts.quilt_account",
    "A W~",
    [n, H, accounts.Ms, E, B, *OF_TABLES],
    [
        LAWS_ONLY(accounts.priors),
        GOOD(H, accounts.Ms, A, n),
        SPENT(H, accounts.Ms, B, n),
        TELL(E, H, *OF_TABLES, A, n),
    ],
    KEEPS(E * B, ADAPTIVE(accounts.Ms), *OF_TABLES),
    accounts.drawn,
    [NO_LAW, SPENT_AT_TIMES],
    decidable="A",
)

X, eps = letter("X", cells("D", "I", "V")), letter("eps", LEVEL)
x, y, w = (letter(name, member(of)) for name, of in ("xD", "yD", "wW"))
b = letter("b", NATURAL)


def group(draws: Draws) -> Instance:
    """As for influence curves, with two tables, often at a distance, an output and a level, often
    the least for one cell.
    """
    found = curves.drawn(draws)
    x, y = draws.below(found["D"]), draws.below(found["D"])
    return {**found, "x": x, "y": y, "w": draws.below(2), "eps": Log(found["ratio"])}


def _tables(tables: list[str], rows: list[Fraction], **more: Any) -> Instance:
    """One output on tables of digits, the first one against the last, b = 1 and e^eps = 2."""
    return {
        **{"I": len(tables[0]), "D": len(tables), "V": 3, "W": 1, "w": 0, "b": 1},
        **{"X": [[int(x[i]) for x in tables] for i in range(len(tables[0]))]},
        **{"M": [[row] for row in rows], "x": 0, "y": len(tables) - 1, "eps": Log(F(2)), **more},
    }


TABLES = [
    _tables(["0"], [F(3)]),
    _tables(["0"], [F(-1, 200)]),
    _tables(["00", "01", "10", "11"], [F(1), F(1, 2), F(1, 2), F(1, 4)], b=2),
]
"""An entry above 1, one just below 0, and four tables at the bound."""
NEIGHBOURS = (
    "true and weaker: with two neighbours in both orders e^eps is at least 1 or no entry positive"
)
SAME_TABLE = {
    "conclusion, x for y [value at]": NEIGHBOURS,
    "conclusion, y for x [value at]": NEIGHBOURS,
}
GROUP = Proposition(
    "records.Curves.group",
    "I D V~ W~",
    [X, eps, M, x, y, w],
    [PER_ENTRY(EXP(eps), X, M), PRODUCT(X)],
    at(M, x, w) <= EXP(LEVEL_TIMES(APART(X, x, y), eps)) * at(M, y, w),
    group,
    TABLES,
    decidable="I D V",
    survivors=SAME_TABLE,
)
GROUP_ON_PATHS = Proposition(
    "records.Curves.group_on_paths",
    "I D V~ W~",
    [X, b, eps, M, x, y, w],
    [LIKELIHOOD(M), ONE() <= EXP(eps), PER_ENTRY(EXP(eps), X, M), CHANGED(b, X, x, y)],
    at(M, x, w) <= EXP(LEVEL_TIMES(b, eps)) * at(M, y, w),
    group,
    TABLES,
    decidable="I D V",
    survivors={
        **SAME_TABLE,
        "conclusion, b + 1 for b [multiple of a level]": "true and weaker: eps is not negative",
        "hypothesis 4, for some, not for all [changes lead]": "equivalent: x and y are given",
    },
)
PARTITIONS = Proposition(
    "foundations.Partitions.finite_partitions",
    "D Omega~ W",
    [ratio, partitions.M, partitions.Events, Q, T],
    [TWO(W), CLOSED(partitions.Events, partitions.Omega)],
    IFF(
        KEEPS_EVENTS(ratio, partitions.M, partitions.Events, Q, T),
        KEEPS_CELLS(W, ratio, partitions.M, partitions.Events, Q, T),
    ),
    partitions.events,
    survivors={
        "hypothesis 1, for some, not for all [at least two members]": "equivalent: it is one set"
    },
)
