"""What the report shows of a counterexample: a small table, its framework and mechanism as tables
and files, and a command.

The evidence of a result is plain data. Values that are documents (they have a `"format"`) become
files beside the page of the claim, and a framework with a mechanism gets the command that audits
them again. Pictures are drawn where evidence has what they show: a framework with a mechanism, or
two distributions over the same outcomes. A refuted level is a certificate for the kernel, and a
file for Coq that proves it again.
"""

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from pufferproof.models.channel import Channel
from pufferproof.models.errors import CertificateError, PufferproofError
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import brief
from pufferproof.models.priors.tables import Table
from pufferproof.reports.auditing.plots import output_bars, outputs_plot
from pufferproof.reports.console.drawing import inline_svg
from pufferproof.reports.proofs.regions import region_corners, region_plot
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.certificates.export.writing import exported
from pufferproof.verify.certificates.writing import Inputs, audit_certificate
from pufferproof.verify.kernel import Refused

MOST_ROWS = 64
_MOST_ITEMS = 24
_MOST_CHARACTERS = 600
_NUMBER = re.compile(r"-?[0-9]+(?:/[0-9]+)?")
_LONG_FRACTION = re.compile(
    r"(?=.{25,4000}$)-?[1-9][0-9]*/[1-9][0-9]*"
)  # never a label such as "0010"
_LEVELS = ("epsilon", "level")
_MOST_DRAWN = 40  # outputs of a mechanism, outcomes of two distributions
_PMFS = (("P", "Q"), ("P0", "P1"))  # keys of two distributions over the same outcomes
_ROWS = ("first", "second", "rows")  # keys of a pair of them
_LINES = (
    ("R", "delta"),
    ("ratio", "delta"),
    ("slope", "shift"),
)  # keys of what is claimed of them: (e^epsilon, delta)
_PREFIX = "picture-prefix"
_POINTS = ("point", "between")


def counterexample_view(
    evidence: Mapping[str, Any] | None, file: str | None, prefix: str
) -> dict[str, Any] | None:
    """Return what a page shows of evidence: values, tables, documents to download, and the command;
    None without any.

    `file` is the claim's file name, None where documents get no file; `prefix` numbers the reading,
    "1" the most literal.
    """
    if not evidence:
        return None
    documents = {key: value for key, value in evidence.items() if _is_document(value)}
    tabular = {
        key: value for key, value in evidence.items() if key not in documents and _is_table(value)
    }
    names = {} if file is None else _names(documents, file, prefix)
    return {
        "values": [
            (key, value_text(value))
            for key, value in evidence.items()
            if key not in {*documents, *tabular}
        ],
        "tables": [_mapping_table(key, value) for key, value in tabular.items()]
        + [table for key, value in documents.items() for table in _document_tables(key, value)],
        "documents": [
            {"key": key, "file": name, "content": documents[key]} for key, name in names.items()
        ],
        "command": _command(evidence, names),
        "proved_again": []
        if file is None
        else refuting_files(_audited(evidence), f"{file}.refutation-{prefix}"),
        "pictures": [] if file is None else _pictures(evidence, f"picture-{prefix}"),
    }


def value_text(value: Any) -> str:
    """Write a value of plain data for a person, on one line; long numbers are rounded, long lists
    cut.

    >>> value_text(["1/3", None, True]), value_text({"a": [1, 2]})
    ('1/3, unknown, yes', 'a: (1, 2)')
    """
    shown = _text(value)
    return (
        shown
        if len(shown) <= _MOST_CHARACTERS
        else shown[: _MOST_CHARACTERS - 1] + "… (cut; whole in report.json)"
    )


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_nested(each)}" for key, each in value.items()) or "none"
    if isinstance(value, list):
        more = f", … ({len(value)} in all)" if len(value) > _MOST_ITEMS else ""
        return (", ".join(_nested(each) for each in value[:_MOST_ITEMS]) + more) or "none"
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    return brief(Fraction(text)) if _LONG_FRACTION.fullmatch(text) else text


def _nested(value: Any) -> str:
    return f"({_text(value)})" if isinstance(value, Mapping | list) else _text(value)


def _is_document(value: Any) -> bool:
    return isinstance(value, Mapping) and str(value.get("format", "")).startswith("pufferproof-")


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping) and bool(value)


def _names(documents: Mapping[str, Any], file: str, prefix: str) -> dict[str, str]:
    """Return a file name for every document: `<claim>.<key>.json`, numbered after the first
    reading.
    """
    names: dict[str, str] = {}
    for key in documents:
        stem = (re.sub(r"[^A-Za-z0-9_]", "_", key)[:60] or "document") + (
            "" if prefix == "1" else f"-{prefix}"
        )
        while f"{file}.{stem}.json" in names.values():
            stem += "_"
        names[key] = f"{file}.{stem}.json"
    return names


