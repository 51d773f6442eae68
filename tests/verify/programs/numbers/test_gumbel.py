"""Programs with Gumbel noise: the exponential mechanism and its repeated form, exactly."""

from fractions import Fraction
from itertools import permutations, product
from math import exp

import numpy as np
import pytest
from tests.verify.programs.sampled import exact, plausibility

import pufferproof as pp
from pufferproof.examples.programs import noisy_max
from pufferproof.models.channel import Channel
from pufferproof.models.mechanisms.exponential import Utility
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable, table_of
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Power
from pufferproof.verify.noise.ratio.partial import as_partial
from pufferproof.verify.programs.law import ProgramError, law_of

CERTAIN = ExponentialSum([(1, ONE)])


def scores_of(database):
    return np.array([int(each) for each in database])


def at_once(database, rng):
    scores = scores_of(database)
    return int(np.argmax(scores / 2 + rng.gumbel(size=len(scores))))


def scaled(database, rng):
    scores = scores_of(database)
    return int(np.argmax(scores + rng.gumbel(scale=2.0, size=len(scores))))


def one_by_one(database, rng):
    best, at = None, None
    for place, score in enumerate(scores_of(database)):
        noisy = score + 2 * rng.gumbel()
        if best is None or noisy > best:
            best, at = noisy, place
    return at


def by_hand(database, rng):
    noisy = [score / 2 - np.log(-np.log(rng.random())) for score in scores_of(database)]
    return noisy.index(max(noisy))


def by_logarithm(database, rng):
    scores = scores_of(database)
    return int(np.argmin(np.log(rng.exponential(size=len(scores))) - scores / 2))


SAME = [at_once, scaled, one_by_one, by_hand, by_logarithm]


def weights(scores):
    return [ExponentialSum([(1, Power.exp(Fraction(int(each), 2)))]) for each in scores]


def exponential_mechanism(databases):
    return table_of({x: {str(i): w for i, w in enumerate(weights(x))} for x in databases})


def same(one, other):
    """Whether two tables have the same probabilities: products of what is above and below."""
    return all(
        one.entries[i][one.outputs.index(y)] * other.totals[i]
        == other.entries[i][other.outputs.index(y)] * one.totals[i]
        for i in range(len(one.databases))
        for y in one.outputs
    )


@pytest.mark.parametrize("program", SAME)
def test_the_place_of_the_largest_has_the_law_of_the_exponential_mechanism(program):
    databases = ["0120", "1111", "3", "10"]
    for database in databases:
        law, expected = law_of(program, [database]).table(), exponential_mechanism([database])
        if isinstance(expected, Channel):
            assert all(law.probability(database, y) == expected.probability(database, y) for y in expected.outputs)
        else:
            assert same(law, expected)


def test_both_doors_give_one_answer():
    """A chain of records, and one score per record: program, table, and the rational channel of
    the exponential mechanism with a base just below e^(1/2).
    """
    space = pp.Records(3, ("0", "1"))
    chain = pp.MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    secrets = {"no": (2, "0"), "yes": (2, "1")}
    framework = pp.Framework.of_records(space, secrets, [("no", "yes")], {"chain": chain})
    one = pp.audit(framework, at_once, "1").leakage
    two = pp.audit(framework, exponential_mechanism(framework.databases), "1").leakage
    assert one.enclosure() == two.enclosure()
    scores = {str(i): {x: int(x[i]) for x in framework.databases} for i in range(3)}
    utility = Utility.of(scores, space)
    rounded, _ = utility.mechanism(Fraction(1))
    near = pp.audit(framework, rounded, "1").leakage
    assert float(near.enclosure().lower) == pytest.approx(float(one.enclosure().lower), abs=1e-9)


def test_other_noise_has_another_law():
    databases = ["110", "100"]
    gumbel = pp.as_mechanism(noisy_max.with_gumbel, databases).value
    flip = pp.as_mechanism(noisy_max.permute_and_flip, databases).value
    assert isinstance(gumbel, PowerTable)
    assert gumbel.probability_approx("110", "2") > flip.probability_approx("110", "2")


def test_equal_scores_give_a_channel():
    law = law_of(at_once, ["11", "33"]).table()
    assert isinstance(law, Channel)
    assert law.probability("33", "1") == Fraction(1, 2)


@pytest.mark.parametrize("program", SAME)
def test_probabilities_sum_to_exactly_one(program):
    law = law_of(program, ["0213"])
    assert law.whole
    for parts in (law.masses["0213"].values(), [p.probability for p in law.paths["0213"]]):
        first, *rest = parts
        assert sum(rest, first).rational == 1


