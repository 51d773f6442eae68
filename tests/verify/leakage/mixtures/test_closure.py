"""Whether mixtures of the priors are free, against the worst mechanism for a mixture: an exact
linear program over all mechanisms that keep a level for the listed priors.
"""

from fractions import Fraction
from random import Random

import pytest

from pufferproof import Framework, ModelError, Table
from pufferproof.lp.exact.linear import Program, Row
from pufferproof.lp.exact.program import solve_exact
from pufferproof.verify.decision import Decision
from pufferproof.verify.leakage import laws as closure
from pufferproof.verify.leakage.laws import free_mixtures

F = Fraction
LABELS = "abcde"


def given(weights, secret):
    """The law of the database given a secret, or None if that is impossible."""
    mass = sum(weights[x] for x in secret)
    return mass and {x: F(weights[x], 1) / mass for x in secret}


def mixture(priors, shares):
    return {x: sum(w * prior[x] for w, prior in zip(shares, priors)) for x in LABELS}


def conditions(pairs, weights, ratio):
    """mu - R nu for every ordered pair of secrets that a prior allows."""
    for pair in pairs:
        for above, below in (pair, pair[::-1]):
            mu, nu = given(weights, above), given(weights, below)
            if mu and nu:
                yield {LABELS.index(x): mu.get(x, 0) - ratio * nu.get(x, 0) for x in LABELS}


def worst(priors, pairs, shares, ratio):
    """The most by which a mechanism that keeps e^level = `ratio` for all priors breaks it for a
    mixture: of the columns u and 1 - u of a mechanism of two outputs.
    """
    rows = [Row({i: 1}, "<=", 1) for i in range(len(LABELS))]
    for prior in priors:
        for row in conditions(pairs, prior, ratio):
            rows.append(Row(row, "<=", 0))
            rows.append(Row({i: -c for i, c in row.items()}, "<=", -sum(row.values())))
    asked = list(conditions(pairs, mixture(priors, shares), ratio))
    values = [solve_exact(Program(goal, rows, len(LABELS))).value for goal in asked]
    return max(values, default=F(0))


def framework(priors, pairs, **more):
    names = sorted({secret for pair in pairs for secret in pair})
    totals = [sum(prior.values()) for prior in priors]
    return Framework(
        list(LABELS),
        {name: list(name) for name in names},
        pairs,
        {
            f"p{k}": Table({x: F(w, total) for x, w in prior.items()})
            for k, (prior, total) in enumerate(zip(priors, totals))
        },
        **more,
    )


def prior(*weights):
    return dict(zip(LABELS, weights))


def drawn(random):
    """Priors that often share odds or laws, with secrets that may be impossible, and pairs of
    which some overlap others.
    """
    priors = [prior(*(random.choice((0, 1, 1, 2, 3)) for _ in LABELS))]
    for _ in range(random.choice((1, 1, 2))):
        before = priors[0]
        scale = {secret: random.choice((0, 1, 1, 2, 3)) for secret in ("ab", "cd", "e")}
        held = {x: next(s for s in scale if x in s) for x in LABELS}
        new = {x: before[x] * scale[held[x]] for x in LABELS}
        for x in random.choice(("", "c", "ac", "abcd", "abcd")):
            new[x] = random.choice((1, 2, 3))
        priors.append(new)
    pairs = random.choice(([("ab", "cd")],) * 3 + ([("ab", "cd"), ("ab", "e")], [("ab", "c"), ("ac", "de")]))
    return priors, pairs


def test_against_the_worst_mechanism_for_a_mixture():
    random, said = Random(3), []
    while len(said) < 50:
        priors, pairs = drawn(random)
        if not all(map(any, (each.values() for each in priors))):
            continue
        priors = [{x: F(w, sum(each.values())) for x, w in each.items()} for each in priors]
        mixtures = free_mixtures(framework(priors, pairs))
        said.append(mixtures.free)
        ratio = random.choice((F(1), F(2), F(7, 2)))
        even = [F(1, len(priors))] * len(priors)
        skew = [F(2 * k + 1, len(priors) ** 2) for k in range(len(priors))]
        breaks = [worst(priors, pairs, shares, ratio) for shares in (even, skew)]
        if mixtures.free is Decision.HOLDS:
            assert max(breaks) <= 0
        elif mixtures.free is Decision.FAILS:
            assert min(breaks) > 0
    assert min(said.count(each) for each in Decision) >= 4


@pytest.mark.parametrize(
    ("second", "free"),
    [
        (prior(1, 3, 0, 0, 1), Decision.HOLDS),  # c, d impossible, the law on a, b the same
        (prior(3, 1, 0, 0, 1), Decision.UNDECIDED),
        (prior(0, 0, 0, 0, 1), Decision.HOLDS),  # both impossible
        (prior(0, 0, 2, 2, 1), Decision.HOLDS),
        (prior(0, 0, 2, 1, 1), Decision.UNDECIDED),
    ],
)
def test_impossible_secrets(second, free):
    first = prior(1, 3, 2, 2, 0)
    mixtures = free_mixtures(framework([first, second], [("ab", "cd")]))
    assert mixtures.free is free
    if free is not Decision.HOLDS:
        assert "impossible" in mixtures.reason


def test_how_many_databases_are_compared(monkeypatch):
    """Those of all secrets under all priors are counted, and not of records alone."""
    space = framework([prior(1, 3, 2, 2, 0), prior(2, 5, 4, 1, 0)], [("ab", "cd")])
    for most, free in ((8, Decision.FAILS), (7, Decision.UNDECIDED)):
        monkeypatch.setattr(closure, "_MOST_WEIGHTS", most)
        assert free_mixtures(space).free is free


def test_what_is_said_of_mixtures():
    priors = [prior(1, 3, 2, 2, 0), prior(2, 5, 4, 1, 0)]
    against = free_mixtures(framework(priors, [("ab", "cd")]))
    assert str(against) == (
        "mixtures may break a level kept for the listed priors: the odds of the secrets differ, "
        "and the laws given each of them for 'p0' and 'p1', 'ab' against 'cd'"
    )
    said = {"free": False, "priors": ["p0", "p1"], "pair": ["ab", "cd"], "reason": against.reason}
    assert against.as_json() == said | {"claims": [*closure.CLAIMS]}
    unknown = closure.Mixtures(Decision.UNDECIDED, reason="of some reason")
    assert str(unknown) == ("mixtures are not known not to break a level kept for the listed priors: of some reason")
    said = {"free": None, "priors": None, "pair": None, "reason": "of some reason"}
    assert unknown.as_json() == said | {"claims": [*closure.CLAIMS]}


def test_mixtures_that_are_asked_for_have_to_be_free():
    one, other, same = prior(1, 3, 2, 2, 0), prior(2, 5, 4, 1, 0), prior(1, 3, 4, 1, 0)
    for priors, asked in (([one, other], "list"), ([one, same], "convex"), ([one], "convex")):
        closure.expect_free(framework(priors, [("ab", "cd")], closure=asked), "so it is")
    with pytest.raises(ModelError, match=r"closure: .* so it is, and mixtures may break a level"):
        closure.expect_free(framework([one, other], [("ab", "cd")], closure="convex"), "so it is")
