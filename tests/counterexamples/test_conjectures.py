"""Conjectures: forms that are fitted against the forms that values were made of, the simplest
counterexample against all that are simpler, and the command with the claims that it writes.
"""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests import examples
from tests.reports.console.schemas import expect_valid

from pufferproof.claims import registry
from pufferproof.claims.language.statements import Effort
from pufferproof.counterexamples.exploration.conjectures.fitting import attempts, fitted, shapes
from pufferproof.counterexamples.exploration.conjectures.quantities import FORMAT, Quantity, Relation, Value
from pufferproof.counterexamples.exploration.conjectures.trying import Ground, size_of, total_size, tried
from pufferproof.counterexamples.exploration.family import Family
from pufferproof.models.errors import ModelError
from pufferproof.verify.proof.argument import ClaimVerdict

F = Fraction
CHAIN = {
    "format": "pufferproof-family/1",
    "per_record_dp": ["log(1)", "log(3/2)", "log(2)", "log(5/2)", "log(3)", "log(7/2)", "log(4)"],
    "parameters": {"stay": {"from": "1/2", "to": "9/10", "step": "1/15"}},
    "framework": {
        "records": {"count": 2, "alphabet": ["0", "1"]},
        "secrets": {"s": {"record": 1, "value": "0"}, "t": {"record": 1, "value": "1"}},
        "pairs": [["s", "t"]],
        "priors": {
            "p": {
                "markov": {"initial": "stationary", "transition": [["= stay", "= 1 - stay"], ["= 1 - stay", "= stay"]]}
            }
        },
    },
}
THREE = [["1/2", "1/3", "1/6"], ["1/6", "1/2", "1/3"], ["1/3", "1/6", "1/2"]]
PRINTED = "worst == R*(stay*R + 1 - stay)/((1 - stay)*R + stay)"


def grid(*axes):
    return [dict(zip("xyz", values)) for values in product(*axes)]


PLACES = grid([F(n, 3) for n in range(2, 10)], [F(n) for n in range(2, 10)])
coefficients = st.lists(st.integers(-3, 3), min_size=3, max_size=3)


def linear(c, place):
    return c[0] + c[1] * place["x"] + c[2] * place["y"]


@examples(60)
@given(coefficients, coefficients)
def test_a_quotient_is_found_from_its_values(above, below):
    assume(all(linear(below, place) for place in PLACES))
    known = [(place, Value(linear(above, place) / linear(below, place))) for place in PLACES]
    form = fitted(known, "v", 2, 1)
    assert form is not None
    relation = Relation.of(str(form), "v")
    for place in grid([F(n, 7) for n in range(1, 40, 9)], [F(n, 5) for n in range(3, 70, 13)]):
        if linear(below, place):
            value = Value(linear(above, place) / linear(below, place))
            assert form.holds(place, value) is not False
            assert relation.holds(place, value) is not False
            assert form.holds(place, Value(value.value + 1)) is not True
            assert relation.holds(place, Value(value.value + 1)) is not True


@examples(40)
@given(coefficients)
def test_square_roots_are_found(c):
    root = [(place, Value(None, 2 * (1 + linear(c, place) ** 2))) for place in PLACES]
    form = fitted(root, "v", 2, 2)
    assert form is not None
    assert all(form.holds(place, value) for place, value in root)
    place = {"x": F(5, 7), "y": F(50, 3)}
    assert form.holds(place, Value(None, 2 * (1 + linear(c, place) ** 2)))
    assert not form.holds(place, Value(None, 3 * (1 + linear(c, place) ** 2)))


def test_a_root_of_a_quadratic_is_found_and_two_roots_are_told_from_none():
    # v^2 = x^2 has two roots; which one, changes from place to place
    signs = [(place, Value(place["x"] * (-1) ** n)) for n, place in enumerate(PLACES)]
    assert fitted(signs, "v", 2, 1) is None
    assert str(fitted(signs, "v", 2, 2)) == "v_squared == x**2"
    # v^2 - (x + y) v + x y = 0 has the roots x and y
    either = [(place, Value(place["xy"[n % 2]])) for n, place in enumerate(PLACES)]
    form = fitted(either, "v", 2, 2)
    place = {"x": F(3, 7), "y": F(5)}
    assert [form.holds(place, Value(F(*each))) for each in ((3, 7), (5, 1), (4, 1))] == [True, True, False]
    assert Relation.of(str(form), "v").holds(place, Value(F(5)))


def test_constants_and_values_that_nothing_explains():
    assert str(fitted([(place, Value(F(3))) for place in PLACES], "v", 3, 2)) == "v == 3"
    odd = [(place, Value(F(2) ** (n * n % 17))) for n, place in enumerate(PLACES)]
    assert fitted(odd, "v", 2, 2) is None


