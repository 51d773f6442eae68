"""What the report shows of a counterexample: a small table, its framework and mechanism as tables
and files, and a command.

The evidence of a result is plain data. Values that are documents (they have a `"format"`) become
files beside the page of the claim, and a framework with a mechanism gets the command that audits
them again. Pictures are drawn where evidence has what they show: a framework with a mechanism, or
two distributions over the same outcomes. A refuted level is a certificate for the kernel, and a
file for Coq that proves it again.

This file also has asking Coq about the counterexamples of a report, where that was asked for.
"""

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache, lru_cache, partial
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from markupsafe import Markup

from pufferproof.claims.language.refuting import NUMBER, level_in
from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import JsonObject, brief
from pufferproof.reports.auditing.plots.listed import outputs_picture
from pufferproof.reports.auditing.reproving import FORMAL
from pufferproof.reports.console.drawing import AGAINST, FOR, INK, MARK, Axis, Curve, Panel, Plot
from pufferproof.reports.explaining.picture import Picture
from pufferproof.reports.proofs.counterexamples.again import STATED, Again, audited, theorems
from pufferproof.reports.proofs.sentences import View
from pufferproof.verify.certificates.formal import NotChecked, tables
from pufferproof.verify.certificates.formal.building import version
from pufferproof.verify.certificates.formal.exported import proved, theory

# Pictures of a counterexample: what each output of a mechanism tells, privacy regions, curves.
#
# Numbers stay exact until they are drawn, and every picture says them in words as well.

_MOST_DRAWN = 40  # outputs of a mechanism, outcomes of two distributions
_MOST_ITEMS = 24
_PMFS = (("P", "Q"), ("P0", "P1"))  # keys of two distributions over the same outcomes
_ROWS = {"first": "the first pair", "second": "the second pair", "rows": "the two rows"}
# keys of a pair of them, and what the picture calls the pair
_LINES = (("R", "delta"), ("ratio", "delta"), ("slope", "shift"))  # keys of what is claimed of them: (e^epsilon, delta)
_POINTS = ("point", "between")


def pictures(evidence: JsonObject) -> list[Picture]:
    """Return the pictures of evidence, for the page to draw: each says all of its numbers."""
    return _drawn(json.dumps(evidence))


@lru_cache(maxsize=256)
def _drawn(text: str) -> list[Picture]:
    """Return the pictures of evidence given as JSON, made once."""
    evidence = json.loads(text)
    drawn = [*_curve_pictures(evidence), *_region_pictures(evidence)]
    # what each output of a mechanism that is small enough to draw tells about the pair that leaks most
    audit = audited(evidence, up_to_delta=False)
    if audit is not None and audit.framework.closure == "list" and audit.leakage.ratio != 1:
        sizes = (audit.channel.outputs, audit.framework.databases, audit.framework.priors)
        if max(map(len, sizes)) <= _MOST_DRAWN:
            drawn.append(outputs_picture(audit))
    return drawn


def _curve_pictures(evidence: JsonObject) -> list[Picture]:
    """Draw the rows of `curves`, which have exact numbers: all others against the first."""
    rows = evidence.get("curves")
    if not isinstance(rows, Mapping) or len(rows) < 2:
        return []
    lengths = {len(row) if isinstance(row, list) else 0 for row in rows.values()}
    if len(lengths) > 1 or not 2 <= max(lengths) <= _MOST_DRAWN:
        return []
    numbers = {name: [number for number in map(_number, row) if number is not None] for name, row in rows.items()}
    if any(len(row) < len(rows[name]) for name, row in numbers.items()):
        return []
    (along, places), *curves = numbers.items()
    said = "; ".join(f"{name}: {', '.join(map(str, rows[name]))}" for name in rows)
    return [curves_picture(along, places, dict(curves), said)]


def _number(value: Any) -> Fraction | None:
    """Return a number of plain data."""
    try:
        return Fraction(value)
    except (TypeError, ValueError, ZeroDivisionError):
        return None


