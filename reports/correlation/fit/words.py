"""What `fit` prints: the data, whether they look like a chain, the transitions, the box, and what
nobody should overlook.
"""

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction

from pufferproof.models.files.recorded.doubts.comparison import Comparison
from pufferproof.models.files.recorded.fit import Fit
from pufferproof.models.numbers.text import percent, text_of
from pufferproof.reports.console.words import counted, trust_line
from pufferproof.reports.schemas.values import Basis

_ORDERS = ("zeroth", "first", "second", "third", "fourth", "fifth")
_LISTED = 4
_MOST_SECRETS = 2_000  # what other commands take at most where they bound a leakage


def fit_lines(fit: Fit, path: str, rests_on: Sequence[Basis] | None) -> list[str]:
    """Say what was counted, and what was written."""
    several = counted(len(fit.recorded.sequences), "sequence")
    what = f"{fit.recorded.records} in {several}, {counted(len(fit.states), 'value')}"
    lines = [f"records   {what}: {_some(fit.states)}", test_line(fit.test, fit.options.order)]
    lines += _groups_line(fit)
    lines += [f"doubt     {doubt}" for doubt in fit.doubts]
    lines += [
        f"assumed   the records are a chain of order {fit.options.order}: what other commands "
        "compute is true of the chain",
        *_table(fit),
        *_box_lines(fit, rests_on),
    ]
    private = fit.private
    which = "all private" if len(private) == fit.records.count else f"private: {_some(private)}"
    first = {"any": "any law of the first record", "counted": "first record as counted"}
    people = f" of each of {fit.records.people} people" if fit.records.people > 1 else ""
    return [
        *lines,
        f"framework {path}: {counted(fit.records.count, 'record')}{people}, {which}; "
        f"{first.get(fit.initial, 'stationary')}",
    ]


def test_line(test: Comparison, order: int) -> str:
    """Say whether the data speak against a chain of this order."""
    known = order + 1 < len(_ORDERS)
    names = (_ORDERS[order + 1], _ORDERS[order]) if known else (f"{order + 1}", f"{order}")
    compared = f"model     {names[0]} against {names[1]} order"
    if not test.degrees:
        return f"{compared}: too short to compare"
    return f"{compared}: {test.text}: {test.against(f'order {order}')}"


def _groups_line(fit: Fit) -> list[str]:
    """Say whether groups are alike."""
    if fit.likeness is None:
        return []
    test = fit.likeness.comparison
    if not test.degrees:
        return ["groups    too short to compare"]
    return [f"groups    {test.text}: {test.against('one chain for all groups')}"]


def fit_notes(fit: Fit) -> list[str]:
    """Return what goes to standard error: zeros, and many secrets."""
    notes = []
    unseen = fit.counts.unseen
    if unseen and not fit.options.smoothing and fit.box is None:
        steps = _some([f'"{after}" to "{value}"' for after, value in unseen])
        notes.append(
            f"note: {counted(len(unseen), 'step')} never seen, so of probability 0: {steps} "
            "(--smoothing A adds A to every count)"
        )
    secrets = len(fit.secrets)
    if secrets > _MOST_SECRETS:
        notes.append(
            f"note: the framework has {secrets} secrets, and bounds take at most {_MOST_SECRETS}: "
            "--private names records"
        )
    return notes


def _table(fit: Fit) -> list[str]:
    header = ["after", *fit.states, "seen"]
    rows = [
        [
            fit.counts.name(context),
            *(["unknown"] * len(fit.states) if row is None else [f"{float(p):.4f}" for p in row]),
            str(sum(fit.counts.rows[x])),
        ]
        for x, (context, row) in enumerate(zip(fit.counts.contexts, fit.transition))
    ]
    return ["", *_aligned([header, *rows]), ""]


def _box_lines(fit: Fit, rests_on: Sequence[Basis] | None) -> list[str]:
    if fit.box is None or fit.options.confidence is None:
        return []
    rows = [
        [
            state,
            *(
                f"{_rounded(low, ROUND_FLOOR)} to {_rounded(high, ROUND_CEILING)}"
                for low, high in zip(fit.box.lower[x], fit.box.upper[x])
            ),
        ]
        for x, state in enumerate(fit.states)
    ]
    risk = 1 - fit.options.confidence
    same = ", the same in every sequence" if len(fit.recorded.sequences) > 1 else ""
    return [
        *_aligned([["between", *fit.states], *rows]),
        f"box       holds every transition probability, all at once, with probability at least "
        f"{percent(fit.options.confidence)},",
        f"          if the records are a chain of the first order on these values{same}, whenever "
        "the recording ended",
        trust_line([f"SAMPLING({text_of(risk)})"], rests_on=rests_on),
        "",
    ]


def _rounded(value: Fraction, rounding: str) -> str:
    decimal = Decimal(value.numerator) / Decimal(value.denominator)
    return str(decimal.quantize(Decimal("0.0001"), rounding=rounding))


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) + 2 for column in range(len(rows[0]))]
    return ["".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def _some(items: Sequence[object]) -> str:
    names = ", ".join(map(str, items[: _LISTED + 2]))
    more = len(items) - _LISTED - 2
    return names if more <= 0 else f"{names} and {more} more"
