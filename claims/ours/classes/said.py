"""What a bound of ratios becomes as one record is eliminated, said once."""

from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import NOTHING, at, every, total
from pufferproof.claims.vocabulary.entries.foundations.promise import WEIGHTS
from pufferproof.claims.vocabulary.families import CLOSE, rarely
from pufferproof.claims.vocabulary.proposition import Proposition, set_named
from pufferproof.claims.vocabulary.sorts import NUMBER, member, table, weights
from pufferproof.claims.vocabulary.terms import Term, letter

F = Fraction
Y, Z = set_named("Y"), set_named("Z")
ratio, B = letter("ratio", NUMBER, "R"), letter("B", NUMBER)
p, q, h = (letter(name, weights("Y")) for name in "pqh")
c, r = letter("c", weights("Z")), letter("r", table("Z", "Y"))
y, z = letter("y", member("Y")), letter("z", member("Z"))


def eliminated(draws: Draws) -> Instance:
    """Two or three values, one or two functions of them with weights, weights p and q, and a
    function h; numbers are now and then negative, R and B often the least.
    """
    size, count = 2 + draws.below(2), 1 + draws.below(2)
    at: dict[str, Any] = {
        "c": [F(1 + draws.below(3), 2) for _ in range(count)],
        "r": [[F(1 + draws.below(4), 2) for _ in range(size)] for _ in range(count)],
        **{name: [F(draws.below(4), 2) for _ in range(size)] for name in "pqh"},
    }
    for name in "cph":
        if rarely(draws):
            at[name][draws.below(len(at[name]))] = draws.among([F(-1, 200), F(-2)])
    g = [sum((k * row[x] for k, row in zip(at["c"], at["r"])), F(0)) for x in range(size)]
    R = max(a / b if b > 0 else F(2) for a, b in zip(at["h"], g)) * draws.among([*CLOSE])
    if draws.whether():
        at["h"] = [R * each for each in g]
    if rarely(draws):
        R, at["h"] = -R, [-abs(R) * each for each in g]
    means = [[sum(a * b for a, b in zip(at[name], row)) for row in at["r"]] for name in "pq"]
    least = max((F(a) / b if b > 0 else F(3) for a, b in zip(*means)), default=F(1))
    found = {**at, "ratio": R, "B": least * draws.among([*CLOSE])}
    return {"Y": size, "Z": count, **found}


def _mean(law: Term, of: Term) -> Term:
    return total(y, at(law, y) * of, Y)


SPANNED = total(z, at(c, z) * at(r, z, y), Z)
ELIMINATED = Proposition(
    "noise.Elimination.sum_of_rays",
    "Y Z",
    [ratio, B, p, q, h, c, r],
    [
        WEIGHTS(p),
        NOTHING() <= ratio,
        WEIGHTS(c),
        every(y, at(h, y) <= ratio * SPANNED, Y),
        every(z, _mean(p, at(r, z, y)) <= B * _mean(q, at(r, z, y)), Z),
    ],
    _mean(p, at(h, y)) <= ratio * (B * _mean(q, SPANNED)),
    eliminated,
    survivors={
        "hypothesis 2, 101/100 of the right side [at most]": "equivalent: 0 <= R says the same"
    },
)
