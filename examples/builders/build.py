"""Write every file of the examples from the constructors: frameworks, mechanisms, `example.toml`,
and the README's tables.

`python -m pufferproof.examples.builders.build` rewrites the examples beside this folder. The same
input gives the same bytes, and a test compares them with the files on disk. Numbers in the prose
are filled in from audits.
"""

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from pathlib import Path
from typing import Any

from pufferproof.examples.builders import calibrations, correlated, hidden, limits, redaction, textbook
from pufferproof.examples.builders.shapes import Audited, Example, Joint
from pufferproof.models.channel import Channel
from pufferproof.models.files.writing import channel_table, hidden_document, mechanism_document
from pufferproof.models.framework import Framework
from pufferproof.models.listing import AllPairs
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.text import text_of
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.tables import Product, Table
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovMechanism
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.audit.composition import compose
from pufferproof.verify.leakage.ratio import Leakage

FOLDER = Path(__file__).parents[1]
ROOMS = {"textbook": textbook, "correlated": correlated, "limits": limits, "hidden": hidden}
WIDTH = 120
LONGEST = 40


def all_examples() -> list[Example]:
    """Return every example, in order."""
    return [example for room in ROOMS.values() for example in room.examples()]


def built_files() -> dict[str, str]:
    """Return the text of every generated file, by path relative to the folder of the examples."""
    files, sections = {}, []
    examples = [(room, example) for room in ROOMS for example in ROOMS[room].examples()]
    for order, (room, example) in enumerate(examples, start=1):
        home = f"{room}/{example.name}"
        for name, document in example.documents.items():
            files[f"{home}/{name}"] = _text(name, document)
        for name, framework in example.frameworks.items():
            if name not in example.documents:
                files[f"{home}/{name}"] = _text(name, framework_document(framework))
        for name, mechanism in example.mechanisms.items():
            if not isinstance(mechanism, RecordQuery):
                files[f"{home}/{name}"] = _mechanism_text(name, mechanism)
        audits = [(entry, _audit(example, entry)) for entry in example.audits]
        joint = [(entry, _joint(example, entry)) for entry in example.joint]
        files[f"{home}/example.toml"] = _example_toml(example, 10 * order, audits, joint)
        sections.append(Section(home, example, audits, joint))
    for name, document in redaction.documents().items():
        files[f"correlated/{redaction.FOLDER}/{name}"] = _text(name, document)
    for name, document in calibrations.documents().items():
        files[f"{calibrations.FOLDER}/{name}"] = _text(name, document)
    files[f"{calibrations.FOLDER}/{calibrations.LIST}"] = calibrations.list_text()
    files["README.md"] = _readme(sections)
    return files


def framework_document(framework: Framework) -> dict[str, Any]:
    """Return the JSON document of a framework, in the words it was made of (records, chains)
    where it has them.
    """
    document: dict[str, Any] = {"format": "pufferproof-framework/1"}
    records = framework.records
    if records is None:
        document["databases"] = list(framework.databases)
        values = {}
    else:
        document["records"] = {"count": records.count, "alphabet": list(records.alphabet)}
        places = [(record + 1, value) for record in range(records.count) for value in records.alphabet]
        values = {records.holding(*place): {"record": place[0], "value": place[1]} for place in places}
    document["secrets"] = {
        name: values.get(held, [framework.databases[x] for x in held]) for name, held in framework.secrets.items()
    }
    all_disjoint = tuple(framework.pairs) == tuple(AllPairs(tuple(framework.secrets)))
    document["pairs"] = "disjoint" if all_disjoint else [list(pair) for pair in framework.pairs]
    document["priors"] = {name: _prior_document(prior) for name, prior in framework.priors.items()}
    if framework.closure == "convex":
        document["closure"] = "convex"
    return document


def rendered(value: Any, indent: str = "", used: int = 0) -> str:
    """Write JSON with whatever fits on one line, and every list of plain values, on one line.

    >>> print(rendered({"rows": {"a": ["1/2", "1/2"]}}))
    {"rows": {"a": ["1/2", "1/2"]}}
    """
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + used + len(line) <= WIDTH or not isinstance(value, dict | list):
        return line
    if isinstance(value, list) and not any(isinstance(entry, dict | list) for entry in value):
        return line
    inner = indent + " "
    if isinstance(value, list):
        return f"[\n{_filled([rendered(entry, inner) for entry in value], inner)}]"
    lines = []
    for key, entry in value.items():
        head = f"{json.dumps(key, ensure_ascii=False)}: "
        lines.append(f"{inner}{head}{rendered(entry, inner, len(head) + 1)}")
    return "{\n" + ",\n".join(lines) + "}"


