"""Appendix D.2: zeros of a transition matrix raised to tau, and the printed example, row by row.

A printed digit may be rounded or cut off. Rows of a fitted matrix are counts divided by their sum.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from pufferproof.claims.language import Edit, Proof, proved
from pufferproof.claims.papers.bai2026.experiments.setting.rules import TAU, smoothed
from pufferproof.claims.papers.bai2026.statements import metrics as said
from pufferproof.claims.registry import Check, claim

INPUT = (
    (".0361", ".0120", ".4698", ".1325", ".3493", "0"),
    ("0", "0", ".0897", ".4615", ".4487", "0"),
    (".0125", ".0251", ".1006", ".0911", ".7704", "0"),
    (".2", ".2", ".2", ".2", ".2", "0"),
)
OUTPUT = (
    (".03614", ".01205", ".46987", ".13253", ".34939", "1e-5"),
    ("1e-5", "1e-5", ".08974", ".46152", ".44870", "1e-5"),
    (".01258", ".02516", ".10063", ".09119", ".77043", "1e-5"),
    (".19999", ".19999", ".19999", ".19999", ".19999", "1e-5"),
)
COUNTS = ((3, 1, 39, 11, 29, 0), (0, 0, 7, 36, 35, 0), (4, 8, 32, 29, 245, 0), (1, 1, 1, 1, 1, 0))
"""Rows of counts that are printed so: 83, 78, 318 and 5 steps."""
CUT_COUNTS = (
    (7229, 2411, 93974, 26506, 69878, 0),
    (0, 0, 17949, 92305, 89740, 0),
    (1258, 2516, 10063, 9119, 77043, 0),
    (1, 1, 1, 1, 1, 0),
)
"""Rows of counts that are printed so if all digits are cut off."""
IN, OUT = Fraction(1, 10**4), Fraction(1, 10**5)
"""The units of the last digits before and after."""


NOTATION = {
    "tau": "the tolerance of smoothing, 10^-5 in the paper",
    "row": "P(x, .): the relative frequencies of labels that follow the label x",
    "z": "the number of zeros of a row",
}


@claim(
    "bai2026.smoothing",
    where="Appendix D.2",
    statement="Add tau = 10^-5 to every zero of each row, and subtract the added mass from the "
    "other entries in proportion: rows sum to 1 and entries stay nonnegative. Printed example, "
    "before: [.0361 .0120 .4698 .1325 .3493 0], [0 0 .0897 .4615 .4487 0], [.0125 .0251 .1006 "
    ".0911 .7704 0], [.2 .2 .2 .2 .2 0]; after: [.03614 .01205 .46987 .13253 .34939 1e-5], [1e-5 "
    "1e-5 .08974 .46152 .44870 1e-5], [.01258 .02516 .10063 .09119 .77043 1e-5], [.19999 five "
    "times, 1e-5].",
    kind="example",
    repair="bai2026.smoothing-repaired",
    says={"rows stay laws if z tau <= 1": said.SMOOTHED},
    unsaid={
        "all digits cut off": "It is about the digits of one printed example; the steps give "
        "counts that have them"
    },
)
def smoothing(check: Check) -> None:
    """The rule is a proof; the example is arithmetic on intervals.

    One more entry: a zero becomes tau, another entry p becomes p (1 - z tau); n counts zeros. The
    sum: n = z zeros, S = 1. Entries: are not negative.
    """
    _rule(check)
    with check.reading("digits rounded", "the printed rows") as proof:
        _no_law(proof)
    with check.reading("digits cut off before, rounded after", "the printed rows") as proof:
        _fourth(proof)
    few = Edit("counts", family=list(enumerate(COUNTS)))
    proved(
        check,
        "all digits cut off",
        "rows of 199998, 199994, 99999 and 5 steps",
        _cut,
        with_83_78_and_318_steps=few,
    )
    with check.reading("each row, zero rows too", "one row") as proof:
        _nothing(proof)


@claim(
    "bai2026.smoothing-repaired",
    where="Appendix D.2",
    statement="If a row sums to 1, has z zeros and z tau <= 1, smoothing gives a row of "
    "nonnegative entries that sums to 1. Rows of 83, 78 and 318 steps are printed as the first "
    "three rows of the example, digits cut off before smoothing and rounded after it; no row of "
    "fewer steps is printed as the first or the third.",
    kind="repair of bai2026.smoothing",
    says={"rows stay laws if z tau <= 1": said.SMOOTHED},
    unsaid={
        "the first three rows": "It is about the digits of one printed example; the steps "
        "try all rows of fewer steps"
    },
)
def smoothing_repaired(check: Check) -> None:
    """The rule, and rows of counts found by trying all sums.

    One more entry: a zero becomes tau, another entry p becomes p (1 - z tau); n counts zeros. The
    sum: n = z zeros, S = 1. Entries: are not negative.
    """
    _rule(check)
    proved(
        check,
        "the first three rows",
        "all sums of counts up to 318",
        _rows,
        the_fourth_row_too=Edit("counts", family=range(4)),
        one_step_less=Edit("fewer steps", family=[(0, 83)]),
    )


def _rule(check: Check) -> None:
    check.tried("rows stay laws if z tau <= 1")


Interval = tuple[Fraction, Fraction]


def rounded(text: str, unit: Fraction) -> Interval:
    """Return what is rounded to a printed number; what is printed as 0 is 0."""
    value = Fraction(text)
    return (value, value) if value == 0 else (value - unit / 2, value + unit / 2)


def cut(text: str, unit: Fraction) -> Interval:
    """Return what is cut off to a printed number, but for the upper end."""
    value = Fraction(text)
    return (value, value) if value == 0 else (value, value + unit)


Reading = Callable[[str, Fraction], Interval]


def _prints(value: Fraction, text: str, reading: Reading, unit: Fraction) -> bool:
    low, high = reading(text, unit)
    return value == low or low < value < high


def fits(row: Sequence[int], place: int, reading: Reading = rounded) -> bool:
    """Whether a row of counts is printed as this row, digits cut off, and after smoothing as
    `reading` says.
    """
    law = [Fraction(count, sum(row)) for count in row]
    after = smoothed(law, TAU)
    return all(_prints(*pair, cut, IN) for pair in zip(law, INPUT[place])) and all(
        _prints(*pair, reading, OUT) for pair in zip(after, OUTPUT[place])
    )


def _cut(proof: Proof) -> None:
    proof.exhaust(
        "counts",
        "a row of counts for each printed row",
        list(enumerate(CUT_COUNTS)),
        lambda placed: fits(placed[1], placed[0], cut),
    )


def _no_law(proof: Proof) -> None:
    most = sum(rounded(text, IN)[1] for text in INPUT[0])
    proof.counterexample(
        "the first row sums to less than 1",
        "Five numbers that are rounded to the printed ones sum to 1 at most if their digits are "
        "off by half a unit each, but even so they do not reach 1",
        {"row": list(INPUT[0]), "sum of what is rounded to it, at most": most},
        lambda: most < 1,
        "sum_of_what_is_rounded_to_it_at_most < 1",
    )


def _fourth(proof: Proof) -> None:
    after = smoothed([Fraction(1, 5)] * 5 + [Fraction(0)], TAU)
    proof.counterexample(
        "the fourth row",
        "Counts of 83, 78 and 318 steps explain the other rows; but equal weights become 0.2 less "
        "a fifth of tau, which is rounded to .20000. What is printed sums to 0.99996",
        {
            "after smoothing": after[0],
            "printed": OUTPUT[3][0],
            "sum as printed": sum(Fraction(text) for text in OUTPUT[3]),
        },
        lambda: (
            all(fits(COUNTS[place], place) for place in range(3))
            and not _prints(after[0], OUTPUT[3][0], rounded, OUT)
        ),
    )


def _nothing(proof: Proof) -> None:
    proof.counterexample(
        "a label that nothing follows",
        "All entries of its row are 0 and become tau; there is no other entry to take the added "
        "mass from, so the row sums to tau for each label, which is less than 1 for 11 labels, "
        "or 78. The example gives such a row equal weights first",
        {"labels": 11, "sum": 11 * TAU},
        lambda: 11 * TAU != 1,
        "sum < 1",
    )


def _rows(proof: Proof) -> None:
    proof.exhaust(
        "counts", "83, 78 and 318 steps", range(3), lambda place: fits(COUNTS[place], place)
    )
    proof.exhaust(
        "fewer steps",
        "some entry is no number of steps, or entries do not sum to all steps",
        [(place, steps) for place in (0, 2) for steps in range(1, sum(COUNTS[place]))],
        lambda tried: not any(fits(row, tried[0]) for row in _counts(*tried)),
    )


def _counts(place: int, steps: int) -> Iterator[tuple[int, ...]]:
    """Yield the rows of so many steps whose relative frequencies are cut off to the printed
    ones.
    """
    spans = [_span(text, steps) for text in INPUT[place]]
    yield from _within(spans, steps)


def _span(text: str, steps: int) -> range:
    low, high = cut(text, IN)
    return range(-(-low * steps // 1), -(-high * steps // 1)) if high else range(1)


def _within(spans: Sequence[range], steps: int) -> Iterator[tuple[int, ...]]:
    if len(spans) == 1:
        if steps in spans[0]:
            yield (steps,)
        return
    for count in spans[0]:
        for rest in _within(spans[1:], steps - count):
            yield (count, *rest)
