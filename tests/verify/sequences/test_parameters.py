"""Hidden Markov mechanisms with parameters: verdicts for all values against exact audits on a grid,
and against levels that are known by hand.
"""

import json
from fractions import Fraction
from itertools import product

import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof import Framework, Level, ParametricMechanism, Table, Verdict, audit, compose, worst_partner
from pufferproof.models.errors import ModelError
from pufferproof.models.sequences.parametric import Polynomials
from pufferproof.verify.decision import Decision
from pufferproof.verify.sequences import words as parameters
from pufferproof.verify.sequences.words import nonnegative, parametric_leakage

PAIR = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})})
COUNTS = {"0": ["2/3", "1/6", "1/6"], "1": ["1/3", "1/3", "1/3"], "2": ["1/6", "1/6", "2/3"]}


def response(low, high, length=1):
    """Randomised response that tells the truth with probability p, `length` times."""
    return ParametricMechanism(
        {"a": {"h": 1}, "b": {"t": 1}},
        {},
        {"h": {"0": "p", "1": "1 - p"}, "t": {"0": "1 - p", "1": "p"}},
        "01",
        length,
        {"p": (low, high)},
    )


def family(ill, well):
    """A noisy count of two people, the second of whom is ill with a probability for each
    state of the first.
    """
    return ParametricMechanism(
        {"a": {"1": f"1 - ({ill})", "2": ill}, "b": {"0": f"1 - ({well})", "1": well}},
        {},
        COUNTS,
        "012",
        1,
        {"p": (0, 1)},
        ["0", "1", "2"],
    )


def test_what_is_tight_at_a_point_that_halving_misses_is_left_to_both_solvers():
    shown = {"h": ["1/2 + (1 - (5*p - 1)^2)/8", "1/2 - (1 - (5*p - 1)^2)/8"], "t": ["1/2", "1/2"]}
    mechanism = ParametricMechanism({"a": {"h": 1}, "b": {"t": 1}}, {}, shown, "01", 1, {"p": (0, "2/5")})
    answer = audit(PAIR, mechanism, "log(4/3)")
    assert answer.verdict is Verdict.SATISFIES
    wide = ParametricMechanism({"a": {"h": 1}, "b": {"t": 1}}, {}, shown, "01", 1, {"p": (0, "3/7")})
    answer = audit(PAIR, wide, "log(4/3)")
    assert answer.verdict is Verdict.SATISFIES
    assert answer.trust == ("EXACT", "Z3", "CVC5")


def test_solvers_that_do_not_know_leave_it_undecided(monkeypatch):
    unknown = parameters.ask("z3", "(check-sat)", 1.0).__class__("z3", "unknown")
    monkeypatch.setattr(parameters, "ask", lambda *asked: unknown)
    ring = Polynomials(["p"])
    box = ((Fraction(0), Fraction(1)),)
    assert nonnegative(ring, ring.read("(3*p - 1)^2"), box).nonnegative is Decision.UNDECIDED
    monkeypatch.setattr(parameters, "_BOXES", 0)
    answer = audit(PAIR, family("p", "p"), "log(2)")
    assert answer.verdict is Verdict.UNDECIDED
    assert answer.leakage.lower is not None
    assert answer.leakage.upper is None


def test_one_solver_alone_is_not_believed(monkeypatch):
    known = {"z3": "unsat", "cvc5": "timeout"}
    answer = parameters.ask("z3", "(check-sat)", 1.0).__class__
    monkeypatch.setattr(parameters, "ask", lambda name, *asked: answer(name, known[name]))
    ring = Polynomials(["p"])
    box = ((Fraction(0), Fraction(1)),)
    assert nonnegative(ring, ring.read("(3*p - 1)^2"), box).nonnegative is Decision.UNDECIDED


def test_a_model_that_is_no_counterexample_is_not_believed(monkeypatch):
    answer = parameters.ask("z3", "(check-sat)", 1.0).__class__
    for value in (Fraction(1, 3), Fraction(2), None):
        said = answer("z3", "sat", (("p", value),))
        monkeypatch.setattr(parameters, "ask", lambda *asked, said=said: said)
        ring = Polynomials(["p"])
        box = ((Fraction(0), Fraction(1)),)
        assert nonnegative(ring, ring.read("(3*p - 1)^2"), box).nonnegative is Decision.UNDECIDED


