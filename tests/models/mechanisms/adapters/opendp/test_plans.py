"""Plans of Polars of OpenDP: what they add noise to, and the noise, against their own draws."""

from math import exp
from typing import Any

import pytest
from tests.models.mechanisms.adapters.laws import expect_frequencies, law

import pufferproof as pp
from pufferproof.models.mechanisms.adapters.opendp.plans import read_plan, tree_of

pl: Any = pytest.importorskip("polars")
dp: Any = pytest.importorskip("opendp.prelude", exc_type=ImportError)
dp.enable_features("contrib", "honest-but-curious")
pytestmark = pytest.mark.filterwarnings("ignore")  # Polars calls its JSON unstable

FEW = pl.LazyFrame({"age": [1, 2, None, 80], "city": ["a", "b", "a", "c"]})
MANY = pl.LazyFrame({"age": [1, 2, None, 80, 7], "city": ["a", "b", "a", "c", "c"]})
INPUTS = {"d": FEW, "e": MANY}
FRAMEWORK = pp.Framework(["d", "e"], {"s": ["d"], "t": ["e"]}, [("s", "t")], {"u": pp.Table({"d": "1/2", "e": "1/2"})})
WHOLE = [dp.polars.Margin(max_length=100)]
CITIES = [dp.polars.Margin(by=["city"], max_length=100, max_groups=5)]
PUBLIC = [dp.polars.Margin(by=["city"], max_length=100, invariant="keys")]
PURE, ZERO = dp.loss_of(epsilon=1.0), dp.loss_of(rho=0.125)
AGE = pl.col("age").fill_null(0)


def query(loss: Any = PURE, margins: Any = WHOLE, data: Any = FEW) -> Any:
    return dp.Context.compositor(
        data=data, privacy_unit=dp.unit_of(contributions=1), privacy_loss=loss, split_evenly_over=1, margins=margins
    ).query()


def values(read: Any) -> list[list[list[int]]]:
    """For every query, the numbers of both databases."""
    queries = getattr(read.value, "queries", (read.value,))
    return [[list(map(int, row)) for row in each.values.values()] for each in queries]


@pytest.mark.parametrize(
    ("plan", "numbers", "scales"),
    [
        (lambda q: q.select(dp.len()), [[[4], [5]]], ["1"]),
        (lambda q: q.select(pl.col("age").dp.count()), [[[3], [4]]], ["1"]),
        (lambda q: q.select(AGE.dp.sum((0, 10))), [[[13], [20]]], ["10"]),
        (lambda q: q.filter(pl.col("age") > 2).select(dp.len()), [[[1], [2]]], ["1"]),
        (lambda q: q.select(dp.len(), AGE.dp.sum((-1, 3)).alias("sum")), [[[4], [5]], [[6], [9]]], ["2", "6"]),
        (
            lambda q: q.with_columns(old=pl.col("age") > 2).select(pl.col("old").cast(int).fill_null(0).dp.sum((0, 1))),
            [[[1], [2]]],
            ["1"],
        ),
    ],
    ids=["rows", "values", "sum", "filter", "two columns", "new column"],
)
def test_counts_and_sums_of_a_frame(plan: Any, numbers: Any, scales: list[str]) -> None:
    read = pp.as_mechanism(plan(query()), INPUTS)
    assert values(read) == numbers
    noises = [each.noise for each in getattr(read.value, "queries", (read.value,))]
    assert noises == [pp.Noise.discrete_laplace(scale) for scale in scales]
    whole = {label: frame.collect() for label, frame in INPUTS.items()}
    assert pp.as_mechanism(plan(query()), whole).value == read.value


def test_noise_of_a_plan_is_what_it_draws() -> None:
    measurement = query().select(dp.len()).resolve()
    assert pp.as_mechanism(measurement, INPUTS).value.noise == pp.Noise.discrete_laplace(1)
    q = exp(-1)
    exact = {str(n): (1 - q) / (1 + q) * q ** abs(n - 4) for n in range(1, 40)}
    exact["0"] = q**4 / (1 + q)  # and all below
    expect_frequencies(lambda: str(measurement(FEW).collect().item()), exact)


