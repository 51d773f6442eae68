"""Theorem 5.2: which sets of NfC constraints survive post-processing. All of them do.

For one-hot weights the theorem is right. The converse is false, with the direction of an inequality
of means exchanged in its proof: weighted geometric means are superadditive, so that the outputs
which satisfy a constraint form a convex cone, whatever the weights are. Source: bai2026, Section
5.2.
"""

from fractions import Fraction

import sympy
from sympy import Eq

from pufferproof.claims.papers.bai2026.composition.coupling import survives_processing
from pufferproof.claims.papers.bai2026.nfc.instances import channel_of, one_pair, satisfies
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

ALL_SIZES = "all finite sizes, likelihoods may be 0"
HALF = Fraction(1, 2)
NOTATION = {
    "beta": "weights: beta_l >= 0 with sum 1, one for each D_l with the second secret of the pair; "
    "beta^(i) those of the i-th constraint of a set",
    "D*": "the database on the left of two constraints",
    "one-hot": "of weights: one of them is 1, the others are 0",
    "non-redundant": "of a set of constraints: none is implied by the others",
    "E": "e to the level of a constraint",
}


@claim(
    "bai2026.redundant",
    where="Section 5.2",
    statement="A constraint is redundant if it is implied by the others. From two NfC constraints "
    "of the same D* at the same epsilon, with weights beta^(0) and beta^(1), every c in (0, 1) "
    "gives a redundant one with the weights beta^(c) = c beta^(1) + (1 - c) beta^(1).",
    kind="definition",
)
def redundant(check: Check) -> None:
    """Prove that the example is redundant, as printed and with beta^(0) in the second term."""
    name = "beta^(c) = c beta^(1) + (1 - c) beta^(1), as printed"
    with check.reading(name, ALL_SIZES) as argument:
        _printed_mixture(argument)
    check.near_miss(
        f"{name}: implied by beta^(0) alone",
        lambda argument: _printed_mixture(argument, other=True),
    )
    name = "beta^(c) = c beta^(1) + (1 - c) beta^(0)"
    with check.reading(name, ALL_SIZES) as argument:
        _mixture(argument)
    check.near_miss(f"{name}: c > 1", lambda argument: _mixture(argument, outside=True))
    with check.reading("the word") as argument:
        argument.definition(
            "redundant",
            "A constraint of a set is redundant if every likelihood vector that satisfies the "
            "others satisfies it",
            "intersection of the others, inside the constraint",
        )


def _printed_mixture(argument: Argument, other: bool = False) -> None:
    c, b, x, d, e, X, Y, Z = sympy.symbols("c b x d e X Y Z")
    argument.induction(
        "sums of logarithms",
        "Z and X sum the logarithms x with the weights c beta^(1) + (1 - c) beta^(1) and beta^(1), "
        "whose entries are b: Z = X",
        base=(Eq(Z, X), [Eq(Z, 0), Eq(X, 0)]),
        step=(Eq(Z + (c * b + (1 - c) * b) * x, X + b * x), [Eq(Z, X), c > 0, c < 1]),
    )
    argument.inequality(
        "the constraint",
        "d is the logarithm at D*, e = epsilon. The second constraint d <= e + X gives the third, "
        "d <= e + Z. (Y, the sum for beta^(0), plays no part; a likelihood 0 with b > 0 makes d "
        "minus infinity in both)",
        d <= e + Z,
        [(d <= e + Y) if other else (d <= e + X), Eq(Z, X), e >= 0],
    )


def _mixture(argument: Argument, outside: bool = False) -> None:
    c, b, g, x, X, Y, Z, d, e, B, G, H = sympy.symbols("c b g x X Y Z d e B G H")
    chance = [c > 1] if outside else [c > 0, c < 1]
    argument.induction(
        "weights",
        "b and g are entries of beta^(1) and beta^(0), B, G and H the sums of entries of beta^(1), "
        "beta^(0), beta^(c): the new entries are not negative, and H = c B + (1 - c) G, in the end "
        "1",
        base=((c * b + (1 - c) * g >= 0), [b >= 0, g >= 0, *chance]),
        step=(
            Eq(H + c * b + (1 - c) * g, c * (B + b) + (1 - c) * (G + g))
            & (c * b + (1 - c) * g >= 0),
            [Eq(H, c * B + (1 - c) * G), b >= 0, g >= 0, *chance],
        ),
    )
    argument.induction(
        "sums of logarithms",
        "X, Y and Z sum the logarithms x with the weights beta^(1), beta^(0), beta^(c): Z = c X + "
        "(1 - c) Y",
        base=(Eq((c * b + (1 - c) * g) * x, c * b * x + (1 - c) * g * x), [*chance]),
        step=(
            Eq(Z + (c * b + (1 - c) * g) * x, c * (X + b * x) + (1 - c) * (Y + g * x)),
            [Eq(Z, c * X + (1 - c) * Y), *chance],
        ),
    )
    argument.inequality(
        "the constraint",
        "d <= e + X and d <= e + Y give d <= e + Z",
        d <= e + Z,
        [d <= e + X, d <= e + Y, Eq(Z, c * X + (1 - c) * Y), e >= 0, *chance],
    )
    argument.inequality(
        "a database with likelihood 0",
        "If beta^(c)_l > 0 = u_l then b > 0 or g > 0, and one of the two constraints says that "
        "M(D*)(w) is 0",
        (b > 0) | (g > 0),
        [c * b + (1 - c) * g > 0, b >= 0, g >= 0, *chance],
    )


