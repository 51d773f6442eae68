"""The shipped examples: what is on disk is what the constructors make, it loads, and it shows
what it says.
"""

import doctest
import json
import tomllib
from fractions import Fraction
from functools import cache

import pytest
from tests.brute import definitions as brute

from pufferproof import Framework, Level, Table, audit, read_framework, read_mechanism
from pufferproof.examples.builders import build
from pufferproof.examples.builders.seattle_weather import derived_counts, derived_days, derived_table, derived_weather
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovMechanism

FOLDERS = sorted(path.parent for path in build.FOLDER.glob("*/*/example.toml"))
NAMES = [folder.name for folder in FOLDERS]
HOMES = {folder.name: folder for folder in FOLDERS}
RECORDED = {"counts.json", "wet-days.txt", "wet-days.csv", "weather.csv"}
GENERATED_OTHERWISE = {f"correlated/seattle-weather/{name}" for name in RECORDED}
KNOWN_FAMILIES = ("chains", "two_priors", "two_and_two", "three_values")
CONTACTS = ("met.txt", "flu.json", "ill.json", "activity.json", "count.json")
STREAMS = ("streams/meter.json", "streams/traffic.json", "streams/biased.json")
FAMILIES = (f"families/{name}.toml" for name in KNOWN_FAMILIES)
WRITTEN_BY_HAND = {"hidden/README.md", *FAMILIES, *STREAMS}
WRITTEN_BY_HAND |= {f"correlated/contacts/{name}" for name in CONTACTS}


def described(folder):
    return tomllib.loads((folder / "example.toml").read_text(encoding="utf-8"))


def loaded(folder, entry):
    framework = read_framework(folder / entry["framework"]).value
    return framework, read_mechanism(folder / entry["mechanism"], framework).value


@cache
def examples():
    """Every example by its name; not while tests are collected, as it takes a second."""
    return {example.name: example for example in build.all_examples()}


def audit_of(name, framework, mechanism):
    example = examples()[name]
    return audit(example.frameworks[framework], example.mechanisms[mechanism])


def ratio_of(name, framework, mechanism):
    found = audit_of(name, framework, mechanism).leakage
    return "inf" if found.infinite else found.ratio


def on_disk():
    """The files that are built, by name."""
    files = {
        str(path.relative_to(build.FOLDER)): path.read_text(encoding="utf-8")
        for path in build.FOLDER.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".py"
    }
    for name in GENERATED_OTHERWISE | WRITTEN_BY_HAND:
        del files[name]
    return files


def test_files_on_disk_are_what_build_writes():
    assert on_disk() == build.built_files()


def test_the_guide_to_hidden_markov_models_prints_what_it_shows():
    guide = build.FOLDER / "hidden" / "README.md"
    failed, tried = doctest.testfile(str(guide), module_relative=False)
    assert (failed, tried > 5) == (0, True)


def test_the_weather_counts_are_those_of_the_packaged_table():
    counts = derived_counts()
    assert (
        json.loads((build.FOLDER / "correlated" / "seattle-weather" / "counts.json").read_text(encoding="utf-8"))
        == counts
    )
    assert counts["transitions"]["all year"] == {"dry": {"dry": 633, "wet": 204}, "wet": {"dry": 204, "wet": 419}}
    assert counts["days"] == 1461
    derived = {"wet-days.txt": derived_days(), "wet-days.csv": derived_table(), "weather.csv": derived_weather()}
    for name, text in derived.items():
        file = build.FOLDER / "correlated" / "seattle-weather" / name
        assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("name", NAMES)
def test_files_read_back_as_the_objects_they_were_made_from(name):
    example = examples()[name]
    for file, framework in example.frameworks.items():
        assert read_framework(HOMES[name] / file).value == framework
    for entry in example.audits:
        framework, channel = loaded(HOMES[name], {"framework": entry.framework, "mechanism": entry.mechanism})
        assert framework == example.frameworks[entry.framework]
        made = example.mechanisms[entry.mechanism]
        assert channel == (made.channel() if isinstance(made, HiddenMarkovMechanism) else made)


@pytest.mark.parametrize("folder", FOLDERS, ids=NAMES)
def test_every_entry_is_complete(folder):
    example = described(folder)
    assert example["title"]
    assert example["audit"]
    mentioned = {"example.toml"}
    for entry in example["audit"]:
        assert set(entry) <= {"framework", "mechanism", "epsilon", "claimed", "source", "shows"}
        assert entry["shows"]
        assert ("claimed" in entry) == ("source" in entry)
        mentioned |= {entry["framework"], entry["mechanism"]}
    for entry in example.get("compose", []):
        assert set(entry) == {"framework", "mechanisms", "shows"}
        assert entry["shows"]
        mentioned |= {entry["framework"], *entry["mechanisms"]}
    present = {path.name for path in folder.iterdir()} - RECORDED
    assert mentioned == present, "a file that no audit uses, or an audit of a missing file"


@pytest.mark.parametrize("folder", FOLDERS, ids=NAMES)
def test_audits_of_the_files_agree_with_the_definition(folder):
    for entry in described(folder)["audit"]:
        framework, channel = loaded(folder, entry)
        if isinstance(channel, RecordQuery):  # its twin by enumeration: tests/verify/noise
            continue
        if framework.closure == "list" and len(framework.databases) <= 16:
            found = audit(framework, channel).leakage
            assert (brute.INFINITE if found.infinite else found.ratio) == brute.leakage(framework, channel)[0]


