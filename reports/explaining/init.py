"""The command `init`: a framework and a mechanism to start from, with a comment at every line that
one would change; or a published definition of privacy as a framework (`definitions`).

This file also has definitions of privacy by name, for `init --definition`.
"""

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from pathlib import Path
from typing import Annotated, cast

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_valued
from pufferproof.models.files.mechanisms import csv_channel
from pufferproof.models.files.reading import MAX_BYTES, bytes_of, in_file
from pufferproof.models.files.writing import definition_document
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import did_you_mean
from pufferproof.models.priors.definitions.definition import Definition, Edge, Neighbours
from pufferproof.models.priors.records import Records
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.streams import print_lines
from pufferproof.reports.console.words import counted

_SHOWN = 8  # values of a table
FRAMEWORK = """\
# A framework: what must stay secret, from whom. Change it line by line; `pufferproof audit` names
# whatever it cannot read, and `pufferproof schema framework` prints every key.
# Numbers are exact: "0.25" and "1/4" are the same, and rows must sum to exactly 1.
format = "pufferproof-framework/1"

# Which secrets nobody may tell apart from the release, in either direction.
pairs = [["well on day 3", "ill on day 3"]]

# What may be secret. Each has a name of your own, and is a value of one record, counted from 1.
# Here: was the person well ("0") or ill ("1") on the third day?
[secrets]
"well on day 3" = { record = 3, value = "0" }
"ill on day 3" = { record = 3, value = "1" }

# The data: five records (days), each with one of these values.
[records]
count = 5
alphabet = ["0", "1"]

# What somebody who attacks may believe about the data before seeing the release. Give each belief
# a name; the promise must hold under every one of them.
# Illness lasts: after a day well comes a day well with probability 9/10, after a day ill a day
# ill with probability 4/5. "stationary" is the long-run law of this chain.
[priors.spells.markov]
initial = "stationary"
transition = [["9/10", "1/10"], ["1/5", "4/5"]]

# The same share of ill days, but one day says nothing of the next. Compare the two: what leaks
# more under "spells" leaks through the neighbouring days.
[priors.independent]
product = [["2/3", "1/3"], ["2/3", "1/3"], ["2/3", "1/3"], ["2/3", "1/3"], ["2/3", "1/3"]]
"""

MECHANISM = """\
# A mechanism: what is released, with which probabilities.
format = "pufferproof-mechanism/1"

# Every day is reported truthfully with probability 3/4, and else the other way round. One matrix
# per record, with a row per value of the record and an entry per output. Alone, a day is hidden
# at the level log(3): 3/4 is three times 1/4.
outputs = ["0", "1"]
local = [
  [["3/4", "1/4"], ["1/4", "3/4"]],
  [["3/4", "1/4"], ["1/4", "3/4"]],
  [["3/4", "1/4"], ["1/4", "3/4"]],
  [["3/4", "1/4"], ["1/4", "3/4"]],
  [["3/4", "1/4"], ["1/4", "3/4"]],
]

# Other forms: a table of all outputs ("channel"), noise on a query ("query"), redaction
# ("redaction"). `pufferproof schema mechanism` prints every key.
"""


@dataclass(frozen=True)
class Options:
    """What single definitions ask for, as it was written."""

    block: Sequence[str] | None = None
    edge: Sequence[str] | None = None
    allowed: Sequence[str] | None = None
    radius: str | None = None
    record: str | None = None


@dataclass(frozen=True)
class Known:
    """A definition by name: what it bounds, its own options, and how it is made."""

    bounds: str
    options: tuple[str, ...]
    make: Callable[[Framework, Records, Options], Definition]


