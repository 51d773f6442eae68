"""The kernel's reader agrees with a second one, by hand, on every file and on numbers."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.kernel.bench import FAMILIES, Loaded
from tests.kernel.second_reader import Number, UnreadableError, number, parsed
from tests.kernel.unpack import unpacked

KERNEL = Loaded()
READING, FILES = KERNEL["reading"], KERNEL["files"]


def first(data: bytes) -> Any:
    """Return what the kernel reads, with numbers as the second reader has them."""

    def plain(value: Any) -> Any:
        if isinstance(value, READING.Numeral):
            return Number(str(value))
        if isinstance(value, dict):
            return {key: plain(entry) for key, entry in value.items()}
        return [plain(entry) for entry in value] if isinstance(value, list) else value

    try:
        return plain(FILES.json_in(data.decode()))
    except (ValueError, READING.Refused):
        return UnreadableError


def second(data: bytes) -> Any:
    try:
        return parsed(data)
    except UnreadableError:
        return UnreadableError


@pytest.mark.parametrize("family", FAMILIES)
def test_both_readers_read_the_same_from_every_certificate(family: str) -> None:
    paths = [*(unpacked() / family).glob("*/*.json")]
    assert paths
    assert [path.name for path in paths if first(path.read_bytes()) != second(path.read_bytes())] == []


CHARACTERS = '{}[]",:0123456789-+.eE/\\u tfnNaI\x01é'


@given(st.text(CHARACTERS, max_size=12))
@example('{"a": 1, "a": 1}')
@example('{"a": 01}')
@example("[1,]")
@example('"\\ud83d\\ude00"')
@example("[-Infinity, NaN]")
@example('"\t"')
def test_both_readers_take_the_same_texts(text: str) -> None:
    assert first(text.encode()) == second(text.encode())


@given(st.text("0123456789/.eE+-_ ٣", max_size=9))
@example("1e-9999")
@example("1e10000")
@example("0/0")
@example("-0.50e+1")
@example("1/-2")
@example("٣")
def test_both_readers_take_the_same_numbers(text: str) -> None:
    READING.WORK.begin(0)
    try:
        value = READING.Node(text, "here").number()
    except READING.Refused:
        value = None
    assert value == number(text)
