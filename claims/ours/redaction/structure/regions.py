"""The shape of the best local redaction: full redaction near p, one value at a time in between,
full release beyond.

Outputs of the records on one side have likelihoods (u, v) given X_t = 0 and X_t = 1. Redacting
record t multiplies them by (r_t(0), r_t(1)), showing its value keeps one of them; a step of the
chain towards p makes ((1-a)u + a v, b u + (1-b) v). Source of the setting: massny2025, section II.
These are dominance results: no weights of the records enter.
"""

import sympy
from sympy import Eq, Or

from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    at_most,
    below,
    edited,
    letter,
    letters,
    proved,
)
from pufferproof.claims.ours.redaction.statements.shapes import (
    CUT,
    MONOTONE,
    NO_MIDDLE,
    ONE_SIDED,
    THREE_REGIONS,
)
from pufferproof.claims.registry import Check, claim

R = letter("R", "e^eps", at_least(1))
a, b = letters("a b", "P(X_(t+1) = 1 | X_t = 0), P(X_(t+1) = 0 | X_t = 1)", above(0), below(1))
x, y = letters(
    "x y", "r_t(0), r_t(1), the probabilities that 0 and that 1 at t is redacted", at_least(0)
)
before = letter("before", "r_t(v) as it is", at_least(0), below(1))
raised = letter("raised", "r_t(v) as it is to become", at_most(1))
again = letter("again", "the chance that a value which is shown is redacted again")
p1, p2 = letters("p1 p2", "probabilities of outputs given the two values of X_p", at_least(0))
shown = letter(
    "shown", "the likelihood of an output from t on that shows the value of X_t", above(0)
)
other = letter("other", "the likelihood of any output from t on that has all released", at_least(0))
f, h = letters(
    "f h", "likelihoods given X = 0 and X = 1 of an output that shows 0 at t", at_least(0)
)
g, j = letters(
    "g j", "likelihoods given X = 0 and X = 1 of an output that shows 1 at t", at_least(0)
)
s = letter("s", "the sign of lam")
turn = letter("turn", "1, or alternating with the distance where lam < 0")
det = letter("det", "the determinant of the outputs in which t shows 0 and in which it shows 1")
k, l = letters("k l", "coefficients of the constraint k u + l v >= 0 of likelihoods (u, v)")
u, v = letters("u v", "likelihoods of an output given the two values of a record")
e0, e1 = letters("e0 e1", "e^i0, e^i1 at a distance")
leak = letter("leak", "e^Lk")
zero, one = letters("zero one", "1 if the value 0, the value 1 can be shown, else 0")

ALL = "all 0 < a, b < 1, every n, p and e^eps >= 1"


@claim(
    "redaction.monotone",
    where="Optimal local redaction",
    statement="Raising any r_t(x) of a local redaction mechanism never raises the leakage, about "
    "one private record or about several together, whatever the law of the records and the "
    "number of values.",
    kind="lemma",
    says=MONOTONE,
)
def monotone(check: Check) -> None:
    """Prove that more redaction is processing of the output."""
    name = "every law and every finite alphabet"
    proved(
        check,
        name,
        "all finite sizes",
        _more,
        lowering_r_as_well=Edit(
            "a chance to redact again", without=raised >= before, given=raised >= 0
        ),
    )


def _more(proof: Proof) -> None:
    proof.inequality(
        "a chance to redact again",
        "before = r_t(v) < 1 is to become raised >= before: where the output shows v at t, "
        "replace it by * with probability again = (raised - before)/(1 - before)",
        (again >= 0) & (again <= 1) & Eq(before + (1 - before) * again, raised),
        [Eq(again * (1 - before), raised - before), raised >= before],
    )
    proof.cite(
        "processing",
        "the new output is a function of the old one and of fresh coins",
        "lemma.data-processing",
    )


@claim(
    "redaction.cut",
    where="Optimal local redaction",
    statement="On every chain of bits, stationary or not, let r be a local mechanism, and for a "
    "record t other than p let r_t(0), r_t(1) < 1, or let r_t have an entry 0. Always "
    "releasing t and every record beyond it, seen from p, does not raise the leakage about X_p.",
    says=CUT,
)
def cut(check: Check) -> None:
    """Prove that either value of record t is shown by some output already."""
    name = "every chain of bits"
    scope = "all transition probabilities, every n, p, t and e^eps >= 1"
    proved(check, name, scope, _cut)
    half = Edit(
        "each value is shown",
        without=Or((x < 1) & (y < 1), Eq(x, 0), Eq(y, 0)),
        given=[x > 0, Eq(y, 1)],
    )
    check.near_miss(f"{name}: r_t = (q, 1)", edited(_cut, half))
    never = Edit("the outputs beyond cancel", without=shown > 0, given=shown >= 0)
    check.near_miss(f"{name}: a value that no output shows", edited(_cut, never))