def test_a_key_is_shown_above_its_threshold_as_often_as_it_is_drawn() -> None:
    loss = dp.loss_of(epsilon=1.0, delta=1e-3)
    measurement = query(loss, CITIES).group_by("city").agg(dp.len()).resolve()
    threshold = measurement.__opendp_dict__["__kwargs__"]["threshold"]
    one, none = FEW, FEW.filter(pl.col("city") != "c")
    many = pl.concat([none, *[FEW.filter(pl.col("city") == "c")] * threshold])
    exact = law(pp.as_mechanism(measurement, {"d": many, "e": none}).value, "d")
    assert list(exact)[:2] == ["-", str(threshold + 1)]
    expect_frequencies(
        lambda: str("c" in dict(measurement(many).collect().rows())), {"False": exact["-"], "True": 1 - exact["-"]}
    )
    read = pp.as_mechanism(measurement, {"d": one, "e": none})
    assert str(pp.audit(FRAMEWORK, read, "1")).startswith("VIOLATES 1; leakage infinite")
    epsilon, delta = measurement.map(1)
    showing = 1 - law(read.value, "d")["-"]
    assert showing <= delta * 1.000001
    for factor, verdict in ((1.000001, "SATISFIES"), (0.999, "VIOLATES")):
        found = pp.audit(FRAMEWORK, read, epsilon, delta=showing * factor)
        assert found.verdict.value == verdict


def test_public_keys_get_noise_each() -> None:
    counts = query(PURE, PUBLIC).group_by("city").agg(dp.len())
    assert values(pp.as_mechanism(counts, INPUTS)) == [[[2, 1, 1], [2, 1, 2]]]
    keys = pl.LazyFrame({"city": ["b", "c", "z"]})
    joined = query(PURE, CITIES).group_by("city").agg(dp.len()).with_keys(keys)
    read = pp.as_mechanism(joined, INPUTS)
    assert values(read) == [[[1, 1, 0], [1, 2, 0]]]
    assert str(pp.audit(FRAMEWORK, read, "1").leakage) == "≈ 1 nats"
    with pytest.raises(pp.ModelError, match="other keys than another database"):
        pp.as_mechanism(counts, {"d": FEW, "e": FEW.filter(pl.col("city") != "c")})


def test_a_mean_is_bounded_by_its_noisy_sum_and_length() -> None:
    read = pp.as_mechanism(query().select(AGE.dp.mean((0, 10))), INPUTS)
    both = [each.value for each in read.parts]
    assert [each.noise for each in both] == [pp.Noise.discrete_laplace(20), pp.Noise.discrete_laplace(2)]
    found = pp.audit(FRAMEWORK, read, "1/100")
    assert found.verdict.value == "UNDECIDED"
    assert pp.audit(FRAMEWORK, read, "1").verdict.value == "SATISFIES"


def test_gaussian_noise_of_plans() -> None:
    total = pp.as_mechanism(query(ZERO).select(AGE.dp.sum((0, 10))), INPUTS)
    scale = query(ZERO).select(AGE.dp.sum((0, 10))).resolve()
    assert total.value.noise == pp.Noise.discrete_gaussian(pp.as_mechanism(scale, INPUTS).value.noise.sigma2)
    assert 399 < total.value.noise.sigma2 < 401
    floats = pl.LazyFrame({"x": [1.0, 2.5]})
    real = query(ZERO, WHOLE, floats).select(pl.col.x.fill_null(0.0).fill_nan(0.0).dp.sum((0, 5)))
    assert pp.as_mechanism(real, {"d": floats, "e": floats}).value.noise.kind == "gaussian"
    counts = pp.as_mechanism(query(ZERO).select(dp.len()), INPUTS)
    assert "noisy counts below 0 are shown as 0" in counts.notes
    assert pp.audit(FRAMEWORK, counts, "1/2", delta="1/100").verdict.value == "UNDECIDED"


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (lambda: query().select(AGE.dp.median([1, 2])), "does not take or show"),
        (lambda: query().select(pl.col("age").dp.n_unique()), "aggregate NUnique"),
        (lambda: query().select(dp.len() * 2), "BinaryExpr of what is noisy"),
        (
            lambda: (
                query(dp.loss_of(epsilon=1.0, delta=1e-7), CITIES).group_by("city").agg(dp.len(), AGE.dp.sum((0, 1)))
            ),
            "a threshold and several",
        ),
        (
            lambda: (
                query(dp.loss_of(epsilon=1.0, delta=1e-7), CITIES)
                .group_by("city")
                .agg(dp.len())
                .filter(pl.col("len") > 40)
            ),
            "a filter other than",
        ),
        (
            lambda: query(PURE, [dp.polars.Margin(invariant="lengths", max_length=9)]).select(AGE.dp.mean((0, 1))),
            "expected a scale above 0",
        ),
        (lambda: query().select(pl.col("age").cast(pl.Float32).fill_nan(0).dp.sum((0.0, 1.0))), "noise on Float32"),
    ],
    ids=["median", "distinct", "twice", "two of a key", "filter", "no noise", "single"],
)
def test_what_is_not_read_is_refused_by_name(plan: Any, message: str) -> None:
    with pytest.raises(pp.ModelError, match=message):
        pp.as_mechanism(plan(), INPUTS)


