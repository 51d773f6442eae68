"""Many audits: each is what `audit` says, in order, an error in its place, whoever computes it."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.project.public_objects import CHANNEL, FRAMEWORK, LOCAL, LONG, LONG_LOCAL, QUERY, RECORD_QUERY, SEQUENCES

import pufferproof as pp
from pufferproof import strategies
from pufferproof.models.interface import steps as in_order

QUESTIONS = [
    (FRAMEWORK, CHANNEL),
    (FRAMEWORK, CHANNEL, "0.5"),
    (FRAMEWORK, QUERY, None),
    [SEQUENCES, LOCAL, pp.Level("log(9)")],
    (SEQUENCES, RECORD_QUERY, 1),
    (LONG, LONG_LOCAL),
    (FRAMEWORK, CHANNEL, "half"),
    (SEQUENCES, CHANNEL),
    (CHANNEL, FRAMEWORK),
    (FRAMEWORK,),
    "FC",
    None,
]


def told(answer):
    """All that is known of an answer: what a person reads, and what is written down."""
    if isinstance(answer, pp.PufferproofError):
        return type(answer), str(answer)
    return answer.as_json(), str(answer), answer.level, answer.mechanism


def alone(question, level):
    if not isinstance(question, tuple | list) or len(question) < 2:
        return None
    own = question[2] if len(question) == 3 else None
    try:
        return told(pp.audit(*question[:2], level if own is None else own))
    except pp.PufferproofError as error:
        return told(error)


@pytest.fixture(params=["here", "by copies"])
def jobs(request, monkeypatch):
    if request.param == "here":
        return 1
    monkeypatch.setattr(in_order, "_ALONE", 0)
    monkeypatch.setattr(in_order, "_SLOW", 0)
    return 2


def test_every_answer_is_that_of_audit_and_errors_are_kept(jobs):
    answers = list(pp.audit_many(QUESTIONS, "log(2)", jobs))
    assert len(answers) == len(QUESTIONS)
    for question, answer in zip(QUESTIONS, answers):
        known = alone(question, "log(2)")
        if known is None:
            assert isinstance(answer, pp.ModelError)
            assert "expected (framework, mechanism)" in str(answer)
        else:
            assert told(answer) == known
    assert answers[0].framework is FRAMEWORK
    assert answers[1].mechanism is CHANNEL


@examples(60)
@given(st.lists(strategies.instances(), min_size=1, max_size=4), st.sampled_from([None, "log(3)"]))
def test_answers_of_many_are_those_of_each(instances, level):
    answers = list(pp.audit_many(instances, level))
    assert [told(each) for each in answers] == [alone(each, level) for each in instances]


def test_questions_without_end_are_taken_as_answers_are_asked_for():
    answers = pp.audit_many(itertools.repeat((FRAMEWORK, CHANNEL)))
    assert len(set(map(str, itertools.islice(answers, 5000)))) == 1


def test_a_copy_that_is_killed_or_cannot_say_its_answer_is_stood_in_for(monkeypatch):
    import os

    monkeypatch.setattr(in_order, "_ALONE", 0)
    monkeypatch.setattr(in_order, "_SLOW", 0)
    here = os.getpid()

    def work(item):
        if item == 7 and os.getpid() != here:
            os._exit(1)
        return (lambda: item) if item == 3 else item

    answers = list(in_order.in_order(work, range(40), 2))
    assert answers[3]() == 3
    assert answers[:3] + answers[4:] == [*range(3), *range(4, 40)]


def test_what_is_no_pufferproof_error_is_raised(monkeypatch):
    monkeypatch.setattr(in_order, "_ALONE", 0)
    monkeypatch.setattr(in_order, "_SLOW", 0)
    with pytest.raises(ZeroDivisionError):
        list(in_order.in_order(lambda item: 1 // item, [1, 1, 0, 1], 2))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3,), "questions: expected a sequence of values, found an int: 3"),
        (([], "half"), 'epsilon: expected a level such as "log(2)"'),
        (([], None, 0), "jobs: expected at least 1, found 0"),
    ],
)
def test_a_call_that_is_wrong_is_refused_at_once(arguments, message):
    with pytest.raises(pp.ModelError) as error:
        pp.audit_many(*arguments)
    assert str(error.value).startswith(message)
