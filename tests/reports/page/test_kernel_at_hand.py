"""A fork of an interpreter that has loaded the kernel says of every certificate what an interpreter
that was started for it says.
"""

import pytest
from tests.kernel.unpack import unpacked

from pufferproof.reports.page import evidence
from pufferproof.reports.page.evidence import ask_kernel, kernel_at_hand

CORPUS = unpacked() / "leakage"
ACCEPTED, REFUSED = (sorted((CORPUS / room).glob("*.json"))[:2] for room in ("accept", "reject"))
CASES = [
    (ACCEPTED[0].name, [], ["--work", "1"]),
    (ACCEPTED[0].name, [], []),
    ("none.json", [], []),
    (ACCEPTED[1].name, [], []),
    (ACCEPTED[0].name, [ACCEPTED[1].name], []),
]


def answers(cases=CASES):
    return [ask_kernel(name, inputs, CORPUS / "accept", options) for name, inputs, options in cases]


def test_forks_answer_as_processes_that_are_started_for_one_certificate():
    apart = answers()
    refused = [ask_kernel(each.name, [], CORPUS / "reject") for each in REFUSED]
    assert [each["accepted"] for each in apart] == [False, True, False, True, False]
    with kernel_at_hand():
        assert answers() == apart
        assert [ask_kernel(each.name, [], CORPUS / "reject") for each in REFUSED] == refused
        assert answers(CASES[::-1]) == apart[::-1]  # none knows of those before it
        process = evidence._AT_HAND.get()
        assert process.poll() is None
    assert process.poll() is not None


def planted(tmp_path, monkeypatch, **files):
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.setattr(evidence, "KERNEL", tmp_path)


@pytest.mark.parametrize(
    "program",
    [
        "raise ValueError('broken')",
        "import os; os.abort()",
        "print('no JSON')",
        'print(\'{"accepted": true, "inputs": "matched"}\'); raise SystemExit(1)',
        "import sys; print(sys.argv[1:], sys.flags.isolated, sys.path, file=sys.stderr)",
    ],
)
def test_a_crash_is_an_answer_that_refuses_and_the_next_certificate_is_asked_about(tmp_path, monkeypatch, program):
    planted(tmp_path, monkeypatch, __main__=program)
    apart = answers(CASES[:2])
    assert not any(each["accepted"] for each in apart)
    with kernel_at_hand():
        assert answers(CASES[:2]) == apart


def test_where_the_process_at_hand_has_ended_others_are_started(tmp_path, monkeypatch):
    apart = answers(CASES[1:2])
    with kernel_at_hand():
        evidence._AT_HAND.get().kill()
        assert answers(CASES[1:2]) == apart
        assert evidence._AT_HAND.get() is None
        assert answers(CASES[1:2]) == apart
    planted(tmp_path, monkeypatch, __init__="raise ValueError", __main__="print('{}')")
    with kernel_at_hand():
        assert not answers(CASES[1:2])[0]["accepted"]
