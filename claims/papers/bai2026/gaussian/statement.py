"""Example 4 and Theorem 5: which record leaks most, which records to hide, how the curves lie.

The prior is N(0, Sigma) on [-g, g]^n, Sigma_jk = exp(-(j - k)^2 / ell); secrets are windows x_i in
[r, r + del]; a*(b) is the least influence with b hidden records. Influences are those of the
definition, from the truncated law.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations

from pufferproof.claims.language import Edit, Proof, proved
from pufferproof.claims.papers.bai2026.gaussian.instances import (
    LENGTHS,
    Setting,
    exceeds,
    farthest_sets,
    least,
    of_set,
    stays_below,
)
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "g": "half the side of the box (printed gamma); 5 in the figure",
    "del": "the width of windows (printed delta); 1/10 in the figure",
    "ell": "the length of the kernel",
    "n": "the number of records",
    "x": "the database: a number x_i for each record i",
    "r": "where a window begins",
    "b": "how many records are hidden, the secret one among them",
    "N(0, Sigma)": "the normal law of mean 0 and covariance Sigma; j and k are records",
    "Sigma": "the covariance",
    "k": "a record",
    "H, L": "hidden and shown records; H holds the secret record i",
    "i*": "the record ceil(n/2)",
    "a*(b)": "max over ordered pairs of min over |H| <= b of sup over x_L of log p(x_L | s) / "
    "p(x_L | t)",
}
FIVE = Setting(5, Fraction(5))
FOUR = Setting(4, Fraction(1))
SMALL_BOX = Fraction(1)
UNSAID = (
    "It speaks of suprema of Gaussian densities on a box, which no finite table has; the steps "
    "enclose them for the listed parameters"
)
SIX = Setting(6, Fraction(5), SMALL_BOX)
PRINTED = "g = 5, del = 1/10, ell in {1/2, 1, 2, 3, 5}, windows at the two ends of the box"


@claim(
    "bai2026.gauss",
    where="Section 6.3, Example 4",
    statement="x ~ N(0, Sigma) truncated to [-g, g]^n, Sigma_jk = exp(-(j-k)^2/ell); secrets x_i "
    "in [r, r+del] with r in [-g, g-del], pairs with disjoint windows on the same i.",
    kind="definition",
)
def gauss(check: Check) -> None:
    """Nothing to decide."""
    with check.reading("as printed") as proof:
        proof.definition("prior", "p(x) is proportional to exp(-x'Sigma^-1 x/2) on the box")


@claim(
    "bai2026.gauss-centre",
    where="Theorem 5",
    statement="If del is much smaller than g, the record i* = ceil(n/2) leaks most: for every b "
    "only pairs on i* need be searched.",
    kind="theorem",
    unsaid=UNSAID,
)
def centre(check: Check) -> None:
    """False for five records at a printed length: extrapolating is worse than interpolating."""
    proved(check, "for one pair of windows", "one counterexample", _beside_the_centre)
    proved(check, "for the largest over windows", "one counterexample", _many_windows)
    more = Edit("the centre is not exceeded", family=[FIVE])
    small = "at most 4 records; " + PRINTED
    proved(check, "for at most four records", small, _short, five_records=more)


def _beside_the_centre(proof: Proof) -> None:
    ends = FIVE.ends
    proof.counterexample(
        "n = 5, ell = 5, three hidden records",
        "Take g = 5 and del = 1/10, with the windows s and t at the ends. Hiding records 2, 3 and "
        "4 leaves a*_3(3) below 80, because x_1 and x_5 lie on both sides of x_3, which is "
        "interpolated. Record 2 has no such choice. Whichever two records are hidden beside it, "
        "the two that are left are nearer or on one side, and a*_2(3) is above 80",
        {"n": 5, "ell": FIVE.length, "b": 3, "i*": 3, "leaks more": 2, "s": ends[0], "t": ends[1]},
        lambda: _exceeds(3, 2, 80) and stays_below(FIVE, 3, (2, 3, 4), ends, 80),
    )


def _many_windows(proof: Proof) -> None:
    starts = (Fraction(-5), Fraction(-2), Fraction(2), Fraction(49, 10))
    windows = [FIVE.window(start) for start in starts]
    proof.counterexample(
        "the largest over the windows that begin at -5, -2, 2, 4.9",
        "As before, with four windows for every record: for no ordered pair of them does record 3 "
        "leak as much as record 2 does for the windows at the ends",
        {"n": 5, "ell": FIVE.length, "b": 3, "r": list(starts)},
        lambda: (
            _exceeds(3, 2, 80)
            and all(stays_below(FIVE, 3, (2, 3, 4), st, 80) for st in permutations(windows, 2))
        ),
    )


def _exceeds(hidden: int, record: int, level: int) -> bool:
    """Whether a*_record(hidden) of five records is above a level for the windows at the ends: each
    set of hidden records leaves a place that is.
    """
    others = [k for k in range(1, FIVE.count + 1) if k != record]
    sets = [tuple(sorted((record, *some))) for some in combinations(others, hidden - 1)]
    return all(exceeds(FIVE, record, each, FIVE.ends, level) for each in sets)


def _settings(most: int) -> Iterator[Setting]:
    for count in range(2, most + 1):
        for length in LENGTHS:
            yield Setting(count, length)


def _centre_leaks_most(at: Setting) -> bool:
    """Records beyond the centre mirror those before it."""
    return all(
        _some_set_is_below(at, record, hidden, least(at, at.centre, hidden, at.ends).lower)
        for hidden in range(1, at.count)
        for record in range(1, at.centre)
    )


def _some_set_is_below(at: Setting, record: int, hidden: int, level: float) -> bool:
    """Whether a*_record(hidden) is below a level: the supremum of one set is certified below it."""
    others = [k for k in range(1, at.count + 1) if k != record]
    sets = [tuple(sorted((record, *some))) for some in combinations(others, hidden - 1)]
    return any(stays_below(at, record, each, at.ends, level) for each in sets)


def _short(proof: Proof) -> None:
    proof.exhaust(
        "the centre is not exceeded",
        "a*_i(b) < a*_i*(b) for all b < n and i < i*; records beyond i* mirror those before it",
        list(_settings(4)),
        _centre_leaks_most,
    )


@claim(
    "bai2026.gauss-L",
    where="Theorem 5(1)",
    statement="For every b the optimal L of n - b records holds those farthest from i* (by the "
    "proof: for every record i, those of the smallest entries in row i of Sigma).",
    kind="theorem",
    unsaid=UNSAID,
)
def shown(check: Check) -> None:
    """False in a small box, where ties are broken at will, and for other records; checked for the
    centre at the printed parameters.
    """
    proved(check, "for the centre, any box", "one counterexample", _nearer)
    proved(check, "ties broken at will", "one counterexample", _tie)
    proved(check, "for every record", "one counterexample", _other_record)
    every = Edit(
        "some farthest set is best", family=[FIVE], holds=partial(_farthest_is_best, every=True)
    )
    proved(
        check,
        "some such set, for the centre",
        "at most 5 records; " + PRINTED,
        _centre_sets,
        every_record=every,
    )


def _nearer(proof: Proof) -> None:
    proof.counterexample(
        "n = 6, ell = 5, g = 1, five hidden records",
        "Take del = 1/50 and i* = 3, with the windows at the ends. Record 6 is the farthest from "
        "record 3, but showing it alone is worse than showing record 1 alone, which is nearer. "
        "The walls of the box hold the records between",
        {"n": 6, "ell": SIX.length, "g": SIX.box, "i": 3, "b": 5, "L": [[6], [1]]},
        lambda: (
            exceeds(SIX, 3, (1, 2, 3, 4, 5), SIX.ends, 0.5)
            and stays_below(SIX, 3, (2, 3, 4, 5, 6), SIX.ends, 0.5)
        ),
    )


def _tie(proof: Proof) -> None:
    hidden = {each: of_set(FOUR, 2, each) for each in farthest_sets(FOUR, 2, 2)}
    proof.counterexample(
        "n = 4, ell = 1, two hidden records",
        "Take g = 5 and del = 1/10, with the windows at the ends. Records 1 and 3 are equally far "
        "from record 2, so that {3, 4} and {1, 4} both hold the two farthest records. Showing 3 "
        "and 4 is worse than showing 1 and 4: the influence is more than 32 instead of less than "
        "23",
        {"n": 4, "ell": FOUR.length, "i": 2, "b": 2, "L": [[3, 4], [1, 4]]},
        lambda: hidden[1, 2][0] > hidden[2, 3][1],
    )


def _other_record(proof: Proof) -> None:
    proof.counterexample(
        "n = 5, ell = 5, record 1, two hidden records",
        "Take g = 5 and del = 1/10, with the windows at the ends. The three records farthest from "
        "record 1 are 3, 4 and 5, which lie on one side and next to one another. Showing 2, 4 and "
        "5 is better, although record 2 is the neighbour",
        {"n": 5, "ell": FIVE.length, "i": 1, "b": 2, "L": [[3, 4, 5], [2, 4, 5]]},
        lambda: of_set(FIVE, 1, (1, 2))[0] > of_set(FIVE, 1, (1, 3))[1],
    )


def _farthest_is_best(at: Setting, every: bool = False) -> bool:
    """Each set that is not farthest has a larger influence than some farthest one."""
    records = range(1, at.centre + 1) if every else [at.centre]
    return all(
        _none_is_better(at, record, hidden) for record in records for hidden in range(1, at.count)
    )


def _none_is_better(at: Setting, record: int, hidden: int) -> bool:
    farthest = farthest_sets(at, record, hidden)
    best = min(of_set(at, record, each)[1] for each in farthest)
    others = [k for k in range(1, at.count + 1) if k != record]
    sets = [tuple(sorted((record, *some))) for some in combinations(others, hidden - 1)]
    return all(of_set(at, record, each, best)[0] > best for each in sets if each not in farthest)


def _centre_sets(proof: Proof) -> None:
    proof.exhaust(
        "some farthest set is best",
        "every other set of n - b shown records has a larger influence",
        list(_settings(5)),
        _farthest_is_best,
    )


@claim(
    "bai2026.gauss-fig",
    where="Section 6.3, Figure 3(b)",
    statement="For ell in {1/2, 1, 2, 3, 5}, g = 5, del = 1/10 the curve of a larger ell is "
    "farther from the origin.",
    kind="remark",
    unsaid=UNSAID,
)
def figure(check: Check) -> None:
    """Checked at the printed parameters; false in a smaller box."""
    smaller = Edit(
        "farther from the origin", family=[Setting(n, ell, SMALL_BOX) for n, ell in _longer(5)]
    )
    proved(
        check,
        "the printed parameters",
        "2 to 5 records; " + PRINTED,
        _ordered,
        a_smaller_box=smaller,
    )
    proved(check, "any box, windows a fiftieth of g", "one counterexample", _small_box)


def _longer(most: int) -> list[tuple[int, Fraction]]:
    return [(count, length) for count in range(2, most + 1) for length in LENGTHS[1:]]


def _is_farther(at: Setting) -> bool:
    """a*(b) is larger than for the length before."""
    before = Setting(at.count, LENGTHS[LENGTHS.index(at.length) - 1], at.box)
    return all(
        least(before, at.centre, hidden, at.ends).upper
        < least(at, at.centre, hidden, at.ends).lower
        for hidden in range(1, at.count)
    )


def _ordered(proof: Proof) -> None:
    proof.exhaust(
        "farther from the origin",
        "each curve lies above that of the length before, for every b from 1 to n - 1",
        [Setting(n, ell) for n, ell in _longer(5)],
        _is_farther,
    )


def _small_box(proof: Proof) -> None:
    near, far = (Setting(4, Fraction(ell), SMALL_BOX) for ell in (2, 3))
    proof.counterexample(
        "n = 4, g = 1, three hidden records",
        "Take del = 1/50, with the windows at the ends. Then a*(3) is more than 0.507 for ell = 2 "
        "and less than 0.472 for ell = 3. The walls of the box hold the hidden records, so that "
        "the shown records move the secret record less",
        {"n": 4, "g": SMALL_BOX, "b": 3, "ell": [near.length, far.length]},
        lambda: least(near, 2, 3, near.ends).lower > least(far, 2, 3, far.ends).upper,
    )