def test_too_many_words_leave_it_undecided():
    largest = parametric_leakage(PAIR, family("p", "p"), Level("log(2)"), most=0)
    assert largest.kept is Decision.UNDECIDED
    assert "beginnings" in largest.reason


def two_parameters(text, level):
    """A mechanism of words of length 2 with two parameters, and its verdict at a level."""
    mechanism = ParametricMechanism(
        {"a": {"h": "p", "t": "1 - p"}, "b": {"h": "q", "t": "1 - q"}},
        [["1/2", "1/2"], ["p", "1 - p"]],
        {"h": ["3/4", "1/4"], "t": [text, f"1 - ({text})"]},
        "01",
        2,
        {"p": ("1/4", "3/4"), "q": ("1/3", "1/2")},
    )
    return mechanism, audit(PAIR, mechanism, level)


@pytest.mark.parametrize("level", ["log(6/5)", "log(3/2)", "log(2)", "log(3)", "0.6"])
@pytest.mark.parametrize("text", ["1/4", "q", "p*q + 1/4", "(p - q)^2"])
def test_verdicts_agree_with_exact_audits_on_a_grid(text, level):
    mechanism, answer = two_parameters(text, level)
    (_, low, high), (_, least, most) = mechanism.parameters
    steps = [Fraction(step, 6) for step in range(7)]
    ratios = [
        audit(PAIR, mechanism.at({"p": low + (high - low) * s, "q": least + (most - least) * t}))
        for s, t in product(steps, steps)
    ]
    largest = max(each.leakage.ratio for each in ratios)
    exceeded = Level(level).compare(largest) > 0
    if exceeded:
        assert answer.verdict is not Verdict.SATISFIES
    if answer.verdict is Verdict.VIOLATES:
        at = mechanism.at(dict(answer.largest.point))
        assert Level(level).compare(audit(PAIR, at).leakage.ratio) > 0
    else:
        assert answer.verdict is Verdict.SATISFIES
        assert not exceeded


def test_a_probability_that_is_negative_somewhere_is_refused():
    shown = {"h": ["4*p*(1 - p) + 1/10", "9/10 - 4*p*(1 - p)"], "t": [1, 0]}
    mechanism = ParametricMechanism({"a": {"t": 1}, "b": {"t": 1}}, {}, shown, "01", 1, {"p": (0, 1)})
    with pytest.raises(ModelError, match=r"at p = 1/2: emission.h: expected a probability"):
        audit(PAIR, mechanism, "log(2)")


WRONG = {
    "p +": "expected a number, or a polynomial",
    "p p": "expected a number, or a polynomial",
    "(p": "expected a number, or a polynomial",
    "1/p": "expected a number, or a polynomial",
    "1/0": "expected a number, or a polynomial",
    "p^99": "expected a number, or a polynomial",
    "p^q": "expected a number, or a polynomial",
    "p; q": "expected a number, or a polynomial",
    "": "expected a number, or a polynomial",
    "x": 'unknown parameter "x", expected one of: p, q',
    "__import__": 'unknown parameter "__import__"',
    "(" * 60 + "p" + ")" * 60: "expected a number, or a polynomial",
    "p" * 1001: "expected at most 1000 characters",
}


def test_what_is_no_polynomial_is_refused():
    for text in WRONG:
        with pytest.raises(ModelError) as error:
            Polynomials(["p", "q"]).read(text)
        assert str(error.value).startswith(WRONG[text])


def test_polynomials_have_the_values_of_arithmetic():
    ring = Polynomials(["p", "q"])
    p, q = Fraction(2, 7), Fraction(-3, 5)
    for text, value in {
        "p*q - -1/2*p": p * q + p / 2,
        "-(p - q)^2/3 + 0.25": -((p - q) ** 2) / 3 + Fraction(1, 4),
        "1 - 2*p*(1 - q)": 1 - 2 * p * (1 - q),
        "1e-2*p": p / 100,
    }.items():
        assert ring.value(ring.read(text), {"p": p, "q": q}) == value
    with pytest.raises(ModelError, match="expected a name"):
        Polynomials(["p q"])


