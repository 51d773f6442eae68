"""Section 4, Example 2: n fair bits, every bit secret; differences to the first bit (type A) or a
parity (type B).

Bits are written as signs, 1 for bit 0 and -1 for bit 1, so that exclusive or is a product and
squares are 1: s is the sign of x_1, t of another bit x_i, z = s t of their difference. B is the
parity of all bits for odd n, of x_2 .. x_n for even n.
"""

from fractions import Fraction

from pufferproof.claims.general.definition import output_law, prior_of
from pufferproof.claims.language import Proof
from pufferproof.claims.papers.bai2026.collapse import said
from pufferproof.claims.papers.bai2026.statements import bits
from pufferproof.claims.registry import Check, claim
from pufferproof.models.framework import Framework
from pufferproof.models.mechanisms.collapse import bits_collapse
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product

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


@claim(
    "bai2026.ex2-mech",
    where="Section 4, Example 2",
    statement="On n >= 3 bits M* gives with probability 1/2 type A, the tuple (x_2^x_1, .., "
    "x_n^x_1), else type B, the parity of all bits (n odd) or of x_2 .. x_n (n even). The "
    "exclusive or of the entries of A is x_2^..^x_n (n odd) or x_1^..^x_n (n even); with B it "
    "yields x_1, then all bits.",
    kind="algorithm",
    says={"what A and B give together": said.BITS_TOGETHER},
)
def ex2_mech(check: Check) -> None:
    """Coq proves it: each of the n - 1 components has x_1 once, which cancels for odd n. The parity
    of A and B together is that of x_1; x_i is the exclusive or of A's component and x_1.
    """
    check.stated("what A and B give together")


@claim(
    "bai2026.ex2-zero",
    where="Section 4, Example 2",
    statement="For n >= 3 fair bits P(s_j^(i) | M*(Data) = w, theta) = P(s_j^(i) | theta) for all "
    "i = 1..n, j = 0, 1 and outputs w of M*.",
    says={"as printed": said.BITS_HIDDEN},
)
def ex2_zero(check: Check) -> None:
    """Coq proves it: given a bit, a tuple of type A comes from one database, and has probability
    2^-n. Type B has another fair bit, so that each value of it has probability 1/4.
    """
    check.stated("as printed")


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
    """The constant for A tuples is twice the true one; the one for B is right.

    One database for a tuple and a bit: Given all z = t s and the sign of one bit, s is known, hence
    every t = z s; and these signs have the given z and bit. Its probability given the bit is
    2^-(n-1), and m = 1/2 that of the A tuple for it: 2^-n. B has all n bits, n odd, or n - 1, n
    even: besides any given bit at least one more, whose fair value makes the parity fair: 1/2. B is
    chosen with probability 1/2: 1/4.
    """
    with check.reading("Pr(w = y | secret) = 2^(-n+1)", "n = 3, the smallest") as proof:
        _printed_constant(proof)
    with check.reading(
        "(1/2) Pr(D = the dataset) = 2^(-n+1), unconditionally", "n = 3, the smallest"
    ) as proof:
        _printed_product(proof)
    check.tried("each B value has probability 1/4")


@claim(
    "bai2026.ex2-likelihoods-repaired",
    where="Section 4, Example 2, proof",
    statement="For n >= 3 fair bits and either secret s_j^(i) of any bit: each value of B has "
    "probability 1/4, and each tuple y of type A has Pr(w = y | s_j^(i)) = (1/2) Pr(D = the "
    "dataset matching y and the secret | s_j^(i)) = 2^(-n).",
    kind="repair of bai2026.ex2-likelihoods",
    says={"as corrected": said.BITS_GIVEN},
)
def ex2_likelihoods_repaired(check: Check) -> None:
    """Coq proves the constants 1/4 and 2^-n: together 2/4 + 2^(n-1) 2^-n = 1."""
    check.stated("as corrected")


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
    says={"as printed": said.BITS_TOLD},
)
def ex2_runs(check: Check) -> None:
    """Coq proves it: both types together tell all bits, and one type does not. The database with
    all bits changed shows the same tuple, and one with two other bits changed the same parity. So
    the first run of another type than the first run reveals [bai2026.x-two-kinds].
    """
    check.stated("as printed")
