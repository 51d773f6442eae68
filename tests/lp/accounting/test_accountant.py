"""The accountant against joint leakages: every bound holds, the exact one is exact, and mechanisms
that are chosen by earlier outputs stay below the bounds by levels.
"""

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest
from tests import seeds

from pufferproof import (
    Channel,
    Framework,
    HiddenMarkovModel,
    Level,
    LocalMechanism,
    MarkovChain,
    ModelError,
    Noise,
    Product,
    RecordQuery,
    Records,
    Table,
    adaptive_compose,
    audit,
    compose,
)
from pufferproof.lp.accounting.accountant import MOST_RELEASES, Accountant
from pufferproof.lp.accounting.ledger import Release
from pufferproof.lp.levels import Total
from pufferproof.lp.translation.translate import worst_case

F = Fraction
STAY = [["9/10", "1/10"], ["1/10", "9/10"]]
CLAIMS = json.loads((Path(__file__).parents[3] / "claims" / "EXPECTED.json").read_text(encoding="utf-8"))
HOLD = {"PROVED", "DERIVED", "CHECKED", "TRIED"}


def law(draw, size):
    weights = [draw.randint(1, 9) for _ in range(size)]
    return [F(weight, sum(weights)) for weight in weights]


def prior(draw, kind, count, values):
    if kind == "markov":
        return MarkovChain(law(draw, values), [law(draw, values) for _ in range(values)])
    if kind == "hidden":
        steps = [law(draw, 2), law(draw, 2)]
        return HiddenMarkovModel(law(draw, 2), steps, [law(draw, values) for _ in range(2)])
    if kind == "product":
        return Product([law(draw, values) for _ in range(count)])
    labels = Records(count, tuple("012"[:values])).labels()
    return Table(dict(zip(labels, law(draw, len(labels)))))


def framework(prior, count, values=2, record=1):
    alphabet = tuple("012"[:values])
    secrets = {f"s{value}": (record, value) for value in alphabet}
    return Framework.of_records(Records(count, alphabet), secrets, "disjoint", {"theta": prior})


def chain(count, record):
    return framework(MarkovChain("stationary", STAY), count, 2, record)


def mechanism(draw, space):
    values, count = len(space.records.alphabet), space.records.count
    if draw.random() < 0.5:
        records = [[law(draw, 2) for _ in range(values)] for _ in range(count)]
        return LocalMechanism(space.records.alphabet, "uv", records)
    return Channel.of({x: law(draw, 2) for x in space.databases}, ["u", "v"])


def joint_by_hand(space, channels):
    """The largest ratio of the joint release, from the definition."""
    rows = {x: [F(1)] for x in space.databases}
    for channel in channels:
        rows = {x: [p * channel.probability(x, w) for p in row for w in channel.outputs] for x, row in rows.items()}
    law, best = space.laws["theta"], F(1)
    for s in space.secrets:
        for t in space.secrets:
            if s != t:
                above, below = (
                    [
                        sum(F(law.weights[x], space.mass("theta", name)) * p[w] for x, p in known)
                        for w in range(len(rows[space.databases[0]]))
                    ]
                    for name in (s, t)
                    for known in [[(x, rows[space.databases[x]]) for x in space.secrets[name]]]
                )
                best = max(best, *(a / b for a, b in zip(above, below)))
    return best


@seeds(28)
def test_every_bound_holds_and_the_exact_one_is_exact(seed):
    for kind in ["markov", "hidden", "product", "table"]:
        draw = random.Random(f"{kind}{seed}")
        count, values = draw.randint(1, 3), draw.choice([2, 2, 3])
        space = framework(prior(draw, kind, count, values), count, values, draw.randint(1, count))
        releases = [mechanism(draw, space) for _ in range(draw.randint(1, 3))]
        account = Accountant(space)
        for each in releases:
            account.spend(each)
        channels = [each if isinstance(each, Channel) else each.channel() for each in releases]
        exact = joint_by_hand(space, channels)
        assert account.epsilon().ratio == exact == compose(space, releases).joint.leakage.ratio
        known = {bound.name: bound for bound in account.bounds()}
        assert known["joint"].leakage.ratio == exact
        assert known["worst"].ratio >= exact
        assert kind == "table" or known["quilt"].ratio >= known["worst"].leakage.lower
        assert all(bound.leakage is None or bound.ratio >= exact for bound in account.bounds())
        adaptive = Accountant(space, adaptive=True)
        for each in releases:
            adaptive.spend(each)
        assert adaptive.epsilon().upper >= exact
        assert adaptive.epsilon() == known["worst"].leakage