DEFINITIONS: Mapping[str, Known] = {
    "differential-privacy": Known(
        "tables that differ in one record, which covers all laws with independent records",
        (),
        lambda source, records, asked: Definition.differential_privacy(records),
    ),
    "dependent": Known(
        "tables that differ within one block, which covers all laws with independent blocks",
        ("block",),
        lambda source, records, asked: Definition.dependent(records, _blocks(records, asked)),
    ),
    "noiseless": Known(
        "values of records, under the one law given",
        (),
        lambda source, records, asked: Definition.noiseless(records, source.priors),
    ),
    "blowfish": Known(
        "possible tables that are neighbours: one record moves along an edge between values",
        ("edge", "allowed"),
        lambda source, records, asked: Definition.blowfish(records, _edges(asked), asked.allowed),
    ),
    "pufferfish": Known(
        "the secrets, pairs and laws given",
        (),
        lambda source, records, asked: Definition.pufferfish(
            records,
            {name: [source.databases[x] for x in secret] for name, secret in source.secrets.items()},
            [(one, other) for one, other in source.pairs],
            source.priors,
        ),
    ),
    "inferential": Known(
        "values of records, under the laws given",
        (),
        lambda source, records, asked: Definition.inferential(records, source.priors),
    ),
    "conditional-inference": Known(
        "places within a radius at one time, under the laws given",
        ("radius",),
        lambda source, records, asked: Definition.conditional_inference(records, source.priors, asked.radius or "1"),
    ),
    "partial-knowledge": Known(
        "values of one record, which is independent of all others under the laws given",
        ("record",),
        lambda source, records, asked: Definition.partial_knowledge(
            records, source.priors, 1 if asked.record is None else records.typed(asked.record, "--record")
        ),
    ),
    "bayesian": Known(
        "values of records, under the laws given, whichever other records are known",
        (),
        lambda source, records, asked: Definition.bayesian(records, source.priors),
    ),
    "distribution": Known(
        "data with a value of a record against the same data without it, under the laws given",
        (),
        lambda source, records, asked: Definition.distribution(records, source.priors),
    ),
}

OWN = tuple(field.name for field in fields(Options))


def definition_of(name: str, source: Framework, asked: Options) -> Definition:
    """Return a definition for the records and laws of a framework.

    Raises `ModelError` unless the name is known, the framework is one of records that can be
    listed, and every option is one that the definition takes.
    """
    if name not in DEFINITIONS:
        expected = ", ".join(DEFINITIONS)
        hint = did_you_mean(name, DEFINITIONS)
        raise ModelError(f'expected one of {expected}, found "{name[:60]}"{hint}', "--definition")
    definition = DEFINITIONS[name]
    for option in OWN:
        if getattr(asked, option) is not None and option not in definition.options:
            takes = " or ".join(n for n, other in DEFINITIONS.items() if option in other.options)
            raise ModelError(f"needs --definition {takes}", f"--{option}")
    if source.records is None or source.classes:
        raise ModelError("expected a framework of records with single laws", "--from")
    return definition.make(source, source.records, asked)


def definition_file(definition: Definition) -> bytes:
    """Return the framework file of a definition."""
    document = definition_document(definition)
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def _blocks(records: Records, asked: Options) -> list[list[int]]:
    if asked.block is None:
        return [list(range(1, records.count + 1))]
    try:
        return [[int(record) for record in block.split(",")] for block in asked.block]
    except ValueError:
        raise ModelError(f'expected records such as "1,2", found "{",".join(asked.block)[:60]}"', "--block") from None


def _edges(asked: Options) -> list[Edge] | None:
    if asked.edge is None:
        return None
    edges = [tuple(text.split(",")) for text in asked.edge]
    for edge in edges:
        if len(edge) != 2:
            raise ModelError(f'expected two values such as "0,1", found "{edge[0]}"', "--edge")
    return cast(list[Edge], edges)