def _command(evidence: Mapping[str, Any], names: Mapping[str, str]) -> str | None:
    """Return the command that audits the framework and mechanism again, run in the folder of
    the report.
    """
    if not {"framework", "mechanism"} <= names.keys():
        return None
    words = ["pufferproof", "audit", f"claims/{names['framework']}", f"claims/{names['mechanism']}"]
    level = next(
        (level for key in _LEVELS if (level := _level(evidence.get(key))) is not None), None
    )
    return shlex.join([*words, *([] if level is None else ["--epsilon", level])])


def _level(value: Any) -> str | None:
    """Return a level as the command line reads it, None if the value is none: `log(p/q)`,
    decimals, and 3/10 as 0.3.
    """
    text = str(value).replace(" ", "")
    try:
        if _NUMBER.fullmatch(text):
            number = Fraction(text)
            power = next(
                (power for power in range(20) if (number * 10**power).denominator == 1), None
            )
            if power is None:
                return None
            digits = str(int(number * 10**power)).rjust(power + 1, "0")
            text = f"{digits[:-power]}.{digits[-power:]}" if power else digits
        Level.parse(text)
        return text
    except (PufferproofError, ValueError, ZeroDivisionError):
        return None


def _mapping_table(key: str, value: Mapping[str, Any]) -> dict[str, Any]:
    """Return a mapping as a table: a row per key, and a column per inner key or position where
    rows are alike.
    """
    inner = list(value.values())
    if all(isinstance(each, Mapping) for each in inner):
        header = list(dict.fromkeys(name for each in inner for name in each))[:_MOST_ITEMS]
        rows = [
            [value_text(each[name]) if name in each else "" for name in header] for each in inner
        ]
    elif (
        all(isinstance(each, list) and len(each) == len(inner[0]) for each in inner)
        and len(inner[0]) <= _MOST_ITEMS
    ):
        header = [str(position) for position in range(1, len(inner[0]) + 1)]
        rows = [[value_text(each) for each in row] for row in inner]
    else:
        header, rows = ["value"], [[value_text(each)] for each in inner]
    return _table(key, "", header, list(zip(map(str, value), rows)))


def _document_tables(key: str, document: Mapping[str, Any]) -> list[dict[str, Any]]:
    try:
        if document["format"].startswith("pufferproof-mechanism"):
            rows = [
                (name, [value_text(each) for each in row])
                for name, row in document["channel"].items()
            ]
            return [
                _table(
                    f"{key}: P(output | database)",
                    "database",
                    [str(each) for each in document["outputs"]],
                    rows,
                )
            ]
        if document["format"].startswith("pufferproof-framework"):
            return _framework_tables(key, document)
    except (KeyError, TypeError, AttributeError, ValueError):
        pass  # a document of another shape is a download, not a table
    return []


def _framework_tables(key: str, document: Mapping[str, Any]) -> list[dict[str, Any]]:
    secrets, priors = document["secrets"], document["priors"]
    header = [f"secret {name}" for name in secrets] + [f"prior {name}" for name in priors]
    rows = [
        (
            x,
            ["holds" if x in held else "–" for held in secrets.values()]
            + [value_text(prior["table"].get(x, "0")) for prior in priors.values()],
        )
        for x in document["databases"]
    ]
    pairs = ", ".join(f"{left} / {right}" for left, right in document["pairs"][:_MOST_ITEMS])
    return [
        _table(f"{key}: secrets and priors", "database", header, rows)
        | {"note": f"Discriminative pairs: {pairs}."}
    ]


def _table(
    caption: str, corner: str, header: Sequence[str], rows: Sequence[tuple[str, list[str]]]
) -> dict[str, Any]:
    left_out = max(0, len(rows) - MOST_ROWS)
    return {
        "caption": caption,
        "corner": corner,
        "header": header,
        "rows": rows[:MOST_ROWS],
        "left_out": left_out,
        "note": "",
    }


# --- pictures


def _pictures(evidence: Mapping[str, Any], prefix: str) -> list[dict[str, Any]]:
    """Return the pictures of evidence: a caption and an SVG element whose label has the
    numbers, its ids with the prefix.
    """
    return [
        {"caption": caption, "svg": _safe(svg.replace(_PREFIX, prefix))}
        for caption, svg in _drawn(json.dumps(evidence))
    ]


@lru_cache(maxsize=256)
def _drawn(text: str) -> list[tuple[str, str]]:
    """Return captions and SVG elements of evidence, given as JSON: readings often share a
    counterexample.
    """
    evidence = json.loads(text)
    return [*_region_pictures(evidence), *_audit_pictures(evidence)]