@pytest.mark.parametrize("many", [1, 2])
def test_a_fit_takes_more_members_than_terms(many):
    known = [(place, Value(F(3))) for place in PLACES[:many]]
    with pytest.raises(ModelError, match="more members than it has terms"):
        fitted(known, "v", 2, 1)


def test_no_shape_passes_through_any_values_of_one_parameter():
    for values, power in product(product(range(1, 9), repeat=2), ((0, 1), (0, 2), (0, 1, 2))):
        for shape in shapes(values, 3, power):
            for axis, many in enumerate(values):
                used = [terms for terms in shape.terms if terms]
                highest = [max(powers[axis] for powers in terms) for terms in used]
                assert not any(highest) or sum(most + 1 for most in highest) < many


def values(ground):
    return lambda places: [Quantity("worst").at(ground.family, place) for place in places]


def test_the_counterexample_is_the_simplest_of_all():
    ground = Ground(Family(CHAIN), (Relation.of("stay > 1/2"),))
    false = Relation.of("worst <= R + R*(stay - 1/2)", "worst")
    ask = values(ground)
    came = tried(false, ground, ground.fresh(12, 1, []), ask)
    wrong = came.counterexample
    assert wrong.simplest
    assert false.holds(wrong.place, wrong.value) is False
    small = [F(a, b) for b in range(1, 13) for a in range(1, 13) if F(a, b).denominator == b]
    for stay, ratio in product(small, small):
        place = {"stay": stay, "R": ratio}
        if F(1, 2) < stay <= F(9, 10) and 1 <= ratio <= 4 and total_size(place) < total_size(wrong.place):
            assert false.holds(place, ask([place])[0])


def test_a_simpler_member_whose_value_is_not_found_may_be_a_counterexample():
    priors = {"p": {"markov": {"initial": ["1/2", "1/4", "1/4"], "transition": THREE}}}
    records = {"count": "= 8 - m", "alphabet": ["x", "y", "z"]}
    secrets = {"s": {"record": 2, "value": "x"}, "t": {"record": 2, "value": "y"}}
    framework = CHAIN["framework"] | {"records": records, "secrets": secrets, "priors": priors}
    for least, simplest in ((1, False), (3, True)):  # with five records it is known, not with seven
        given = {"parameters": {"m": [least, 5]}, "per_record_dp": ["log(2)"]}
        ground = Ground(Family(CHAIN | given | {"framework": framework}))
        false = Relation.of("worst <= R", "worst")
        wrong = tried(false, ground, ground.listed([1]), values(ground)).counterexample
        assert (wrong.place["m"], wrong.simplest) == (3, simplest)


def test_fresh_members_are_new_and_between_those_listed():
    ground = Ground(Family(CHAIN), (Relation.of("stay*R >= 1"),))
    listed = ground.listed(range(len(ground.family)))
    fresh = ground.fresh(30, 3, listed)
    assert len(fresh) == 30 == len({tuple(place.values()) for place in fresh})
    assert not [place for place in fresh if place in listed]
    for place in fresh:
        assert F(1, 2) <= place["stay"] <= F(9, 10)
        assert 1 <= place["R"] <= 4
        assert place["stay"] * place["R"] >= 1
    assert fresh == ground.fresh(30, 3, listed) != ground.fresh(30, 4, listed)
    assert size_of(F(-3, 4)) == 7


@pytest.fixture
def run(run, save):
    def called(*options, family=CHAIN, **asked):
        formula = save("formula.json", {"format": FORMAT, **asked})
        words = ["explore", save("family.json", family), "--formula", formula, "--jobs", "1"]
        return run(*words, *options)

    return called


def verdict(file, monkeypatch):
    """Return the verdict of a file of claims, as `prove --claims` computes it."""
    monkeypatch.setattr(registry, "_CLAIMS", {})
    registry.load_extra([file], trust_code=True)
    (name,) = registry._CLAIMS
    return registry.examine(name, effort=Effort(20)).verdict


def test_the_command_finds_the_form_of_two_bits_and_writes_an_open_claim(run, monkeypatch):
    code, out, err = run("--json", "--out", "found.py", "--resume", "kept")
    answer = json.loads(out)
    expect_valid(answer, "explore")
    assert (code, err, answer["verdict"], answer["held"]) == (0, "", "survived", 50)
    assert run("--json", "--out", "found.py", "--resume", "kept")[1] == out
    place = {"stay": F(7, 9), "R": F(3, 7)}
    above, below = (Relation.of(text, "worst") for text in (answer["relation"], PRINTED))
    assert above.sides(place, Value(F(1))) == below.sides(place, Value(F(1)))
    assert verdict("found.py", monkeypatch) is ClaimVerdict.OPEN