def _region_pictures(evidence: JsonObject) -> list[Picture]:
    """Draw the privacy regions of two distributions, with what is claimed of them."""
    pairs = [(f"{one} and {two}", _pmfs([evidence.get(one), evidence.get(two)])) for one, two in _PMFS]
    pairs += [(name, _pmfs(evidence.get(key))) for key, name in _ROWS.items()]
    drawn = [(name, rows) for name, rows in pairs if rows is not None]
    if not drawn:
        return []

    listed = evidence.get("slopes_and_shifts")
    stated = [_numbers(each) for each in listed] if isinstance(listed, list) else []
    stated += [_numbers([evidence.get(ratio), evidence.get(shift)]) for ratio, shift in _LINES]
    lines = [(each[0], each[1]) for each in stated if each is not None and len(each) == 2 and each[0] > 0]
    points = [(key, _numbers(evidence.get(key))) for key in _POINTS]
    marked = {key: (at[0], at[1]) for key, at in points if at is not None and len(at) == 2}
    said = [f"Region of {name}: corners {_places(region_corners(*rows))}." for name, rows in drawn]
    said += [
        f"Lines of e^epsilon = {_brief(r)}, delta = {_brief(d)}: a + {_brief(r)} b = "
        f"{_brief(1 - d)}, and a and b exchanged."
        for r, d in lines
    ]
    said += [f"Marked, {key}: {_places([at])}." for key, at in marked.items()]
    regions = {name: region_corners(*rows) for name, rows in drawn}
    return [region_picture(regions, lines[:6], marked, " ".join(said))]


def _pmfs(value: object) -> tuple[list[Fraction], list[Fraction]] | None:
    """Read two distributions over one set of outcomes, or return None."""
    if not (isinstance(value, list) and len(value) == 2):
        return None
    one, two = value
    if isinstance(one, Mapping) and isinstance(two, Mapping):
        if one.keys() != two.keys():
            return None
        one, two = list(one.values()), [two[key] for key in one]
    rows = _numbers(one), _numbers(two)
    if rows[0] is None or rows[1] is None or not 0 < len(rows[0]) == len(rows[1]) <= _MOST_DRAWN:
        return None
    fine = all(min(row) >= 0 and sum(row) == 1 for row in (rows[0], rows[1]))
    return (rows[0], rows[1]) if fine else None


def _numbers(value: object) -> list[Fraction] | None:
    """Read a list of exact numbers; None if the value is anything else."""
    if not isinstance(value, list) or not all(NUMBER.fullmatch(str(each)) for each in value):
        return None
    try:
        return [Fraction(str(each)) for each in value]
    except (ValueError, ZeroDivisionError):
        return None


def _places(points: Sequence[tuple[Fraction, Fraction]]) -> str:
    shown = ", ".join(f"({_brief(x)}, {_brief(y)})" for x, y in points[:_MOST_ITEMS])
    return shown + (f" and {len(points) - _MOST_ITEMS} more" if len(points) > _MOST_ITEMS else "")


def _brief(number: Fraction) -> str:
    return brief(number) if len(str(number)) > 24 else str(number)


