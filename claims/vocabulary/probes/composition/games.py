"""Probes of values of matrix games."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.composition import games
from pufferproof.claims.vocabulary.families import CLOSE
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import NUMBER, table
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
g, A, B = letter("g", table("W", "Y")), letter("A", NUMBER), letter("B", NUMBER)


def game(draws: Draws) -> Instance:
    """A game of up to three rows and columns with entries of any sign, a row and a column, and two
    numbers that are often its least and its largest entry, or close to them.
    """
    rows, columns = 1 + draws.below(3), 1 + draws.below(3)
    g = [[F(draws.below(7) - 3) for _ in range(columns)] for _ in range(rows)]
    entries = [a for row in g for a in row]
    low, high = min(entries), max(entries)
    A, B = (
        each * draws.among([*CLOSE, F(201, 200)]) + draws.among([F(0), F(0), F(1), F(-1)])
        for each in (low, high)
    )
    sizes = {"W": rows, "Y": columns, "w": draws.below(rows), "y": draws.below(columns)}
    return {**sizes, "g": g, "A": A, "B": B}


PROBES = [
    Probe(
        "value between",
        games.VALUE_BETWEEN(g, A, B),
        "W Y",
        game,
        {
            "value between": lambda g, A, B: iter(
                (min(map(max, zip(*g))) <= B, max(map(min, g)) >= A)
            )
        },
        "Games",
    ),
]
