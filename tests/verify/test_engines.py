"""Tables of engines: the order in which they are asked, and what becomes of refusals."""

from collections.abc import Iterator

import pytest

from pufferproof import Framework, MarkovChain, Noise, RecordQuery, Records, audit
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.numbers.level import Level
from pufferproof.verify.engines import Engine, ask
from pufferproof.verify.noise.largest import OF_ONE, NoiseQuestion
from pufferproof.verify.noise.ratio.bounds import NoiseBounds


def saying(answer: int | None) -> Engine[list[int], int]:
    def engine(question: list[int]) -> int | None:
        question.append(-1 if answer is None else answer)
        return answer

    return engine


def refusing(why: str) -> Engine[list[int], int]:
    def refused(question: list[int]) -> int:
        raise TooLargeError(why)

    return refused


def test_engines_are_asked_until_one_settles_the_question() -> None:
    heard: list[int] = []
    table = [saying(None), saying(7), saying(3), saying(5)]
    assert ask(table, heard, settles=lambda found: found < 4).expect() == 3
    assert heard == [-1, 7, 3]


def test_the_closest_answer_is_kept_and_of_equal_ones_the_first() -> None:
    table = [saying(3), saying(7), saying(2), saying(5)]
    assert ask(table, [], lambda found: False, lambda found: found).expect() == 2
    assert ask(table, [], lambda found: False).expect() == 3


def test_refusals_are_kept_and_the_last_is_raised_without_an_answer() -> None:
    table = [refusing("one"), saying(None)]
    asked = ask(table, [])
    assert asked.answer is None
    assert [str(each) for each in asked.refused.values()] == ["one"]
    with pytest.raises(TooLargeError, match="one"):
        asked.expect()
    assert ask([*table, saying(4)], []).expect() == 4


def test_an_answer_that_settles_goes_before_a_closer_one_that_does_not() -> None:
    table = [saying(2), saying(6), saying(1)]
    assert ask(table, [], lambda found: found > 5, lambda found: found).expect() == 6


def test_other_errors_are_no_refusals() -> None:
    def broken(question: list[int]) -> int:
        raise ModelError("wrong")

    with pytest.raises(ModelError, match="wrong"):
        ask([broken, saying(1)], [])


def test_a_question_without_engines_is_refused() -> None:
    with pytest.raises(TooLargeError, match="another kind"):
        ask([saying(None)], []).expect()


def questions() -> Iterator[NoiseQuestion]:
    """Counts of two or three values, short and long, of the whole or of halves."""
    for count, values in ((6, "01"), (6, "012"), (40, "012"), (120, "01")):
        records = Records(count, tuple(values))
        rest = "1/4" if len(values) == 2 else "1/8"
        rows = [["3/4" if one == other else rest for one in values] for other in values]
        secrets = {"s": (count // 2, "0"), "t": (count // 2, "1")}
        chain = MarkovChain("stationary", rows)
        framework = Framework.of_records(records, secrets, [("s", "t")], {"p": chain})
        half = count // 2
        for segments in ([(1, count)], [(1, half), (half + 1, count)], [(1, half), (2, count)]):
            queries = [RecordQuery("sum", Noise.laplace(2), records, ends) for ends in segments]
            yield NoiseQuestion(framework, NoisyQueries(tuple(queries)), Level("1/2"))


@pytest.mark.parametrize("question", list(questions()))
def test_engines_of_one_question_agree_and_the_table_is_as_close_as_the_closest(question: NoiseQuestion) -> None:
    answers = [found for engine in OF_ONE if (found := ask([engine], question).answer)]
    lowers = [found.leakage.lower or 0 for found in answers]
    uppers = [found.leakage.upper for found in answers if found.leakage.upper is not None]
    assert max(lowers) <= min(uppers)
    verdicts = {found.compare(question.level) for found in answers if question.level} - {None}
    assert len({sign > 0 for sign in verdicts if sign is not None}) <= 1
    whole = audit(question.framework, list(question.mechanism.queries))
    assert whole.leakage.upper is not None
    assert whole.leakage.upper <= min(uppers) * (1 + 1e-9)


def test_bounds_say_why_the_leakage_is_not_exact() -> None:
    records = Records(10**6, ("0", "1", "2"))
    rows = [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]
    secrets = {"s": (500, "0"), "t": (500, "2")}
    chain = MarkovChain("stationary", rows)
    framework = Framework.of_records(records, secrets, [("s", "t")], {"p": chain})
    found = audit(framework, RecordQuery("histogram", Noise.laplace(40), records)).largest
    assert isinstance(found, NoiseBounds)
    assert "records times" in found.reason
