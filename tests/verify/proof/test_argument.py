"""Every kind of step discharges what is true, and neither a near miss nor what nobody decided."""

import itertools
import json
import time
from fractions import Fraction

import pytest
import sympy

from pufferproof.claims.registry import Check, Claim
from pufferproof.models.errors import CertificateError, SolverError
from pufferproof.reports import cli
from pufferproof.verify.proof import farkas, implication, smt
from pufferproof.verify.proof import smt as limits
from pufferproof.verify.proof.argument import Argument, ClaimVerdict
from pufferproof.verify.proof.farkas import accepted
from pufferproof.verify.proof.implication import search_inequality
from pufferproof.verify.proof.smt import Answer, OutOfTime, Work, limited

x, y, z, t, w = sympy.symbols("x y z t w")
NEARLY_ONE = sympy.Rational(99999, 100000)
HARD = sum(each**10 for each in (x, y, z, t, w)) >= 5 * (x * y * z * t * w) ** 2


def decided(method, *arguments, timeout=20.0):
    """Run one step in an argument of its own; return whether it was discharged, and the
    argument.
    """
    argument = Argument("test", timeout=timeout)
    return getattr(argument, method)("step", "sentence", *arguments), argument


TRUE_AND_NEAR_MISS = [
    ("identity", ((x + y) ** 2, x**2 + 2 * x * y + y**2), ((x + y) ** 2, x**2 + 2 * x * y + NEARLY_ONE * y**2)),
    ("identity", ((x**2 - 1) / (x - 1), x + 1), ((x**2 - 1) / (x - 1), x)),
    ("inequality", (x**2 + y**2 >= 2 * x * y,), (x**2 + y**2 > 2 * x * y,)),
    ("inequality", (x * y > 1, [x > 1, y > 1]), (x * y > 1, [x >= 1, y >= 1])),
    ("inequality", (sympy.Eq(x, z), [sympy.Eq(x, y), sympy.Eq(y, z)]), (sympy.Eq(x, z), [sympy.Eq(x, y)])),
    ("inequality", ((x > 0) & (x < 1), [x**2 < x]), ((x > 0) & (x < 1), [x**2 <= x])),
    ("inequality", (x >= 0, [w > 0, w * x >= 0]), (x >= 0, [w >= 0, w * x >= 0])),
    ("enclosure", (sympy.exp(x) - 1 - x + sympy.Rational(1, 1000), x, -1, 1), (sympy.exp(x) - 1 - x, x, -1, 1)),
]


@pytest.mark.parametrize(("method", "true", "near"), TRUE_AND_NEAR_MISS)
def test_a_true_statement_is_discharged_and_a_near_miss_is_not(method, true, near):
    ok, argument = decided(method, *true)
    assert ok
    assert "steps carry no verdict" in argument.obstacle
    ok, argument = decided(method, *near)
    assert not ok
    assert argument.verdict is ClaimVerdict.OPEN
    assert all(step.certificate is None for step in argument.steps if not step.ok)


def test_exhaust_and_counterexample_speak_of_instances():
    argument = Argument("test")
    assert argument.exhaust("all", "n + n is even", range(5), lambda n: (n + n) % 2 == 0) is None
    assert (argument.verdict, argument.checked) == (ClaimVerdict.CHECKED, 5)
    argument = Argument("test")
    assert argument.exhaust("all", "n < 3", range(5), lambda n: n < 3) == 3
    assert argument.verdict is ClaimVerdict.OPEN
    assert argument.counterexample("3", "n < 3 is false at 3", {"n": 3}, lambda: not 3 < 3)
    assert argument.verdict is ClaimVerdict.REFUTED
    assert not Argument("test").counterexample("2", "n < 3 is false at 2", {"n": 2}, lambda: not 2 < 3)


