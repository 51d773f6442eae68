"""How many non-zero entries extreme rays can have: one more than there are pairs and priors,
counted together, not apart.
"""

from fractions import Fraction

from pufferproof.claims.general.definition import prior_of
from pufferproof.claims.language import Proof, proved
from pufferproof.claims.registry import Check, claim
from pufferproof.models.framework import Framework
from pufferproof.models.priors.tables import Table


@claim(
    "worst.ray-support-sum",
    where="One pair, one prior",
    statement="An extreme ray of C_R has at most 1 + p + q non-zero entries, p the number of "
    "unordered pairs and q that of priors.",
    kind="lemma",
    repair="worst.ray-support",
)
def ray_support_sum(check: Check) -> None:
    """Refute it with two pairs and three priors, at R = 1: the vector of ones on seven
    databases is an extreme ray.
    """
    proved(check, "pairs plus priors", "one counterexample", _seven)


def seven_databases() -> Framework:
    """Return seven databases with two pairs of secrets and three priors whose six equations at
    R = 1 are independent.
    """
    names, pairs = "abcdefg", [("s", "t"), ("v", "w")]
    secrets = {"s": "abc", "t": "defg", "v": "adf", "w": "bceg"}
    weights = {
        "p1": (1, 1, 1, 1, 1, 1, 1),
        "p2": (1, 2, 3, 1, 2, 3, 4),
        "p3": (1, 1, 4, 2, 1, 1, 3),
    }
    priors = {
        name: Table({x: Fraction(w, sum(row)) for x, w in zip(names, row)})
        for name, row in weights.items()
    }
    return Framework(
        names, {name: list(members) for name, members in secrets.items()}, pairs, priors
    )


def _seven(proof: Proof) -> None:
    framework = seven_databases()
    proof.counterexample(
        "seven entries",
        "At R = 1 the ones satisfy all equations <mu, u> = <nu, u>; if these determine u up to "
        "scale then u is an extreme ray, and 7 > 1 + 2 + 3. Counting each pair with each prior, 1 "
        "+ 6 is reached",
        {"framework": framework, "R": 1, "ray": (1,) * 7},
        lambda: _rank(_rows(framework)) == 6,
    )


def _rows(framework: Framework) -> list[list[Fraction]]:
    """Return mu - nu for every prior and pair."""
    rows = []
    for name in framework.priors:
        theta = prior_of(framework, name)
        for pair in framework.pairs:
            members = [
                {framework.databases[x] for x in framework.secrets[secret]} for secret in pair
            ]
            masses = [sum((theta[x] for x in each), Fraction(0)) for each in members]
            rows.append(
                [
                    theta[x] / masses[0] if x in members[0] else -theta[x] / masses[1]
                    for x in framework.databases
                ]
            )
    return rows


def _rank(rows: list[list[Fraction]]) -> int:
    """Return the rank of a matrix by elimination."""
    rank, left = 0, [list(row) for row in rows]
    for column in range(len(rows[0])):
        pivot = next((row for row in left if row[column]), None)
        if pivot is not None:
            left.remove(pivot)
            left = [
                [a - row[column] / pivot[column] * b for a, b in zip(row, pivot)] for row in left
            ]
            rank += 1
    return rank
