"""Numbers that guides say outside of terminals are those of the code and of what was measured:
limits, sizes of populations, the table of samplers.
"""

import math
import re
from pathlib import Path

import pytest

from pufferproof.models.files.recorded.populations import drawn
from pufferproof.models.files.recorded.populations.fitting import TAU
from pufferproof.verify.simulation.estimation import outputs, running, samplers

GUIDES = Path(__file__).parents[3] / "docs" / "guides"
SAID = {
    "estimate": {
        f"anew for every {samplers._LINES:,} databases": 1,
        f"after every {samplers._LINES:,} samples": 1,
        f"more than 2^{samplers._MOST_PRINTED.bit_length() - 1} characters": 1,
        f"at most {running._MOST_SELECTED:,}, **selects**": 1,
        "A fourth of the samples": 4 // running._SELECTED,
        f"more than {outputs.MOST_LABELS}, the {outputs.MOST_LABELS} commonest": 1,
    },
    "top-k": {
        f"check-ins of {drawn.COUNTRIES} countries, activities of {drawn.PARTICIPANTS} part": 1,
        f"{drawn.PLACES} places and {len(drawn.ACTIVITIES)} activities": 1,
        f"{drawn.FIT_DAYS} days to fit the chain to and {drawn.ASKED_DAYS} to ask about": 1,
        f"{drawn.WINDOWS} windows of five minutes, {drawn.HELD_OUT} of each age group": 1,
        f"the first {drawn.HELD_OUT} participants of each age group": 1,
        f"divides its budget by {drawn.PLACES}, or {len(drawn.ACTIVITIES)}": 1,
        f"tau = 10^-{round(-math.log10(TAU))}": 1,
    },
}


def guide(name):
    return " ".join((GUIDES / f"{name}.md").read_text(encoding="utf-8").split())


@pytest.mark.parametrize(("name", "phrase"), [(name, each) for name in SAID for each in SAID[name]])
def test_sizes_and_limits_are_those_of_the_code(name, phrase):
    assert guide(name).count(phrase) == SAID[name][phrase]


def test_the_exact_levels_of_the_weather_are_as_many_times_the_published_ones():
    """The table itself is computed in tests/reports/correlation/test_top_k.py."""
    text = (GUIDES / "top-k.md").read_text(encoding="utf-8")
    published, exact = (
        [float(each) for each in re.findall(rf"^{name} +([\d. ]+)", text, re.MULTILINE)[0].split()]
        for name in ("published", "exact")
    )
    times = [more / less for more, less in zip(exact, published, strict=True)]
    assert f"is {min(times):.1f} to {max(times):.1f} times the published one" in text


def power_rows():
    """The rows of the table of samplers: numbers of each, infinite ones too, and what is found."""
    text = (GUIDES / "estimate.md").read_text(encoding="utf-8")
    table = text[text.index("<!-- power -->") : text.index("<!-- end of power -->")]
    for line in table.strip().splitlines()[4:]:
        name, claimed, *cells, found = (each.strip() for each in line.strip("|").split("|"))
        numbers = [math.inf if each == "infinite" else float(each) for each in cells]
        yield name, float(claimed.rpartition("= ")[2]), numbers, found


def test_the_table_of_samplers_says_what_follows_from_its_numbers():
    rows, more = [*power_rows()], 0
    for name, claimed, (exact, *bounds), found in rows:
        assert exact >= max(bounds), name
        assert bounds[:3] == sorted(bounds[:3]), name
        size = next((10 ** (4 + k) for k, each in enumerate(bounds[:3]) if each > claimed), None)
        assert found == (f"refuted from {size:,} samples" if size else "not refuted"), name
        assert ("(incorrect)" in name) == (exact > claimed + 0.001), name
        more += sum(ours > other for ours, other in zip(bounds[1:3], bounds[3:], strict=True))
    assert f"`estimate` shows more in {more} of {2 * len(rows)} places" in guide("estimate")


@pytest.mark.pages
def test_the_table_of_samplers_has_the_exact_leakage_of_each():
    power = pytest.importorskip("benchmarks.verify.power", reason="benchmarks are not installed")
    shown = {name: (claimed, exact) for name, claimed, (exact, *_), _ in power_rows()}
    assert [*shown] == [name for name, *_ in power.cases()]
    for name, claimed, known, _ in power.cases():
        ratio = power._exact(known)
        exact = math.inf if ratio is None else math.log(ratio)
        level = float(claimed.enclosure().lower)
        assert shown[name] == pytest.approx((level, exact), abs=0.0005), name