@claim(
    "bai2026.ppi-if",
    where="Theorem 5.2, first part",
    statement="If the weights beta^(i) of each of finitely many non-redundant NfC constraints are "
    "one-hot, the set is post-processing invariant: if M satisfies it, so does A o M, for "
    "every randomised A.",
)
def ppi_if(check: Check) -> None:
    """Prove it for any list of one-hot constraints, redundant or not."""
    with check.reading("as printed", ALL_SIZES) as argument:
        _one_hot(argument)
    check.near_miss("as printed: a signed kernel", lambda argument: _one_hot(argument, signed=True))
    check.near_miss(
        "as printed: A sees the database", lambda argument: _one_hot(argument, sees=True)
    )


def _one_hot(argument: Argument, signed: bool = False, sees: bool = False) -> None:
    V, X, v, x, k, l, E = sympy.symbols("V X v x k l E")
    kernel = [k <= 1] if signed else [k >= 0, k <= 1]
    other = [l >= 0, l <= 1] if sees else [Eq(l, k)]
    argument.induction(
        "one more old output",
        "V and X are the sums of K(z|w) M(D)(w) and K(z|w) M(D_l)(w) over the first old outputs, k "
        "= K(z|w), v <= E x the likelihoods of the next; l is K(z|w) at D_l, the same number. Each "
        "constraint of the set is kept by itself",
        base=(V <= E * X, [Eq(V, 0), Eq(X, 0), E >= 1]),
        step=(
            V + k * v <= E * (X + l * x),
            [V <= E * X, v <= E * x, v >= 0, x >= 0, E >= 1, *kernel, *other],
        ),
    )


@claim(
    "bai2026.ppi-onlyif",
    where="Theorem 5.2, second part",
    statement="If the weights beta^(i) of at least one of finitely many non-redundant NfC "
    "constraints have two or more nonzero entries, the set is not post-processing invariant; a "
    "non-redundant set is invariant iff all its constraints are DP-style, with one-hot weights.",
    repair="bai2026.ppi-onlyif-repaired",
)
def ppi_onlyif(check: Check) -> None:
    """Refute both wordings by the smallest set that the theorem speaks of."""
    with check.reading(
        "at least one beta with two nonzero entries", "one counterexample"
    ) as argument:
        _invariant(argument, [HALF, HALF])
    with check.reading(
        "invariant iff all constraints are DP-style", "one counterexample"
    ) as argument:
        _invariant(argument, [HALF, HALF])
    with check.reading("epsilon = 0", "one counterexample") as argument:
        _invariant(argument, [HALF, HALF], Fraction(1))


def _invariant(argument: Argument, weights: list[Fraction], ratio: Fraction = Fraction(2)) -> None:
    E, u, v, x, y, p, q = sympy.symbols("E u v x y p q")
    summed = argument.inequality(
        "two outputs merged",
        "For these weights the constraint of one output is u^2 <= E^2 v x. If two outputs satisfy "
        "it so does their sum",
        (u + p) ** 2 <= E**2 * (v + y) * (x + q),
        [
            u**2 <= E**2 * v * x,
            p**2 <= E**2 * y * q,
            *[each >= 0 for each in (u, v, x, p, y, q)],
            E >= 1,
        ],
    )
    closed = argument.cite(
        "any randomised processing",
        "A new output is a sum of multiples of old ones",
        "bai2026.ppi-onlyif-repaired",
    )
    beta = dict(zip("bc", weights))
    framework = one_pair({"a": Fraction(1)}, {"b": HALF, "c": HALF})
    one, zero = Fraction(1), Fraction(0)
    kept = channel_of({"a": [HALF, HALF], "b": [HALF, HALF], "c": [HALF, HALF]})
    broken = channel_of({"a": [one, zero], "b": [zero, one], "c": [zero, one]})
    argument.counterexample(
        "a single constraint with weights (1/2, 1/2)",
        "Let the set have one constraint, M(a)(w)^2 <= e^(2 epsilon) M(b)(w) M(c)(w) for all w, "
        "with the weights 1/2 on b and on c. It has two nonzero entries and is not redundant, as "
        "some mechanism violates it. But sums and multiples of outputs that satisfy it satisfy it, "
        "so that every mechanism with this constraint keeps it after every randomised processing. "
        "Fewer databases have no two entries",
        {
            "D": "a",
            "weights": beta,
            "e^epsilon": ratio,
            "framework": framework,
            "a mechanism that satisfies it": kept,
            "a mechanism that violates it": broken,
        },
        lambda: (
            summed
            and closed
            and sum(weight > 0 for weight in weights) == 2
            and satisfies(kept, "a", beta, ratio)
            and not satisfies(broken, "a", beta, ratio)
        ),
    )


@claim(
    "bai2026.ppi-onlyif-repaired",
    where="Theorem 5.2, repaired",
    statement="Every set of NfC constraints, redundant or not, is post-processing invariant, "
    "whatever the weights: for a mechanism M with finitely many outputs, a database D, weights "
    "beta_l >= 0 with sum 1 on finitely many D_l and E >= 0, if M(D)(w) <= E prod_l "
    "M(D_l)(w)^beta_l, with 0^0 = 1, for all outputs w of M, then the same holds for all "
    "outputs of A o M, for every randomised A.",
    kind="repair of bai2026.ppi-onlyif",
)
def ppi_onlyif_repaired(check: Check) -> None:
    """Prove invariance for all weights."""
    name = "all weights"
    with check.reading(name, f"{ALL_SIZES}, real weights, E >= 0 for each constraint") as argument:
        survives_processing(argument)
    check.near_miss(
        f"{name}: a signed kernel", lambda argument: survives_processing(argument, signed=True)
    )