def test_orders_are_distinct():
    orders = [described(folder)["order"] for folder in FOLDERS]
    assert len(set(orders)) == len(orders)


def test_examples_are_small():
    assert all(
        len(framework.databases) <= 64
        for example in examples().values()
        for name, framework in example.frameworks.items()
        if name not in example.documents  # those are given by their records
    )
    assert sum(len(text) for text in on_disk().values()) < 200_000


def test_the_forms_of_files_are_all_there():
    suffixes = {path.suffix for folder in FOLDERS for path in folder.iterdir() if path.name != "example.toml"}
    assert suffixes == {".json", ".csv", ".toml", ".txt"}


LEAKAGES = [
    ("randomized-response", "framework.toml", "mechanism.csv", 3),
    ("randomized-response", "framework-siblings.json", "mechanism-records.json", Fraction(95, 13)),
    ("randomized-response", "framework-triplets.json", "mechanism-records.json", 27),
    ("geometric", "framework.json", "mechanism.json", 2),
    ("geometric", "framework-household.json", "mechanism-household.json", Fraction(26, 5)),
    ("geometric", "framework-all-or-none.json", "mechanism-household.json", 16),
    ("exponential", "framework.json", "mechanism.json", Fraction(20, 7)),
    ("exponential", "framework-followers.json", "mechanism.json", Fraction(7006, 1747)),
    ("laplace", "framework.json", "mechanism-clamped.json", 4),
    ("laplace", "framework.json", "mechanism-redrawn.json", Fraction(992, 239)),
    ("noisy-max", "framework.json", "mechanism-value-two-sided.json", 8),
    ("noisy-max", "framework.json", "mechanism-value-one-sided.json", "inf"),
    ("sparse-vector", "framework.json", "mechanism-3-roth.json", 256),
    ("sparse-vector", "framework.json", "mechanism-5-stoddard.json", "inf"),
    ("smart-meter", "framework.json", "mechanism-response.json", Fraction(702, 31)),
    ("smart-meter", "framework-evening.json", "mechanism-response.json", 81),
    ("collapse-four-outputs", "framework.json", "mechanism.json", Fraction(12, 7)),
    ("mixture", "framework.json", "mechanism.json", 1),
    ("mixture", "framework-mixtures.json", "mechanism.json", Fraction(49, 25)),
    ("mixture", "framework-mixtures.json", "mechanism-3.json", None),  # 1 + 16 / (12 + 6 sqrt 3)
    ("zero-probability", "framework-mixtures.json", "mechanism-lab.json", "inf"),
]


@pytest.mark.parametrize(("name", "framework", "mechanism", "ratio"), LEAKAGES)
def test_leakages(name, framework, mechanism, ratio):
    assert ratio_of(name, framework, mechanism) == ratio


BROKEN = {
    "mechanism-value-two-sided.json",
    "mechanism-value-one-sided.json",
    "mechanism-3-roth.json",
    "mechanism-4-lee-clifton.json",
    "mechanism-5-stoddard.json",
    "mechanism-6-chen.json",
}


def test_published_claims_hold_except_for_the_published_mistakes():
    broken = set()
    for folder in FOLDERS:
        for entry in described(folder)["audit"]:
            if "claimed" in entry:
                found = audit(*loaded(folder, entry), epsilon=entry["claimed"])
                if found.verdict.value == "VIOLATES":
                    broken.add(entry["mechanism"])
    assert broken == BROKEN


def test_a_convex_closure_leaks_more_than_each_of_its_priors():
    example = examples()["mixture"]
    alone, hull = example.frameworks.values()
    mechanism = example.mechanisms["mechanism.json"]
    assert audit(alone, mechanism).leakage.ratio == 1
    found = audit(hull, mechanism)
    assert found.leakage.ratio == Fraction(49, 25)
    weights = dict(found.witness.prior)
    assert sorted(weights.values()) == [Fraction(1, 3), Fraction(2, 3)]
    laws = {prior: brute.probabilities(alone, prior) for prior in weights}
    mixed = Table({x: sum(weights[prior] * laws[prior][x] for prior in weights) for x in alone.databases})
    secrets = {name: [alone.databases[x] for x in held] for name, held in alone.secrets.items()}
    single = Framework(alone.databases, secrets, alone.pairs, {"mixed": mixed})
    assert brute.leakage(single, mechanism)[0] == Fraction(49, 25)


def test_the_irrational_mixture_is_enclosed():
    found = audit_of("mixture", "framework-mixtures.json", "mechanism-3.json").leakage

    def above(ratio):  # ratio > 1 + 16 / (12 + 6 sqrt 3), that is 16 / (ratio - 1) - 12 < sqrt 108
        return (16 / (ratio - 1) - 12) ** 2 < 108

    assert not above(found.lower)
    assert above(found.upper)


def test_secrets_of_probability_zero_are_counted_and_named():
    example = examples()["zero-probability"]
    found = audit(example.frameworks["framework-strains.json"], example.mechanisms["mechanism.json"])
    assert found.scope.excluded == 3
    assert list(found.scope.never_checked) == [("strain A", "strain B")]


def test_collapses_are_infinite_together():
    for name, entries in ((folder.name, described(folder).get("compose", [])) for folder in FOLDERS):
        if name.startswith("collapse"):
            assert entries
            assert all(entry["shows"].endswith("everything leaks") for entry in entries)


@pytest.mark.parametrize("folder", FOLDERS, ids=NAMES)
def test_levels_are_levels(folder):
    for entry in described(folder)["audit"]:
        for key in {"epsilon", "claimed"} & set(entry):
            Level.coerce(entry[key])