def _cut(proof: Proof) -> None:
    proof.cite(
        "given X_t",
        "the records beyond t are independent of X_p, of the records nearer than t and of the "
        "other side",
        "song2017.x-markov",
    )
    _shown(proof)
    _released(proof)


def _shown(proof: Proof) -> None:
    proof.inequality(
        "each value is shown",
        "(x, y) = (r_t(0), r_t(1)): both values are shown with a positive probability 1 - r, or * "
        "shows the one that is never released, since the other one always is",
        Or((1 - x > 0) & (1 - y > 0), Eq(x, 0) & (y > 0), Eq(y, 0) & (x > 0)),
        [x <= 1, y <= 1, Or((x < 1) & (y < 1), Eq(x, 0), Eq(y, 0))],
    )


def _released(proof: Proof) -> None:
    proof.inequality(
        "the outputs beyond cancel",
        "For the outputs nearer than t and on the other side, p1 and p2 are their probabilities "
        "with X_t = v, given the two values of X_p; shown > 0 is the likelihood given X_t = v of "
        "an output from t on that shows v, other of any output of X_t = v, X_(t+1), .. released",
        p1 * other <= R * p2 * other,
        [p1 * shown <= R * p2 * shown],
    )


THREE = "lam > 0 and lam < 0"


@claim(
    "redaction.three-regions",
    where="Optimal local redaction",
    statement="For every local mechanism r there is one with r' <= r and no more leakage about X_p "
    "that on each side of p is (1,1) up to a distance, then releases one value of each record "
    "with probability 1 - q_t, q_t > 0, and never the other one, and is (0,0) from some "
    "distance on; any of the three parts can be empty. The value that can be released is the "
    "same for all records of the middle part if lam > 0 and alternates with the distance if "
    "lam < 0; lam = 0 needs no middle part. So for every utility that does not fall as more is "
    "released the supremum over the eps-private local mechanisms is that over those of this "
    "form.",
    says={"lam > 0 and lam < 0": THREE_REGIONS, "lam = 0": NO_MIDDLE},
)
def three_regions(check: Check) -> None:
    """Prove it by releasing from the first record on that the form does not allow."""
    proved(
        check,
        THREE,
        ALL,
        _regions,
        **{
            "the same value for both signs of lam": Edit(
                "the sign of the determinant: step", instead=turn * (x * y * (1 - a - b) * det) > 0
            ),
            "the value of the wrong side": Edit(
                "a new value lies between two old ones",
                without=f * j >= g * h,
                given=f * j <= g * h,
            ),
            "q = 0 in between": Edit(
                "the sign of the determinant: step", without=x > 0, given=x >= 0
            ),
            "rows that are neither": Edit("what is left", without=Or(x >= 1, y >= 1)),
        },
    )
    name = "lam = 0"
    proved(
        check,
        name,
        "a + b = 1",
        _independent,
        any_lam=Edit("nothing is leaked", without=Eq(a + b, 1)),
    )


def _regions(proof: Proof) -> None:
    proof.cite(
        "full release",
        "From the nearest record on whose row is neither of the following, release everything: r' "
        "<= r there",
        "redaction.cut",
    )
    rows_left(proof)
    _orientation(proof)
    in_between(proof)
    kept(proof)
    proof.cite(
        "both sides",
        "are treated one after the other, with the outputs of the other side kept. A mechanism "
        "that shows X_p has infinite leakage before and after",
        "massny2025.self-redaction",
    )


def kept(proof: Proof) -> None:
    """Prove that the outputs of the new mechanism that are not new keep the level."""
    proof.inequality(
        "only one value before the cut",
        "t is the nearest record that breaks the order, s < t the nearest that is not (1,1). "
        "Releasing t and all beyond: an output that shows a value before t has the ratio of an "
        "old one, the likelihoods of what follows cancel; so has one whose first value is the one "
        "that t could show; the third kind is new and its constraint was just derived. p1 <= R p2 "
        "old, shown > 0",
        p1 * shown * other <= R * p2 * shown * other,
        [p1 * shown <= R * p2 * shown],
    )


def rows_left(proof: Proof) -> None:
    """Prove that a record that is not cut off shows one value at most."""
    proof.case_split(
        "what is left",
        "(x, y) = (r_t(0), r_t(1)) without both values released and without an entry 0",
        [Eq(x, 1) & Eq(y, 1), (x > 0) & (x < 1) & Eq(y, 1), (y > 0) & (y < 1) & Eq(x, 1)],
        [x > 0, y > 0, x <= 1, y <= 1, Or(x >= 1, y >= 1)],
    )


