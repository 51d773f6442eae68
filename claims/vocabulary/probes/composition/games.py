"""Probes of values of matrix games, and of linear programs over logarithms."""

from dataclasses import replace

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.composition import games
from pufferproof.claims.vocabulary.entries.foundations.promise import Rows, Secret
from pufferproof.claims.vocabulary.families import CLOSE, rarely, subset
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.composition.weights import ENTRIES, POWER, coded, one_alone, turned
from pufferproof.claims.vocabulary.sorts import NUMBER, listed, mechanism, secret, table
from pufferproof.claims.vocabulary.terms import Log, letter

F = Fraction
g, A, B = letter("g", table("W", "Y")), letter("A", NUMBER), letter("B", NUMBER)

LIKELIHOODS = replace(
    mechanism("D", "W"),
    raw="list (list (Z * Z))",
    read="(fun x w => shown (nth (rank w) (nth (rank x) {} []) (0, 0)%Z))",
    show=listed(listed(coded)),
)
eps, M = letter("eps", POWER), letter("M", LIKELIHOODS)
s, t = letter("s", secret("D")), letter("t", secret("D"))


def game(draws: Draws) -> Instance:
    """A game of up to three rows and columns with entries of any sign, a row and a column, and two
    numbers that are often its least and its largest entry, or close to them.
    """
    rows, columns = 1 + draws.below(3), 1 + draws.below(3)
    g = [[F(draws.below(7) - 3) for _ in range(columns)] for _ in range(rows)]
    entries = [a for row in g for a in row]
    low, high = min(entries), max(entries)
    A, B = (each * draws.among([*CLOSE, F(201, 200)]) + draws.among([F(0), F(0), F(1), F(-1)]) for each in (low, high))
    sizes = {"W": rows, "Y": columns, "w": draws.below(rows), "y": draws.below(columns)}
    return {**sizes, "g": g, "A": A, "B": B}


def program(draws: Draws) -> Instance:
    """2 to 4 databases and 1 to 3 outputs, entries 2, 1 to 1/8, in some draws 0 and now and then
    negative, half the time such that means are needed; two sets of databases, now and then empty; a
    level from -1 to 2 in powers of 2.
    """
    size, outputs = 2 + draws.below(3), 1 + draws.below(3)
    some = ENTRIES + [F(0)] * draws.below(3)
    M = [[draws.among(some) for _ in range(outputs)] for _ in range(size)]
    s, t = subset(draws, size) | {0}, subset(draws, size) | {size - 1}
    level = draws.among([0, 1, 1, 2, -1])
    if draws.whether():
        M, level = turned(draws, size, outputs), draws.among([0, 0, 1, -1])
        s, t = frozenset({0}), frozenset(range(1, size))
    if rarely(draws):
        M[0] = [draws.among([F(0), F(-1, 128)]) for _ in range(outputs)]
    if rarely(draws):
        s, t = (s, frozenset()) if draws.whether() else (frozenset(), t)
    sizes = {"D": size, "W": outputs, "w": draws.below(outputs)}
    return {**sizes, "M": M, "s": s, "t": t, "eps": Log(F(2) ** level)}


def _one_output(eps: Log, M: Rows, s: Secret, t: Secret) -> list[bool]:
    """Another value: one output alone has all the weight."""
    return [
        not any(all(row[c] > 0 for row in rows) for c in range(len(rows[0]) if rows else 0))
        for rows in games.each_gap(eps, M, s, t)
    ]


def _one_database(eps: Log, M: Rows, s: Secret, t: Secret) -> list[bool]:
    """Another value: one database alone has all the weight."""
    return [one_alone(rows) for rows in games.each_gap(eps, M, s, t)]


PROBES = [
    Probe(
        "value between",
        games.VALUE_BETWEEN(g, A, B),
        "W Y",
        game,
        {"value between": lambda g, A, B: iter((min(map(max, zip(*g))) <= B, max(map(min, g)) >= A))},
        "Games",
    ),
    *(
        Probe(name, entry(eps, M, s, t), "D W", program, {name: other}, "Weighed Games")
        for name, entry, other in (
            ("means close", games.MEANS_CLOSE, _one_output),
            ("programs below", games.PROGRAMS_BELOW, _one_output),
            ("duals below", games.DUALS_BELOW, _one_database),
            ("optima below", games.OPTIMA_BELOW, _one_database),
        )
    ),
    Probe(
        "some database", games.SOME_DATABASE(t), "D", program, {"some database": lambda t: iter((len(t) > 1,))}, "Games"
    ),
]
