"""The records of a counterexample as a row of boxes: which one is secret, and what is released.

A row is drawn if evidence says how many records there are, which one is private, and what becomes
of the others: distances from which they are released (`l, r`), regions (`L` redacted, `M` in part,
`S` released), what is `kept`, or the distances `a`, `b` of a quilt.
"""

from collections.abc import Mapping, Sequence
from html import escape

from markupsafe import Markup

from pufferproof.models.numbers.text import JsonObject

_MOST = 24
_PAPERS = ("massny2025.", "song2017.")  # whose claims mean these letters so
_SIDE, _GAP, _TOP, _ROOM = 34, 6, 6, 26
_REGIONS = {"L": "redacted", "M": "partly", "S": "released"}
_SIGNS = {"redacted": "∗", "partly": "∗?", "secret": "∗"}
_WORDS = {
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
            {
                at: "released" if at <= private - left or at >= private + right else "redacted"
                for at in places
            }
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
    caption = _caption(row, private)
    step = _SIDE + _GAP
    width, height = len(row) * step - _GAP + 4, _TOP + _SIDE + _ROOM
    signs = {} if "quilt" in row.values() else _SIGNS  # there nothing is redacted
    roles = {at: "secret" if at == private else role for at, role in row.items()}
    boxes = "".join(
        _box(at, role, signs.get(role, ""), (at - 1) * step + 2) for at, role in roles.items()
    )
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


def _caption(row: Mapping[int, str], private: int) -> str:
    """Say in words which record is secret and what becomes of the others."""
    said = []
    for role, meaning in _WORDS.items():
        if places := [at for at, each in row.items() if each == role and at != private]:
            noun, verb = ("record", "is") if len(places) == 1 else ("records", "are")
            said.append(f"{noun} {_listed(places)} {verb} {meaning}")
    words = "; ".join(said)
    subscript = str(private).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
    return f"X{subscript} is secret. {words[:1].upper()}{words[1:]}."


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