@seeds(12)
def test_mechanisms_chosen_by_outputs_stay_below_the_account(seed):
    draw = random.Random(seed)
    space = framework(prior(draw, "markov", 3, 2), 3, 2, draw.randint(1, 3))
    first, second, third = (
        LocalMechanism("01", "uv", [[law(draw, 2), law(draw, 2)] for _ in range(3)]) for _ in range(3)
    )
    then = {w: draw.choice([second, third]).channel() for w in first.channel().outputs}
    both = adaptive_compose(first.channel(), then)
    paths = []
    for known in (second, third):
        account = Accountant(space, adaptive=True)
        paths.append(account.spend(first).spend(known).epsilon().upper)
    assert audit(space, both).leakage.ratio <= max(paths)


def test_many_releases_of_different_levels_are_bounded():
    draw, space = random.Random(1), chain(200, 100)
    few, many = Accountant(space), Accountant(space)
    for _ in range(300):
        noise, segment = (Noise("laplace", draw.randint(500, 5000)), draw.choice([(1, 90), (80, 120)]))
        query = RecordQuery("sum", noise, space.records, segment)
        many.spend(query)
        few.spend(query) if len(few.releases) < 2 else None
    assert few.epsilon().upper <= many.epsilon().upper
    assert many.epsilon().lower is not None
    assert len(many.releases) > MOST_RELEASES
    assert "at most 64" in many.bounds()[0].how


def test_a_list_that_grows_is_another_release():
    space = chain(5, 2)
    queries = [RecordQuery("sum", Noise("laplace", 3), space.records)]
    account = Accountant(space).spend(queries)
    queries.append(queries[0])
    account.spend(queries)
    assert account.levels.largest == Total(F(1), F(1))


def test_a_budget_that_is_spent_to_the_last_leaves_nothing():
    space = framework(Product([["1/2", "1/2"]] * 2), 2)
    left = Accountant(space).spend("log(2)").remaining("log(2)")
    assert not left.exceeded
    assert (left.nats.lower, left.level) == ("0", Level("0"))
    assert str(left).endswith("nothing that another release may spend")


def test_without_levels_only_the_exact_joint_leakage_counts():
    space = chain(4, 2)
    account = Accountant(space).spend(RecordQuery("sum", Noise("gaussian", 3), space.records))
    assert account.epsilon().infinite
    account = Accountant(space).spend(LocalMechanism.redacting("01", [["1/2", 1]] * 4))
    reasons = [bound.how for bound in account.bounds() if bound.name != "joint"]
    assert len(reasons) == 3
    assert all("excludes a value of record 1" in reason for reason in reasons)
    assert account.levels is None
    assert str(account.remaining("5")) == "nothing left of 5: no finite bound of what is spent"
    account = Accountant(space).spend(LocalMechanism.redacting("01", [["1/2", "1/2"], [1, 1]] * 2))
    assert "no level for another release: LocalMechanism" in str(account.remaining("5"))
    assert account.spend("0").epsilon().infinite


def test_databases_without_records_have_exact_accounts():
    prior = {"theta": Table({"a": "1/2", "b": "1/2"})}
    space = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], prior)
    coin = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    account = Accountant(space).spend(coin).spend(coin)
    assert account.epsilon().ratio == 9
    assert account.remaining("log(10)").level is None
    with pytest.raises(ModelError, match="no records"):
        account.spend("0.5")
    assert len(account.releases) == 2


@pytest.mark.parametrize("budget", ["0.5", "1", "log(3)", "0.001", "20"])
@pytest.mark.parametrize("spent", [[], ["0.05"], ["log(21/20)", "0.01"]])
def test_what_remains_is_certified_and_no_more_than_the_next(budget, spent):
    space = chain(30, 15)
    account = Accountant(space)
    for level in spent:
        account.spend(level)
    left, budget = account.remaining(budget), Level(budget)
    if left.level is None:
        assert budget.compare(account.epsilon().upper) > 0
        assert str(left).startswith("nothing left")
        return
    for level, kept in ((left.level, True), (left.beyond, False)):
        worst = worst_case(space, account.levels.plus(Total.of([level]))).leakage
        assert (budget.compare(worst.upper) <= 0) is kept
    gap = left.beyond.nats - (left.level.nats or 0)
    assert gap <= F(1, 10**8) * budget.bounds()[1]
    assert float(left.nats.lower) == pytest.approx(
        float(budget.enclosure().lower) - float(account.epsilon().enclosure().lower)
    )


def test_an_exact_joint_leakage_may_leave_nats_and_no_level():
    """The mechanism says whether both records agree, which tells little of one."""
    space = framework(MarkovChain("stationary", [["51/100", "49/100"], ["49/100", "51/100"]]), 2)
    loud = Channel.of({x: ["9/10", "1/10"] if x in ("00", "11") else ["1/10", "9/10"] for x in space.databases}, "uv")
    account = Accountant(space).spend(loud)
    left = account.remaining("0.5")
    assert not left.exceeded
    assert account.epsilon().ratio < F(11, 10)
    assert left.level is None
    assert "whatever these mechanisms leaked" in str(left)