def leakage_text(leakage: Leakage) -> str:
    """Write e^leakage: a fraction, `inf`, or `~` and a decimal where it is irrational or long."""
    if leakage.infinite:
        return "inf"
    exact = "" if leakage.ratio is None else text_of(leakage.ratio)
    return exact if exact and len(exact) <= LONGEST else f"~{about_text(leakage)}"


def about_text(leakage: Leakage) -> str:
    """Write e^leakage to four significant digits."""
    value = leakage.lower if leakage.ratio is None else leakage.ratio
    if value is None:
        return "inf"
    return f"{Context(prec=4).divide(Decimal(value.numerator), Decimal(value.denominator)):f}"


def write_all() -> None:
    """Write every generated file."""
    for name, text in built_files().items():
        target = FOLDER / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def _prior_document(prior: Prior) -> dict[str, Any]:
    if isinstance(prior, Product):
        return {"product": [[text_of(value) for value in row] for row in prior.rows]}
    if isinstance(prior, MarkovChain):
        initial = prior.initial if isinstance(prior.initial, str) else [text_of(value) for value in prior.initial]
        return {
            "markov": {
                "initial": initial,
                "transition": [[text_of(value) for value in row] for row in prior.transition],
            }
        }
    if isinstance(prior, Table):
        return {"table": {label: text_of(value) for label, value in prior.entries}}
    raise TypeError(f"no example has a prior of type {type(prior).__name__}")


def _filled(entries: list[str], indent: str) -> str:
    """Join the entries of a list, as many short ones to a line as fit."""
    lines = [indent + entries[0]]
    for entry in entries[1:]:
        if "\n" not in lines[-1] + entry and len(lines[-1]) + len(entry) + 2 <= WIDTH:
            lines[-1] += f", {entry}"
        else:
            lines[-1] += ","
            lines.append(indent + entry)
    return "\n".join(lines)


def _text(name: str, document: Mapping[str, Any]) -> str:
    return _toml(document) if name.endswith(".toml") else rendered(document) + "\n"


def _mechanism_text(name: str, mechanism: Channel | HiddenMarkovMechanism) -> str:
    if isinstance(mechanism, HiddenMarkovMechanism):
        return _text(name, hidden_document(mechanism))
    return _csv(mechanism) if name.endswith(".csv") else _text(name, mechanism_document(mechanism))


def _csv(channel: Channel) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["database", *channel.outputs])
    writer.writerows([label, *row] for label, row in channel_table(channel).items())
    return stream.getvalue()


def _toml(document: Mapping[str, Any]) -> str:
    """Write a framework as TOML: plain keys, then one table per object."""
    plain = [f"{key} = {_toml_value(value)}\n" for key, value in document.items() if not isinstance(value, dict)]
    tables = [
        f"\n[{key}]\n" + "".join(f"{json.dumps(name)} = {_toml_value(entry)}\n" for name, entry in value.items())
        for key, value in document.items()
        if isinstance(value, dict)
    ]
    return "".join(plain + tables)


def _toml_value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_toml_value(entry)}" for key, entry in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)


def _audit(example: Example, entry: Audited) -> Audit:
    return audit(example.frameworks[entry.framework], example.mechanisms[entry.mechanism], entry.epsilon)


def _joint(example: Example, entry: Joint) -> Audit:
    mechanisms = [example.mechanisms[name] for name in entry.mechanisms]
    return compose(example.frameworks[entry.framework], mechanisms).joint


def _shown(shows: str, found: Audit) -> str:
    """Fill the numbers of an audit into a sentence."""
    leakage = found.leakage
    return shows.format(ratio=leakage_text(leakage), about=about_text(leakage), excluded=found.scope.excluded)


def _example_toml(
    example: Example, order: int, audits: list[tuple[Audited, Audit]], joint: list[tuple[Joint, Audit]]
) -> str:
    parts = [f"title = {_toml_value(example.title)}\norder = {order}\n"]
    for entry, found in audits:
        keys = {
            "framework": entry.framework,
            "mechanism": entry.mechanism,
            "epsilon": entry.epsilon,
            "claimed": entry.claimed,
            "source": entry.source,
            "shows": _shown(entry.shows, found),
        }
        lines = [f"{key} = {_toml_value(value)}\n" for key, value in keys.items() if value is not None]
        parts.append("\n[[audit]]\n" + "".join(lines))
    for release, found in joint:
        parts.append(
            f"\n[[compose]]\nframework = {_toml_value(release.framework)}\nmechanisms = "
            f"{_toml_value(list(release.mechanisms))}\nshows = "
            f"{_toml_value(_shown(release.shows, found))}\n"
        )
    return "".join(parts)


