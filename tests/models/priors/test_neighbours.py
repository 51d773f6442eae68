"""Neighbours are told by brute force: longest common subsequences and Hamming distances."""

from fractions import Fraction
from itertools import combinations, product

import pytest

from pufferproof import AdditiveNoise, Channel, Framework, Noise, RecordQuery, Records, Table, audit
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.priors.definitions.definition import Neighbours


def kept(one, other):
    """The length of a longest common subsequence, over all subsequences."""
    parts = {tuple(one[i] for i in at) for at in subsets(len(one))}
    return max(len(part) for part in (tuple(other[i] for i in at) for at in subsets(len(other))) if part in parts)


def subsets(size):
    return [at for k in range(size + 1) for at in combinations(range(size), k)]


def apart(relation, one, other):
    if relation == "add-remove":
        return len(one) + len(other) - 2 * kept(one, other)
    if len(one) != len(other):
        return 10**6
    return sum(a != b for a, b in zip(one, other))


@pytest.mark.parametrize("relation", ["add-remove", "substitute"])
@pytest.mark.parametrize(("count", "alphabet"), [(1, "ab"), (3, "01"), (2, "abc")])
@pytest.mark.parametrize("changes", [1, 2])
def test_pairs_are_those_at_a_distance_of_at_most_so_many_changes(relation, count, alphabet, changes):
    if changes > count:
        pytest.skip("refused")
    records = Records(count, tuple(alphabet))
    framework = Framework(records, neighbours=Neighbours(relation, changes))
    lengths = range(count + 1) if relation == "add-remove" else [count]
    databases = ["".join(row) for n in lengths for row in product(alphabet, repeat=n)]
    assert list(framework.databases) == databases
    pairs = [(one, other) for one, other in combinations(databases, 2) if apart(relation, one, other) <= changes]
    assert list(framework.pairs) == pairs
    for one, other in pairs:
        said = framework.changed((other, one))
        assert said.count("record ") == apart(relation, one, other)


def test_databases_that_are_listed_are_neighbours_though_what_lies_between_is_not():
    framework = Framework(["", "0", "00", "11"], neighbours=Neighbours("add-remove", 2))
    assert framework.pairs == (("", "0"), ("", "00"), ("", "11"), ("0", "00"))
    by_commas = Framework(["age,old", "age", "x"], neighbours="add-remove")
    assert by_commas.pairs == (("age,old", "age"),)


def test_the_largest_ratio_is_that_of_all_pairs_by_hand():
    rows = {"": [1, 1], "0": [3, 1], "1": [1, 4], "00": [5, 1], "01": [1, 1], "10": [2, 3]}
    rows["11"] = [1, 9]
    laws = {x: [Fraction(n, sum(row)) for n in row] for x, row in rows.items()}
    channel = Channel.of({x: list(row) for x, row in laws.items()}, ["u", "v"])
    for changes in (1, 2):
        framework = Framework(Records(2, ("0", "1")), neighbours=Neighbours("add-remove", changes))
        largest = max(
            max(laws[x][y] / laws[z][y], laws[z][y] / laws[x][y])
            for x, z in combinations(laws, 2)
            if apart("add-remove", x, z) <= changes
            for y in range(2)
        )
        answer = audit(framework, channel)
        assert answer.leakage.ratio == largest
        assert answer.neighbours["changes"] == changes


@pytest.mark.parametrize("relation", ["add-remove", "substitute"])
@pytest.mark.parametrize("query", ["sum", "histogram", "mean"])
@pytest.mark.parametrize("changes", [1, 2])
def test_what_changes_alone_has_the_differences_of_all_databases(relation, query, changes):
    """The reduced framework against the full one, where both are small."""
    if (relation, query) == ("add-remove", "mean"):
        pytest.skip("the mean of no records is refused")
    records = Records(3, ("0", "1", "5"))
    noise = RecordQuery(query, Noise.laplace("2/3"), records)
    framework = Framework(records, neighbours=Neighbours(relation, changes))
    small = framework.changing(3)
    from pufferproof.models.noise.records import _table

    def differences(space, table):
        pairs = [*space.pairs, *(pair[::-1] for pair in space.pairs)]
        values = table.values
        return {tuple(a - b for a, b in zip(values[x], values[y])) for x, y in pairs} - {
            tuple(0 for _ in next(iter(values.values())))
        }

    whole = _table(framework, noise, 3)
    assert differences(small, _table(small, noise, 3)) == differences(framework, whole)
    exact = audit(framework, noise).leakage
    assert exact.lower == audit(small, _table(small, noise, 3)).leakage.lower


def test_noise_on_a_million_records_is_audited_by_what_changes():
    records = Records(10**6, ("0", "1", "5"))
    framework = Framework(records, neighbours="add-remove")
    answer = audit(framework, RecordQuery("sum", Noise.laplace(5), records), epsilon=1)
    assert answer.verdict.value == "SATISFIES"
    assert audit(framework, RecordQuery("sum", Noise.laplace(5), records), "0.99").verdict != "HOLDS"
    substitute = Framework(records, neighbours="substitute")
    assert audit(substitute, RecordQuery("histogram", Noise.laplace(2), records), 1).kept.value
    with pytest.raises(TooLargeError, match="neighbours of over"):
        _ = framework.databases
    with pytest.raises(TooLargeError, match="neighbours of over"):
        audit(framework, RecordQuery("mean", Noise.laplace(5), records))
    with pytest.raises(TooLargeError):
        audit(framework, AdditiveNoise({"0": 0}, Noise.laplace(1)))


def test_a_mean_of_no_records_is_refused():
    records = Records(2, ("0", "1"))
    with pytest.raises(ModelError, match="has no value where there are no records"):
        audit(Framework(records, neighbours="add-remove"), RecordQuery("mean", Noise.laplace(1), records))


def test_a_prior_of_ones_own_leaves_out_what_it_rules_out():
    channel = Channel.of({"a": [1, 0], "b": ["1/2", "1/2"]}, ["u", "v"])
    framework = Framework(["a", "b", "c"], neighbours="substitute", priors={"p": Table({"a": "1/2", "b": "1/2"})})
    answer = audit(framework, channel)
    assert (answer.leakage.upper, answer.scope.excluded) == (None, 2)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"neighbours": "add_remove"}, 'did you mean "add-remove"'),
        ({"neighbours": 3}, "expected"),
        ({"neighbours": "substitute", "secrets": {"s": ["a"]}}, "expected none beside neighbours"),
        ({"neighbours": "substitute", "pairs": [("a", "b")]}, "expected none beside neighbours"),
        ({"neighbours": "substitute", "priors": {}}, "expected at least one prior"),
        ({}, "secrets"),
    ],
)
def test_what_is_no_relation_is_refused(given, said):
    with pytest.raises(ModelError) as error:
        Framework(["a", "b"], **given)
    assert said in str(error.value)


@pytest.mark.parametrize("changes", [0, -1, 3, 10**9])
def test_changes_are_from_one_to_the_number_of_records(changes):
    with pytest.raises(ModelError, match="change"):
        Framework(Records(2, ("0", "1")), neighbours=Neighbours("substitute", changes))


def test_too_many_steps_are_refused():
    with pytest.raises(TooLargeError, match="neighbours"):
        _ = Framework(Records(13, ("0", "1")), neighbours=Neighbours("substitute", 12)).databases
