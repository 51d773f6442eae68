"""Section 4, Example 2: n fair bits, every bit secret; differences to the first bit (type A) or a
parity (type B).

Bits are written as signs, 1 for bit 0 and -1 for bit 1, so that exclusive or is a product and
squares are 1: s is the sign of x_1, t of another bit x_i, z = s t of their difference. B is the
parity of all bits for odd n, of x_2 .. x_n for even n.
"""

from fractions import Fraction
from functools import partial
from typing import Any

from sympy import Eq, Ne, Rational

from pufferproof.claims.general.definition import output_law, prior_of
from pufferproof.claims.language import Edit, Proof, at_least, letter, letters, proved
from pufferproof.claims.papers.bai2026.collapse.waiting import TWO_KINDS
from pufferproof.claims.papers.bai2026.statements import bits
from pufferproof.claims.registry import Check, claim
from pufferproof.models.framework import Framework
from pufferproof.models.mechanisms.collapse import bits_collapse
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product

SCOPE = "all n >= 3"
s, t, u, w = letters(
    "s t u w",
    "signs: of x_1, of another bit, of a given bit or of one in the parity, and of the other bits "
    "of the parity",
)
z = letter("z", "the sign t s of an entry of A")
X = letter("X", "the product of the signs of the entries of A so far")
P = letter("P", "the product of the signs of bits: of x_2 .. x_k, or of those in the parity")
e = letter("e", "s^(k-1), the power of the sign of x_1 in X")
n = letter("n", "the number of bits x_1 .. x_n of the database", at_least(3))
others = letter("others", "how many other bits are in the parity")
chance = letter("chance", "the probability, given a bit, of values of the other bits")
power = letter("power", "2^(n-1)")
h = letter("h", "the probability that a bit has a given value")
f = letter("f", "the probability of a tuple of type A given a bit, over the first databases")
weight = letter("weight", "the probability of the next database, given the bit")
m = letter("m", "the probability of this tuple on the next database")
even = letter("even", "the probability that the parity of other bits is even")
HALF = Rational(1, 2)
NOTATION = {
    "M*": "the mechanism of Example 2",
    "n": "the number of bits x_1 .. x_n of the database",
    "^": "the exclusive or of bits",
    "s_j^(i)": "the secret that the i-th bit x_i is j, which is 0 or 1",
    "theta": "the prior, under which the bits are independent and fair",
    "A": "type A, the tuple of differences to x_1, with entries y_2 .. y_n",
    "B": "type B, a parity",
    "y": "an output of type A, (y_2, .., y_n)",
}
TWO_BITS = Edit("another bit in the parity", without=n >= 3, given=n >= 2)


def sign(*signs: Any) -> list[Any]:
    """Say that letters are signs."""
    return [Eq(each**2, 1) for each in signs]


@claim(
    "bai2026.ex2-mech",
    where="Section 4, Example 2",
    statement="On n >= 3 bits M* gives with probability 1/2 type A, the tuple (x_2^x_1, .., "
    "x_n^x_1), else type B, the parity of all bits (n odd) or of x_2 .. x_n (n even). The "
    "exclusive or of the entries of A is x_2^..^x_n (n odd) or x_1^..^x_n (n even); with B it "
    "yields x_1, then all bits.",
    kind="algorithm",
    says=bits.BITS_TOGETHER,
)
def ex2_mech(check: Check) -> None:
    """Decide what A and B together give: for all n by the parity of the number of components."""
    proved(
        check,
        "what A and B give together",
        "all n >= 2",
        _together,
        the_two_parities_swapped=[
            Edit("x1, for odd n", put={X * P * s: X * P}),
            Edit("x1, for even n", put={X * P: X * P * s}),
        ],
        the_parity_of_all_bits_for_every_n=Edit("x1, for even n", put={X * P: X * P * s}),
    )


def _together(proof: Proof) -> None:
    proof.induction(
        "the XOR of A's components",
        "X is the product of the signs z = t s of the components x_2^x_1 .. x_k^x_1, P that of x_2 "
        ".. x_k, and e = s^(k-1): X = P e. The next bit multiplies X by t s, P by t and e by s",
        base=(Eq(X, P * e), [Eq(X, t * s), Eq(P, t), Eq(e, s), *sign(s, t)]),
        step=(Eq(X * t * s, (P * t) * (e * s)), [Eq(X, P * e), *sign(s, t)]),
    )
    proof.induction(
        "odd and even n",
        "e = s for n = 2, and two more bits multiply e by s^2 = 1: e = s for every even n; one bit "
        "later, e = s^2 = 1 for every odd n. So X is x2^..^xn for odd n and x1^..^xn for even n",
        base=(Eq(e, s) & Eq(e * s, 1), [Eq(e, s), *sign(s)]),
        step=(Eq(e * s * s, s) & Eq(e * s * s * s, 1), [Eq(e, s), *sign(s)]),
    )
    for name, parity, product in (("odd", P * s, P), ("even", P, P * s)):
        proof.inequality(
            f"x1, for {name} n",
            "X times the sign of B is the sign of x_1, since P^2 = 1",
            Eq(X * parity, s),
            [Eq(X, product), *sign(P, s)],
        )
    proof.inequality(
        "all bits",
        "x_i is the XOR of A's component and x_1: z s = t",
        Eq(z * s, t),
        [Eq(z, t * s), *sign(s)],
    )


