"""What the report says to authors: grades are computed, errors stand by their cause, the worst
first.
"""

import pytest
from tests.reports import results as synthetic

from pufferproof.claims.language.statements import Draws, Effort, Statement, tried
from pufferproof.reports.proofs.pages import claim_views
from pufferproof.reports.proofs.papers.grades import added, is_one_exchange
from pufferproof.reports.proofs.papers.titles import graded, opening
from pufferproof.reports.proofs.papers.typesetting import lines_markup


def printed(formula="", repaired="", cause="a cause", breaks=""):
    return {
        "place": "Section 1, Theorem 2",
        "ours": "nothing more",
        "formula": formula,
        "shows": "",
        "repaired": repaired,
        "cause": cause,
        "breaks": breaks,
        "because": "a reason" if breaks else "",
        "instead": "",
    }


def false(identifier, **more):
    steps = [synthetic.step("it fails", "counterexample", trust=("EXACT",), evidence={"x": 3})]
    result = synthetic.result(identifier, ("as printed", steps), kind="theorem", repair=f"{identifier}-repaired")
    return result | more


def true(identifier):
    steps = [synthetic.step("it holds")]
    result = synthetic.result(identifier, ("as printed", steps), kind="theorem")
    return result | {"verdict": "DERIVED"}  # also where what Coq checked is out of date


def views(*results):
    return {each["id"]: each for each in claim_views(results)}


@pytest.mark.parametrize(
    ("formula", "repaired", "grade"),
    [
        (r"\min_i a_i \le b", r"\max_i a_i \le b", "slip"),
        (r"\left(a_s - a_t\right) \le b", r"(a_t - a_s) \leq b", "slip"),
        ("a < b", r"a \le b", "slip"),
        (r"a \le b", r"c > 0 \implies a \leq b", "needs a hypothesis"),
        (r"c > 0 \implies a \le b", r"c > 0,\ d > 0 \implies a \le b", "needs a hypothesis"),
        (r"a \le b \text{ for } c > 0", r"a \le b \text{ for } c > 0, d > 0", "needs a hypothesis"),
        (r"a \le b", r"a \le 2 b", "false as meant"),
        (r"a \le b", r"c > 0 \implies a \le b + 1", "false as meant"),
        (r"a, c > 1 \implies b", r"a, c > 2 \implies b", "false as meant"),
        (r"a \le 1", r"a \le 2", "false as meant"),
        ("a", "a", "false as meant"),
        ("", "", "false as meant"),
    ],
)
def test_a_grade_is_computed_from_the_printed_formula_and_that_of_the_repair(formula, repaired, grade):
    claim = false("paper.thm", print=printed(formula, repaired), kind="proof step")
    found = views(claim, true("paper.thm-repaired"))
    assert found["paper.thm"]["grade"] == grade
    assert bool(found["paper.thm"]["lacking"]) == (grade == "needs a hypothesis")
    assert found["paper.thm-repaired"]["grade"] is None


@pytest.mark.parametrize(
    ("kind", "breaks", "grade"),
    [
        ("theorem", "", "false as meant"),
        ("lemma", "slip", "slip"),
        ("lemma (proof step)", "", "slip"),
        ("proof step", "theorem", "false as meant"),
    ],
)
def test_an_exchange_in_a_theorem_is_no_slip_unless_a_reason_says_so(kind, breaks, grade):
    claim = false("paper.thm", kind=kind, print=printed(r"\min a", r"\max a", breaks=breaks))
    assert views(claim, true("paper.thm-repaired"))["paper.thm"]["grade"] == grade


def test_what_breaks_a_guarantee_stands_first_and_displays_last():
    broken = {
        "display": ("proof step", "display"),
        "remark": ("remark", ""),
        "step": ("closed form", ""),
        "lemma": ("lemma", ""),
        "promise": ("proof step", "guarantee"),
    }
    claims = [
        false(f"paper.{name}", kind=kind, print=printed(cause=f"in the {name}", breaks=breaks))
        for name, (kind, breaks) in broken.items()
    ]
    said = graded(list(views(*claims).values()))
    assert [cause for cause, _ in said["causes"]] == [f"in the {each}" for each in reversed(broken)]
    assert [len(entries) for _, entries in said["broken"]] == [1] * 5
    assert said["broken"][0][0] == "What a theorem promises is false"


def test_without_a_repair_that_holds_a_claim_is_false_as_meant():
    claim = false("paper.thm", print=printed(r"\min a", r"\max a"))
    assert views(claim)["paper.thm"]["grade"] == "false as meant"
    assert views(claim, false("paper.thm-repaired"))["paper.thm"]["grade"] == "false as meant"


