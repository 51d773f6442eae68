"""The kernel writes out channels of records and redactions as the model does."""

import json
from fractions import Fraction
from random import Random

import pytest
from tests import seeds

from pufferproof import LocalMechanism, Records
from pufferproof.verify.kernel.files import json_in
from pufferproof.verify.kernel.reading import Node, Refused
from pufferproof.verify.kernel.space import sequence_rows

FORMAT = "pufferproof-mechanism/1"


def law(random: Random, width: int) -> list[str]:
    parts = [random.choice([0, 1, 1, 2, 6, 7]) for _ in range(width - 1)] + [1]
    return [str(Fraction(part, sum(parts))) for part in parts]


def written(document: object) -> Node:
    return Node(json_in(json.dumps(document)), "file")


def tried(seed: int) -> tuple[Node, Node, LocalMechanism, Records]:
    """A file of a framework and of a mechanism, the mechanism, and its records."""
    random = Random(seed)
    alphabet = random.choice([["0", "1"], ["no", "yes"], ["a", "b", "c"], ["x"], ["", "1"]])
    count = random.randint(1, 3)
    framework = written({"records": {"count": count, "alphabet": alphabet}})
    if random.random() < 0.4:
        chances = [[random.choice(["0", "1", "1/3", "0.25"]) for _ in alphabet] for _ in range(count)]
        mechanism = LocalMechanism.redacting(alphabet, chances)
        file = {"format": FORMAT, "redaction": chances}
    else:
        outputs = random.choice([["u"], ["0", "1"], ["u", "vw"], ["1", "2", "3"]])
        rows = [[law(random, len(outputs)) for _ in alphabet] for _ in range(count)]
        mechanism = LocalMechanism(alphabet, outputs, rows)
        file = {"format": FORMAT, "outputs": outputs, "local": rows}
    return framework, written(file), mechanism, Records(count, tuple(alphabet))


@seeds(60)
def test_the_rows_are_those_of_the_model(seed: int) -> None:
    framework, file, mechanism, records = tried(seed)
    outputs, row_of = sequence_rows(file, framework, False)
    channel = mechanism.channel()
    assert (tuple(outputs), channel.databases) == (channel.outputs, tuple(records.labels()))
    for x in channel.databases:
        row = row_of(x)
        assert row is not None
        found = [Fraction(part, row.unit) for part in row.parts]
        assert found == [channel.probability(x, y) for y in outputs]
    assert row_of("another") is None


def test_words_that_are_too_many_are_refused_before_they_are_made() -> None:
    framework = written({"records": {"count": 15, "alphabet": ["0", "1"]}})
    rows = [[["1/3"] * 3] * 2] * 15
    file = written({"format": FORMAT, "outputs": ["a", "b", "c"], "local": rows})
    with pytest.raises(Refused, match="expected at most 1000000 outputs"):
        sequence_rows(file, framework, False)