def init(
    folder: Annotated[
        str, typer.Argument(metavar="DIR", help="folder to write them to; it is created if missing")
    ] = ".",
    definition: Annotated[
        str | None,
        typer.Option(
            "--definition",
            metavar="NAME",
            help=f"definition of privacy to write, as NAME.json: {', '.join(DEFINITIONS)}",
        ),
    ] = None,
    neighbours: Annotated[
        str | None,
        typer.Option(
            "--neighbours",
            metavar="RELATION",
            help="relation of neighbours, add-remove or substitute: the pairs of the framework to write",
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FRAMEWORK",
            help="framework whose records (and laws) --definition or --neighbours takes "
            "[default: the one that init writes]",
        ),
    ] = None,
    block: Annotated[
        list[str] | None, typer.Option("--block", metavar="I,J", help="for dependent: records of one block; repeatable")
    ] = None,
    edge: Annotated[
        list[str] | None, typer.Option("--edge", metavar="A,B", help="for blowfish: pair of values; repeatable")
    ] = None,
    allowed: Annotated[
        list[str] | None, typer.Option("--allowed", metavar="TABLE", help="for blowfish: possible table; repeatable")
    ] = None,
    radius: Annotated[
        str | None, typer.Option("--radius", metavar="R", help="for conditional-inference: radius [default: 1]")
    ] = None,
    record: Annotated[
        str | None, typer.Option("--record", metavar="I", help="for partial-knowledge: record [default: 1]")
    ] = None,
    table: Annotated[
        str | None,
        typer.Option("--table", metavar="CSV", help="write a framework alone, for the databases of this mechanism"),
    ] = None,
) -> None:
    """Write a framework and a mechanism to start from, with comments on what to change."""
    options = Options(block or None, edge or None, allowed or None, radius, record)
    if table is not None:
        if neighbours is not None or definition is not None:
            raise ModelError("cannot be combined with --definition or --neighbours", "--table")
        _start(folder, source, options, table)
    elif neighbours is not None:
        _relate(folder, neighbours, definition, source, options)
    elif definition is None:
        _start(folder, source, options)
    else:
        _define(folder, definition, source, options)


def _start(folder: str, source: str | None, options: Options, table: str | None = None) -> None:
    """Write the framework and the mechanism to start from, for a table the framework alone."""
    for given, name in ((source, "--from"), *((getattr(options, n), f"--{n}") for n in OWN)):
        if given is not None:
            raise ModelError("needs --definition", name)
    framework, mechanism = str(Path(folder, "framework.toml")), str(Path(folder, "mechanism.toml"))
    if table is not None:
        records, text = framework_of_table(table)
        _expect_none([framework])
        write_outputs({framework: text.encode()}, inputs=[table], folder=folder)
        values = ", ".join(records.alphabet[:_SHOWN]) + ", .." * (len(records.alphabet) > _SHOWN)
        print_lines(
            f"framework {framework}: {counted(records.count, 'record')} with values {values}",
            "secret    any value of the middle record: change this and the priors",
            f"next      pufferproof audit {framework} {table} --epsilon 1",
        )
        return
    files = {framework: FRAMEWORK.encode(), mechanism: MECHANISM.encode()}
    _expect_none(files)
    write_outputs(files, inputs=[], folder=folder)
    print_lines(
        f"framework {framework}: what must stay secret, from whom",
        f"mechanism {mechanism}: what is released",
        f'next      pufferproof audit {framework} {mechanism} --epsilon "log(3)"',
    )


def _relate(folder: str, relation: str, definition: str | None, source: str | None, options: Options) -> None:
    others = ((definition, "--definition"), *((getattr(options, n), f"--{n}") for n in OWN))
    for given, name in others:
        if given is not None:
            raise ModelError("expected this or --neighbours, found both", name)
    try:
        known = Neighbours.of(relation)
    except ModelError as error:
        raise error.at("--neighbours") from None
    records = (_template() if source is None else read_valued(source).value).expect_records()
    document = {
        "format": "pufferproof-framework/1",
        "records": {"count": records.count, "alphabet": list(records.alphabet)},
        "neighbours": known.as_json(),
    }
    path = str(Path(folder, f"{known.relation}.json"))
    files = {path: (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()}
    _expect_none(files)
    write_outputs(files, inputs=[source], folder=folder)
    framework = Framework(records, neighbours=known)
    print_lines(
        f"framework {path}: {framework!r}",
        "bounds    what the output reveals about any two neighbouring databases, for any beliefs",
        f"next      pufferproof audit {path} MECHANISM",
    )


def _define(folder: str, name: str, source: str | None, options: Options) -> None:
    data = _template() if source is None else read_valued(source).value
    made = definition_of(name, data, options)
    framework = Framework.of_definition(made)
    path = str(Path(folder, f"{name}.json"))
    files = {path: definition_file(made)}
    _expect_none(files)
    write_outputs(files, inputs=[source], folder=folder)
    size = [
        counted(len(each), name)
        for each, name in ((framework.names, "secret"), (made.pairs, "pair"), (made.priors, "law"))
    ]
    print_lines(
        f"framework {path}: {', '.join(size)}",
        f"bounds    {DEFINITIONS[name].bounds}",
        f"next      pufferproof audit {path} MECHANISM",
    )


def _template() -> Framework:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "framework.toml")
        path.write_text(FRAMEWORK, encoding="utf-8")
        return read_valued(path).value


