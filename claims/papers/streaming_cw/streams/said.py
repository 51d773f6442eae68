"""The theorem on sequences of outputs that others dominate, said once."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import at, every, total
from pufferproof.claims.vocabulary.entries.foundations.promise import WEIGHTS
from pufferproof.claims.vocabulary.families import rarely
from pufferproof.claims.vocabulary.proposition import Proposition, set_named
from pufferproof.claims.vocabulary.sorts import NUMBER, member, weights
from pufferproof.claims.vocabulary.terms import Term, letter

F = Fraction
I, J = set_named("I"), set_named("J")
v0, w0, a = (letter(name, weights("I")) for name in ("v0", "w0", "a"))
v1, w1, b = (letter(name, weights("J")) for name in ("v1", "w1", "b"))
c, i, j = letter("c", NUMBER), letter("i", member("I")), letter("j", member("J"))


def _on_the_windows(weight: Term) -> Term:
    return total(i, at(weight, i) * at(a, i), I)


def _when_scrubbed(weight: Term) -> Term:
    return total(j, at(weight, j) * at(b, j), J)


def two_sequences(draws: Draws) -> Instance:
    """One to three states in each world, weights of 0 to 3, now and then -1/200; c of -1 to 2; the
    weights of the first sequence c times those of the second, with a little more or less at times.
    """
    sizes = [1 + draws.below(3) for _ in range(2)]
    second, after = [[_weights(draws, size) for size in sizes] for _ in range(2)]
    c = draws.among([F(1), F(1, 2), F(2), F(0), F(-1)])
    first = [[c * each for each in row] for row in second]
    for row in first:
        row[draws.below(len(row))] += draws.among([F(0), F(0), F(1, 100), F(-1, 100), F(1), F(-1)])
    return {
        **{"I": sizes[0], "J": sizes[1], "c": c},
        **{"v0": first[0], "w0": second[0], "a": after[0]},
        **{"v1": first[1], "w1": second[1], "b": after[1]},
    }


def _weights(draws: Draws, size: int) -> list[Fraction]:
    found = [F(draws.below(4)) for _ in range(size)]
    if rarely(draws):
        found[draws.below(size)] = F(-1, 200)
    return found


DOMINATED = Proposition(
    "streams.Dominated.dominated",
    "I J",
    [v0, w0, a, v1, w1, b, c],
    [
        *map(WEIGHTS, (w0, a, w1, b)),
        every(i, at(v0, i) <= c * at(w0, i), I),
        every(j, c * at(w1, j) <= at(v1, j), J),
    ],
    _on_the_windows(v0) * _when_scrubbed(w1) <= _on_the_windows(w0) * _when_scrubbed(v1),
    two_sequences,
)
