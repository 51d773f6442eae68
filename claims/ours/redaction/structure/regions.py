"""The shape of the best local redaction: full redaction near p, one value at a time in between,
full release beyond.

Outputs of the records on one side have likelihoods (u, v) given X_t = 0 and X_t = 1. Redacting
record t multiplies them by (r_t(0), r_t(1)), showing its value keeps one of them; a step of the
chain towards p makes ((1-a)u + a v, b u + (1-b) v). Source of the setting: massny2025, section II.
These are dominance results: no weights of the records enter.
"""

import sympy
from sympy import Eq, Or

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

R, a, b, u, v, w, x, y = sympy.symbols("R a b u v w x y")
f, g, h, j, k, l, m, q, s = sympy.symbols("f g h j k l m q s")
I = sympy.symbols("I")
CHAIN = [a > 0, a < 1, b > 0, b < 1]
ALL = "all 0 < a, b < 1, every n, p and e^eps >= 1"


@claim(
    "redaction.monotone",
    where="Optimal local redaction",
    statement="Raising any r_t(x) of a local redaction mechanism never raises the leakage, about "
    "one private record or about several together, whatever the law of the records and the "
    "number of values.",
    kind="lemma",
)
def monotone(check: Check) -> None:
    """Prove that more redaction is processing of the output."""
    name = "every law and every finite alphabet"
    with check.reading(name, "all finite sizes") as argument:
        _more(argument)
    check.near_miss(f"{name}: lowering r as well", lambda argument: _more(argument, lower=True))


def _more(argument: Argument, lower: bool = False) -> None:
    argument.inequality(
        "a chance to redact again",
        "x = r_t(v) < 1 is to become y >= x: where the output shows v at t, replace it by * with "
        "probability s = (y - x)/(1 - x)",
        (s >= 0) & (s <= 1) & Eq(x + (1 - x) * s, y),
        [Eq(s * (1 - x), y - x), x >= 0, x < 1, y <= 1, (y >= 0) if lower else (y >= x)],
    )
    argument.cite(
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
)
def cut(check: Check) -> None:
    """Prove that either value of record t is shown by some output already."""
    name = "every chain of bits"
    with check.reading(
        name, "all transition probabilities, every n, p, t and e^eps >= 1"
    ) as argument:
        argument.cite(
            "given X_t",
            "the records beyond t are independent of X_p, of the records nearer than t and of the "
            "other side",
            "song2017.x-markov",
        )
        _shown(argument)
        _released(argument)
    check.near_miss(f"{name}: r_t = (q, 1)", lambda argument: _shown(argument, one=True))
    check.near_miss(
        f"{name}: a value that no output shows", lambda argument: _released(argument, never=True)
    )


def _shown(argument: Argument, one: bool = False) -> None:
    first, second = (
        [(1 - x > 0, 1 - y > 0), (Eq(x, 0), y > 0), (Eq(y, 0), x > 0)],
        (x >= 0, x <= 1, y >= 0, y <= 1),
    )
    rows = [Or((x < 1) & (y < 1), Eq(x, 0), Eq(y, 0))]
    argument.inequality(
        "each value is shown",
        "(x, y) = (r_t(0), r_t(1)): both values are shown with a positive probability 1 - r, or * "
        "shows the one that is never released, since the other one always is",
        Or(*(first_ & second_ for first_, second_ in first)),
        [*second, *((x > 0, Eq(y, 1)) if one else rows)],
    )


def _released(argument: Argument, never: bool = False) -> None:
    argument.inequality(
        "the outputs beyond cancel",
        "For the outputs nearer than t and on the other side, x and y are their probabilities with "
        "X_t = v, given the two values of X_p; f > 0 is the likelihood given X_t = v of an output "
        "from t on that shows v, g of any output of X_t = v, X_(t+1), .. released",
        x * g <= R * y * g,
        [x * f <= R * y * f, (f >= 0) if never else (f > 0), g >= 0, x >= 0, y >= 0, R >= 1],
    )


NEW = "outputs that are new"
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
)
def three_regions(check: Check) -> None:
    """Prove it by releasing from the first record on that the form does not allow."""
    with check.reading(THREE, ALL) as argument:
        _regions(argument)
    check.near_miss(
        f"{THREE}: the same value for both signs of lam",
        lambda argument: _orientation(argument, same=True),
    )
    check.near_miss(
        f"{THREE}: the value of the wrong side", lambda argument: between(argument, wrong=True)
    )
    check.near_miss(
        f"{THREE}: q = 0 in between", lambda argument: _orientation(argument, zero=True)
    )
    check.near_miss(
        f"{THREE}: rows that are neither", lambda argument: rows_left(argument, both=True)
    )
    name = "lam = 0"
    with check.reading(name, "a + b = 1") as argument:
        _independent(argument)
    check.near_miss(f"{name}: any lam", lambda argument: _independent(argument, dependent=True))


def _regions(argument: Argument) -> None:
    argument.cite(
        "full release",
        "From the nearest record on whose row is neither of the following, release everything: r' "
        "<= r there",
        "redaction.cut",
    )
    rows_left(argument)
    _orientation(argument)
    between(argument)
    kept(argument)
    argument.cite(
        "both sides",
        "are treated one after the other, with the outputs of the other side kept. A mechanism "
        "that shows X_p has infinite leakage before and after",
        "massny2025.self-redaction",
    )