def test_an_empty_family_discharges_nothing():
    argument = Argument("test")
    argument.exhaust("none", "vacuous", [], lambda n: False)
    assert argument.verdict is ClaimVerdict.OPEN
    assert argument.checked == 0
    assert Argument("test").verdict is ClaimVerdict.OPEN


def test_step_names_differ():
    argument = Argument("test")
    argument.definition("one", "sentence")
    with pytest.raises(SolverError, match="twice"):
        argument.definition("one", "another")


def test_assumptions_that_never_hold_discharge_nothing():
    ok, argument = decided("inequality", x >= 7, [x > 1, x < 1])
    assert not ok
    assert argument.verdict is ClaimVerdict.OPEN
    assert "not shown to be satisfiable" in argument.steps[0].detail


def test_a_limit_of_work_leaves_the_claim_open_and_is_said():
    ok, argument = decided("inequality", HARD, [x > 0, y > 0], timeout=0.001)
    assert not ok
    assert argument.verdict is ClaimVerdict.OPEN
    assert "stopped by its limit, which counts work" in argument.steps[0].detail


@pytest.mark.parametrize("status", ["unknown", "limit", "timeout", "error"])
def test_no_answer_of_a_solver_leaves_the_claim_open(status, monkeypatch):
    monkeypatch.setattr(implication, "ask", lambda solver, query, timeout: Answer(solver, status))
    monkeypatch.setattr(implication, "search_once", lambda *arguments: None)
    ok, argument = decided("inequality", x**2 >= 0)
    assert not ok
    assert argument.verdict is ClaimVerdict.OPEN


def test_a_certificate_discharges_what_no_solver_answers_but_not_when_the_assumptions_are_unknown(monkeypatch):
    monkeypatch.setattr(implication, "ask", lambda solver, query, timeout: Answer(solver, "unknown"))
    ok, argument = decided("inequality", x**2 + y**2 >= 2 * x * y)
    assert ok
    assert argument.trust == ("KERNEL",)
    assert not decided("inequality", x * y > 1, [x > 1, y > 1])[0]


def test_what_z3_refutes_is_never_discharged(monkeypatch):
    monkeypatch.setattr(implication, "ask", lambda solver, query, timeout: Answer(solver, "sat"))
    ok, argument = decided("inequality", x**2 >= 0)
    assert not ok
    assert argument.steps[0].certificate is None


def test_solvers_that_disagree_are_an_error(monkeypatch):
    said = {"z3": "unsat", "cvc5": "sat"}
    monkeypatch.setattr(implication, "ask", lambda solver, query, timeout: Answer(solver, said[solver]))
    with pytest.raises(SolverError, match="disagree"):
        decided("inequality", x**2 >= 0)


def test_what_z3_finds_false_is_a_model_of_the_assumptions(monkeypatch):
    """Only where something is divided another model is needed, where no denominator vanishes."""
    asked, ask = [], implication.ask
    monkeypatch.setattr(implication, "ask", lambda *given: (asked.append(given[1]), ask(*given))[1])
    ok, argument = decided("inequality", x * y > 0, [x >= 0, y >= 0])
    step = argument.steps[0]
    assert (ok, step.refuted, len(asked)) == (False, True, 1)
    assert all(step.evidence[name] >= 0 for name in "xy")
    said = ", ".join(f"{name} = {value}" for name, value in step.evidence.items())
    assert step.detail == f"z3: sat, cvc5: not asked; assumptions hold at {said}"
    decided("inequality", x / y > 1, [x >= 0, y > 0])
    assert len(asked) == 4