def _audit_pictures(evidence: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Draw what each output of a mechanism tells about the pair that leaks most."""
    audit = _audited(evidence)
    if audit is None or audit.leakage.ratio == 1:
        return []

    left, right = audit.witness.pair
    bars = ", ".join(
        f"{label} " + ("never occurs" if value is None else f"{value:.4g}")
        for label, value in output_bars(audit)
    )
    said = (
        f'What each output tells, in nats for "{left}" (positive) against "{right}" (negative): '
        f"{bars}."
    )
    caption = f'What each output tells about "{left}" against "{right}"'
    return [(caption, inline_svg(outputs_plot(audit), f"{_PREFIX}-outputs", said))]


def _audited(evidence: Mapping[str, Any]) -> Audit | None:
    """Audit the framework and mechanism of evidence; None where there are none, or too much to
    draw.
    """
    space, mechanism = evidence.get("framework"), evidence.get("mechanism")
    if not (_is_document(space) and _is_document(mechanism)) or space is None or mechanism is None:
        return None
    try:
        size = (
            len(mechanism["outputs"]),
            len(space["databases"]),
            len(space["pairs"]),
            len(space["priors"]),
        )
        if (
            max(size) > _MOST_DRAWN or space["closure"] != "list"
        ):  # a mixture is only near what leaks most
            return None
        priors = {name: Table(prior["table"]) for name, prior in space["priors"].items()}
        pairs = [(left, right) for left, right in space["pairs"]]
        framework = Framework(space["databases"], space["secrets"], pairs, priors, space["closure"])
        level = next(
            (level for key in _LEVELS if (level := _level(evidence.get(key))) is not None), None
        )
        return audit(framework, Channel.of(mechanism["channel"], mechanism["outputs"]), level)
    except (PufferproofError, KeyError, TypeError, AttributeError, ValueError):
        return None  # documents of another shape are downloads, not pictures


def _region_pictures(evidence: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Draw the privacy regions of two distributions, with what is claimed of them."""
    pairs = [
        (f"{one} and {two}", _pmfs([evidence.get(one), evidence.get(two)])) for one, two in _PMFS
    ]
    pairs += [(key, _pmfs(evidence.get(key))) for key in _ROWS]
    drawn = [(name, rows) for name, rows in pairs if rows is not None]
    if not drawn:
        return []

    listed = evidence.get("slopes_and_shifts")
    stated = [_numbers(each) for each in listed] if isinstance(listed, list) else []
    stated += [_numbers([evidence.get(ratio), evidence.get(shift)]) for ratio, shift in _LINES]
    lines = [
        (each[0], each[1]) for each in stated if each is not None and len(each) == 2 and each[0] > 0
    ]
    points = [(key, _numbers(evidence.get(key))) for key in _POINTS]
    marked = {key: (at[0], at[1]) for key, at in points if at is not None and len(at) == 2}
    said = [f"Region of {name}: corners {_places(region_corners(*rows))}." for name, rows in drawn]
    said += [
        f"Lines of e^epsilon = {_brief(r)}, delta = {_brief(d)}: a + {_brief(r)} b = "
        f"{_brief(1 - d)}, and a and b exchanged."
        for r, d in lines
    ]
    said += [f"Marked, {key}: {_places([at])}." for key, at in marked.items()]
    caption = "Privacy region: the convex hull of (P(S), Q(not S)) over all events S"
    figure = region_plot({name: region_corners(*rows) for name, rows in drawn}, lines[:6], marked)
    return [(caption, inline_svg(figure, f"{_PREFIX}-region", " ".join(said)))]


def _pmfs(value: Any) -> tuple[list[Fraction], list[Fraction]] | None:
    """Read two distributions over the same outcomes, as lists or as mappings; None if the value
    is anything else.
    """
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


def _numbers(value: Any) -> list[Fraction] | None:
    """Read a list of exact numbers; None if the value is anything else."""
    if not isinstance(value, list) or not all(_NUMBER.fullmatch(str(each)) for each in value):
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


def _safe(svg: str) -> Any:
    return Markup(svg)  # drawn here: labels were escaped by what wrote it


def refuting_files(audited: Audit | None, name: str) -> list[dict[str, str]]:
    """Return the certificate of an audit and its file for Coq, by the name of the file and its
    text; nothing where there is no audit, or no rule for it.

    With a level that is violated both say that it is exceeded, else what the leakage is.
    """
    if audited is None:
        return []
    try:
        text = json.dumps(audit_certificate(audited, Inputs()), indent=1) + "\n"
        proof = exported(text.encode(), f"{name}.json")
    except (CertificateError, Refused):
        return []
    return [{"file": f"{name}.json", "text": text}, {"file": f"{name}.v", "text": proof}]


def files_of(view: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the files of a counterexample as the page shows it."""
    return [(each["file"], each["text"]) for each in view["proved_again"]]
