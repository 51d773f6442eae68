"""A framework to start from, for the databases of a table that somebody else wrote: `init --table`.

The labels say how many records there are, and which values they have. What is secret, and what is
believed, are examples that the comments ask to change.
"""

import json
from collections.abc import Sequence
from itertools import chain

from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import MAX_BYTES, bytes_of
from pufferproof.models.files.matrices import csv_channel
from pufferproof.models.files.reading import in_file
from pufferproof.models.priors.records import Records

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
        secrets="\n".join(_secret(record, value) for value in values),
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


def _secret(record: int, value: str) -> str:
    name = f"record {record} is {value}"
    return f"{_text(name)} = {{ record = {record}, value = {_text(value)} }}"


def _text(value: object) -> str:
    """Write a text or a list as TOML does."""
    return json.dumps(value, ensure_ascii=False)
