"""The framework file of a fitted chain, with every number exact."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.files.recorded.doubts.comparison import Comparison
from pufferproof.models.files.recorded.sources.classes import limit_text
from pufferproof.models.files.recorded.sources.gathering import Reading
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.hidden_markov import HiddenMarkovModel

Rows = Sequence[Sequence[Fraction]]


@dataclass(frozen=True)
class StatedFramework:
    """What a framework file says: records, secrets, and priors or classes of chains by name."""

    records: Records
    secrets: Mapping[str, tuple[int, str]]
    priors: Mapping[str, MarkovChain | HiddenMarkovModel | IntervalChain]


def document(stated: StatedFramework) -> JsonObject:
    """Return the JSON document."""
    return {
        "format": "pufferproof-framework/1",
        **({"people": stated.records.people} if stated.records.people > 1 else {}),
        "records": {"count": stated.records.count, "alphabet": list(stated.records.alphabet)},
        "secrets": {name: {"record": record, "value": value} for name, (record, value) in stated.secrets.items()},
        "pairs": "disjoint",
        "priors": {name: _prior(prior) for name, prior in stated.priors.items()},
    }


def rendered(stated: StatedFramework) -> str:
    """Return the document as text, a secret and a row of the prior on a line each."""
    text = document(stated)
    secrets = _lines(f"{_text(name)}: {_text(secret)}" for name, secret in text["secrets"].items())
    priors = ",\n  ".join(_rendered(name, prior) for name, prior in text["priors"].items())
    people = f'"people": {text["people"]}, ' if "people" in text else ""
    return (
        f'{{"format": "{text["format"]}",\n {people}"records": {_text(text["records"])},\n'
        f' "secrets": {{{secrets}}},\n "pairs": "disjoint",\n'
        f' "priors": {{{priors}}}}}\n'
    )


def _rendered(name: str, prior: JsonObject) -> str:
    ((form, body),) = prior.items()
    parts = [
        f"{_text(key)}: [{_lines(_text(row) for row in value)}]" if key != "initial" else f'"initial": {_text(value)}'
        for key, value in body.items()
    ]
    return f'{_text(name)}: {{"{form}": {{{", ".join(parts)}}}}}'


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _lines(items: Iterable[str]) -> str:
    return ",".join(f"\n  {item}" for item in items)


def rows_json(rows: Rows) -> list[list[str]]:
    """Return rows of rationals as exact text."""
    return [[text_of(entry) for entry in row] for row in rows]


def reading_json(reading: Reading) -> JsonObject:
    """Return how values were read."""
    timing, classes = reading.timing, reading.classes
    return {
        "read": reading.told,
        "time": timing
        and {
            "column": timing.where,
            "step": timing.step,
            "first": timing.first,
            "last": timing.last,
            "gaps": timing.others,
        },
        "missing": reading.absent,
        "classes": classes
        and {"limits": [limit_text(limit) for limit in classes.limits], "quantiles": classes.count is not None},
    }


def comparison_json(test: Comparison) -> JsonObject:
    """Return a comparison, rounded."""
    return {
        "statistic": f"{float(test.statistic):.12g}",
        "degrees": test.degrees,
        "p_value": f"{test.p_value:.6g}",
        "corrected": f"{test.judged:.6g}",
        "cells": test.cells,
        "rare": test.rare,
        "draws": test.draws,
    }


def box_json(box: IntervalChain | None, confidence: Fraction | None, fixed: bool) -> JsonObject | None:
    """Return a box and what is claimed of it, or None if there is none."""
    if box is None:
        return None
    return {
        "confidence": None if confidence is None else text_of(confidence),
        "trust": None if confidence is None else f"SAMPLING({text_of(1 - confidence)})",
        "stopping": "fixed" if fixed else "any",
        "initial": box.initial,
        "lower": rows_json(box.lower),
        "upper": rows_json(box.upper),
    }


def _prior(prior: MarkovChain | HiddenMarkovModel | IntervalChain) -> JsonObject:
    if isinstance(prior, IntervalChain):
        return {
            "markov": {
                "initial": prior.initial,
                "transition_lower": rows_json(prior.lower),
                "transition_upper": rows_json(prior.upper),
            }
        }
    if isinstance(prior, HiddenMarkovModel):
        hidden = {"initial": prior.hidden.initial, "transition": rows_json(prior.hidden.transition)}
        return {"hidden_markov": hidden | {"emission": rows_json(prior.emission)}}
    start = prior.initial if isinstance(prior.initial, str) else rows_json([prior.initial])[0]
    return {"markov": {"initial": start, "transition": rows_json(prior.transition)}}