def _expect_none(files: Iterable[str]) -> None:
    for path in files:
        if os.path.lexists(path):
            raise ModelError("exists already; choose another folder", path)


# Starting -----------------------------------------------------------------------------------------
#
# A framework to start from, for the databases of a table that somebody else wrote: `init --table`.
#
# The labels say how many records there are, and which values they have. What is secret, and what
# is believed, are examples that the comments ask to change.

_HEAD = """\
# A framework for your table: what must stay secret, from whom. Change it line by line;
# `pufferproof audit` names whatever it cannot read. Numbers are exact: "0.25" is 1/4.
format = "pufferproof-framework/1"

# Which secrets nobody may tell apart from the release: here any two that exclude each other.
pairs = "disjoint"

# The databases of the table: each of these records has one of these values.
[records]
count = {count}
alphabet = {alphabet}

# What may be secret: here every value of record {record}, counted from 1. Names are your own.
[secrets]
{secrets}
"""
_SEVERAL = """
# What an adversary may believe before the release. The promise must hold under every belief.
# Values last: a record has the value of the record before it with probability 9/10.
[priors.lasting.markov]
initial = "stationary"
transition = {transition}

# Records say nothing about each other, and all values are equally likely. Whatever leaks more
# under another belief leaks through neighbouring records.
[priors.independent]
product = {product}
"""
_ALONE = """
# What an adversary may believe before the release: all values are equally likely.
[priors.even]
product = {product}
"""


def framework_of_table(path: str) -> tuple[Records, str]:
    """Return the records of a table, and a framework file for them.

    Raises `ModelError` unless it is a CSV table of two databases or more.
    """
    if not path.endswith(".csv"):
        raise ModelError("expected a CSV table with a row for each database", path)
    with in_file(path):
        records = records_of(csv_channel(bytes_of(path, MAX_BYTES), normalize=True).databases)
    count, values = records.count, records.alphabet
    record, size = (count + 1) // 2, len(values)
    head = _HEAD.format(
        count=count,
        alphabet=_text(values),
        record=record,
        secrets="\n".join(
            f"{_text(f'record {record} is {value}')} = {{ record = {record}, value = {_text(value)} }}"
            for value in values
        ),
    )
    product = _text([[f"1/{size}"] * size] * count)
    if count == 1:
        return records, head + _ALONE.format(product=product)
    others = f"1/{10 * (size - 1)}"
    rows = [["9/10" if x == y else others for y in values] for x in values]
    return records, head + _SEVERAL.format(transition=_text(rows), product=product)


def records_of(labels: Sequence[str]) -> Records:
    """Return records of which a table has all databases: as many as their labels have values, or
    one.

    >>> found = records_of(["00", "01", "10", "11"])
    >>> found.count, found.alphabet
    (2, ('0', '1'))
    >>> records_of(["well", "ill"]).alphabet
    ('well', 'ill')
    """
    if len(labels) < 2:
        raise ModelError(f"expected at least two databases, found {len(labels)}")
    for sequences in ([tuple(label) for label in labels], [label.split(",") for label in labels]):
        values = tuple(sorted({*chain(*sequences)}))
        lengths = {len(sequence) for sequence in sequences}
        if len(lengths) > 1 or lengths == {1} or len(values) ** max(lengths) != len(labels):
            continue
        records = Records(max(lengths), values)
        if {*records.labels()} == {*labels}:
            return records
    return Records(1, tuple(labels))


def _text(value: object) -> str:
    """Write a text or a list as TOML does."""
    return json.dumps(value, ensure_ascii=False)