def peeled(database, rng):
    noisy = scores_of(database) + rng.gumbel(scale=2.0, size=len(database))
    return tuple(np.argsort(-noisy)[:2].tolist())


def popped(database, rng):
    noisy = {i: int(each) / 2 - rng.gumbel() * -1 for i, each in enumerate(database)}
    chosen = []
    for _ in range(2):
        best = max(noisy, key=noisy.get)
        chosen.append(best)
        del noisy[best]
    return tuple(chosen)


def drawn_anew(database, rng):
    scores, chosen = dict(enumerate(scores_of(database))), []
    for _ in range(2):
        places = list(scores)
        noise = rng.gumbel(scale=2.0, size=len(places))
        best = places[int(np.argmax(np.array([scores[i] for i in places]) + noise))]
        chosen.append(best)
        del scores[best]
    return tuple(chosen)


@pytest.mark.parametrize("program", [peeled, popped, drawn_anew])
def test_the_two_largest_in_one_shot_are_draws_without_replacement(program):
    database = "0120"
    law, shares = law_of(program, [database]), weights(database)
    for first, second in permutations(range(4), 2):
        found = law.masses[database][f"({first},{second})"]
        whole = sum(shares, ExponentialSum([]))
        above, below = shares[first] * shares[second], whole * (whole - shares[first])
        assert found.above * below == above * found.below


def first_above(database, rng):
    """A logistic draw is the difference of two Gumbel draws."""
    return next((i for i, x in enumerate(database) if int(x) + rng.logistic(scale=2.0) > 1), None)


def test_logistic_noise_has_rational_functions_of_powers_of_e():
    law = law_of(first_above, ["01"])
    stays = 1 / (1 + exp(-1 / 2))  # P(Z < 1), scale 2
    found = exact(law, "01")
    assert found["0"] == pytest.approx(1 - stays, abs=1e-14)
    assert found["1"] == pytest.approx(stays / 2, abs=1e-14)


def chosen_and_measured(database, rng):
    scores = scores_of(database)
    best = int(np.argmax(scores / 2 + rng.gumbel(size=len(scores))))
    return best, scores[best] + rng.laplace()


def sorted_noise(database, rng):
    return np.argsort(scores_of(database) + rng.gumbel(size=len(database))).tolist()


def largest_gap(database, rng):
    noisy = np.sort(scores_of(database) + rng.gumbel(size=len(database)))
    return bool(noisy[-1] - noisy[-2] > 1)


def beside_laplace(database, rng):
    best = int(np.argmax(scores_of(database) + rng.gumbel(size=len(database))))
    return best if rng.laplace() > 1 else database.count("1") + rng.integers(2)


def until_ahead(database, rng):
    """Draw anew until the first is ahead; at most three times."""
    for _ in range(3):
        first, second = rng.gumbel(), int(database[1]) + rng.gumbel()
        if first > second:
            return "ahead"
    return "behind"


SAMPLED = [*SAME, peeled, popped, first_above, sorted_noise, largest_gap, beside_laplace]
SAMPLED += [until_ahead]


@pytest.mark.parametrize("program", SAMPLED)
def test_laws_agree_with_samples(program):
    assert plausibility(program, "0120") > 1e-6  # fails with this probability


def test_a_chosen_count_is_measured():
    """The place has the law of the exponential mechanism, and the number its density."""
    labels = ["01", "11"]
    table = pp.as_mechanism(chosen_and_measured, labels).value
    assert isinstance(table, PartialTable)
    share = 1 / (1 + exp(1 / 2))
    assert table.probability_approx("01", "(0,number)") == pytest.approx(share, abs=1e-14)
    pairs, prior = [("01", "11")], pp.Table(dict.fromkeys(labels, Fraction(1, 2)))
    framework = pp.Framework(labels, {x: [x] for x in labels}, pairs, {"any": prior})
    found = pp.audit(framework, chosen_and_measured, "2", Fraction(1, 100))
    # place 0: its share from 1/(1 + e^1/2) to 1/2, its count from 0 to 1
    assert float(found.leakage.enclosure().lower) == pytest.approx(1 + np.log((1 + exp(1 / 2)) / 2), abs=1e-9)
    assert found.verdict.value == "SATISFIES"


