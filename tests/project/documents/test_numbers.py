"""Numbers that README and docs say are those of the code and of what was measured."""

import ast
import math
import re
from importlib import import_module
from pathlib import Path

import pytest
from benchmarks.growth.measuring import Curve, Point, kept
from benchmarks.growth.subjects import FREE, SUBJECTS
from benchmarks.growth.writing import LIMITS
from benchmarks.growth.writing import pages as growth_pages
from benchmarks.table import _among_others, _peer_rows

import pufferproof
from pufferproof.examples.reproduce.populations import drawn
from pufferproof.examples.reproduce.populations.fitting import TAU
from pufferproof.reports.commands import COMMANDS
from pufferproof.verify.simulation.estimation import outputs, running, samplers

# What README and docs say of speed is what the benchmarks measured: every time and every ratio in
# them is either that of a row of benchmarks/README.md, and near it, or speaks of something else.


ROOT = Path(__file__).parents[3]
NUMBER = (
    r"(?:\d[\d.,]*|half an?|fraction of a|million in an?|one|two|three|four|five|six|seven|"
    r"eight|nine|ten|twenty|thirty|sixty|hundred|thousand|few|several)"
)
TIMES = [
    rf"\b{NUMBER} (?:milli|micro|nano)?(?:second|minute|hour)s?\b",
    r"\ban? (?:millisecond|minute|hour)\b",
    r"\ba second\b(?=[,.;:)]| and a half| at most| or two)",  # and not "a second release"
    r"\b\d[\d.,]* (?:ms|s)\b",
    rf"\b{NUMBER} times (?:as (?:fast|slow|long)|faster|slower)\b",
    r"\b\d[\d.,]*x (?:faster|slower|the time)\b",
    r"\b(?:milliseconds|seconds|minutes|hours) to (?:seconds|minutes|hours|days)\b",
]
FOUND = re.compile("|".join(TIMES))