def test_a_second_solver_has_little_time_where_the_kernel_accepted_a_certificate(monkeypatch):
    """That it did not answer then is no reason to prove the claim again."""
    asked, ask = [], implication.ask

    def slow(solver, query, timeout):
        asked.append((solver, timeout))
        return Answer("cvc5", "timeout") if solver == "cvc5" else ask(solver, query, timeout)

    monkeypatch.setattr(implication, "ask", slow)
    ok, argument = decided("inequality", x * y >= 0, [x >= 0, y >= 0])
    assert (ok, argument.steps[0].trust) == (True, ("KERNEL", "Z3"))
    assert argument.steps[0].detail.startswith("z3: unsat, cvc5: no answer in 2 s; assumptions")
    assert ("cvc5", 2.0) in asked
    monkeypatch.setattr(implication, "search_once", lambda *arguments: None)
    ok, argument = decided("inequality", x * y >= 0, [x >= 0, y >= 0])
    assert (ok, argument.steps[0].trust) == (True, ("Z3",))
    assert argument.steps[0].detail.startswith("z3: unsat, cvc5: timeout, by a clock")
    assert asked[-2][0] == "cvc5"
    assert asked[-2][1] > 2.0


def test_a_certificate_that_the_kernel_refuses_counts_for_nothing(monkeypatch):
    forged = search_inequality(x**2 >= 0)
    forged["claim"]["proof"][0]["coefficient"] = "2"
    with pytest.raises(CertificateError, match="does not add up"):
        accepted(forged)
    monkeypatch.setattr(implication, "search_once", lambda *arguments: forged)
    ok, argument = decided("inequality", x**2 >= 0)
    assert ok
    assert argument.trust == ("Z3", "CVC5")
    assert argument.steps[0].certificate is None


STATEMENTS = [
    (x**2 + y**2 + z**2 >= x * y + y * z + z * x, []),
    (x * y + 1 > x + y, [x > 1, y > 1]),
    (x < y, [x**2 < y**2, y > 0]),
    (x * y <= sympy.Rational(1, 4), [x >= 0, y >= 0, sympy.Eq(x + y, 1)]),
    (sympy.Eq(x * w, y * z), [sympy.Eq(x, t * y), sympy.Eq(z, t * w)]),
    ((t * x + (1 - t) * y) ** 2 <= t * x**2 + (1 - t) * y**2, [t >= 0, t <= 1]),
    (x / 3 - sympy.Rational(1, 7) > y, [(x > 1) & (y < 0)]),
]


@pytest.mark.parametrize(("conclusion", "assuming"), STATEMENTS)
def test_a_step_keeps_a_certificate_that_the_command_line_accepts(conclusion, assuming, tmp_path, capfd):
    ok, argument = decided("inequality", conclusion, assuming)
    assert ok
    assert argument.trust[0] == "KERNEL"
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(argument.steps[0].certificate))
    with pytest.raises(SystemExit) as finished:
        cli.main(["check", "--json", str(path)])
    assert finished.value.code == 0
    answer = json.loads(capfd.readouterr().out)
    assert (answer["accepted"], answer["kind"]) == (True, "polynomial-inequality")


def test_searches_find_exact_answers_or_none():
    assert search_inequality(x <= 1, [3 * x <= 2]) is not None
    assert search_inequality(sympy.false, [x <= 1]) is None
    assert search_inequality(x >= 1, [x >= 0]) is None
    assert search_inequality(x**2 >= 2 * sympy.sqrt(2) * x - 2) is None  # irrational
    assert search_inequality(sympy.Or(x >= 0, x <= 0)) is None
    assert search_inequality(1 / x > 0, [x > 0]) is None
    assert search_inequality(x**8 >= 0) is None  # over the degree
    # over the number of variables
    assert search_inequality(sum(sympy.symbols("p0:9")) ** 2 >= 0) is None
    assert search_inequality(10**400 * x >= 0, [x >= 0]) is None  # too large for the LP


def test_an_identity_states_its_denominators_and_a_zero_one_is_an_error():
    ok, argument = decided("identity", (x**2 - y**2) / (x - y), x + y)
    assert ok
    assert argument.steps[0].detail == "where x - y are not 0"
    zero = sympy.Add(x, sympy.Mul(-1, x, evaluate=False), evaluate=False)
    with pytest.raises(SolverError, match="denominator other than 0"):
        decided("identity", sympy.Pow(zero, -1, evaluate=False), sympy.Integer(1))


