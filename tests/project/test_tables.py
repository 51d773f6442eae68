"""Answers that have a table: the same exact numbers as rows, as pandas has them, and as bars."""

import math
import subprocess
import sys
from fractions import Fraction

import pytest
from tests.project.public_objects import BINARY, CHAIN, CHANNEL, FRAMEWORK, LONG, LONG_LOCAL, QUERY, SEQUENCES

import pufferproof as pp
from pufferproof.models.interface.tabular import Tabular

MIXTURES = pp.Framework(
    ["a", "b", "c"],
    {"s": ["a"], "t": ["b", "c"]},
    [("s", "t")],
    {"one": FRAMEWORK.priors["theta"], "two": pp.Table({"a": "1/2", "b": "1/2"})},
    "convex",
)


def sampler(database, size, rng):
    return rng.integers(0, 2, size) | (database == "a")


ANSWERS = {
    "audit": lambda: pp.audit(FRAMEWORK, CHANNEL, "log(2)"),
    "audit of noise": lambda: pp.audit(FRAMEWORK, QUERY),
    "audit over mixtures": lambda: pp.audit(MIXTURES, CHANNEL),
    "audit of sequences": lambda: pp.audit(LONG, LONG_LOCAL),
    "audit that is infinite": lambda: pp.audit(
        FRAMEWORK, pp.Channel.of({"a": ["1", "0"], "b": ["0", "1"], "c": ["0", "1"]}, ["u", "v"])
    ),
    "compose": lambda: pp.compose(FRAMEWORK, [CHANNEL, QUERY, CHANNEL][::2], 2),
    "worst": lambda: pp.worst_composition(FRAMEWORK, ["log(2)", "log(3)"]),
    "partner": lambda: pp.worst_partner(FRAMEWORK, CHANNEL, "log(2)"),
    "rate": lambda: pp.composition_rate(FRAMEWORK, CHANNEL),
    "conditions": lambda: pp.composition_conditions(FRAMEWORK, CHANNEL, "log(3)"),
    "wasserstein": lambda: pp.wasserstein_mechanism(FRAMEWORK, QUERY, 2),
    "quilt": lambda: pp.markov_quilt(CHAIN, 100, "log(8)"),
    "level": lambda: pp.largest_level(SEQUENCES, "1"),
    "translate": lambda: pp.translate(SEQUENCES, ["log(2)"]),
    "curve": lambda: pp.influence_curve(SEQUENCES),
    "estimate": lambda: pp.estimate(FRAMEWORK, sampler, "log(2)", samples=4000, seed=1),
    "designs": lambda: pp.redaction_designs(BINARY, 1, "log(3/2)", ["quilt", "3r-exact"]),
    "sets": lambda: pp.redaction_set_designs(BINARY, [1, 3], "log(2)", ["data-independent"]),
    "fit": lambda: pp.fit(["dry", "wet", "dry", "dry", "wet", "wet"], length=3),
}


TITLES = {
    "audit": "VIOLATES log(2); leakage log(17/6) ≈ 1.04 nats, at output 'v' for 't' against 's', prior 'theta'.",
    "quilt": "Scale 3/log(72/25) ≈ 2.84.",
    "curve": "Hiding 1 record leaves at most 1.1 nats of influence.",
    "designs": "3r-exact has the largest utility, 0.467.",
}


@pytest.mark.parametrize("name", ANSWERS)
def test_pandas_has_the_rows_and_a_plot_has_the_bars(name):
    answer = ANSWERS[name]()
    entries, table = answer.entries(), answer.to_pandas()
    assert isinstance(answer, Tabular)
    assert len(entries) == len(table) > 0
    assert set(table.columns) <= set(entries[0])
    for column in table.columns:
        for row, cell in zip(entries, table[column]):
            exact = row[column]
            if isinstance(exact, Fraction | float):
                assert cell == float(exact)
            elif exact is not None:
                assert cell == exact
    figure = answer.plot()
    assert type(figure).__name__ == "Figure"
    (title,) = (text.get_text().replace("\n", " ") for text in figure.texts)
    assert title.endswith(".")
    assert TITLES.get(name, title) == title
    if name != "fit":
        labels = figure.axes[0].get_yticklabels()
        assert 0 < len(labels) <= len(entries)


def test_the_largest_nats_of_an_audit_are_its_leakage():
    answer = ANSWERS["audit"]()
    ends = answer.leakage.enclosure()
    (top,) = [row for row in answer.entries() if row["output"] == "v" and row["above"] == "t"]
    assert (top["lower"], top["upper"]) == (Fraction(ends.lower), Fraction(ends.upper))
    assert max(answer.to_pandas()["upper"]) == float(ends.upper)
    assert [label.get_text() for label in answer.plot().axes[0].get_yticklabels()] == ["u", "v"]


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("leakage ≈ 1.2345e+30 nats", "Leakage ≈ 1.23e+30 nats."),
        ("leakage ≈ 1.2345E-7 nats", "Leakage ≈ 1.23e-7 nats."),
        ("at least 3.14159.: rest", "At least 3.14.: rest."),
        ("at least 0.99999 nats", "At least 0.999 nats."),
        ("≈ 2; more", "≈ 2."),
    ],
)
def test_a_title_rounds_numbers_of_any_form(said, title):
    class Said(Tabular):
        def __str__(self):
            return said

    assert Said()._finding() == title


def test_what_is_infinite_is_cut_and_marked():
    answer = ANSWERS["audit that is infinite"]()
    assert sorted(answer.to_pandas()["upper"].dropna()) == [-math.inf, -math.inf, math.inf, math.inf]
    marks = [text.get_text().strip() for text in answer.plot().axes[0].texts]
    assert "∞" in marks


def test_of_many_rows_the_longest_are_drawn():
    labels = [f"<y{index}\n$x$>" for index in range(60)]
    rows = {"a": list(range(1, 61)), "b": list(range(60, 0, -1)), "c": [1] * 60}
    answer = pp.audit(FRAMEWORK, pp.Channel.of(rows, labels, normalize=True))
    axes = answer.plot().axes[0]
    assert len(axes.get_yticklabels()) == 40
    assert "40 longest of 60" in axes.get_xlabel()
    assert all("\n" not in label.get_text() for label in axes.get_yticklabels())


@pytest.mark.parametrize(("package", "call"), [("pandas", "to_pandas"), ("matplotlib", "plot")])
def test_a_package_that_is_missing_is_named(monkeypatch, package, call):
    answers = [ANSWERS["audit"](), ANSWERS["fit"]()]
    monkeypatch.setitem(sys.modules, package, None)
    for answer in answers:
        said = f'^{call}: expected the package {package}, which pip install "pufferproof'
        with pytest.raises(pp.PufferproofError, match=said):
            getattr(answer, call)()


def test_answers_import_neither_pandas_nor_matplotlib():
    code = (
        "import sys, pufferproof as pp\n"
        "law = {'theta': pp.Table({'a': '1/2', 'b': '1/2'})}\n"
        "f = pp.Framework('ab', {'s': ['a'], 't': ['b']}, [('s', 't')], law)\n"
        "m = pp.Channel.of({'a': ['3/4', '1/4'], 'b': ['1/4', '3/4']}, 'uv')\n"
        "pp.audit(f, m, 'log(2)').entries(), pp.compose(f, [m, m]).entries()\n"
        "assert not {'pandas', 'matplotlib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