@dataclass(frozen=True)
class Section:
    """An example with what its audits found, and the folder it lives in."""

    home: str
    example: Example
    audits: list[tuple[Audited, Audit]]
    joint: list[tuple[Joint, Audit]]


def _readme(sections: list[Section]) -> str:
    lines = [f"- [{each.example.name}]({each.home}/example.toml): {each.example.summary}." for each in sections]
    rows = []
    for section in sections:
        example = section.example
        for entry, found in section.audits:
            claim = f"claimed {entry.claimed}" if entry.claimed else entry.epsilon or ""
            verdict = found.verdict.value if found.verdict else ""
            rows.append([example.name, entry.framework, entry.mechanism, claim, leakage_text(found.leakage), verdict])
        for release, found in section.joint:
            together = " + ".join(release.mechanisms)
            rows.append([example.name, release.framework, together, "", leakage_text(found.leakage), ""])
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return README.format(lines="\n".join(lines), table=table)


README = """# Examples

Each folder has frameworks, mechanisms and an `example.toml` that says which to audit against which,
at what level, and what the audit shows. Try `pufferproof audit
examples/textbook/geometric/framework.json examples/textbook/geometric/mechanism.json --epsilon
"log(2)"`.

{lines}

[redaction](correlated/redaction/framework.json) is a sequence of 1,000 records, too long to list,
with a mechanism given record by record: `pufferproof audit
examples/correlated/redaction/framework.json examples/correlated/redaction/mechanism.json --epsilon
"log(2)"`.

[libraries](libraries/__init__.py) audits mechanisms and priors of other libraries in Python:
`python -m pufferproof.examples.libraries.with_opendp`.

[programs](programs/gallery.py) has published mechanisms as Python functions that draw random
numbers, each with the level that its source claims and what it leaks exactly:
`python -m pufferproof.examples.programs`.

[hidden](hidden/README.md) is the guide to mechanisms given as hidden Markov models, and to the
published case studies.

[families/chains.toml](families/chains.toml) is a family of frameworks for `pufferproof explore`
(see `docs/guides/sweeps.md`), [families/two_priors.toml](families/two_priors.toml),
[families/two_and_two.toml](families/two_and_two.toml) and
[families/three_values.toml](families/three_values.toml) are for
`pufferproof explore --formula` (see `docs/guides/exploring.md`).

[calibrations/frameworks.toml](calibrations/frameworks.toml) lists 56 small frameworks, on which
`python -m pufferproof.examples.calibrations` compares published calibrations of noise (see
`docs/concepts/calibrations.md`).

[streams/meter.json](streams/meter.json), [streams/biased.json](streams/biased.json) and, of blocks
that are a Markov chain, [streams/traffic.json](streams/traffic.json) are releases over a sliding
window for `pufferproof stream` (see `docs/guides/streams.md`).

## What the audits find

`e^leakage` is exact; `~` marks a rounded one, irrational or too long to print (`pufferproof audit
--json` has it in full). "claimed" is the level that the publication cited in `example.toml` gives
for the mechanism; other levels are asked here. A row without a level is a joint release or only a
measurement.

| example | framework | mechanism | level | e^leakage | verdict |
|---|---|---|---|---|---|
{table}

## Where the numbers come from

Mechanisms are the constructors of `builders/mechanisms/` and the exact laws of programs in
`programs/`; frameworks are written in `builders/`.
The weather chain has the relative frequencies of `correlated/seattle-weather/counts.json`, which
`builders/seattle_weather.py` counts in the table `seattle-weather.csv` of the PyPI package
`vega_datasets` (daily records from NOAA, 2012 to 2015).

`python -m pufferproof.examples.builders.build` rewrites every file here, this one included; a test
compares what it would write with what is on disk. `python -m
pufferproof.examples.builders.seattle_weather` counts the transitions again, and writes the days
themselves, `correlated/seattle-weather/wet-days.txt`, for `redact --sequence`, `wet-days.csv`, for
`fit`, and `weather.csv` beside them, for `reproduce bai2026.topk`.
"""

if __name__ == "__main__":
    write_all()
