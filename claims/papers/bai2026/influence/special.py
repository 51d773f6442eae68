"""Section 6.2: quilts of chains, dependent and inferential privacy as special cases of the
influence curve.
"""

from fractions import Fraction
from itertools import pairwise, product

from pufferproof.claims.language import Proof
from pufferproof.claims.papers.bai2026.influence.instances import Laws, dagger, shown, star, swapped
from pufferproof.claims.papers.bai2026.statements import chains
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "a, b": "values of X_i; or a(b) a curve at the number b of hidden cells",
    "RR": "randomised response",
}
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
SAYS = {
    "(i) quilts of a chain": chains.QUILTS,
    "(ii) all other entries are independent of it together": chains.DEPENDENT,
    "(iii) a(b) = B bounds the curve for b >= 1": chains.INFERENTIAL,
}


@claim(
    "bai2026.special",
    where="Section 6.2, after Theorem 6.2",
    statement="Special cases: (i) on a Markov chain L = X_Q u X_R, H = X_N and Laplace noise give "
    "the result of the Markov quilt mechanism; (ii) dependent differential privacy, where one "
    "entry affects k - 1 others, is b = k and a(k) = 0; (iii) a bound B of what all other records "
    "tell of one, as in inferential and Bayesian privacy, is a(0) = infinity and a(b) = B. Any "
    "per-entry DP algorithm (RR, exponential, ..) can be used.",
    kind="claim",
    repair="bai2026.special-repaired",
    says=SAYS,
)
def special(check: Check) -> None:
    """Prove (i) and (iii), and (ii) where the other entries are independent of the secret one
    together; refute (ii) where each is by itself, and where effects travel on.

    (i) quilts of a chain. P(X_R | X_Q, X_i) = P(X_R | X_Q) [song2017.x-separated], so that
    a_dagger(X_Q u X_R) = e(X_Q | X_i); H = X_N and b = card(X_N) name the same eps_DP. No other L
    is better: the nodes of L next to X_i form a quilt, what lies between is hidden, and a_dagger
    falls when L loses cells [song2017.lem-A1].

    (ii) all other entries are independent of it together. H are the entry and the k - 1 others, L
    the rest: P(D_L | s_i) = P(D_L | s_j), so that a(k) = 0; translate by the point (0, k)
    [bai2026.translate-repaired].

    (iii) a(b) = B bounds the curve for b >= 1. a*(b) <= a*(1) [bai2026.ab-monotone-repaired] <= B,
    as L = all other records leaks at most B; translate by (B, 1): B + b eps_DP is least at b = 1.
    """
    _readings(check)
    with check.reading("(ii) k - 1 entries depend on it one by one", "one counterexample") as proof:
        _one_by_one(proof)
    with check.reading("(ii) k - 1 entries depend on it directly", "one counterexample") as proof:
        _directly(proof)
    with check.reading("(iii) a(b) = B is the exact curve", "one counterexample") as proof:
        _not_exact(proof)


def _readings(check: Check) -> None:
    check.tried("(i) quilts of a chain")
    check.tried("(ii) all other entries are independent of it together")
    check.tried("(iii) a(b) = B bounds the curve for b >= 1")


def parity() -> list[Laws]:
    """X_1 against three bits with even parity: X_1 = 0 and X_1 = 1."""
    return [({"000": HALF, "011": HALF}, {"101": HALF, "110": HALF})]


def independent_of(pair: Laws, cells: tuple[int, ...]) -> bool:
    """Say whether these cells have the same law given both secrets."""
    return shown(pair[0], cells) == shown(pair[1], cells)


def _one_by_one(proof: Proof) -> None:
    pair = parity()[0]
    proof.counterexample(
        "three bits with even parity",
        "X_2 and X_3 are fair, X_1 = X_2 + X_3 mod 2: X_1 is independent of X_2 and of X_3, so "
        "that it affects no other entry by itself, k = 1; but X_2 and X_3 together tell it, and "
        "a*(1) is infinite, not 0. With two entries each is all others",
        {"law": {x: QUARTER for law in pair for x in law}, "k": 1, "e^a*(1)": "inf"},
        lambda: all(independent_of(pair, (cell,)) for cell in (1, 2)) and star([pair], 1) is None,
    )


def copies() -> Laws:
    """Three bits that stay the same with probability 3/4 each time, X_1 = 0 against X_1 = 1."""
    laws = []
    for start in "01":
        law = {}
        for rest in product("01", repeat=2):
            x = start + "".join(rest)
            law[x] = Fraction(1)
            for one, other in pairwise(x):
                law[x] *= Fraction(3, 4) if one == other else QUARTER
        laws.append(law)
    return laws[0], laws[1]


def _directly(proof: Proof) -> None:
    pair = copies()
    proof.counterexample(
        "a chain of three bits",
        "X_1, X_2, X_3, each the same as the one before with probability 3/4. X_1 acts on X_2 "
        "alone, k = 2; but X_3 depends on X_1 through X_2: e^a*(2) = 5/3, not 1. With two entries "
        "nothing lies beyond",
        {"P": "3/4 1/4; 1/4 3/4", "T": 3, "k": 2, "e^a*(2)": star([pair], 2)},
        lambda: star([pair], 2) == Fraction(5, 3) == star(swapped([pair]), 2),
        "largest_ratio(power(P, 2)) = e_a_2 > 1",
    )


def _not_exact(proof: Proof) -> None:
    pair = copies()
    two = ({x[:2]: Fraction(0) for x in pair[0]}, {x[:2]: Fraction(0) for x in pair[1]})
    for law, short in zip(pair, two):
        for x, chance in law.items():
            short[x[:2]] += chance
    proof.counterexample(
        "everything hidden",
        "Two bits, equal with probability 3/4: B = log(3), which a(1) = B is exactly, but a*(2) = "
        "0, as b = |I| hides all. With one record B = 0 and both are 0",
        {"P": "3/4 1/4; 1/4 3/4", "T": 2, "e^B": star([two], 1), "e^a*(2)": star([two], 2)},
        lambda: star([two], 1) == 3 and star([two], 2) == 1 == dagger([two], ()),
        "largest_ratio(P) = e_B != e_a_2",
    )


@claim(
    "bai2026.special-repaired",
    where="Section 6.2, after Theorem 6.2, repaired",
    statement="(i) On every chain the largest eps_DP over all quilts of X_i is the largest "
    "(eps_puffer - a_dagger(L))/|H| over all L that leak less than eps_puffer, for all pairs of "
    "values of X_i. (ii) If all entries outside a set H of k entries have one law given every "
    "value of an entry in H then a(k) = 0 is a point of its curve. (iii) If all other records "
    "leak at most B about one then a(b) = B is at least a*(b) for every b >= 1.",
    kind="repair of bai2026.special",
    says=SAYS,
)
def special_repaired(check: Check) -> None:
    """Prove the three cases.

    As in bai2026.special.
    """
    _readings(check)
