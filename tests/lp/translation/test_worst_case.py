"""The worst case of per-record levels: one pass along a chain and linear programs agree, mechanisms
that are written out leak as much, and bounds of larger alphabets enclose the truth.
"""

import random
from fractions import Fraction

import pytest
from tests import seeds

from pufferproof import Framework, HiddenMarkovModel, MarkovChain, ModelError, Product, Records, Table, audit
from pufferproof.lp.accounting.accountant import level_bounds
from pufferproof.lp.levels import RecordLevels, Total
from pufferproof.lp.translation import published
from pufferproof.lp.translation.bits import endless_ratio
from pufferproof.lp.translation.listed import worst_column
from pufferproof.lp.translation.published import least, published_bounds, some_untried
from pufferproof.lp.translation.sets import Order, Walks
from pufferproof.lp.translation.sets import responses as written
from pufferproof.lp.translation.translate import worst_case
from pufferproof.models.sequences.chain import Along, Chain

F = Fraction
LEVELS = ["log(1)", "log(2)", "log(3)", "log(7/3)"]
STAY = [["9/10", "1/10"], ["1/10", "9/10"]]


def law(draw, size):
    weights = [draw.choice([0, 1, 2, 3, 5]) for _ in range(size)]
    weights = weights if sum(weights) else [1] + [0] * (size - 1)
    return [F(weight, sum(weights)) for weight in weights]


def framework(prior, count, values, record):
    alphabet = tuple("0123"[:values])
    secrets = {f"s{value}": (record, value) for value in alphabet}
    return Framework.of_records(Records(count, alphabet), secrets, "disjoint", {"theta": prior})


def drawn(draw, kind, count, values):
    if kind == "markov":
        return MarkovChain(law(draw, values), [law(draw, values) for _ in range(values)])
    if kind == "hidden":
        steps = [law(draw, 2), law(draw, 2)]
        return HiddenMarkovModel(law(draw, 2), steps, [law(draw, values) for _ in range(2)])
    return Product([law(draw, values) for _ in range(count)])


@seeds(48)
@pytest.mark.parametrize("kind", ["markov", "hidden", "product"])
def test_one_pass_agrees_with_linear_programs_and_is_attained(kind, seed):
    draw = random.Random(f"{kind}{seed}")
    count, values = draw.randint(1, 4), 2 if kind == "markov" else draw.choice([2, 3])
    space = framework(drawn(draw, kind, count, values), count, values, draw.randint(1, count))
    levels = RecordLevels.of([draw.choice(LEVELS) for _ in range(count)])
    try:
        expected = worst_column(space, levels)
    except ModelError as error:
        with pytest.raises(ModelError, match=error.what[:20]):
            worst_case(space, levels)
        return
    worst = worst_case(space, levels)
    assert worst.exact
    assert worst.leakage.ratio == expected.ratio
    for mechanism in (worst.mechanism().channel(), expected.mechanism()):
        assert audit(space, mechanism).leakage.ratio == expected.ratio
        assert_keeps(mechanism, levels, space)


def assert_keeps(mechanism, levels, space):
    """Every output keeps the level of every record, from the definition."""
    for x in space.databases:
        for y in space.databases:
            differ = [place for place, (a, b) in enumerate(zip(x, y), 1) if a != b]
            if len(differ) == 1:
                ratio = levels.at(differ[0]).exact
                for output in mechanism.outputs:
                    most = ratio * mechanism.probability(y, output)
                    assert mechanism.probability(x, output) <= most


@seeds(48)
def test_walks_and_their_tilts_enclose_the_worst_case(seed):
    draw = random.Random(seed)
    values = draw.choice([2, 3, 4])
    count = draw.randint(1, {2: 5, 3: 4, 4: 3}[values])
    record, chain = draw.randint(1, count), drawn(draw, "markov", count, values)
    levels = RecordLevels.of([draw.choice(LEVELS) for _ in range(count)])
    expect_enclosed(chain, levels, record, values)


def expect_enclosed(chain, levels, record, values):
    """Bounds, and mechanisms that are written out, are near the worst of linear programs."""
    count, walks = levels.count, Walks(Chain.of_markov(chain), levels)
    possible = Along(chain, count).possible(record)
    pairs = [(one, other) for one in possible for other in possible if one != other]
    asked = [Order(("s", "t"), record, *pair) for pair in pairs]
    for order, walked in zip(asked, walks.bounds(asked)):
        space = pair_of(chain, count, values, record, (order.one, order.other))
        exact, found = worst_column(space, levels).ratio, walks.responses(order)
        assert exact <= walked <= exact * (1 + F(1, 10**8))
        assert exact * (1 - F(1, 10**8)) <= found.ratio <= exact
        made = written(space, levels, found.favoured).channel()
        assert found.ratio <= audit(space, made).leakage.ratio <= exact


