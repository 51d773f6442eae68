"""What three judges say of a linked argument: engines, instances, and the second reader."""

from typing import Any

import pytest

from pufferproof.claims.language.linked import Linked
from pufferproof.claims.language.linked.found import argued
from pufferproof.claims.language.linked.plain import plain
from pufferproof.claims.language.linked.program import program
from pufferproof.claims.language.linked.second import read_again
from pufferproof.claims.language.linked.trees import UnlinkedError
from pufferproof.claims.language.statements import tried
from pufferproof.models.errors import ModelError

LIMIT = 5.0


def refuses(words: str, build: Any, *arguments: Any) -> None:
    """Ask that a part of an argument is refused when it is written, in these words."""
    with pytest.raises(ModelError) as caught:
        build(*arguments)
    assert words in str(caught.value)


def rejects(data: Any, words: str | None = None) -> None:
    """Ask that the second reader refuses an argument or its plain data, in these words."""
    with pytest.raises(UnlinkedError, match=words):
        read_again(plain(data) if isinstance(data, Linked) else data)


def failure(one: Linked) -> str:
    """Return why engines do not show an argument."""
    return str(argued(one, LIMIT).failure)


def undecided(one: Linked, link: str, again: str = "does not follow") -> None:
    """Ask that engines and the second reader do not derive a link of an argument."""
    assert f'"{link}" is not decided' in failure(one)
    rejects(one, again)


def refuted(one: Linked, link: str, again: str = "does not follow") -> None:
    """Ask that an instance refutes an argument, one of whose links does not follow."""
    undecided(one, link, again)
    assert tried(program(one), "x").failed is not None


def shown(one: Linked) -> int:
    """Ask that an argument is shown and holds on instances; return what was read again."""
    found = argued(one, LIMIT)
    assert (found.failure, tried(program(one), "x").failed) == (None, None)
    assert found.again > 0
    return found.again


def reads(one: Linked) -> dict[str, Any]:
    """Ask that the second reader shows an argument; return its plain data."""
    data = plain(one)
    assert read_again(data) > 0
    return data