@claim(
    "bai2026.ex2-zero",
    where="Section 4, Example 2",
    statement="For n >= 3 fair bits P(s_j^(i) | M*(Data) = w, theta) = P(s_j^(i) | theta) for all "
    "i = 1..n, j = 0, 1 and outputs w of M*.",
    says=bits.BITS_ZERO,
)
def ex2_zero(check: Check) -> None:
    """An A tuple and a bit leave one database; a parity contains a second bit, which is fair."""
    proved(
        check,
        "as printed",
        SCOPE,
        _zero,
        two_bits=TWO_BITS,
        bits_that_are_not_fair=[
            Edit(step, without=Eq(h, HALF), given=[h > 0, h < 1])
            for step in ("its probability: step", "a parity of fair bits is fair")
        ],
    )


def _zero(proof: Proof) -> None:
    prove_likelihoods(proof)
    proof.cite(
        "posterior equal to prior",
        "For each i the two secrets x_i = 0 and x_i = 1 have equal likelihoods, exclude each other "
        "and have total probability 1",
        "general.zero-leakage-partition",
    )


def prove_likelihoods(proof: Proof) -> None:
    """Prove P(A = y | bit) = 2^-n and P(B = b | bit) = 1/4."""
    _tuples(proof)
    _parities(proof)


def _tuples(proof: Proof) -> None:
    proof.inequality(
        "one database for a tuple and a bit",
        "Given all z = t s and the sign of one bit, s is known (it is given, or s = z t), hence "
        "every t = z s; and these signs have the given z and bit",
        Eq(t, z * s) & Eq(s, z * t),
        [Eq(z, t * s), *sign(s, t)],
    )
    proof.inequality(
        "that database exists",
        "Put s = z u, where u is the given sign of x_i, and t = z s: then t = u and t s = z",
        Eq(t, u) & Eq(t * s, z),
        [Eq(s, z * u), Eq(t, z * s), *sign(z, u)],
    )
    proof.induction(
        "its probability",
        "chance is that, given the bit, of given values of the other n - 1 bits and power = "
        "2^(n-1): chance times power is 1. One more bit has its value with probability h = 1/2",
        base=(Eq(chance * power, 1), [Eq(chance, 1), Eq(power, 1)]),
        step=(Eq(chance * h * 2 * power, 1), [Eq(chance * power, 1), Eq(h, HALF)]),
    )
    proof.induction(
        "the probability of an A tuple",
        "f is the sum over databases with the bit of their probability, weight, times the "
        "probability m of this output: m = 1/2 for that one, of weight chance, and 0 for others. "
        "With power = 2^(n-1) this is 2^-n",
        base=(Eq(2 * f * power, 1), [Eq(chance * power, 1), Eq(f, chance * m), Eq(m, HALF)]),
        step=(Eq(2 * (f + weight * m) * power, 1), [Eq(2 * f * power, 1), Eq(m, 0)]),
    )


def _parities(proof: Proof) -> None:
    proof.inequality(
        "another bit in the parity",
        "B has all n bits, n odd, or n - 1, n even: besides any given bit at least n - 2 bits, one "
        "or more",
        others >= 1,
        [Eq(others, n - 1) | Eq(others, n - 2)],
    )
    proof.induction(
        "a parity of fair bits is fair",
        "even is the probability that the parity of other bits is even, one or more of them; "
        "another one changes it with probability h = 1/2. The given bit may turn it round: 1 - "
        "even. B is chosen with probability 1/2: 1/4",
        base=(
            Eq(even / 2, Rational(1, 4)) & Eq((1 - even) / 2, even / 2),
            [Eq(even, h), Eq(h, HALF)],
        ),
        step=(Eq(even * (1 - h) + (1 - even) * h, HALF), [Eq(even, HALF), Eq(h, HALF)]),
    )


@claim(
    "bai2026.ex2-likelihoods",
    where="Section 4, Example 2, proof",
    statement="For n >= 3 fair bits and either secret s_j^(i) of any bit: each value of B has "
    "probability 1/4, and each tuple y of type A has Pr(w = y | s_j^(i)) = (1/2) Pr(D = the "
    "dataset matching y and the secret) = 2^(-n+1).",
    kind="proof step",
    repair="bai2026.ex2-likelihoods-repaired",
    says={"each B value has probability 1/4": bits.B_QUARTER},
)
def ex2_likelihoods(check: Check) -> None:
    """The constant for A tuples is twice the true one; the one for B is right."""
    with check.reading("Pr(w = y | secret) = 2^(-n+1)", "n = 3, the smallest") as proof:
        _printed_constant(proof)
    with check.reading(
        "(1/2) Pr(D = the dataset) = 2^(-n+1), unconditionally", "n = 3, the smallest"
    ) as proof:
        _printed_product(proof)
    proved(check, "each B value has probability 1/4", SCOPE, prove_likelihoods, two_bits=TWO_BITS)