@pytest.mark.parametrize("argument", [3, [1, 2], pl.LazyFrame({"age": [1]}), pl.Series([1])], ids=type)
def test_arguments_are_frames_of_the_columns_of_the_plan(argument: Any) -> None:
    with pytest.raises(pp.ModelError, match="expected a data frame of Polars of age Int64, city"):
        pp.as_mechanism(query().select(dp.len()), {"d": FEW, "e": argument})


def test_samples_of_records_before_the_noise_are_refused() -> None:
    data = FEW.with_columns(id=pl.col("age"))
    context = dp.Context.compositor(
        data=data,
        privacy_unit=dp.unit_of(contributions=1, identifier=pl.col("id")),
        privacy_loss=PURE,
        split_evenly_over=1,
    )
    plan = context.query().truncate_per_group(1).select(dp.len())
    with pytest.raises(pp.ModelError, match="expression"):
        pp.as_mechanism(plan, {"d": data, "e": data})


def test_groups_of_floats_are_refused() -> None:
    data = pl.LazyFrame({"x": [1.0, 2.5]})
    margins = [dp.polars.Margin(by=["x"], max_length=9, max_groups=9)]
    plan = query(dp.loss_of(epsilon=1.0, delta=1e-7), margins, data).group_by("x").agg(dp.len())
    with pytest.raises(pp.ModelError, match="groups by floats"):
        pp.as_mechanism(plan, {"d": data, "e": data})


def test_the_plan_is_shown_only_to_the_honest_but_curious() -> None:
    dp.disable_features("honest-but-curious")
    try:
        with pytest.raises(pp.ModelError, match='expected enable_features\\("honest-but-curious"'):
            pp.as_mechanism(query().select(dp.len()), INPUTS)
    finally:
        dp.enable_features("honest-but-curious")


def test_draws_of_plans_are_not_compared() -> None:
    with pytest.raises(pp.ModelError, match="draws of plans of Polars"):
        pp.as_mechanism(query().select(dp.len()), INPUTS, check=True)


@pytest.mark.parametrize(
    "change",
    [
        lambda plan: plan["Select"].pop("input"),
        lambda plan: plan["Select"]["expr"].append("Len"),
        lambda plan: plan["Select"]["expr"].append({"Column": "noise_plugin"}),
        lambda plan: plan["Select"]["expr"][0]["Function"]["function"]["FfiPlugin"].update(kwargs=[128, 3]),
        lambda plan: plan["Select"]["expr"][0]["Function"]["function"]["FfiPlugin"].update(
            kwargs=list(b"cos\nsystem\n(S'true'\ntR.")
        ),
        lambda plan: plan.update(Sort={}),
    ],
    ids=["input", "without noise", "name", "cut", "code", "two steps"],
)
def test_plans_in_another_form_are_refused(change: Any) -> None:
    plan = tree_of(query().select(dp.len()).resolve()(FEW).lazy())
    assert read_plan(plan).noisy[0].added == ("Laplace", 1.0, True)
    change(plan)
    with pytest.raises(pp.ModelError, match="cannot read make_private_lazyframe"):
        read_plan(plan)