def kept(argument: Argument) -> None:
    """Prove that the outputs of the new mechanism that are not new keep the level."""
    argument.inequality(
        "only one value before the cut",
        "t is the nearest record that breaks the order, s < t the nearest that is not (1,1). "
        "Releasing t and all beyond: an output that shows a value before t has the ratio of an old "
        "one, the likelihoods of what follows cancel; so has one whose first value is the one that "
        "t could show; the third kind is new and its constraint was just derived. x <= R y old, k "
        "> 0",
        x * k * l <= R * y * k * l,
        [x * k <= R * y * k, k > 0, l >= 0, R >= 1, x >= 0, y >= 0],
    )


def rows_left(argument: Argument, both: bool = False) -> None:
    """Prove that a record that is not cut off shows one value at most."""
    argument.case_split(
        "what is left",
        "(x, y) = (r_t(0), r_t(1)) without both values released and without an entry 0",
        [Eq(x, 1) & Eq(y, 1), (x > 0) & (x < 1) & Eq(y, 1), (y > 0) & (y < 1) & Eq(x, 1)],
        [x > 0, y > 0, x <= 1, y <= 1, *([] if both else [Or(x >= 1, y >= 1)])],
    )


def _orientation(argument: Argument, same: bool = False, zero: bool = False) -> None:
    det = f * j - g * h
    argument.identity(
        "one record and one step",
        "(f, h) and (g, j) are the likelihoods given X = (0, 1) of two outputs beyond, both with * "
        "at the record of weights x, y: the determinant is multiplied by x y lam",
        ((1 - a) * x * f + a * y * h) * (b * x * g + (1 - b) * y * j)
        - ((1 - a) * x * g + a * y * j) * (b * x * f + (1 - b) * y * h),
        x * y * (1 - a - b) * det,
    )
    lam, sign = 1 - a - b, s
    argument.induction(
        "the sign of the determinant",
        "D is the determinant of the outputs in which t shows 0 and in which it shows 1, all "
        "records up to it being *; k is 1, or alternates with the distance where lam < 0 (s is the "
        "sign of lam)",
        base=(k * I > 0, [Eq(k, 1), Eq(I, 1)]),
        step=(
            k * (1 if same else sign) * (x * y * lam * I) > 0,
            [k * I > 0, Eq(s**2, 1), s * lam > 0, (x >= 0) if zero else (x > 0), y > 0, *CHAIN],
        ),
    )
    argument.induction(
        "no likelihood is 0",
        "of outputs with * up to t; u, v given the values of the record before",
        base=((u > 0) & (v > 0), [Eq(u, 1 - a), Eq(v, b), *CHAIN]),
        step=(
            ((1 - a) * x * u + a * y * v > 0) & (b * x * u + (1 - b) * y * v > 0),
            [u > 0, v > 0, x > 0, y > 0, *CHAIN],
        ),
    )


def between(argument: Argument, wrong: bool = False) -> None:
    """Prove that the new kind of outputs keeps the level."""
    order = (f * j <= g * h) if wrong else (f * j >= g * h)
    argument.inequality(
        "a new value lies between two old ones",
        "k u + l v >= 0 is the constraint of all outputs with given symbols nearer than s and on "
        "the other side, for likelihoods (u, v) from s on. The row of s is (q, 1): (1, 0) "
        "satisfies it. So does (g, j), where t shows the value it can show already; then so does "
        "(f, h), where t shows the other one, if its slope is larger. Exchange 0 and 1 for (1, q)",
        k * f + l * h >= 0,
        [k >= 0, k * g + l * j >= 0, order, f >= 0, h >= 0, g >= 0, j > 0],
    )


def _independent(argument: Argument, dependent: bool = False) -> None:
    argument.inequality(
        "nothing is leaked",
        "Both rows of P are equal: the likelihoods of what lies beyond p, given X_p = 0 and 1, are "
        "equal",
        Eq((1 - a) * u + a * v, b * u + (1 - b) * v),
        [*([] if dependent else [Eq(a + b, 1)]), *CHAIN, u >= 0, v >= 0],
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
)
def one_sided(check: Check) -> None:
    """Prove it from the three regions and the lower bound by pointwise influences."""
    with check.reading(
        ONE, "all 0 < a <= b < 1 with a + b != 1, every n and e^eps >= 1"
    ) as argument:
        argument.cite("form", "three regions", "redaction.three-regions")
        _thresholds(argument)
        argument.cite(
            "the rare value first",
            "If the first record s of the middle part can show 1 then i1(s) <= eps, and the DIM "
            "that releases s and all beyond has the leakage i1(s) and r' <= r",
            "massny2025.x-dim-leakage",
        )
        argument.cite("order", "i0 <= i1", "massny2025.prop1-order")
        argument.cite(
            "decreasing",
            "both influences, so that D0 and D1 are thresholds",
            "massny2025.prop1-decreasing-repaired",
        )
    check.near_miss(
        f"{ONE}: value 1 released above eps", lambda argument: _thresholds(argument, above=True)
    )


def _thresholds(argument: Argument, above: bool = False) -> None:
    argument.cite(
        "what can be shown",
        "Lk >= i(X_p~>X_t=x) for every value in the support",
        "massny2025.lemma1",
    )
    argument.inequality(
        "before D0, and before D1",
        "g = e^i0, h = e^i1 at a distance, m >= both if both values are shown, m >= one if one is, "
        "R >= m: below D0 g > R, below D1 h > R. q and w are 1 where 0, 1 can be shown and 0 "
        "elsewhere",
        sympy.Implies(g > R, Eq(q, 0) & Eq(w, 0)) & sympy.Implies(h > R, Eq(w, 0)),
        [
            g <= h,
            g >= 1,
            m <= R,
            Or(Eq(q, 0), Eq(q, 1)),
            Or(Eq(w, 0), Eq(w, 1)),
            Or(Eq(q, 0), m >= g),
            *([] if above else [Or(Eq(w, 0), m >= h)]),
        ],
    )