def test_joint_releases_of_quotients_are_those_of_one_program():
    """An independent choice beside a chosen count: composed, and in one program."""

    def both(database, rng):
        return (at_once(database, rng), *chosen_and_measured(database, rng))

    labels = ["01", "11"]
    prior = pp.Table(dict.fromkeys(labels, Fraction(1, 2)))
    framework = pp.Framework(labels, {x: [x] for x in labels}, [tuple(labels)], {"any": prior})
    one, other = (pp.as_mechanism(each, labels).value for each in (at_once, chosen_and_measured))
    joint = pp.audit(framework, as_partial(one).beside(other), "1", Fraction(1, 10))
    whole = pp.audit(framework, both, "1", Fraction(1, 10))
    for found, expected in zip(joint.delta.bounds(), whole.delta.bounds()):
        assert float(found) == pytest.approx(float(expected), abs=1e-12)
    assert joint.leakage.enclosure() == whole.leakage.enclosure()


def test_deltas_of_quotients_are_sums_over_outputs():
    labels = ["10", "01"]
    prior = pp.Table(dict.fromkeys(labels, Fraction(1, 2)))
    framework = pp.Framework(labels, {x: [x] for x in labels}, [tuple(labels)], {"any": prior})
    found = pp.audit(framework, at_once, "1/10", Fraction(1, 4))
    p, q = 1 / (1 + exp(-1 / 2)), 1 / (1 + exp(1 / 2))
    assert float(found.delta.bounds()[0]) == pytest.approx(p - exp(0.1) * q, abs=1e-12)


REFUSED = {
    "a number": (lambda _, rng: rng.gumbel() > 0, "Gumbel noise with a number"),
    "rounding": (lambda _, rng: round(rng.gumbel()), "it rounds Gumbel noise"),
    "clipping": (lambda _, rng: float(np.clip(rng.gumbel(), 0, 1)), "Gumbel noise with a number"),
    "others": (lambda _, rng: rng.gumbel() > rng.laplace(), "noise of another kind"),
    "scales": (lambda _, rng: rng.gumbel(0, 1) > rng.gumbel(0, 2), "of different scales"),
    "some scales": (lambda _, rng: int(np.argmax(rng.gumbel(scale=np.array([1, 1, 2])))), "of different scales"),
    "sums": (lambda _, rng: rng.gumbel() + rng.gumbel() > rng.gumbel(), "sums of Gumbel noise"),
    "opposites": (lambda _, rng: rng.gumbel() > -rng.gumbel(), "sums of Gumbel noise"),
    "logistic": (lambda _, rng: rng.logistic() > rng.logistic(), "sums of Gumbel noise"),
    "released": (lambda _, rng: rng.gumbel(), "its output has a number with Gumbel noise"),
    "logarithm": (lambda _, rng: np.log(rng.gumbel()) > 0, "a logarithm of draws"),
    "another scale": (
        lambda _, rng: np.log(rng.exponential(2)) > np.log(rng.exponential()),
        "an exponential one of scale 1",
    ),
    "twice": (lambda _, rng: (lambda e: np.log(e) > np.log(e))(rng.exponential()), "an exponential one of scale 1"),
    "looked at": (lambda _, rng: (lambda e: (np.log(e), e > 1))(rng.exponential()), "of which it took the logarithm"),
    "looked at before": (
        lambda _, rng: (lambda e: (e > 1, np.log(e)))(rng.exponential()),
        "an exponential one of scale 1",
    ),
}


def test_refused_by_name():
    for name in REFUSED:
        program, words = REFUSED[name]
        with pytest.raises(ProgramError, match=words) as error:
            law_of(program, ["0"], name="module:program")
        if name != "released":
            assert "module:program, test_gumbel.py:" in str(error.value)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (lambda _, rng: rng.gumbel(scale=-1) > rng.gumbel(), "scale < 0"),
        (lambda _, rng: rng.gumbel(scale="wide"), "expected a number, found 'wide'"),
        (lambda _, rng: rng.gumbel(np.nan) > rng.gumbel(), "a draw and nan"),
        (lambda _, rng: rng.gumbel(scale=rng.random()) > 1, "a scale is a draw"),
    ],
)
def test_bad_parameters(program, words):
    with pytest.raises(ProgramError, match=words):
        law_of(program, ["0"])


def test_scores_that_are_far_apart():
    law = law_of(lambda _, rng: int(np.argmax(np.array([0, 5000]) + rng.gumbel(size=2))), ["0"])
    assert law.table().probability_approx("0", "1") == 1
    assert law.masses["0"]["0"].bounds()[0] > 0
    assert law.whole