@pytest.mark.parametrize(
    "expression", [x**2, (x - sympy.Rational(1, 3)) ** 2, sympy.exp(x) - 1 - x, sympy.log(1 + x) - x]
)
def test_an_enclosure_that_touches_zero_is_not_discharged(expression):
    ok, argument = decided("enclosure", expression, x, Fraction(-1, 2), 1)
    assert not ok
    assert argument.verdict is ClaimVerdict.OPEN


def test_an_irrational_model_is_never_turned_into_a_float():
    _, argument = decided("inequality", sympy.Ne(x**2, 2), [x > 0])
    assert argument.steps[0].evidence == {"x": None}
    ok, argument = decided("inequality", x > 1, [sympy.Eq(x**2, 2), x > 0])
    assert ok
    assert argument.steps[0].detail.endswith("hold at x = irrational")
    answer = smt.ask("z3", smt.smtlib([sympy.Eq(3 * x, 1)], sympy.false), 20)
    assert answer.model == (("x", Fraction(1, 3)),)


POSITIVE = sympy.Symbol("x", positive=True)


@pytest.mark.parametrize(
    "formulas",
    [
        (sympy.Symbol("p", positive=True) * y > 0, [y > 0]),
        (POSITIVE * y <= x * y, [y > 0]),
        (sympy.Symbol("i", imaginary=True) * y >= 0, [y > 0]),
        (sympy.Dummy("d") * y >= 0, [y > 0]),
        (x <= y + sympy.Float("0.5"), [x <= y]),
    ],
)
def test_letters_are_plain_names_are_unique_and_numbers_exact(formulas):
    with pytest.raises(SolverError, match="expected"):
        decided("inequality", *formulas)


def test_letters_that_engines_cannot_read_are_refused_by_name():
    for name in ("é", "x'", "1x"):
        with pytest.raises(SolverError, match=f'ASCII letters, found "{name}"'):
            decided("inequality", sympy.Symbol(name) ** 2 >= 0)


def test_other_steps_take_plain_letters_only():
    with pytest.raises(SolverError, match="plain symbols"):
        decided("identity", sympy.Dummy("x") + 0, sympy.Dummy("x") + 0)
    with pytest.raises(SolverError, match="plain symbols"):
        decided("enclosure", POSITIVE - abs(POSITIVE) + sympy.Rational(1, 2), POSITIVE, -1, 1)


@pytest.mark.parametrize(
    ("conclusion", "assuming"),
    [
        (sympy.Eq(x / y, 0), [sympy.Eq(x, 0), sympy.Eq(y, 0)]),
        (x / y <= z, [x <= z * y, x >= 0, y >= 0, z >= 1]),
        (sympy.Eq((x**2 + x) / x, 0), [sympy.Eq(x, 0)]),
        (y > 0, [sympy.Eq(x, 0), sympy.Eq(1 / x, 7), y > 0]),
        (1 / x + 1 / y >= 0, [x >= 0, y >= 0]),
    ],
)
def test_a_denominator_that_may_be_zero_leaves_a_step_open(conclusion, assuming):
    assert not decided("inequality", conclusion, assuming)[0]


def test_a_quotient_with_a_positive_denominator_is_decided():
    assert decided("inequality", x / y <= z, [x <= z * y, x >= 0, y > 0, z >= 1])[0]


@pytest.mark.parametrize("answer", [1, 0, None, "no", (False, "why"), (each for each in [False]), sympy.true])
def test_predicates_answer_true_or_false_and_nothing_like_it(answer):
    with pytest.raises(SolverError, match="expected True or False"):
        decided("exhaust", [1], lambda _: answer)
    with pytest.raises(SolverError, match="expected True or False"):
        decided("counterexample", {}, lambda: answer)