def test_shapes_and_values_are_checked():
    with pytest.raises(ModelError, match=r"emission.h: sums to 2\*p, expected 1"):
        ParametricMechanism({"a": [1]}, {}, {"h": ["p", "p"]}, "01", 1, {"p": (0, 1)})
    with pytest.raises(ModelError, match="negative number"):
        ParametricMechanism({"a": [1]}, {}, {"h": [-1, 2]}, "01", 1, {"p": (0, 1)})
    with pytest.raises(ModelError, match="the least value first"):
        response("1", "0")
    with pytest.raises(ModelError, match="expected 1 to 6, found 0"):
        ParametricMechanism({"a": [1]}, {}, {"h": [1]}, "0", 1, {})
    with pytest.raises(ModelError, match=r"values.p: expected 1/4 to 3/4, found 1"):
        response("1/4", "3/4").at({"p": 1})
    with pytest.raises(ModelError, match="expected values of"):
        response("1/4", "3/4").at({"q": 1})


def test_what_needs_one_mechanism_names_the_call():
    with pytest.raises(ModelError, match="at\\(values\\) has no parameters, and its channel"):
        worst_partner(PAIR, response("1/4", "3/4"), "log(2)")
    with pytest.raises(ModelError, match="its channel\\(\\) lists it"):
        worst_partner(PAIR, response("1/4", "3/4").at({"p": "1/4"}), "log(2)")


def test_a_level_is_needed_and_releases_are_audited_alone():
    mechanism = response("1/4", "3/4")
    with pytest.raises(ModelError, match="expected a level"):
        audit(PAIR, mechanism)
    with pytest.raises(ModelError, match="has parameters"):
        compose(PAIR, [mechanism, mechanism.at({"p": "1/2"})])
    with pytest.raises(ModelError, match="has parameters"):
        audit(PAIR, mechanism, "log(2)", delta="1/10")


def test_files_have_parameters(tmp_path, run):
    framework = {
        "format": "pufferproof-framework/1",
        "databases": ["a", "b"],
        "secrets": {"s": ["a"], "t": ["b"]},
        "pairs": "disjoint",
        "priors": {"theta": {"table": {"a": "1/2", "b": "1/2"}}},
    }
    model = {
        "states": ["h", "t"],
        "initial": {"a": {"h": 1}, "b": {"t": 1}},
        "emission": {"h": {"0": "p", "1": "1 - p"}, "t": {"0": "1 - p", "1": "p"}},
        "length": 2,
        "parameters": {"p": ["1/4", "3/4"]},
    }
    document = {"format": "pufferproof-mechanism/1", "outputs": ["0", "1"], "hidden_markov": model}
    for name, content in (("framework", framework), ("mechanism", document)):
        (tmp_path / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    files = [str(tmp_path / f"{name}.json") for name in ("framework", "mechanism")]
    code, out, err = run("audit", *files, "--epsilon", "log(9)", "--json")
    assert (code, err) == (0, "")
    known = json.loads(out)
    expect_valid(known, "audit")
    assert known["verdict"] == "SATISFIES"
    assert known["trust"] == ["EXACT"]
    code, out, _ = run("audit", *files, "--epsilon", "log(8)")
    assert code == 1
    assert "at p = 1/4" in out
    for command, said in (("audit", "expected a level"), ("compose", "has parameters")):
        code, _, err = run(command, *files)
        assert code == 2
        assert said in err
    code, _, err = run("conditions", *files)
    assert code == 2
    assert "has parameters" in err


def test_a_rate_of_independent_illness_never_breaks_the_level():
    answer = audit(PAIR, family("p", "p"), "log(2)")
    assert answer.verdict is Verdict.SATISFIES
    assert answer.leakage.upper == 2
    assert answer.trust == ("EXACT",)