def test_noise_of_scale_zero_is_none():
    law = law_of(lambda x, rng: int(np.argmax(scores_of(x) + rng.gumbel(0, 0, size=2))), ["01"])
    assert law.table().probability("01", "1") == 1


def test_an_endless_loop_leaves_a_part_of_quotients():
    def ahead(database, rng):
        for tries in range(10**6):
            if rng.gumbel() > 1 + rng.gumbel():
                return min(tries, 1)
        return None

    law = law_of(ahead, ["0"], paths=6)
    assert not law.whole
    stays = 1 / (1 + exp(-1))
    assert float(law.left["0"].ball()) == pytest.approx(stays ** len(law.paths["0"]))


@pytest.mark.parametrize("count", [2, 3])
def test_databases_that_share_paths_have_their_own_laws(count):
    databases = ["".join(bits) for bits in product("01", repeat=count)]
    law = law_of(at_once, databases)
    for database in databases:
        alone = law_of(at_once, [database])
        assert law.masses[database] == alone.masses[database]


def noise(database, rng):
    return scores_of(database) + rng.gumbel(size=len(database))


ORDERS = {
    "two from above": lambda x, rng: np.argsort(noise(x, rng))[::-1][:2].tolist(),
    "both ends": lambda x, rng: (lambda o: (int(o[-1]), int(o[0])))(np.argsort(noise(x, rng))),
    "an index": lambda x, rng: "".join(np.array(list("abcd"))[np.argsort(noise(x, rng))[:2]]),
    "among": lambda x, rng: 2 in np.argsort(-noise(x, rng))[:2],
    "computed with": lambda x, rng: (np.argsort(noise(x, rng)) + 1)[1:3].tolist(),
    "text": lambda x, rng: ",".join(map(str, np.argsort(-noise(x, rng))[:2])),
    "sorted": lambda x, rng: tuple(sorted(int(i) for i in np.argsort(-noise(x, rng))[:2])),
    "ranks": lambda x, rng: int(np.argsort(np.argsort(noise(x, rng)))[1]),
    "flipped": lambda x, rng: np.flip(np.argsort(noise(x, rng)))[:1].item(),
    "compared": lambda x, rng: bool((np.argsort(noise(x, rng)) == 0)[3]),
    "all": lambda x, rng: np.argsort(noise(x, rng), kind="stable").tolist(),
    "numbers beside": lambda x, rng: np.argsort(np.append(scores_of(x) + rng.laplace(size=4), 1.5))[2:4].tolist(),
    "equal ones": lambda x, rng: np.argsort(np.repeat(rng.laplace(size=2), 2), kind="stable")[:2].tolist(),
}


@pytest.mark.parametrize("name", ORDERS)
def test_orders_are_known_as_far_as_they_are_looked_at(name):
    assert plausibility(ORDERS[name], "0120") > 1e-6  # fails with this probability


def test_the_first_places_of_many_are_few_paths():
    def first_three(database, rng):
        scores = scores_of(database)
        return np.argsort(-(scores + rng.gumbel(scale=6.0, size=len(scores))))[:3].tolist()

    law = law_of(first_three, ["010010010"])
    assert (len(law.paths["010010010"]), law.whole) == (9 * 8 * 7, True)
    other = law_of(lambda x, rng: int(np.argsort(rng.laplace(size=len(x)))[0]), ["0" * 12])
    assert other.masses["0" * 12]["11"].rational == Fraction(1, 12)


def test_scores_without_a_common_step_have_long_quotients():
    scores = np.sqrt(np.arange(9.0))
    one = law_of(lambda _, rng: int(np.argmax(scores + rng.gumbel(size=9))), ["0"])
    assert one.whole
    with pytest.raises(ProgramError, match="sums that are too long: those of scores"):
        law_of(lambda _, rng: np.argsort(scores + rng.gumbel(size=9))[:2].tolist(), ["0"])


def _entry(order):
    order[0] = 1


def _shape(order):
    order.shape = (1, 2)


def _dtype(order):
    order.dtype = np.dtype("int32")


def _flat(order):
    order.flat = 0


@pytest.mark.parametrize("write", [_entry, _shape, _dtype, _flat])
def test_an_order_is_not_written_into(write):
    def program(database, rng):
        order = np.argsort(rng.gumbel(size=2))
        write(order)
        return len(order)

    with pytest.raises(ProgramError, match="writes into an order of draws: copy it first"):
        law_of(program, ["0"])
