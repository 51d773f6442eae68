"""Audits of many mechanisms in one call: each as `audit` decides it, an error in the place of the
one that has it.
"""

from collections.abc import Iterable, Iterator
from functools import partial

from pufferproof.models.errors import ModelError, PufferproofError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.steps import in_order
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import shown
from pufferproof.verify.audit import Audit, audit

_ITEM = "expected (framework, mechanism) or (framework, mechanism, level)"


def audit_many(
    questions: Iterable[object], epsilon: LevelLike | None = None, jobs: int | None = None
) -> Iterator[Audit | PufferproofError]:
    """Audit mechanisms, one answer for each question, in their order.

    Args:
        questions: pairs (framework, mechanism), or triples with a level of their own. They are
            taken as answers are asked for, some thousands ahead if they are slow, so that there may
            be any number.
        epsilon: the level of questions that have none, as `audit` takes it.
        jobs: how many processes share audits that are slow (a millisecond and more each); by
            default as many as there are processors, on Linux. Quick ones are done in this one.

    Every answer is what `audit` returns, or the `PufferproofError` that it raises: the others are
    answered all the same.

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> coin = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    >>> other = Channel.of({"a": ["1/2", "1/2"]}, ["u", "v"])
    >>> for answer in audit_many([(framework, coin), (framework, other)], "log(3)"):
    ...     print(answer)
    SATISFIES log(3); leakage log(3) ≈ 1.098612 nats, at output 'u' for 's' against 't',
    prior 'theta'
    channel: no row for database "b", which has positive probability

    Raises `ModelError` unless `epsilon` is a level and `jobs` is positive.
    """
    questions = check_type(questions, Iterable[object], "questions")
    jobs = check_type(jobs, int | None, "jobs")
    if jobs is not None and jobs < 1:
        raise ModelError(f"expected at least 1, found {jobs}", "jobs")
    level = None if epsilon is None else Level.coerce(epsilon, "epsilon")
    return in_order(partial(_answer, level=level), questions, jobs)


def _answer(question: object, level: Level | None) -> Audit | PufferproofError:
    """Return one audit, or the error that it raises."""
    if not isinstance(question, tuple | list) or len(question) not in (2, 3):
        return ModelError(f"{_ITEM}, found {shown(question)}", "questions")
    framework, mechanism, *own = question
    try:
        return audit(framework, mechanism, own[0] if own and own[0] is not None else level)
    except PufferproofError as error:
        return error