@claim(
    "bai2026.ex2-likelihoods-repaired",
    where="Section 4, Example 2, proof",
    statement="For n >= 3 fair bits and either secret s_j^(i) of any bit: each value of B has "
    "probability 1/4, and each tuple y of type A has Pr(w = y | s_j^(i)) = (1/2) Pr(D = the "
    "dataset matching y and the secret | s_j^(i)) = 2^(-n).",
    kind="repair of bai2026.ex2-likelihoods",
    says=bits.BITS_LIKELIHOODS,
)
def ex2_likelihoods_repaired(check: Check) -> None:
    """Prove the constants 1/4 and 2^-n: together 2/4 + 2^(n-1) 2^-n = 1."""
    proved(
        check,
        "as corrected",
        SCOPE,
        prove_likelihoods,
        the_printed_constant=Edit(
            "the probability of an A tuple: base", put={2 * f * power: f * power}
        ),
        two_bits=TWO_BITS,
    )


def _three_bits() -> Framework:
    secrets = {f"x{i}={v}": (i, v) for i in (1, 2, 3) for v in "01"}
    pairs = [(f"x{i}=0", f"x{i}=1") for i in (1, 2, 3)]
    return Framework.of_records(
        Records(3, ("0", "1")), secrets, pairs, {"fair": Product([["1/2", "1/2"]] * 3)}
    )


def _printed_constant(proof: Proof) -> None:
    framework = _three_bits()
    mechanism = bits_collapse(framework)
    law = output_law(framework, mechanism, prior_of(framework, "fair"), "x1=1") or {}
    printed = Fraction(1, 2**2)
    proof.counterexample(
        "an A tuple of three bits",
        "Let n = 3 and let the first bit be 1. The tuple (0, 0) of type A comes from the database "
        "111 alone, which has probability 1/4 given that bit and shows type A with probability "
        "1/2: the tuple has probability 1/8, where 1/4 is printed. With the printed values the "
        "probabilities of all outputs would sum to 2/4 + 4/4, which is more than 1",
        {
            "n": 3,
            "output": "A00",
            "P(output | x1=1)": law["A00"],
            "printed": printed,
            "sum of the printed values": 2 * Fraction(1, 4) + 4 * printed,
            "framework": framework,
            "mechanism": mechanism,
        },
        lambda: (
            law["A00"] == Fraction(1, 8) != printed
            and sum(law.values()) == 1 != 2 * Fraction(1, 4) + 4 * printed
        ),
        "1/4*1/2 = P_output_x1_1 != printed and 2*1/4 + 4*printed > 1",
    )


def _printed_product(proof: Proof) -> None:
    theta = prior_of(_three_bits(), "fair")
    found, printed = theta["111"] / 2, Fraction(1, 2**2)
    proof.counterexample(
        "half of the probability of 111",
        "Let n = 3. Without a condition on the secret the database 111 has probability 1/8, and "
        "half of it is 1/16 = 2^(-n-1), where 2^(-n+1) = 1/4 is printed",
        {"n": 3, "(1/2) Pr(D = 111)": found, "printed": printed},
        lambda: found == Fraction(1, 16) != printed,
        "1/2*(1/2)^n != printed",
    )


@claim(
    "bai2026.ex2-runs",
    where="Section 4, Example 2",
    statement="For n >= 3 fair bits the expected number of independent runs of M* until the input "
    "is revealed is 3.",
    assumes=["the run that reveals is counted"],
    says=bits.BITS_RUNS,
)
def ex2_runs(check: Check) -> None:
    """The input is revealed exactly when both types were seen."""
    proved(
        check,
        "as printed",
        SCOPE,
        _runs,
        type_A_with_probability_two_thirds=partial(_runs, first=Rational(2, 3)),
        one_type_is_enough=Edit("type A alone is not enough", put={Ne(-s, s): Eq(-s, s)}),
    )


def _runs(proof: Proof, first: Rational = HALF) -> None:
    proof.inequality(
        "type A alone is not enough",
        "The database with all bits changed, -s and -t, shows the same tuple; it has the same "
        "probability and other bits",
        Eq(z, (-s) * (-t)) & Ne(-s, s),
        [Eq(z, s * t), *sign(s, t)],
    )
    proof.inequality(
        "nor is type B",
        "The parity has at least two bits, u and t: changing both leaves the product P of all its "
        "bits, P = u t w",
        Eq(P, (-u) * (-t) * w) & Ne(-u, u),
        [Eq(P, u * t * w), *sign(u, t, w)],
    )
    proof.cite("both types are", "A and B together give all bits", "bai2026.ex2-mech")
    proof.cite(
        "two types",
        "The types are kinds of runs, each with probability 1/2",
        "bai2026.x-two-kinds",
        met={TWO_KINDS: "each run tosses a fair coin of its own for the type"},
    )
    proof.identity(
        "3 runs",
        "1 + sum of q/(1 - q) over the two types, of probability q and r",
        "1 + q/(1 - q) + r/(1 - r)",
        3,
        at={"q": str(first), "r": str(1 - first)},
    )