def _orientation(proof: Proof) -> None:
    crossed = f * j - g * h
    proof.identity(
        "one record and one step",
        "(f, h) and (g, j) are the likelihoods given X = (0, 1) of two outputs beyond, both with * "
        "at the record of weights x, y: the determinant is multiplied by x y lam",
        ((1 - a) * x * f + a * y * h) * (b * x * g + (1 - b) * y * j)
        - ((1 - a) * x * g + a * y * j) * (b * x * f + (1 - b) * y * h),
        x * y * (1 - a - b) * crossed,
    )
    lam = 1 - a - b
    proof.induction(
        "the sign of the determinant",
        "det is the determinant of the outputs in which t shows 0 and in which it shows 1, all "
        "records up to it being *; turn is 1, or alternates with the distance where lam < 0 (s is "
        "the sign of lam)",
        base=(turn * det > 0, [Eq(turn, 1), Eq(det, 1)]),
        step=(
            turn * s * (x * y * lam * det) > 0,
            [turn * det > 0, Eq(s**2, 1), s * lam > 0, x > 0, y > 0],
        ),
    )
    proof.induction(
        "no likelihood is 0",
        "of outputs with * up to t; u, v given the values of the record before",
        base=((u > 0) & (v > 0), [Eq(u, 1 - a), Eq(v, b)]),
        step=(
            ((1 - a) * x * u + a * y * v > 0) & (b * x * u + (1 - b) * y * v > 0),
            [u > 0, v > 0, x > 0, y > 0],
        ),
    )


def in_between(proof: Proof) -> None:
    """Prove that the new kind of outputs keeps the level."""
    proof.inequality(
        "a new value lies between two old ones",
        "k u + l v >= 0 is the constraint of all outputs with given symbols nearer than s and on "
        "the other side, for likelihoods (u, v) from s on. The row of s is (q, 1): (1, 0) "
        "satisfies it. So does (g, j), where t shows the value it can show already; then so does "
        "(f, h), where t shows the other one, if its slope is larger. Exchange 0 and 1 for (1, q)",
        k * f + l * h >= 0,
        [k >= 0, k * g + l * j >= 0, f * j >= g * h, j > 0],
    )


def _independent(proof: Proof) -> None:
    proof.inequality(
        "nothing is leaked",
        "Both rows of P are equal: the likelihoods of what lies beyond p, given X_p = 0 and 1, are "
        "equal",
        Eq((1 - a) * u + a * v, b * u + (1 - b) * v),
        [Eq(a + b, 1), u >= 0, v >= 0],
    )


ONE = "p = 1"


@claim(
    "redaction.one-sided",
    where="Optimal local redaction",
    statement="p = 1, a <= b, lam not 0: every eps-private local mechanism r has an eps-private r' "
    "<= r that is (1,1) at distances below D0, (0,0) from some distance c >= D1 on (or "
    "nowhere), and in between releases one value of each record at most: value 0 first, the "
    "same value throughout for lam > 0, the other one at every second record for lam < 0. The "
    "published family takes c = D1.",
    kind="corollary",
    says=ONE_SIDED,
)
def one_sided(check: Check) -> None:
    """Prove it from the three regions and the lower bound by pointwise influences."""
    proved(
        check,
        ONE,
        "all 0 < a <= b < 1 with a + b != 1, every n and e^eps >= 1",
        _one_sided,
        value_1_released_above_eps=Edit(
            "before D0, and before D1", without=Or(Eq(one, 0), leak >= e1)
        ),
    )


def _one_sided(proof: Proof) -> None:
    proof.cite("form", "three regions", "redaction.three-regions")
    _thresholds(proof)
    proof.cite(
        "the rare value first",
        "If the first record s of the middle part can show 1 then i1(s) <= eps, and the DIM "
        "that releases s and all beyond has the leakage i1(s) and r' <= r",
        "massny2025.x-dim-leakage",
    )
    proof.cite("order", "i0 <= i1", "massny2025.prop1-order")
    proof.cite(
        "decreasing",
        "both influences, so that D0 and D1 are thresholds",
        "massny2025.prop1-decreasing-repaired",
    )


def _thresholds(proof: Proof) -> None:
    proof.cite(
        "what can be shown",
        "Lk >= i(X_p~>X_t=x) for every value in the support",
        "massny2025.lemma1",
    )
    proof.inequality(
        "before D0, and before D1",
        "e0 = e^i0, e1 = e^i1 at a distance, leak >= both if both values are shown, leak >= one "
        "if one is, R >= leak: below D0 e0 > R, below D1 e1 > R. zero and one are 1 where 0, 1 "
        "can be shown and 0 elsewhere",
        sympy.Implies(e0 > R, Eq(zero, 0) & Eq(one, 0)) & sympy.Implies(e1 > R, Eq(one, 0)),
        [
            e0 <= e1,
            e0 >= 1,
            leak <= R,
            Or(Eq(zero, 0), Eq(zero, 1)),
            Or(Eq(one, 0), Eq(one, 1)),
            Or(Eq(zero, 0), leak >= e0),
            Or(Eq(one, 0), leak >= e1),
        ],
        for_any=[R],
    )
