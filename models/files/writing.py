"""Writing frameworks and mechanisms as the files that people write, with every number exact."""

import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from json.encoder import encode_basestring

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import digest
from pufferproof.models.framework import Framework
from pufferproof.models.listing import is_place
from pufferproof.models.noise.records import Query, RecordQuery
from pufferproof.models.noise.tables.partial import BoundsTable
from pufferproof.models.numbers.text import text_of, text_of_ratio, texts_of_ratios
from pufferproof.models.priors.definitions.definition import Definition
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovMechanism
from pufferproof.models.sequences.local import LocalMechanism

MECHANISM = "pufferproof-mechanism/1"
_quoted: Callable[[str], str] = encode_basestring  # what `json.dumps` writes of a text

_PARAMETERS = {"geometric": "ratio", "gaussian": "sigma", "discrete_gaussian": "sigma2"}


def framework_document(framework: Framework) -> dict[str, object]:
    """Return the JSON document of a framework, with every prior written out as a table."""
    return {
        "format": "pufferproof-framework/1",
        "databases": list(framework.databases),
        "secrets": {name: [framework.databases[x] for x in secret] for name, secret in framework.secrets.items()},
        "pairs": [list(pair) for pair in framework.pairs],
        "priors": {name: {"table": law_table(framework, name)} for name in framework.priors},
        "closure": framework.closure,
    }


def definition_document(definition: Definition) -> dict[str, object]:
    """Return the JSON document of a definition of privacy, as a framework."""
    records = definition.records
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": records.count, "alphabet": list(records.alphabet)},
        "secrets": {
            name: {"record": secret[0], "value": secret[1]} if is_place(secret) else list(secret)
            for name, secret in definition.secrets.items()
        },
        "pairs": [list(pair) for pair in definition.pairs],
        "priors": {
            name: {"table": {label: text_of(weight) for label, weight in prior.entries}}
            for name, prior in definition.priors.items()
        },
    }


def law_table(framework: Framework, prior: str) -> dict[str, str]:
    """Return the probability of every database in a prior's support, as exact text."""
    law = framework.laws[prior]
    return {framework.databases[x]: text_of_ratio(law.weights[x], law.total) for x in law.support}


def mechanism_document(channel: Channel) -> dict[str, object]:
    """Return the JSON document of a channel."""
    return {"format": MECHANISM, "outputs": list(channel.outputs), "channel": channel_table(channel)}


def hidden_document(mechanism: HiddenMarkovMechanism) -> dict[str, object]:
    """Return the JSON document of a hidden Markov mechanism, zeros and states that stay left out.

    Raises `ModelError` of a joint release, whose symbols are pairs.
    """
    if len(mechanism.alphabets) != 1:
        raise ModelError("expected one release, found several together", "mechanism")
    states, rows = mechanism.states, zip(mechanism.states, mechanism.moves)
    starts = zip(mechanism.databases, mechanism.start)
    shows = zip(states, mechanism.shows)
    moves = {state: _sparse(states, row) for state, row in rows}
    return {
        "format": MECHANISM,
        "outputs": list(mechanism.symbols),
        "hidden_markov": {
            "states": list(states),
            "initial": {label: _sparse(states, row) for label, row in starts},
            "transition": {state: row for state, row in moves.items() if row != {state: "1"}},
            "emission": {state: _sparse(mechanism.symbols, row) for state, row in shows},
            "length": mechanism.length,
        },
    }


def _sparse(names: Sequence[str], row: Sequence[Fraction]) -> dict[str, str]:
    return {name: text_of(value) for name, value in zip(names, row) if value}


def mechanism_file(mechanism: Channel | Query | BoundsTable) -> tuple[bytes, str]:
    """Return the bytes of the file of a channel, a query with noise or bounds of a law, and their
    `sha256:<hex>`, for certificates that speak of it.
    """
    document: dict[str, object]
    if isinstance(mechanism, Channel):
        document = mechanism_document(mechanism)
    elif isinstance(mechanism, BoundsTable):
        document = {"format": MECHANISM, **mechanism.as_json()}
    else:
        document = query_document(mechanism)
    data = (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()
    return data, digest(data)


def local_file(mechanism: LocalMechanism) -> bytes:
    """Return the bytes of the file of a local mechanism."""
    texts: dict[int, str] = {}
    for channel in mechanism.records:  # equal ones are mostly one object
        if id(channel) not in texts:
            texts[id(channel)] = json.dumps([[text_of(p) for p in row] for row in channel])
    rows = ",\n  ".join(texts[id(channel)] for channel in mechanism.records)
    outputs = json.dumps(list(mechanism.outputs), ensure_ascii=False)
    head = f'{{"format": "{MECHANISM}", "outputs": {outputs},\n "local": ['
    return f"{head}\n  {rows}]}}\n".encode()


def query_document(query: Query) -> dict[str, object]:
    """Return the JSON document of a query with noise."""
    parameter = _PARAMETERS.get(query.noise.kind, "scale")
    noise = {query.noise.kind: {parameter: query.noise.text}}
    if isinstance(query, RecordQuery):
        segment = {} if query.segment is None else {"segment": list(query.segment)}
        name: object = query.query if query.counted is None else {"count": query.counted}
        if query.of is not None:
            names = query.records.names
            of = query.of if names is None else [names[int(record) - 1] for record in query.of]
            name = {"count": query.counted, "of": list(of)}
        return {"format": MECHANISM, "query": name, **segment, "noise": noise}
    values = {
        label: text_of(value[0]) if len(value) == 1 else [text_of(number) for number in value]
        for label, value in query.values.items()
    }
    return {"format": MECHANISM, "query": values, "noise": noise}


def channel_table(channel: Channel) -> dict[str, list[str]]:
    """Return the rows of a channel as exact text."""
    return dict(channel_rows(channel))


def channel_rows(channel: Channel) -> Iterator[tuple[str, list[str]]]:
    """Yield every database with its row as exact text."""
    texts: dict[int, dict[int, str]] = {}
    for row, label in enumerate(channel.databases):
        below = channel.denominators[row]
        if below not in texts:  # rows over one denominator mostly follow each other
            texts = {below: {}}
        yield label, texts_of_ratios(channel.numerators_of(row), below, texts[below])


def indented(value: object, pad: str = "\n") -> str:
    """Return what `json.dumps(value, ensure_ascii=False, indent=1)` does, long lists of text at
    once.

    >>> indented({"a": ["x", "é"], "b": [1, {}]}) == json.dumps(
    ...     {"a": ["x", "é"], "b": [1, {}]}, ensure_ascii=False, indent=1
    ... )
    True
    """
    deeper = f"{pad} "
    if type(value) is str:
        return _quoted(value)
    if isinstance(value, dict) and value and all(type(key) is str for key in value):
        parts = [f"{_quoted(key)}: {indented(each, deeper)}" for key, each in value.items()]
        return f"{{{deeper}{f',{deeper}'.join(parts)}{pad}}}"
    if isinstance(value, list | tuple) and value:
        plain = {*map(type, value)} == {str}
        texts = map(_quoted, value) if plain else (indented(each, deeper) for each in value)
        return f"[{deeper}{f',{deeper}'.join(texts)}{pad}]"
    return json.dumps(value, ensure_ascii=False, indent=1).replace("\n", pad)