def test_a_question_of_ours_has_no_grade():
    claim = false("paper.x-thm", print=None, printed=False)
    assert views(claim)["paper.x-thm"]["grade"] is None


def small(draws: Draws):
    """A list of at most three numbers up to 2."""
    return {"numbers": [draws.below(3) for _ in range(draws.below(4))]}


def statement(holds, degenerate):
    return Statement(
        family=small, holds=holds, too_strong={"no number": lambda numbers: not numbers}, degenerate=degenerate
    )


def trial(holds, degenerate=lambda numbers: not numbers):
    return vars(tried(statement(holds, degenerate), "a test", Effort(200)))


@pytest.mark.parametrize(
    ("holds", "degenerate", "grade"),
    [
        (lambda numbers: sum(numbers) >= 0 < len(numbers), lambda numbers: not numbers, "boundary case"),
        (lambda numbers: sum(numbers) > 0, lambda numbers: not numbers, "false as meant"),
        (lambda numbers: 0 < len(numbers), None, "false as meant"),
        (lambda numbers: 0 < len(numbers), lambda numbers: len(numbers) < 9, "false as meant"),
    ],
)
def test_a_boundary_case_is_false_at_degenerate_instances_alone(holds, degenerate, grade):
    claim = false("paper.thm", print=printed())
    reading = claim["readings"][0] | {"steps": [], "trial": trial(holds, degenerate)}
    assert reading["trial"]["failed"] is not None
    claim |= {"readings": [reading]}
    assert views(claim)["paper.thm"]["grade"] == grade


def test_a_counterexample_beside_the_trial_leaves_a_claim_false_as_meant():
    claim = false("paper.thm", print=printed())
    claim["readings"][0]["trial"] = trial(lambda numbers: 0 < len(numbers))
    assert views(claim)["paper.thm"]["grade"] == "false as meant"


def test_one_exchange_is_one():
    assert is_one_exchange(r"\max_i \min_j a", r"\min_i \max_j a")
    assert is_one_exchange("f(a, b) < f(b, a) + c", "f(b, a) < f(a, b) + c")
    assert is_one_exchange(r"e(X_{T_2} | X_{T_3})", r"e(X_{T_3} | X_{T_2})")
    assert not is_one_exchange("f(a, b) < f(b, a) + a", "f(b, a) < f(a, b) + a")
    assert not is_one_exchange("a b c", "b c a")
    assert not is_one_exchange(r"e^{\epsilon}", r"2^{\epsilon}")
    assert not is_one_exchange("a + b", "a \\le b")


def test_added_hypotheses_are_those_between_commas():
    assert added(r"f(a, b) \le c", r"g(a, b) > 0, c > 0 \implies f(a, b) \le c") == ["g(a, b) > 0", "c > 0"]


def test_errors_stand_by_cause_the_worst_first_and_the_opening_says_what_can_be_used():
    remark = false("paper.remark", kind="remark", print=printed(cause="a wrong picture"))
    needing = false("paper.lemma", print=printed("a", r"c > 0 \implies a", "no gap"))
    meant = false("paper.thm", print=printed("a < 1", "a < 2", "a wrong picture"))
    slip = false("paper.slip", print=printed(r"\min a", r"\max a", "a misprint", "slip"))
    repairs = [true(f"{each['id']}-repaired") for each in (remark, needing, meant, slip)]
    found = views(true("paper.holds"), remark, needing, meant, slip, *repairs)
    shown = [found[each["id"]] for each in (remark, needing, meant, slip)]
    said = graded(shown)
    assert [(cause, [each["id"] for each in group]) for cause, group in said["causes"]] == [
        ("a wrong picture", ["paper.thm", "paper.remark"]),
        ("no gap", ["paper.lemma"]),
    ]
    assert [each["id"] for each in said["misprints"]] == ["paper.slip"]
    assert said["grades"] == [(2, "statements are false as meant"), (1, "needs a hypothesis"), (1, "is a misprint")]
    opened = opening([found["paper.holds"], *shown])
    assert [each["id"] for each in opened["argued"]] == ["paper.holds"]
    assert opened["tried"] == []
    assert [each["id"] for each in opened["corrected"]] == ["paper.slip"]
    assert [each["id"] for each in opened["needing"]] == ["paper.lemma"]
    assert [each["id"] for each in opened["breaking"]] == ["paper.thm"]


@pytest.mark.parametrize(
    "latex", [r"\href{x}{y}", r"\frac{a", r"\text{<script>alert(1)</script>}", r"\unknown a", r"\%"]
)
def test_what_does_not_convert_is_shown_as_it_is(latex):
    found = lines_markup(latex)
    assert found is None or "<script" not in found
