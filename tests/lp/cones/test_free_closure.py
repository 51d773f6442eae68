"""Mixtures of priors that add nothing: what is asked of all of them is answered for the priors."""

import pytest

import pufferproof as pp

TABLES = {"p": pp.Table({"a": "1/2", "b": "1/4", "c": "1/4"}), "q": pp.Table({"a": "1/2", "b": "1/8", "c": "3/8"})}
UNEVEN = TABLES | {"q": pp.Table({"a": "1/4", "b": "1/4", "c": "1/2"})}
OTHER = {
    "p": pp.Table({"a": "1/4", "b": "1/4", "c": "1/4", "d": "1/4"}),
    "q": pp.Table({"a": "1/8", "b": "1/4", "c": "1/2", "d": "1/8"}),
}
COIN = pp.Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"], "c": ["1/3", "2/3"]}, ["u", "v"])
LOSS = pp.error_probability({"a": "yes", "b": "no", "c": "no"})


def framework(priors, closure):
    secrets = {"s": ["a"], "t": ["b", "c"]}
    return pp.Framework("abc", secrets, [("s", "t")], priors, closure)


CALLS = {
    "worst": lambda f: pp.worst_composition(f, ["log(2)", "log(3)"]).joint,
    "partner": lambda f: pp.worst_partner(f, COIN, "log(2)").joint,
    "collapse": lambda f: str(pp.collapse(f, "log(2)")),
    "critical": lambda f: str(pp.critical_ratio(f, 2)),
    "conditions": lambda f: [str(each) for each in pp.composition_conditions(f, COIN).conditions],
    "optimal": lambda f: (lambda best: (best.lower, best.upper))(pp.optimal_mechanism(f, "log(2)", LOSS)),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("priors", [TABLES, UNEVEN, {"p": TABLES["p"]}], ids=["odds", "law", "one"])
def test_a_free_closure_is_answered_as_the_list(name, priors):
    listed, convex = (framework(priors, closure) for closure in ("list", "convex"))
    assert CALLS[name](convex) == CALLS[name](listed)


@pytest.mark.parametrize("name", [name for name in CALLS if name != "optimal"])
def test_mixtures_that_count_are_refused_with_what_to_do(name):
    secrets = {"s": ["a", "b"], "t": ["c", "d"]}
    counted = pp.Framework("abcd", secrets, [("s", "t")], OTHER, "convex")
    mechanism = pp.Channel.of({x: ["1/2", "1/2"] for x in "abcd"}, ["u", "v"])
    calls = CALLS | {
        "partner": lambda f: pp.worst_partner(f, mechanism, "log(2)"),
        "conditions": lambda f: pp.composition_conditions(f, mechanism),
    }
    with pytest.raises(pp.ModelError, match='closure: expected "list", found "convex"') as error:
        calls[name](counted)
    assert "mixtures may break a level kept for the listed priors" in str(error.value)
    assert '"list" answers for the priors alone' in str(error.value)


QUERY = pp.AdditiveNoise({"a": 0, "b": 1, "c": 3}, pp.Noise("laplace", 2))


def test_noise_over_a_free_closure_is_audited_as_over_the_list():
    for priors in [TABLES, UNEVEN]:
        for kind in ["laplace", "gaussian", "geometric"]:
            query = pp.AdditiveNoise(QUERY.values, pp.Noise(kind, "1/2"))
            listed, convex = (framework(priors, closure) for closure in ("list", "convex"))
            answers = [pp.audit(each, [query, query], "1") for each in (listed, convex)]
            assert answers[0].leakage == answers[1].leakage
            assert answers[0].verdict is answers[1].verdict
            mixed = pp.compose(convex, [query], 2).joint.leakage
            assert mixed == pp.compose(listed, [query], 2).joint.leakage


def test_noise_over_mixtures_that_count_is_refused():
    secrets = {"s": ["a", "b"], "t": ["c", "d"]}
    counted = pp.Framework("abcd", secrets, [("s", "t")], OTHER, "convex")
    query = pp.AdditiveNoise({"a": 0, "b": 1, "c": 3, "d": 2}, pp.Noise("laplace", 2))
    with pytest.raises(pp.ModelError, match="noise is audited against a list of priors, and mix"):
        pp.audit(counted, query, "1")
    for other in ({"delta": "1/10"}, {"renyi": 2}):
        with pytest.raises(pp.ModelError, match="for pure levels only"):
            pp.audit(framework(TABLES, "convex"), QUERY, "1", **other)