def stuck(draw, kind, states):
    """A chain that has zeros, goes round in a circle, or is caught in its last value."""
    if kind == "periodic":
        rows = [[F(z == (v + 1) % states) for z in range(states)] for v in range(states)]
    else:
        rows = [law(draw, states) for _ in range(states)]
    if kind == "absorbing":
        rows[-1] = [F(0)] * (states - 1) + [F(1)]
    first = [F(1 + draw.randrange(3)) for _ in range(states)]
    return MarkovChain([weight / sum(first) for weight in first], rows)


@seeds(24)
@pytest.mark.parametrize("kind", ["zeros", "periodic", "absorbing"])
def test_walks_are_the_worst_case_of_chains_that_do_not_mix(kind, seed):
    draw = random.Random(f"{kind}{seed}")
    values = draw.choice([2, 3, 3, 4])
    count = draw.randint(1, {2: 5, 3: 4, 4: 3}[values])
    chain, record = stuck(draw, kind, values), draw.choice([1, count, draw.randint(1, count)])
    levels = RecordLevels.of([draw.choice(LEVELS) for _ in range(count)])
    expect_enclosed(chain, levels, record, values)


def test_a_year_of_hours_is_walked_until_nothing_changes():
    rows = [["1/2", "1/3", "1/6"], ["1/4", "1/2", "1/4"], ["0", "2/5", "3/5"]]
    chain = MarkovChain("stationary", rows)
    near, far = (framework(chain, count, 3, count // 2) for count in (200, 8_760))
    short, long = (
        worst_case(each, RecordLevels.uniform(count, ["0.1"])).leakage for each, count in ((near, 200), (far, 8_760))
    )
    assert far.along_records
    assert abs(short.upper - long.upper) <= short.upper * F(1, 10**10)
    assert long.lower <= long.upper <= long.lower * (1 + F(1, 10**10))


@pytest.mark.parametrize("private", [1, 15_000, 30_000])
def test_chains_that_forget_slowly_are_walked_to_the_end(private):
    """Two values have exact worst cases, three that move as two, one of them split, the same."""
    stay, move = F(9_999, 10_000), F(1, 10_000)
    three = [[stay, move / 2, move / 2], [move, stay / 2, stay / 2], [move, stay / 2, stay / 2]]
    levels = RecordLevels.uniform(30_000, ["0.0001"])
    first = [MarkovChain("stationary", rows) for rows in ([[stay, move], [move, stay]], three)]
    spaces = [framework(chain, 30_000, len(chain.transition), private) for chain in first]
    exact, found = (worst_case(space, levels).leakage for space in spaces)
    assert abs(found.upper / exact.upper - 1) < F(1, 10**7)
    assert abs(found.lower / exact.upper - 1) < F(1, 10**7)


@seeds(12)
def test_all_records_together_have_the_largest_bound_of_each(seed):
    draw = random.Random(seed)
    rows = [law(draw, 4) for _ in range(4)]
    chain = MarkovChain("stationary", [[(p + F(1, 9)) / (1 + F(4, 9)) for p in r] for r in rows])
    count = draw.choice([7, 40])
    places = sorted(draw.sample(range(1, count + 1), 5))
    pairs = [(one, other) for one in range(4) for other in range(4) if one != other]
    orders = [Order(("s", "t"), place, *pair) for place in places for pair in pairs]
    walks = Walks(Chain.of_markov(chain), RecordLevels.uniform(count, [draw.choice(LEVELS[1:])]))
    order, bound = walks.largest(orders)
    every = walks.bounds(orders)
    assert max(every) * (1 - F(1, 10**7)) <= bound <= max(every) * (1 + F(1, 10**7))
    assert bound <= every[orders.index(order)] * (1 + F(1, 10**7))


def test_a_framework_cites_what_each_of_its_priors_rests_on():
    """A chain is walked; a hidden chain of two states takes one pass."""
    rows = [["1/2", "1/3", "1/6"], ["1/4", "1/2", "1/4"], ["0", "2/5", "3/5"]]
    hidden = HiddenMarkovModel("stationary", STAY, [["1/2", "1/4", "1/4"], ["1/8", "1/8", "3/4"]])
    priors = {"walked": MarkovChain("stationary", rows), "hidden": hidden}
    secrets = {value: (20, value) for value in "012"}
    both = Framework.of_records(Records(40, tuple("012")), secrets, "disjoint", priors)
    levels = RecordLevels.uniform(40, ["0.1"])
    alone = [worst_case(both.with_priors({name: prior}), levels).claims for name, prior in priors.items()]
    assert set(worst_case(both, levels).claims) == {*alone[0], *alone[1]}
    assert "worst.tilts" in alone[0]
    assert "worst.tilts" not in alone[1]


def pair_of(chain, count, values, record, positions):
    alphabet = tuple("0123"[:values])
    secrets = {name: (record, alphabet[at]) for name, at in zip("st", positions)}
    records = Records(count, alphabet)
    return Framework(records, secrets, [("s", "t")], {"theta": chain}, one_sided=True)


def test_an_endless_chain_has_both_values_again_and_again():
    with pytest.raises(ModelError, match="leads to the other"):
        endless_ratio([[F(1), F(0)], [F(1, 2), F(1, 2)]], Total(F(2), F(0)))
    alternates = [[F(0), F(1)], [F(1), F(0)]]
    assert endless_ratio(alternates, Total(F(2), F(0))) == (None, None)
    assert endless_ratio(alternates, Total(F(1), F(0))) == (1, 1)


def test_databases_without_a_path_are_not_bound_together():
    """X_2 = X_1: the domain of what is possible has no two neighbours."""
    space = framework(Table({"00": "1/2", "11": "1/2"}), 2, 2, 1)
    levels = RecordLevels.uniform(2, ["log(2)"])
    assert worst_column(space, levels, "product").ratio == 4
    assert worst_column(space, levels, "possible").ratio is None
    assert worst_case(space, levels, "possible").leakage.infinite
    mechanism = worst_column(space, levels, "possible").mechanism()
    assert audit(space, mechanism).leakage.infinite


@seeds(20)
def test_the_published_bound_is_one(seed):
    draw = random.Random(seed)
    count = draw.randint(1, 5)
    space = framework(drawn(draw, "markov", count, 2), count, 2, draw.randint(1, count))
    levels = RecordLevels.of([draw.choice(LEVELS) for _ in range(count)])
    try:
        exact = worst_case(space, levels).leakage.ratio
    except ModelError:
        return
    assert all(bound.leakage.upper >= exact for bound in published_bounds(space, levels))
    assert least(published_bounds(space, levels)).leakage.upper >= exact


@pytest.mark.parametrize(("stay", "most"), [("1", 1_000), ("9999/10000", 100)])
def test_beyond_a_thousand_hidden_records_all_of_them_are_a_bound(stay, most, monkeypatch):
    """A chain that stays for ever has a(b) infinite below n; a slow one its least bound at n, with
    a tenth of the points tried.
    """
    move, count = str(1 - F(stay)), most + 10
    chain = MarkovChain(["1/2", "1/2"], [[stay, move], [move, stay]])
    space = framework(chain, count, 2, count // 2)
    levels = RecordLevels.uniform(count, ["0.001"])
    monkeypatch.setattr(published, "_MOST", most)
    bounds = published_bounds(space, levels)
    assert least(bounds).hidden == count
    assert least(bounds).leakage.enclosure().upper.startswith(f"{count / 1_000:.2f}")
    assert some_untried(bounds)
    assert [bound.hidden for bound in bounds[:-1]] == ([] if stay == "1" else [*range(1, most + 1)])
    (said,) = (each for each in level_bounds(space, levels) if each.name == "published")
    assert said.how == f"{count} records hidden, between 1,000 and all hidden not tried"


def test_one_record_and_level_zero():
    space = framework(Product([["1/2", "1/2"]]), 1, 2, 1)
    assert worst_case(space, RecordLevels.uniform(1, ["log(5)"])).leakage.ratio == 5
    assert worst_case(space, RecordLevels.uniform(1, ["0"])).leakage.ratio == 1
    with pytest.raises(ModelError, match="expected 1 levels"):
        worst_case(space, RecordLevels.uniform(2, ["0"]))


def test_irrational_levels_are_enclosed():
    space = framework(MarkovChain("stationary", STAY), 6, 2, 3)
    listed = framework(Table({"00": "1/2", "11": "1/2"}), 2, 2, 1)
    for each, count in ((space, 6), (listed, 2)):
        leakage = worst_case(each, RecordLevels.uniform(count, ["0.5"])).leakage
        assert leakage.lower < leakage.upper < leakage.lower * (1 + F(1, 10**12))
