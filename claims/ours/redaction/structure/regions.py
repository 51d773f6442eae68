"""The shape of the best local redaction: full redaction near p, one value at a time in between,
full release beyond.

Outputs of the records on one side have likelihoods (u, v) given X_t = 0 and X_t = 1. Redacting
record t multiplies them by (r_t(0), r_t(1)), showing its value keeps one of them; a step of the
chain towards p makes ((1-a)u + a v, b u + (1-b) v). Source of the setting: massny2025, section II.
These are dominance results: no weights of the records enter.
"""

from pufferproof.claims.ours.redaction.linked import MONOTONE
from pufferproof.claims.ours.redaction.statements.shapes import (
    NO_MIDDLE,
    THREE_REGIONS,
)
from pufferproof.claims.ours.redaction.structure.cut import FULL_RELEASE
from pufferproof.claims.registry import Check, claim


@claim(
    "redaction.monotone",
    where="Optimal local redaction",
    kind="lemma",
    says=MONOTONE,
)
def monotone(check: Check) -> None:
    """Prove that more redaction never raises the leakage, one r_t at a time, whatever the law of
    the records and the number of values, about one private record or several together.
    """
    check.linked("every law and every finite alphabet")


@claim(
    "redaction.cut",
    where="Optimal local redaction",
    statement="On every chain of bits, stationary or not, let r be a local mechanism, and for a "
    "record t other than p let r_t(0), r_t(1) < 1, or let r_t have an entry 0. Always "
    "releasing t and every record beyond it, seen from p, does not raise the leakage about X_p.",
    says={"every chain of bits": FULL_RELEASE},
)
def cut(check: Check) -> None:
    """Prove that either value of record t is shown by some output already.

    Given X_t the records beyond t are independent of X_p, of the records nearer than t and of the
    other side [song2017.x-markov].
    """


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
    """Prove it by releasing from the first record on that the form does not allow.

    Lam > 0 and lam < 0. Full release: from the nearest record on whose row is neither of the
    following, release everything [redaction.cut]. What is left has rows without both values
    released and without an entry 0. The determinant of the outputs in which t shows 0 and in which
    it shows 1, all records up to it being *, is multiplied by x y lam at a record of weights x, y:
    its sign is fixed, or alternates with the distance. A new value lies between two old ones: the
    row of s < t being (q, 1), the constraint k u + l v >= 0 of all outputs with given symbols
    nearer than s and on the other side holds at (1, 0) and at (g, j), where t shows the value it
    can show already; then so at (f, h), where t shows the other one, if its slope is larger.
    Exchange 0 and 1 for (1, q). Let t be the nearest record that breaks the order, s < t the
    nearest that is not (1,1), and release t and all beyond: an output that shows a value before t
    has the ratio of an old one; so has one whose first value is the one that t could show; the
    third kind is new and its constraint was just derived. Both sides are treated one after the
    other, with the outputs of the other side kept. A mechanism that shows X_p has infinite leakage
    before and after [massny2025.self-redaction].

    Lam = 0. Both rows of P are equal: nothing is leaked.
    """
    check.tried(THREE)
    name = "lam = 0"
    check.tried(name)