def test_an_endless_family_is_given_up():
    argument = Argument("test", timeout=0.01)
    assert argument.exhaust("step", "sentence", itertools.count(), lambda _: True) is None
    assert not argument.steps[0].ok
    assert "timeout" in argument.steps[0].detail


def test_a_family_that_waits_longer_than_its_limit_is_gone_through():
    """A busy machine leaves no claim open: what counts is time of the processor."""
    argument = Argument("test", timeout=0.1)

    def waits(_):
        time.sleep(0.2)
        return True

    assert argument.exhaust("step", "sentence", range(3), waits) is None
    assert argument.counterexample("example", "sentence", {}, lambda: waits(0))
    assert all(step.ok and step.seconds > 0 for step in argument.steps)


def test_a_search_is_limited_by_steps_of_the_simplex_method_and_not_by_a_clock(monkeypatch):
    """Its limit of a microsecond is over by any clock; one step is too few for this program."""
    columns = [{k: Fraction((3 * i * i + 5 * i * k + 7 * k) % 11 - 4) for k in range(5)} for i in range(12)]
    target = {k: sum(each[k] * (i % 3 + 1) for i, each in enumerate(columns)) for k in range(5)}
    monkeypatch.setattr(farkas, "PIVOTS", 10**12)
    assert farkas.nonnegative_combination(columns, target, (), [1.0] * 12, Work(1e-6)) is not None
    monkeypatch.setattr(farkas, "PIVOTS", 1e-9)
    assert farkas.nonnegative_combination(columns, target, (), [1.0] * 12, Work(1e6)) is None


def test_a_step_that_waits_for_ever_is_given_up(monkeypatch):
    monkeypatch.setattr(limits, "PATIENCE", 2)
    with pytest.raises(OutOfTime), limited(0.05):
        time.sleep(60)


def test_a_failed_step_is_refuted_only_where_the_engine_found_it_false():
    refuted = [("inequality", x > 0), ("identity", x, y), ("exhaust", [1], lambda _: False)]
    refuted += [("enclosure", x, x, -1, 1)]
    for method, *arguments in refuted:
        assert decided(method, *arguments)[1].steps[0].refuted
    assert not decided("inequality", HARD, timeout=1e-4)[1].steps[0].refuted
    assert not decided("exhaust", [], lambda _: True)[1].steps[0].refuted


def test_a_step_that_does_not_come_back_is_given_up():
    def forever(*_):
        while True:
            pass

    argument = Argument("test", timeout=0.01)
    assert argument.exhaust("family", "one member takes for ever", [1], forever) is None
    assert not argument.counterexample("example", "takes for ever", {}, forever)
    assert [(step.ok, step.refuted, "timeout" in step.detail) for step in argument.steps] == [(False, False, True)] * 2
    hard = sum((x + i * y + z) ** 40 for i in range(1, 60))
    assert not argument.identity("powers", "a large expansion", hard, hard + 1)
    assert argument.verdict is ClaimVerdict.OPEN