def test_a_guess_that_is_false_is_a_refuted_claim(run, monkeypatch):
    code, out, err = run("--out", "wrong.py", "--json", says="worst <= 2*R")
    answer = json.loads(out)
    expect_valid(answer, "explore")
    wrong = answer["counterexample"]
    assert (code, err, answer["verdict"]) == (1, "", "refuted")
    assert F(wrong["left"]) > F(wrong["right"])
    assert wrong["simplest"]
    assert verdict("wrong.py", monkeypatch) is ClaimVerdict.REFUTED
    text = Path("wrong.py").read_text()
    Path("wrong.py").write_text(text.replace(f'"left": Fraction("{wrong["left"]}', '"left": Fraction("9'))
    assert verdict("wrong.py", monkeypatch) is ClaimVerdict.REFUTED  # by the statement, which runs
    assert run(says=PRINTED)[0] == 0


@pytest.mark.parametrize("name", ["self", "STATED", "place", "by_more", "__debug__"])
def test_parameters_of_any_name_have_claims_that_run(run, monkeypatch, name):
    family = CHAIN | {"parameters": {name: [1], "stay": ["1/2", "3/4"]}}
    assert run("--out", "wrong.py", says="worst <= R", family=family)[0] == 1
    assert verdict("wrong.py", monkeypatch) is ClaimVerdict.REFUTED
    assert run("--out", "found.py", says="worst <= R**2", family=family)[0] == 0
    assert verdict("found.py", monkeypatch) is ClaimVerdict.OPEN


BELIEF = {
    "format": "pufferproof-family/1",
    "budgets": ["log(1)", "log(5/4)", "log(3/2)", "log(7/4)", "log(2)"],
    "parameters": {"p": {"from": "1/12", "to": "6/12", "step": "1/12"}},
    "framework": {
        "databases": ["a", "b", "c", "d"],
        "secrets": {"s": ["a", "b"], "t": ["c", "d"]},
        "pairs": [["s", "t"]],
        "priors": {"m": {"table": dict(zip("abcd", ["= p/2", "= (1 - p)/2", "1/4", "1/4"]))}},
    },
}
ADAPTIVE = "adaptive_delta == 1 - (q*(q-p) + (1-p-q)**2)/(1-p)".replace("q", "(1/2)")


def test_delta_of_several_releases_is_tried_and_said_in_the_claim(run, monkeypatch):
    asked = {"of": "adaptive_delta", "where": ["R == 1"], "fresh": 6, "says": ADAPTIVE}
    code, out, err = run("--out", "found.py", family=BELIEF, **asked)
    assert (code, err) == (0, "")
    assert "with a finite adaptive_delta of 2 at log(1) 6" in out
    assert verdict("found.py", monkeypatch) is ClaimVerdict.OPEN
    asked |= {"at": "1 + p", "budgets": ["R", "1 + p"]}
    code, out, _ = run("--out", "wrong.py", "--json", family=BELIEF, **asked)
    answer = json.loads(out)
    expect_valid(answer, "explore")
    assert (code, answer["budgets"], answer["delta_at"]) == (1, ["R", "1 + p"], "1 + p")
    assert verdict("wrong.py", monkeypatch) is ClaimVerdict.REFUTED
    code, out, _ = run(of="adaptivity", says="adaptivity <= 4/3", family=BELIEF)
    assert (code, "held 80" in out) == (0, True)


def test_two_values_of_a_parameter_tell_nothing_of_forms_with_two_roots(run):
    assert shapes([9, 2], 3, (0, 1, 2)) == [] != shapes([9, 4], 3, (0, 1, 2))
    code, out, _ = run(family=CHAIN | {"per_record_dp": ["log(2)", "log(3)"]})
    assert code == 3
    assert "tried       worst as a root of a quadratic equation: none" in out
    assert "not tried   worst as a quotient: the rest needs 11 values of stay, 11 values of R" in out


def test_what_all_forms_of_a_degree_need_is_enough_and_one_less_is_not():
    """Against the shapes themselves: every monomial of the degree is in the largest one tried."""
    for algebraic, degree in [*product((1, 2), range(4))]:
        few = [(place, Value(value=F(1))) for place in grid([F(1), F(2)], [F(1), F(2), F(3)], [F(5)])]
        for index, form in enumerate(attempts(few, degree, algebraic)):
            wide = {"x": 2, "y": 3, "z": 1} | form.values
            axes = [[F(value) for value in range(many)] for many in wide.values()]
            known = [(place, Value(value=F(1))) for place in grid(*axes)]
            most = [sum(powers) for powers in product(range(degree + 1), repeat=2)]
            every = len(form.powers) * sum(total <= degree for total in most)
            enough = attempts(known, degree, algebraic)[index]
            assert (enough.values, form.every, enough.every) == ({}, every, every)
            assert enough.complete == (enough.terms == every) == (len(known) > every)
            for name in form.values:
                less = [each for each in known if each[0][name] > 0]
                assert name in attempts(less, degree, algebraic)[index].values


