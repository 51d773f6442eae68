"""All kinds of drawn questions, by name."""

from random import Random

from tests.same.code import CODE
from tests.same.published import PUBLISHED
from tests.same.questions import ONE_RELEASE, Drawn, Question
from tests.same.several import SEVERAL

KINDS: dict[str, Drawn] = {**ONE_RELEASE, **SEVERAL, **PUBLISHED, **CODE}


def question(kind: str, number: int) -> Question:
    """Draw the question of a kind that has a number: always the same one."""
    return KINDS[kind](Random(f"{kind} {number}"))