REFUSED = [
    ("identity", (x / y, x / y)),
    ("identity", (x * y / y, x)),  # sympy cancels it before anybody sees it
    ("identity", ("(x/y)/(z/w)", "(x/y)/(z/w)")),
    ("identity", (3, 3)),
    ("inequality", (x <= y, [x <= y, z > 0])),
    ("inequality", (y >= x, [x <= y])),
    ("inequality", (x - y > z, [x > y + z])),
    ("inequality", (3 * x <= 3 * y + 6, [x / 2 - y / 2 <= 1])),
    ("inequality", (x <= y, [x < y])),
    ("inequality", (x >= y, [sympy.Eq(x, y)])),
    ("inequality", (sympy.Ne(x, y), [y > x])),
    ("inequality", ((x <= 1) & (y > 0), [(y > 0) & (x <= 1)])),
    ("inequality", (sympy.Or(x <= 1, y > 0), [x <= 1])),
    ("inequality", (sympy.Implies(z > 0, x <= 1, evaluate=False), [x <= 1])),
    ("inequality", (sympy.true, [x > 0])),
    ("inequality", (x <= y + 1, [x <= y])),
    ("inequality", (2 * x < 2 * y + 1, [x <= y])),
    ("inequality", (x - 1 <= y, [sympy.Eq(x, y)])),
    ("inequality", (sympy.Ne(x, y - 1), [x >= y])),
    ("inequality", (sympy.Eq(w * x, w * y), [sympy.Eq(x, y)])),
    ("inequality", (sympy.Eq(w * x * z, z * w), [sympy.Eq(x, 1)])),
    ("inequality", (sympy.Eq(w**2 * x, w * y), [sympy.Eq(y, w * x), w > 0])),
    ("inequality", ((x + 1 <= y + 1) & (z - 1 <= z - 1), [x <= y])),
    ("inequality", (sympy.Not(sympy.And(x > y, z > w)), [sympy.Or(x <= y, z <= w)])),
    ("inequality", (sympy.Or(x <= y, z <= w), [sympy.Not(sympy.And(x > y, z > w))])),
    ("inequality", ((x <= y) & (z > 0), [sympy.Not(sympy.Or(x > y, z <= 0))])),
    ("inequality", ((x <= y) & (z > 0), [~sympy.Implies(x <= y, z <= 0, evaluate=False)])),
    ("inequality", (sympy.Or((x <= y) & (z > 0), w > 0), [x <= y, z > 0])),
    ("inequality", (x <= y, [sympy.Or((x <= y) & (z > 0), (x < y) & (w > 0))])),
    ("inequality", (sympy.Implies(z > w, x <= y + 1, evaluate=False), [x <= y])),
]


def test_a_step_that_decides_nothing_is_refused():
    for method, arguments in REFUSED:
        ok, argument = decided(method, *arguments)
        assert not ok
        assert argument.verdict is ClaimVerdict.OPEN
        assert argument.steps[-1].detail.startswith("refused: ")
        assert not argument.steps[-1].refuted


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("identity", ("(x/y)/(z/w)", "x*w/(y*z)")),
        ("identity", ("x*y/y", "x")),
        ("inequality", (sympy.Equivalent(x - y > z, x > y + z),)),
        ("inequality", (x <= z, [x <= y, y <= z])),
        ("inequality", (w * x <= w * y, [x <= y, w >= 0])),  # the sign of w decides
        ("inequality", (x <= y + z, [x <= y, z >= 0])),
        ("inequality", (x < sympy.Rational(3, 10), [sympy.Eq(x, sympy.Rational(7, 24))])),
        ("inequality", (sympy.Eq(z, w * y), [sympy.Eq(z, w * x), sympy.Eq(x, y)])),
        ("inequality", (sympy.Eq(x, 1), [sympy.Eq(w * x, w), w > 0])),
        ("inequality", (z > 0, [sympy.Or(x <= y, z > 0), x > y])),
        ("inequality", (~((x > 0) & (y > 0)), [sympy.Or(x <= y, y <= 0), x > y])),
    ],
)
def test_what_only_looks_trivial_is_decided(method, arguments):
    assert decided(method, *arguments)[0]


def test_an_identity_at_values_shows_them_and_is_decided_there_only():
    argument = Argument("test")
    assert argument.identity("at", "sentence", "(1 - x)/(1 - y)", "z", at={"x": "1/4", "y": Fraction(1, 2), "z": "3/2"})
    assert "x = 1/4" in sympy.pretty(argument.steps[0].formula, use_unicode=False)
    assert not argument.identity("off", "sentence", "(1 - x)/(1 - y)", "z", at={"x": "1/4", "y": "1/2", "z": 2})
    assert argument.steps[1].refuted