# by page and words around the number: the row, and least and most of its seconds (or its ratio)
MEASURED = {
    ("docs/guides/correlation/top-k.md", "It takes about 40 seconds"): (r"`reproduce bai2026.topk`", 20, 60),
    ("docs/guides/sweeps.md", "A unit costs the command 0.04 ms"): (
        r"the command, for each of 5,000 trivial units",
        0.00002,
        0.0001,
    ),
    ("docs/guides/sweeps.md", "a bundle 1.7 ms"): (r"the command, for each of 500 trivial units", 0.0006, 0.003),
    ("docs/guides/correlation/influence.md", "seven take some ten seconds"): (
        r"influence curve of 7 records, truncated Gaussian, length 1,",
        5,
        20,
    ),
    ("docs/guides/correlation/influence.md", "a minute where it is long (length 5)"): (
        r"influence curve of 7 records, truncated Gaussian, length 5,",
        30,
        120,
    ),
    ("docs/guides/correlation/influence.md", "a million records take half a second"): (
        r"exact worst case, 10\^6 records of two values, a level of its own",
        0.2,
        1,
    ),
    ("docs/guides/correlation/noise.md", "a million records take a fraction of a second"): (
        r"the level per record that keeps 1, 10\^6 records",
        0,
        0.5,
    ),
    ("docs/reference/formats.md", "by a second at most where it is a few seconds"): (
        r"worst case, 5-bit chain, limit of 5 s",
        4,
        6,
    ),
    ("docs/guides/composition.md", "256 databases and as many outputs takes half a second"): (
        r"composition rate, 256 x 256, one pair",
        0.2,
        1,
    ),
    ("docs/guides/composition.md", "Between two databases 1,000 runs of three outputs take 0.03 seconds"): (
        r"smallest delta of 1,000 runs, three outputs of any ratios",
        0.01,
        0.06,
    ),
    ("docs/guides/composition.md", "1,000 runs of four outputs take ten seconds"): (
        r"smallest delta of 1,000 runs, four outputs of any ratios",
        3,
        14,
    ),
    ("docs/guides/composition.md", "four rows in all, 1,000 runs of three outputs take 0.3 seconds"): (
        r"smallest delta of 1,000 runs, three outputs, two databases a secret",
        0.1,
        0.9,
    ),
    ("docs/guides/composition.md", "5,000 runs of three outputs take five seconds"): (
        r"leakage of 5,000 runs, 3 outputs",
        1,
        10,
    ),
    ("docs/reference/claims.md", "three to five times as fast"): (r"100,000 operations .* quicktions", 2, 8),
}
# what is no speed of ours: data, limits that are set, and what a reader takes
OTHER = {
    ("docs/guides/release.md", 'step = "30 minutes"'),
    ("docs/guides/release.md", "steps of 30 minutes"),
    ("docs/guides/data.md", "steps of 1 hour"),
    ("docs/reference/formats.md", 'step = "30 minutes"'),
    ("docs/reference/formats.md", "that is counted (about a minute)"),  # a limit
    ("docs/reference/formats.md", "1 is about ten seconds at most"),  # a limit
    ("docs/tutorials/engineer.md", "It takes ten minutes. Work in the"),
    ("docs/reference/formats.md", "at most 1,000,000 seconds"),
    ("docs/tutorials/programs.md", "(about 20 seconds of work)"),  # a limit
    ("docs/guides/composition.md", "stops after two minutes unless"),
    ("docs/reference/claims.md", "15 times as long for a family"),
    ("docs/guides/claims.md", "accepted a certificate, it has two seconds"),
    ("docs/reference/claims.md", "by the clock it is a hundred times as long"),  # a limit
    ("docs/guides/sweeps.md", "a fraction of a second, less than a worker needs to begin"),
    ("docs/guides/sweeps.md", "audits that take less than a millisecond each"),
    ("docs/guides/sweeps.md", "how many a second, and"),
    ("docs/guides/sweeps.md", "killed ten seconds later"),
    ("docs/guides/sweeps.md", "a scheduler has no worker for a minute"),  # a limit
    ("docs/guides/sweeps.md", "no more than about 200 end a second, however many"),  # a limit
    ("docs/guides/sweeps.md", "So units should last 10 ms or more"),
    ("docs/guides/sweeps.md", "beside one, on units of 30 ms and on"),
    ("docs/guides/sweeps.md", "as many as last half a second"),  # a limit
    ("docs/guides/sweeps.md", "as many as last a tenth of a second, at most 100"),  # a limit
    ("docs/guides/sweeps.md", "come within a tenth of a second, or 100 of them"),
    ("docs/guides/correlation/top-k.md", "sample of five minutes"),
    ("docs/guides/correlation/top-k.md", "288 windows of five minutes"),
    ("docs/guides/correlation/influence.md", "a hundred minutes"),
    ("docs/guides/correlation/influence.md", "changes in one minute out of ten"),
    ("docs/guides/correlation/noise.md", "a hundred minutes"),
    ("docs/guides/correlation/noise.md", "changes in one minute out of ten"),
    ("docs/guides/correlation/releases.md", "a hundred minutes"),
    ("docs/guides/correlation/releases.md", "changes in one minute out of ten"),
    ("docs/guides/correlation/influence.md", "in roughly one minute out of ten"),
    ("docs/guides/correlation/influence.md", "readings a minute apart"),
    ("docs/tutorials/programs.md", "up to 2 seconds of the processor"),  # a limit
}


def pages():
    paths = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return {
        str(path.relative_to(ROOT)): " ".join(LIMITS.sub("", path.read_text(encoding="utf-8")).split())
        for path in paths
    }


