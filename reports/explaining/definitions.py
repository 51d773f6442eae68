"""Definitions of privacy by name, for `init --definition`: which options each has, and the
framework file of it.

The definitions themselves are in `models/priors/definitions`.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import cast

from pufferproof.models.errors import ModelError
from pufferproof.models.files.writing import definition_document
from pufferproof.models.framework import Framework
from pufferproof.models.priors.definitions.definition import Definition
from pufferproof.models.priors.definitions.neighbours import Edge
from pufferproof.models.priors.records import Records


@dataclass(frozen=True)
class Options:
    """What single definitions ask for, as it was written."""

    block: Sequence[str] | None = None
    edge: Sequence[str] | None = None
    allowed: Sequence[str] | None = None
    radius: str | None = None
    record: int | None = None


@dataclass(frozen=True)
class Known:
    """A definition by name: what it bounds, its own options, and how it is made."""

    bounds: str
    options: tuple[str, ...]
    make: Callable[[Framework, Records, Options], Definition]


DEFINITIONS: Mapping[str, Known] = {
    "differential-privacy": Known(
        "tables that differ in one record: all laws with independent records",
        (),
        lambda source, records, asked: Definition.differential_privacy(records),
    ),
    "dependent": Known(
        "tables that differ within one block: all laws with independent blocks",
        ("block",),
        lambda source, records, asked: Definition.dependent(records, _blocks(records, asked)),
    ),
    "noiseless": Known(
        "values of records, under the one law given",
        (),
        lambda source, records, asked: Definition.noiseless(records, source.priors),
    ),
    "blowfish": Known(
        "neighbouring tables along edges between values, among those that are allowed",
        ("edge", "allowed"),
        lambda source, records, asked: Definition.blowfish(records, _edges(asked), asked.allowed),
    ),
    "pufferfish": Known(
        "the secrets, pairs and laws given",
        (),
        lambda source, records, asked: _pufferfish(source, records),
    ),
    "inferential": Known(
        "values of records, under the laws given",
        (),
        lambda source, records, asked: Definition.inferential(records, source.priors),
    ),
    "conditional-inference": Known(
        "places within a radius at one time, under the laws given",
        ("radius",),
        lambda source, records, asked: Definition.conditional_inference(
            records, source.priors, asked.radius or "1"
        ),
    ),
    "partial-knowledge": Known(
        "values of one record, which the laws have independent of all others",
        ("record",),
        lambda source, records, asked: Definition.partial_knowledge(
            records, source.priors, 1 if asked.record is None else asked.record
        ),
    ),
    "bayesian": Known(
        "values of records, under the laws given whatever other records are known",
        (),
        lambda source, records, asked: Definition.bayesian(records, source.priors),
    ),
    "distribution": Known(
        "a record with a value against the same data without it, under the laws given",
        (),
        lambda source, records, asked: Definition.distribution(records, source.priors),
    ),
}

OWN = tuple(each.name for each in fields(Options))


def definition_of(name: str, source: Framework, asked: Options) -> Definition:
    """Return a definition for the records and laws of a framework.

    Raises `ModelError` unless the name is known, the framework is one of records that can be
    listed, and every option is one that the definition takes.
    """
    if name not in DEFINITIONS:
        expected = ", ".join(DEFINITIONS)
        raise ModelError(f'expected one of {expected}, found "{name[:60]}"', "--definition")
    known = DEFINITIONS[name]
    for option in OWN:
        if getattr(asked, option) is not None and option not in known.options:
            takes = " or ".join(n for n, other in DEFINITIONS.items() if option in other.options)
            raise ModelError(f"goes with --definition {takes} only", f"--{option}")
    if source.records is None or source.classes:
        raise ModelError("expected a framework of records with single laws", "--from")
    return known.make(source, source.records, asked)


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
        raise ModelError(
            f'expected records such as "1,2", found "{",".join(asked.block)[:60]}"', "--block"
        ) from None


def _edges(asked: Options) -> list[Edge] | None:
    if asked.edge is None:
        return None
    edges = [tuple(text.split(",")) for text in asked.edge]
    for edge in edges:
        if len(edge) != 2:
            raise ModelError(f'expected two values such as "0,1", found "{edge[0]}"', "--edge")
    return cast(list[Edge], edges)


def _pufferfish(source: Framework, records: Records) -> Definition:
    labels = source.databases
    secrets = {name: [labels[x] for x in held] for name, held in source.secrets.items()}
    pairs = [(one, other) for one, other in source.pairs]
    return Definition.pufferfish(records, secrets, pairs, source.priors)