def test_a_definition_inside_an_argument_introduces_a_letter_and_does_not_argue():
    for formula, verdict in [
        ("", ClaimVerdict.OPEN),
        ("by symmetry", ClaimVerdict.OPEN),
        (x <= y, ClaimVerdict.OPEN),
        (sympy.Eq(x, y + 1), ClaimVerdict.OPEN),  # x occurs before
        (sympy.Eq(w, w + 1), ClaimVerdict.OPEN),
        (sympy.Eq(x + w, y), ClaimVerdict.OPEN),
        (sympy.Eq(w, x + y), ClaimVerdict.OPEN),
    ]:
        argument = Argument("test")
        argument.inequality("square", "sentence", x**2 >= 0)
        argument.definition("glue", "and so the theorem holds", formula)
        assert argument.verdict is verdict, formula
    argument = Argument("test")
    argument.definition("only", "a word and what it means")
    assert argument.verdict is ClaimVerdict.DEFINITION


def test_only_a_formula_that_is_the_statement_and_that_the_kernel_accepts_is_proved(monkeypatch):
    statement = x**2 + y**2 >= 2 * x * y
    argument = Argument("test", whole=statement)
    argument.inequality("square", "sentence", statement)
    assert argument.verdict is ClaimVerdict.PROVED
    assert "PROSE" not in argument.trust
    argument.inequality("more", "sentence", x**2 + 1 > 0)
    assert argument.verdict is ClaimVerdict.OPEN
    other = Argument("test", whole=statement)
    other.inequality("weaker", "sentence", x**2 + y**2 + 1 >= 2 * x * y)
    assert other.verdict is ClaimVerdict.OPEN
    monkeypatch.setattr(implication, "search_once", lambda *arguments: None)
    solvers = Argument("test", whole=statement)
    solvers.inequality("square", "sentence", statement)
    assert solvers.verdict is ClaimVerdict.OPEN


def test_a_false_hypothesis_refutes_no_near_miss():
    _, argument = decided("inequality", x + 1 >= y, [x >= y, y >= x + 1])
    assert [(step.ok, step.refuted) for step in argument.steps] == [(False, False)]


@pytest.mark.parametrize("text", ["y + x", "(y + x)*1", "x + (y + 0)"])
def test_terms_in_another_order_are_the_same_thing(text):
    _, argument = decided("identity", "x + y", text)
    assert [(step.ok, step.detail) for step in argument.steps] == [(False, "refused: both sides are the same")]


def test_no_denominator_is_0_where_an_identity_is_evaluated():
    with pytest.raises(SolverError, match="expected denominators other than 0, found"):
        Argument("test").identity("s", "", "5/(1/x)", "7/(1/x)", at={"x": 0})
    assert Argument("test").identity("s", "", "5/(1/x)", "x + 8", at={"x": 2})


def checked(prepare):
    """Run a claim in words whose readings `prepare` makes."""
    check = Check(Claim("my.claim", "here", "It is so.", "theorem", (), None, print, unsaid={"": "of a test"}))
    prepare(check)
    check.near_miss("more", lambda argument: argument.inequality("s", "", x**2 >= 1))
    return check


def test_a_formula_is_no_statement_of_a_claim_in_words():
    def prepare(check):
        with check.reading("as printed") as argument:
            argument.whole = x**2 >= 0
            argument.inequality("s", "", x**2 >= 0)

    check = checked(prepare)
    assert check.verdict is ClaimVerdict.OPEN
    assert check.weakness == 'reading "as printed": its formula is not the statement of the claim'


def test_a_claim_whose_first_reading_only_defines_is_a_definition():
    def prepare(check):
        with check.reading("as printed") as argument:
            argument.definition("d", "Since M is private, every mechanism is.")
        with check.reading("something else") as argument:
            argument.exhaust("s", "", [1], lambda n: n > 0)

    assert checked(prepare).verdict is ClaimVerdict.DEFINITION