def region_corners(p: Sequence[Fraction], q: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
    """Return the corners of the convex hull of (P(S), Q(not S)) over all events S, exactly, from
    (0, 1) on.

    The lower boundary takes outcomes in by falling ratio Q / P, the upper one by rising.

    >>> [(str(x), str(y)) for x, y in region_corners([Fraction(1, 2), Fraction(1, 2)], [Fraction(1), Fraction(0)])]
    [('0', '1'), ('1/2', '0'), ('1', '0'), ('1/2', '1')]
    """
    shares: dict[Fraction, tuple[Fraction, Fraction]] = {}  # outcomes with the same ratio lie on one edge
    for a, b in zip(p, q):
        if a + b > 0:
            x, y = shares.get(a / (a + b), (Fraction(0), Fraction(0)))
            shares[a / (a + b)] = (x + a, y + b)
    lower = [(Fraction(0), Fraction(1))]
    for _, (a, b) in sorted(shares.items()):
        lower.append((lower[-1][0] + a, lower[-1][1] - b))
    upper = [(1 - x, 1 - y) for x, y in lower]  # the events' complements
    return lower if len(shares) == 1 else lower[:-1] + upper[:-1]


def region_finding(
    regions: Mapping[str, Sequence[tuple[Fraction, Fraction]]], lines: Sequence[tuple[Fraction, Fraction]] = ()
) -> str:
    """Say whether a region crosses a line that is claimed of it, else how well the best test tells
    the two distributions of a region apart.

    >>> corners = region_corners([Fraction(1, 2), Fraction(1, 2)], [Fraction(1), Fraction(0)])
    >>> region_finding({"P and Q": corners}, [(Fraction(3, 2), Fraction(0))])
    'The region of P and Q crosses the lines of e^epsilon = 3/2, delta = 0.'
    >>> region_finding({"P and Q": corners})
    'The errors of the best test of P and Q sum to 1/2.'
    """
    for name, corners in regions.items():
        for ratio, shift in lines:
            if any(min(a + ratio * b, ratio * a + b) < 1 - shift for a, b in corners):
                claimed = f"e^epsilon = {_short(ratio)}, delta = {_short(shift)}"
                return f"The region of {name} crosses the lines of {claimed}."
    if lines:
        return f"No region crosses a line that is claimed of {'it' if len(regions) == 1 else 'one'}."
    sums = {name: _short(min(a + b for a, b in corners)) for name, corners in regions.items()}
    parts = [f"of {name} sum to {least}" for name, least in sums.items()]
    return f"The errors of the best test {', '.join(parts)}."


def curves_finding(along: str, places: Sequence[Fraction], curves: Mapping[str, Sequence[Fraction]]) -> str:
    """Say where the first two curves differ most; of one curve, its lowest and highest value.

    >>> curves_finding("q", [0, 1], {"exact": [1, 2], "printed": [1, 3]})
    'At q = 1, exact is 2 and printed is 3.'
    >>> curves_finding("q", [0, 1], {"exact": [1, 2]})
    'From q = 0 to q = 1, exact runs from 1 to 2.'
    """
    (one, values), *others = curves.items()
    if not others:
        (low, start), (high, end) = min(zip(values, places)), max(zip(values, places))
        where = f"From {along} = {_short(start)} to {along} = {_short(end)}"
        return f"{where}, {one} runs from {_short(low)} to {_short(high)}."
    two, compared = others[0]
    gap, at, x, y = max((abs(x - y), at, x, y) for x, y, at in zip(values, compared, places))
    if not gap:
        return f"{one} and {two} are equal."
    return f"At {along} = {_short(at)}, {one} is {_short(x)} and {two} is {_short(y)}."


def region_picture(
    regions: Mapping[str, Sequence[tuple[Fraction, Fraction]]],
    lines: Sequence[tuple[Fraction, Fraction]],
    marked: Mapping[str, tuple[Fraction, Fraction]],
    said: str,
) -> Picture:
    """Return privacy regions, given by their corners, and the two lines of every (e^epsilon, delta)
    that is claimed of them.

    Points on or above both lines of a pair (R, delta) are those with a + R b >= 1 - delta and R a +
    b >= 1 - delta.
    """
    outlines = [
        Curve(f"region of {name}", *_floats([*corners, corners[0]]), colour)
        for (name, corners), colour in zip(regions.items(), (FOR, AGAINST, INK))
    ]
    claimed = [each for number, line in enumerate(lines) for each in _claimed_lines(*line, ("--", ":")[number % 2])]
    points = [Curve(name, *_floats([at]), INK, "o") for name, at in marked.items()]
    below = "Privacy region: the convex hull of (P(S), Q(not S)) over all events S. Q(not S) (up) by P(S) (across)."
    edge = float(max([Fraction(1), *(max(at) for at in marked.values())])) * 1.02
    panel = Panel([*outlines, *claimed, *points], Axis("", 0, edge), Axis("", 0, edge))
    return Picture(Plot(region_finding(regions, lines), [panel]), said, below)


def curves_picture(
    along: str, places: Sequence[Fraction], curves: Mapping[str, Sequence[Fraction]], said: str
) -> Picture:
    """Return exact values against the numbers that they belong to, a curve for each name."""
    styles = ((AGAINST, "o-"), (FOR, "o--"), (INK, "o:"))
    xs = [float(place) for place in places]
    drawn = [
        Curve(name, xs, [float(value) for value in values], colour, form)
        for (name, values), (colour, form) in zip(curves.items(), styles)
    ]
    across, up = _around(xs), _around([y for each in drawn for y in each.ys])
    panel = Panel(drawn, Axis("", *across), Axis("", *up))
    below = f"{' and '.join(curves)} (up) by {along} (across)."
    return Picture(Plot(curves_finding(along, places, curves), [panel]), said, below)


def _floats(points: Sequence[tuple[Fraction, Fraction]]) -> tuple[list[float], list[float]]:
    return [float(x) for x, _ in points], [float(y) for _, y in points]


def _around(values: Sequence[float]) -> tuple[float, float]:
    """Return the ends of an axis: those of the values, with some space around them.

    >>> _around([0.0, 100.0]), _around([3.0, 3.0])
    ((-4.0, 104.0), (2.0, 4.0))
    """
    low, high = min(values), max(values)
    space = (high - low) / 25 or max(1.0, abs(low) / 25)
    return low - space, high + space


def _claimed_lines(ratio: Fraction, shift: Fraction, form: str) -> list[Curve]:
    """Return a + R b = 1 - delta and R a + b = 1 - delta, one of them with a name."""
    said, height = f"e^epsilon = {_short(ratio)}, delta = {_short(shift)}", 1 - shift
    nothing = Fraction(0)
    return [
        Curve(said, *_floats([(nothing, height), (height / ratio, nothing)]), MARK, form),
        Curve("", *_floats([(nothing, height / ratio), (height, nothing)]), MARK, form),
    ]


def _short(number: Fraction) -> str:
    return str(number) if len(str(number)) <= 12 else f"{float(number):.4g}"


# The records of a counterexample as a row of boxes: which one is secret, and what is released.

_MOST = 24
_PAPERS = ("massny2025.", "song2017.")  # whose claims mean these letters so
_SIDE, _GAP, _TOP, _ROOM = 34, 6, 6, 26
_REGIONS = {"L": "redacted", "M": "partly", "S": "released"}
_SIGNS = {"redacted": "∗", "partly": "∗?", "secret": "∗"}
_OF_RECORDS = {
    "redacted": "redacted (∗)",
    "partly": "redacted with some probability (∗?)",
    "released": "released",
    "quilt": "in the quilt",
}


def records_drawings(evidence: JsonObject, claim: str) -> list[dict[str, object]]:
    """Return rows of records, each with a caption that says in words what it shows; none where
    evidence does not say enough, or the claim is of a paper whose letters are others.

    >>> evidence = {"n": 4, "p": 2, "l, r": [1, 2]}
    >>> [each["caption"] for each in records_drawings(evidence, "massny2025.thm2")]
    ['X₂ is secret. Record 3 is redacted (∗); records 1 and 4 are released.']
    """
    if not claim.startswith(_PAPERS):
        return []
    count = next((each for each in map(evidence.get, ("n", "T")) if _is_whole(each)), None)
    private = next((each for each in map(evidence.get, ("p", "i")) if _is_whole(each)), None)
    if count is None or private is None or not 1 <= int(private) <= int(count) <= _MOST:
        return []
    rows = _rows(evidence, int(count), int(private))
    return [_drawing(row, int(private)) for row in rows if len(row) > 1]


def _is_whole(value: object) -> bool:
    return isinstance(value, int | str) and str(value).isdecimal()


def _rows(evidence: JsonObject, count: int, private: int) -> list[dict[int, str]]:
    """Return what becomes of each record, in as many rows as evidence has instances."""
    places = range(1, count + 1)
    if isinstance(distances := evidence.get("l, r"), list):
        pairs = distances if all(isinstance(each, list) for each in distances) else [distances]
        if not all(len(pair) == 2 and all(map(_is_whole, pair)) for pair in pairs):
            return []
        return [
            {at: "released" if at <= private - left or at >= private + right else "redacted" for at in places}
            for left, right in pairs
        ]
    regions = str(evidence.get("regions", ""))
    if len(regions) == count and {*regions} <= {*_REGIONS}:
        return [{at: _REGIONS[regions[at - 1]] for at in places}]
    if isinstance(kept := evidence.get("kept"), list):
        return [{at: "released" if at in kept else "redacted" for at in places}]
    if _is_whole(evidence.get("a")) and _is_whole(evidence.get("b")):
        quilt = (private - int(evidence["a"]), private + int(evidence["b"]))
        return [{at: "quilt" if at in quilt else "" for at in places}]
    return []


def _drawing(row: Mapping[int, str], private: int) -> dict[str, object]:
    """Return one row as an SVG element, with its caption."""
    # which record is secret and what becomes of the others
    said = []
    for role, meaning in _OF_RECORDS.items():
        if places := [at for at, each in row.items() if each == role and at != private]:
            noun, verb = ("record", "is") if len(places) == 1 else ("records", "are")
            said.append(f"{noun} {_listed(places)} {verb} {meaning}")
    words = "; ".join(said)
    subscript = str(private).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
    caption = f"X{subscript} is secret. {words[:1].upper()}{words[1:]}."
    step = _SIDE + _GAP
    width, height = len(row) * step - _GAP + 4, _TOP + _SIDE + _ROOM
    signs = {} if "quilt" in row.values() else _SIGNS  # there nothing is redacted
    roles = {at: "secret" if at == private else role for at, role in row.items()}
    boxes = "".join(_box(at, role, signs.get(role, ""), (at - 1) * step + 2) for at, role in roles.items())
    svg = (
        f'<svg class="records" role="img" aria-label="{escape(caption)}" '
        f'viewBox="0 0 {width} {height}" style="width: {width}px">{boxes}</svg>'
    )
    return {"caption": caption, "svg": Markup(svg)}


def _box(at: int, role: str, sign: str, left: int) -> str:
    middle = left + _SIDE / 2
    return (
        f'<rect class="{role or "plain"}" x="{left}" y="{_TOP}" width="{_SIDE}" '
        f'height="{_SIDE}" rx="4"/>'
        f'<text class="{role or "plain"}" x="{middle:g}" y="{_TOP + _SIDE / 2 + 6:g}">{sign}</text>'
        f'<text class="number" x="{middle:g}" y="{_TOP + _SIDE + 17:g}">{at}</text>'
    )


def _listed(places: Sequence[int]) -> str:
    """Write numbers with runs of three and more as "4 to 6".

    >>> _listed([1, 4, 5, 6, 9])
    '1, 4 to 6 and 9'
    """
    runs: list[list[int]] = []
    for at in places:
        if runs and at == runs[-1][-1] + 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    parts = []
    for run in runs:
        parts += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else [str(at) for at in run]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


MOST_ROWS = 24
_MOST_CHARACTERS, _SHORT = 600, 60
# never a label such as "0010"
_LONG_FRACTION = re.compile(r"(?=.{25,4000}$)-?[1-9][0-9]*/[1-9][0-9]*")
_FRACTION = re.compile(r"Fraction\((-?\d+), (\d+)\)")
_OBJECT, _FIELD = re.compile(r"\w+\(((?:\w+=[^,()]+(?:, )?)+)\)"), re.compile(r"(\w+)=([^,()]+)")
_WORDS = re.compile(r"[a-z]+(?:_[a-z]+)+")
_LETTERS = ("alpha", "beta", "gamma", "delta", "eps", "epsilon", "lam", "pi", "sigma", "nu", "mu")
Asked = JsonObject
AT_ONCE = 2


def asked(again: Again) -> Asked:
    """Return what a page shows of a theorem; what Coq says of it is not known yet. Only a theorem
    that states what is false may have a badge.
    """
    return {
        "again": again,
        "files": [name for name, _ in again.files],
        "badge": again.state in STATED,
        "coq": "",
        "refused": "",
    }


def ask_coq(views: Sequence[View]) -> list[str]:
    """Have Coq prove the theorems of all counterexamples of these claims, and note on each what it
    said; return what it refused, a line each.

    Raises `ModelError` where there is no Coq, or no sources of the theory.
    """
    shown = [each for view in views for each in proved_again(view)]
    if not FORMAL.is_dir():
        raise ModelError(f"expected the sources of the theory in {FORMAL}")
    try:
        place, release = theory(FORMAL), version()
    except NotChecked as error:
        raise ModelError(str(error)) from None
    different = {each["again"].text: each["again"] for each in shown}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        said = dict(zip(different, pool.map(lambda each: _said(each, place), different.values())))
    for each in shown:
        axioms, refused = said[each["again"].text]
        names = ", ".join(axiom.rpartition(".")[2] for axiom in axioms) or "none"
        each["refused"] = refused
        words = "re-proved in" if each["badge"] else "accepted by"
        each["coq"] = "" if refused else f"{words} Coq {release} (axioms: {names})"
    return [f"{each['again'].name}.v: {each['refused']}" for each in shown if each["refused"]]


def proved_again(view: View) -> list[Asked]:
    """Return what a claim's page shows of theorems about its counterexamples."""
    counterexamples = (reading["counterexample"] for reading in view["readings"])
    return [each for one in counterexamples if one is not None for each in one["proved_again"]()]


def _said(again: Again, place: Path) -> tuple[list[str], str]:
    """Return the axioms that Coq names, and why it refused, if it did."""
    try:
        if again.certificate is not None:
            tables.compare(again.text, again.certificate.encode())
        with TemporaryDirectory() as scratch:
            return proved(place, again.text, Path(scratch)), ""
    except NotChecked as reason:
        return [], str(reason)


def counterexample_view(
    evidence: JsonObject | None, file: str | None, prefix: str, formula: str = ""
) -> dict[str, object] | None:
    """Return what a page shows of evidence: values, tables, documents to download, and the command;
    None without any.

    Pictures and what Coq can prove again take a while: these are made when they are asked for.
    `file` is the claim's file name, or None if documents get no file; `prefix` numbers the reading,
    "1" the first. `formula` is about the evidence.
    """
    if not evidence:
        return None
    documents = {key: value for key, value in evidence.items() if _is_document(value)}
    tabular = {key: value for key, value in evidence.items() if key not in documents and _is_table(value)}
    names = {} if file is None else _names(documents, file, prefix)
    shown = [
        item
        for key, value in evidence.items()
        if key not in {*documents, *tabular}
        for item in _items(key, value_text(value))
    ]
    return {
        "values": shown,
        "short": [each for each in shown if len(f"{each[0]}{each[1]}") <= _SHORT],
        "long": [each for each in shown if len(f"{each[0]}{each[1]}") > _SHORT],
        "records": records_drawings(evidence, file or ""),
        "tables": [_mapping_table(key, value) for key, value in tabular.items()]
        + [table for key, value in documents.items() for table in _document_tables(key, value)],
        "documents": [{"key": key, "file": name, "content": documents[key]} for key, name in names.items()],
        "command": _command(evidence, names),
        "proved_again": cache(partial(_proved_again, evidence, file, prefix, formula)),
        "pictures": partial(_pictures, evidence, file),
    }


def _items(key: str, value: str) -> list[tuple[str, str]]:
    """Return a value by a name that is no identifier of Python; an object by its fields.

    >>> _items("minimum_shift", "0"), _items("of", "Chain(a=1/3, b=1/2)"), _items("pi_min", "1/2")
    ([('minimum shift', '0')], [('a', '1/3'), ('b', '1/2')], [('pi_min', '1/2')])
    """
    if key == "of" and (fields := _OBJECT.fullmatch(value)):
        return [(name, each) for name, each in _FIELD.findall(fields[1])]
    if key.startswith(("e_", "e eps")):
        return [(f"e^{key[2:]}", value)]
    first, *others = key.split("_")
    is_name = others and len(first) > 1 and first not in _LETTERS and _WORDS.fullmatch(key)
    return [(key.replace("_", " ") if is_name else key, value)]


def _proved_again(evidence: JsonObject, file: str | None, prefix: str, formula: str) -> list[Asked]:
    return [] if file is None else [*map(asked, theorems(evidence, formula, f"refutation-{prefix}"))]


def _pictures(evidence: JsonObject, file: str | None) -> list[Picture]:
    if file is None:
        return []

    return pictures(evidence)


def value_text(value: object) -> str:
    """Write a value of plain data for a person, on one line; long numbers are rounded, long lists
    cut.

    >>> value_text(["1/3", None, True]), value_text({"a": [1, 2]})
    ('1/3, unknown, yes', 'a: (1, 2)')
    """
    shown = _text(value)
    return shown if len(shown) <= _MOST_CHARACTERS else shown[: _MOST_CHARACTERS - 1] + "… (cut; whole in the archive)"


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_nested(each)}" for key, each in value.items()) or "none"
    if isinstance(value, list):
        more = f", … ({len(value)} in all)" if len(value) > _MOST_ITEMS else ""
        return (", ".join(_nested(each) for each in value[:_MOST_ITEMS]) + more) or "none"
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = _FRACTION.sub(r"\1/\2", str(value))
    return brief(Fraction(text)) if _LONG_FRACTION.fullmatch(text) else text