def rows():
    """The seconds, or the ratio beside a peer, of every row, by what it says."""
    found = {}
    for line in (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == 5 and (time := re.match(r"([\d.]+) (ms|s)\b", cells[1])):
            found[cells[0]] = float(time[1]) / (1000 if time[2] == "ms" else 1)
        if len(cells) == 6 and re.match(r"[\d.]+ (ms|s)$", cells[1]):
            times, word = re.fullmatch(r"([\d.,]+) x (faster|slower)", cells[4]).groups()
            ratio = float(times.replace(",", ""))
            found[cells[0]] = ratio if word == "faster" else 1 / ratio
    return found


def spans(text, words):
    return [(match.start(), match.end()) for match in re.finditer(re.escape(words), text)]


def test_every_number_of_speed_is_measured_or_no_speed():
    known = [*MEASURED, *OTHER]
    unknown = []
    for page, text in pages().items():
        inside = [span for name, words in known if name == page for span in spans(text, words)]
        unknown += [
            (page, text[max(0, match.start() - 60) : match.end() + 30])
            for match in FOUND.finditer(text)
            if not any(first <= match.start() and match.end() <= last for first, last in inside)
        ]
    assert unknown == []


def test_what_is_listed_is_still_said():
    texts = pages()
    assert [key for key in (*MEASURED, *OTHER) if key[1] not in texts[key[0]]] == []


@pytest.mark.parametrize("said", MEASURED, ids=lambda said: said[1])
def test_the_row_of_a_number_is_near_it(said):
    pattern, least, most = MEASURED[said]
    measured = [value for what, value in rows().items() if re.match(pattern, what)]
    assert measured, f"no row of the table says {pattern}"
    assert all(least <= value <= most for value in measured), measured


def test_a_number_without_a_row_is_noticed():
    for text in ("it takes 3 seconds", "ten times as fast", "in 20 ms", "seconds to minutes"):
        assert FOUND.search(text)
    assert not FOUND.search("the second half-hour")


def test_an_exponent_is_the_slope_of_logarithms_at_the_larger_sizes():
    points = [Point(1, 9.0, 1), Point(2, 8.0, 1), Point(4, 0.1, 1), Point(8, 0.4, 1)]
    curve = Curve((*points, Point(16, 1.6, 1)), "slow")
    assert curve.exponent == pytest.approx(2)
    assert curve.within(1.6 * 4.41) == 33
    assert Curve(curve.points, "last").within(10) is None


def test_practical_limits_and_the_table_of_growth_say_what_was_measured():
    texts = growth_pages(kept())
    assert [path for path, text in texts.items() if path.read_text(encoding="utf-8") != text] == []


def test_every_command_that_has_a_size_is_measured():
    names = [each.name for each in SUBJECTS]
    assert sorted(names) == sorted(set(kept())) == sorted(set(names))
    assert {each.command.split()[0] for each in SUBJECTS} | set(FREE.split()) == set(COMMANDS)


def test_where_a_peer_is_faster_the_table_says_that_we_are_slower():
    said = {"peer": "other 1.0", "asked": "a sum", "peer_seconds": 0.5, "answers": "equal"}
    found = {"slow": {"extra_info": said}, "alone": {"extra_info": {}}}
    assert _peer_rows(found, {"slow": 2.0}) == ["| a sum | 2.00 s | other 1.0 | 500.00 ms | 4 x slower | equal |"]
    assert "| 2 x faster |" in _peer_rows(found, {"slow": 0.25})[0]


def test_rows_of_some_rooms_stand_among_the_others():
    """A row that is measured again keeps its place, whatever the version of its peer."""
    heads = "Measured on 1.\n\n| head |\n|---|\n"
    old = f"{heads}| a | 1 s | x 1.0 | 2 s | 2 x faster | equal |\n| b | 1 s |"
    new = ["| c | 1 s |", "| a | 3 s | x 2.0 | 6 s | 2 x faster | equal |"]
    said, rows = _among_others(old, "Measured on 2.", new)
    assert said == "Rows of some rooms: Measured on 2. Other rows: Measured on 1."
    assert rows == [new[1], "| b | 1 s |", new[0]]
    again, _ = _among_others(f"{said}\n\n| head |\n|---|", "Measured on 3.", new)
    assert again == "Rows of some rooms: Measured on 3. Other rows: Measured on 1."


def test_benchmarks_call_public_functions_by_their_public_names():
    public, internal = set(dir(pufferproof)), []
    for path in sorted((ROOT / "benchmarks").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pufferproof."):
                there = vars(import_module(node.module))
                internal += [
                    (path.name, each.name)
                    for each in node.names
                    if each.name in public and there.get(each.name) is getattr(pufferproof, each.name)
                ]
    assert internal == []


# Numbers that guides say outside of terminals are those of the code and of what was measured:
# limits, sizes of populations, the table of samplers.


GUIDES = ROOT / "docs" / "guides"
SAID = {
    "estimate": {
        f"anew for every {samplers._LINES:,} databases": 1,
        f"every block of {samplers._LINES:,} samples": 1,
        f"more than 2^{samplers._MOST_PRINTED.bit_length() - 1} characters": 1,
        f"at most {running._MOST_SELECTED:,}, **selects**": 1,
        "A fourth of the samples": 4 // running._SELECTED,
        f"more than {outputs.MOST_LABELS}, the {outputs.MOST_LABELS} commonest": 1,
    },
    "correlation/top-k": {
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
    """The table itself is computed in tests/reports/correlation/reproduce/test_top_k.py."""
    text = (GUIDES / "correlation" / "top-k.md").read_text(encoding="utf-8")
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
        assert bounds[2] == max(bounds[:3]), name
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
