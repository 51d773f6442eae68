"""What the report shows of a counterexample: a small table, its framework and mechanism as tables
and files, and a command.

The evidence of a result is plain data. Values that are documents (they have a `"format"`) become
files beside the page of the claim, and a framework with a mechanism gets the command that audits
them again. Pictures are drawn where evidence has what they show: a framework with a mechanism, or
two distributions over the same outcomes. A refuted level is a certificate for the kernel, and a
file for Coq that proves it again.

This file also has asking Coq about the counterexamples of a report, where that was asked for.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache, partial
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from markupsafe import Markup

from pufferproof.claims.language.refuting import level_in
from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import JsonObject, brief
from pufferproof.reports.auditing.reproving import FORMAL
from pufferproof.reports.explaining.pages.picture import Picture
from pufferproof.reports.proofs.counterexamples.again import STATED, Again, theorems
from pufferproof.reports.proofs.sentences import View
from pufferproof.verify.certificates.formal import NotChecked, tables
from pufferproof.verify.certificates.formal.building import version
from pufferproof.verify.certificates.formal.exported import proved, theory

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
    caption = _caption(row, private)
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


def _caption(row: Mapping[int, str], private: int) -> str:
    """Say in words which record is secret and what becomes of the others."""
    said = []
    for role, meaning in _OF_RECORDS.items():
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


MOST_ROWS = 24
_MOST_ITEMS = 24
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
    from pufferproof.reports.proofs.counterexamples.pictures import pictures  # for pages alone

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
            return _framework_tables(key, document)
    except (KeyError, TypeError, AttributeError, ValueError):
        pass  # a document of another shape is a download, not a table
    return []


def _framework_tables(key: str, document: JsonObject) -> list[dict[str, object]]:
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