def _nested(value: object) -> str:
    return f"({_text(value)})" if isinstance(value, Mapping | list) else _text(value)


def _is_document(value: object) -> bool:
    return isinstance(value, Mapping) and str(value.get("format", "")).startswith("pufferproof-")


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping) and bool(value)


def _names(documents: JsonObject, file: str, prefix: str) -> dict[str, str]:
    """Return a file name for every document: `<claim>.<key>.json`, numbered in order."""
    names: dict[str, str] = {}
    for key in documents:
        stem = (re.sub(r"[^A-Za-z0-9_]", "_", key)[:60] or "document") + ("" if prefix == "1" else f"-{prefix}")
        while f"{file}.{stem}.json" in names.values():
            stem += "_"
        names[key] = f"{file}.{stem}.json"
    return names


def _command(evidence: JsonObject, names: Mapping[str, str]) -> str | None:
    """Return the command that audits again, run in the folder of the report."""
    if not {"framework", "mechanism"} <= names.keys():
        return None
    words = ["pufferproof", "audit", f"claims/{names['framework']}", f"claims/{names['mechanism']}"]
    level = level_in(evidence)
    return shlex.join([*words, *([] if level is None else ["--epsilon", level])])


def _mapping_table(key: str, value: JsonObject) -> dict[str, object]:
    """Return a mapping as a table, with inner keys or positions as columns if alike."""
    inner = list(value.values())
    if all(isinstance(each, Mapping) for each in inner):
        header = list(dict.fromkeys(name for each in inner for name in each))[:_MOST_ITEMS]
        rows = [[value_text(each[name]) if name in each else "" for name in header] for each in inner]
    elif all(isinstance(each, list) and len(each) == len(inner[0]) for each in inner) and len(inner[0]) <= _MOST_ITEMS:
        header = [str(position) for position in range(1, len(inner[0]) + 1)]
        rows = [[value_text(entry) for entry in row] for row in inner]
    else:
        header, rows = ["value"], [[value_text(each)] for each in inner]
    return _table(key, "", header, list(zip(map(str, value), rows)))