def test_every_claim_that_a_bound_names_exists_and_holds():
    space = framework(prior(random.Random(1), "markov", 3, 2), 3, 2, 2)
    listed = framework(prior(random.Random(1), "table", 2, 2), 2, 2, 2)
    larger = framework(MarkovChain("stationary", [["1/2", "1/4", "1/4"]] * 3), 9, 3, 4)
    named = set()
    for each in (space, listed, larger):
        account = Accountant(each).spend("0.5", name="x")
        named |= {claim for bound in account.bounds() for claim in bound.claims}
    noise = Accountant(space).spend(RecordQuery("sum", Noise("laplace", 3), space.records))
    gauss = Accountant(space).spend(RecordQuery("sum", Noise("gaussian", 3), space.records))
    named |= {claim for each in (noise, gauss) for claim in each.bounds()[0].claims}
    assert len(named) >= 10
    for claim in named:
        assert HOLD & {CLAIMS[claim]["verdict"], *CLAIMS[claim]["readings"]}, claim


def test_an_explanation_names_releases_bounds_and_claims():
    space = chain(100, 50)
    account = Accountant(space, adaptive=True).spend("log(2)", records=(1, 30), runs=2, name="am")
    account.spend("0.1", name="pm")
    said = account.explain()
    assert "3 releases, chosen while outputs were seen" in said
    assert "am, 2 times: level from 0 to log(2)" in said
    assert "worst.record-levels-interior" in said
    assert "song2017.x-any-quilt" in said
    assert f"together at most {account.epsilon()}" in said
    assert isinstance(account.releases[0], Release)


def test_what_cannot_be_spent_is_refused_and_nothing_entered():
    for given, more, message in [
        ("-1", {}, "mechanism_or_level"),
        (None, {}, "mechanism_or_level"),
        ([], {}, "mechanism_or_level"),
        (["0.1", "0.2"], {}, "expected 9 levels, one per record, found 2"),
        (["0.1"] * 9, {"records": (1, 2)}, "records: needs one level"),
        ("0.1", {"records": (0, 2)}, "records: expected \\(first, last\\)"),
        ("0.1", {"records": (3, 2)}, "records: expected"),
        ("0.1", {"records": (3, 10)}, "records: expected"),
        ("0.1", {"records": "12"}, "records"),
        ("0.1", {"runs": 0}, "runs: expected at least one run"),
        ("0.1", {"runs": "2"}, "runs: expected an integer"),
        ("0.1", {"name": 3}, "name: expected text"),
        (Channel.of({"0": {"u": 1}}), {}, "database"),
        (RecordQuery("sum", Noise("laplace", 1), Records(8, ("0", "1"))), {}, "found one of"),
        (
            RecordQuery("sum", Noise("laplace", 1), Records(9, ("0", "1"))),
            {"records": (1, 2)},
            "records: needs a level",
        ),
    ]:
        account = Accountant(chain(9, 4))
        with pytest.raises(ModelError, match=message):
            account.spend(given, **more)
        assert account.releases == ()
        assert account.epsilon().ratio == 1


def test_runs_are_releases():
    space, coin = chain(3, 2), LocalMechanism("01", "uv", [[["2/3", "1/3"], ["1/3", "2/3"]]] * 3)
    one, three = Accountant(space).spend(coin, runs=3), Accountant(space)
    for _ in range(3):
        three.spend(coin)
    assert one.epsilon() == three.epsilon() == compose(space, [coin] * 3).joint.leakage
    assert one.levels == three.levels
    assert [bound.leakage for bound in one.bounds()] == [bound.leakage for bound in three.bounds()]


def test_joint_releases_that_are_large_are_left_to_the_levels():
    space, coin = chain(6, 2), LocalMechanism("01", "uvw", [[[1, 0, 0], [0, "1/2", "1/2"]]] * 6)
    bound = Accountant(space).spend(coin, runs=2).bounds()[0]
    assert bound.leakage is None
    assert "joint outputs, computed for at most 1000000" in bound.how


def test_all_mixtures_of_priors_have_an_exact_account():
    priors = {"a": Table({"00": "1/2", "11": "1/2"}), "b": Table({"01": "1/4", "10": "3/4"})}
    secrets = {value: (1, value) for value in "01"}
    space = Framework.of_records(Records(2, ("0", "1")), secrets, "disjoint", priors, "convex")
    coin = LocalMechanism("01", "uv", [[["2/3", "1/3"], ["1/3", "2/3"]]] * 2)
    account = Accountant(space).spend(coin).spend(coin)
    assert account.epsilon() == compose(space, [coin, coin]).joint.leakage
    assert [bound.name for bound in account.bounds() if bound.leakage is not None] == ["joint"]