def test_a_form_that_was_not_tried_is_not_denied(run, tmp_path):
    """Degree 3 in R takes nine values of R: with seven it is said that only 2 was tried."""
    printed = "worst == R*((1-stay) + stay*R)**2/(stay + (1-stay)*R)**2"
    records = {"count": 3, "alphabet": ["0", "1"]}
    secrets = {name: {"record": 2, "value": value} for name, value in (("s", "0"), ("t", "1"))}
    family = CHAIN | {"framework": CHAIN["framework"] | {"records": records, "secrets": secrets}}
    assert run(says=printed, fresh=12, family=family)[0] == 0
    code, out, err = run("--out", "found.py", degree=5, algebraic=1, family=family)
    assert (code, err, "written" in out) == (3, "", False)
    assert not (tmp_path / "found.py").exists()
    assert "tried       worst as a quotient: degree at most 4, 2 in stay, 2 in R; up to 18 ter" in out
    assert "not tried   worst as a quotient: the rest needs 13 values of stay, 13 values of R" in out
    code, out, _ = run("--json", degree=5, algebraic=1, family=family)
    answer = json.loads(out)
    expect_valid(answer, "explore")
    assert (answer["too_few_values"], answer["written"]) == (["R", "stay"], None)
    assert answer["attempts"][0]["values"] == {"stay": 13, "R": 13}


def test_what_no_form_explains_is_undecided(run):
    code, out, _ = run(degree=0, algebraic=1)
    assert (code, "none of those tried" in out, "not tried" in out) == (3, True, False)
    assert "tried       worst as a quotient: degree at most 0, 0 in stay, 0 in R; up to 2 term" in out
    same = CHAIN | {"parameters": {"stay": ["3/4"]}, "per_record_dp": ["log(2)"]}
    code, out, _ = run(says="worst >= R", family=same)
    assert (code, "undecided" in out) == (3, True)


@pytest.mark.parametrize(
    ("asked", "change", "said"),
    [
        ({"of": "other"}, {}, 'formula.json: of: expected "worst", "joint"'),
        ({"other": 1}, {}, 'formula.json: unknown key "other"'),
        ({"says": "worst"}, {}, "a relation"),
        ({"says": "worst <= other"}, {}, "other"),
        ({"says": "worst <="}, {}, "formula.json: says: expected an expression"),
        ({"where": ["stay < ("]}, {}, "formula.json: where: expected an expression"),
        ({"of": "joint", "budgets": ["R+"]}, {}, "formula.json: budgets: expected an expression"),
        ({"of": "delta", "at": "2 R"}, {}, "formula.json: at: expected an expression"),
        ({"where": ["stay"]}, {}, "a relation"),
        ({"where": ["p <= 1"]}, {}, 'formula.json: where: "p <= 1": expected one of stay, R, found'),
        ({}, {"per_record_dp": ["0.5"]}, "family.json: per_record_dp: expected levels"),
        ({}, {"parameters": {"stay": ["3/4"]}, "per_record_dp": ["log(2)"]}, "more members"),
        ({}, {"parameters": {"stay": ["3"]}}, "no member has a finite value"),
        ({"where": ["stay <= 1e-2"]}, {}, "no value of stay that the file lists"),
        ({"runs": 65}, {}, "less than or equal to 64"),
        ({}, {"parameters": {"R": ["3/4"], "stay": ["3/4"]}}, 'another name than "R"'),
        ({}, {"parameters": {"worst": ["3/4"], "stay": ["3/4"]}}, 'another name than "worst"'),
        ({}, {"parameters": {"lambda": ["3/4"], "stay": ["3/4"]}}, "a name such as"),
        ({}, {"budgets": ["log(2)"]}, "one of per_record_dp and budgets"),
        ({"budgets": ["R"]}, {}, "budgets that differ"),
        ({"of": "delta", "at": "other", "says": "delta<=1"}, {}, "expected one of stay, R"),
        ({"of": "delta", "at": "1/2"}, {}, "e^level at least 1"),
        ({"of": "joint"}, {"framework": BELIEF["framework"], "parameters": {"p": ["1/4"]}}, "7 of 7 are infinite"),
    ],
)
def test_what_cannot_be_tried_is_refused_in_one_line(run, asked, change, said):
    code, out, err = run(family=CHAIN | change, **asked)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--out", "no-name.py"), "a name such as"),
        (("--shrink", "3"), "--shrink: cannot be combined with --formula"),
        (("--parquet",), "--parquet: cannot be combined with --formula"),
    ],
)
def test_options_that_no_formula_has_are_refused_in_one_line(run, options, said):
    code, out, err = run(*options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