def _document_tables(key: str, document: JsonObject) -> list[dict[str, object]]:
    try:
        if document["format"].startswith("pufferproof-mechanism"):
            rows = [(name, [value_text(entry) for entry in row]) for name, row in document["channel"].items()]
            return [
                _table(
                    f"{key}: P(output | database)", "database", [str(output) for output in document["outputs"]], rows
                )
            ]
        if document["format"].startswith("pufferproof-framework"):
            secrets, priors = document["secrets"], document["priors"]
            header = [f"secret {name}" for name in secrets] + [f"prior {name}" for name in priors]
            rows = [
                (
                    x,
                    ["holds" if x in secret else "–" for secret in secrets.values()]
                    + [value_text(prior["table"].get(x, "0")) for prior in priors.values()],
                )
                for x in document["databases"]
            ]
            pairs = ", ".join(f"{left} / {right}" for left, right in document["pairs"][:_MOST_ITEMS])
            return [
                _table(f"{key}: secrets and priors", "database", header, rows)
                | {"note": f"Discriminative pairs: {pairs}.", "lines": _lines(key, secrets, priors)}
            ]
    except (KeyError, TypeError, AttributeError, ValueError):
        pass  # a document of another shape is a download, not a table
    return []


def _lines(key: str, secrets: JsonObject, priors: JsonObject) -> list[str]:
    """Return secrets and priors as lines of a text: what a table has in columns."""
    shown = [f"{key}: secret {name}: {', '.join(secret)}" for name, secret in secrets.items()]
    for name, prior in priors.items():
        law = ", ".join(f"{x} {value_text(each)}" for x, each in prior["table"].items())
        shown.append(f"{key}: prior {name}: {law}")
    return shown


def _table(caption: str, corner: str, header: Sequence[str], rows: Sequence[tuple[str, list[str]]]) -> JsonObject:
    left_out = max(0, len(rows) - MOST_ROWS)
    return {
        "caption": caption,
        "corner": corner,
        "header": header,
        "rows": rows[:MOST_ROWS],
        "left_out": left_out,
        "note": "",
        "lines": [],
    }


def files_of(view: View) -> list[tuple[str, str]]:
    """Return the files of a counterexample as the page shows it, beside its documents."""
    return [file for each in view["proved_again"]() for file in each["again"].files]
