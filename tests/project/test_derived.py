"""Claims beside code: the claims that an algorithm says it rests on exist and hold, and their
verdicts are counted; every algorithm names some, or it is said why it needs none.
"""

import ast
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECORD = json.loads((ROOT / "claims" / "EXPECTED.json").read_text(encoding="utf-8"))
FLOORS = ("models", "verify", "lp", "counterexamples", "claims", "reports")
ALGORITHMS = ("verify/influence", "verify", "lp")
KERNEL = "verify/kernel/"  # CERTIFICATES.md has the proofs of its rules
HOLD = {"PROVED", "DERIVED", "CHECKED", "TRIED"}
MOST_WORDS = 120  # of a head, beside displayed formulas
RESTS_ON_NO_CLAIM = {
    "a format, which the kernel or a schema checks": (
        "lp/accounting/ledger.py",
        "lp/accounting/plan.py",
        "lp/accounting/releases.py",
        "lp/best/certificates.py",
        "lp/rates/certificates.py",
        "lp/redaction/certificates.py",
        "verify/certificates/calculation/reading.py",
        "verify/certificates/calculation/values.py",
        "verify/certificates/calculation/words.py",
        "verify/certificates/calculation/writing.py",
        "verify/certificates/export/algebra.py",
        "verify/certificates/export/bounds.py",
        "verify/certificates/export/chains/central.py",
        "verify/certificates/export/chains/designs.py",
        "verify/certificates/export/chains/redaction.py",
        "verify/certificates/export/chains/sides.py",
        "verify/certificates/export/chains/walks.py",
        "verify/certificates/export/exponentials.py",
        "verify/certificates/export/layout.py",
        "verify/certificates/export/leakage.py",
        "verify/certificates/export/logarithms.py",
        "verify/certificates/export/rates.py",
        "verify/certificates/export/worst.py",
        "verify/certificates/export/writing.py",
        "verify/certificates/formal/__main__.py",
        "verify/certificates/formal/building.py",
        "verify/certificates/formal/chains.py",
        "verify/certificates/formal/exported.py",
        "verify/certificates/formal/extracting.py",
        "verify/certificates/formal/reals.py",
        "verify/certificates/formal/record.py",
        "verify/certificates/formal/releases.py",
        "verify/certificates/formal/sources.py",
        "verify/certificates/formal/tables.py",
        "verify/certificates/formal/taken_apart.py",
        "verify/certificates/noise.py",
        "verify/certificates/noise_classes.py",
        "verify/certificates/noise_delta.py",
        "verify/certificates/redaction.py",
        "verify/certificates/writing.py",
        "verify/sequences/streams/reading.py",
    ),
    "the definition, evaluated or written down": (
        "lp/accounting/published/bound.py",
        "lp/accounting/published/seen.py",
        "lp/best/losses.py",
        "lp/many.py",
        "verify/influence/curves/listed.py",
        "verify/influence/curves/orders.py",
        "verify/influence/curves/point.py",
        "verify/influence/enumeration.py",
        "verify/influence/gaussian/definition.py",
        "verify/influence/gaussian/law.py",
        "lp/worst/members.py",
        "verify/decision.py",
        "verify/leakage/delta.py",
        "verify/leakage/few.py",
        "verify/leakage/largest.py",
        "verify/leakage/ratio.py",
        "verify/leakage/renyi.py",
        "verify/leakage/trade_off.py",
        "verify/noise/integrals/delta/integers.py",
        "verify/noise/integrals/delta/region.py",
        "verify/noise/integrals/delta/smallest.py",
        "verify/noise/integrals/renyi/largest.py",
        "verify/noise/integrals/renyi/moment.py",
        "verify/leakage/table.py",
        "verify/noise/queries.py",
        "verify/noise/classes/rows/search.py",
        "verify/noise/classes/rows/means.py",
        "verify/noise/classes/rows/bound.py",
        "verify/noise/classes/rows/cells.py",
        "verify/noise/classes/rows/slopes.py",
        "verify/noise/laws/of_records.py",
        "verify/noise/ratio/blocks/counts.py",
        "verify/noise/ratio/segments.py",
        "verify/noise/accounts/likelihoods.py",
        "verify/noise/accounts/products.py",
        "verify/noise/laws/network.py",
        "verify/noise/laws/packing.py",
        "verify/noise/laws/written.py",
        "verify/leakage/runs/revealing.py",
        "verify/sequences/laws.py",
        "verify/sequences/networks.py",
        "verify/sequences/streams/blocks.py",
        "verify/sequences/streams/passes.py",
        "verify/sequences/streams/tables.py",
    ),
    "it hands over to algorithms that name theirs": (
        "verify/leakage/runs/bounded.py",
        "verify/noise/integrals/renyi/several.py",
        "lp/assertions.py",
        "lp/redaction/strategies.py",
        "verify/influence/curves/framework.py",
        "lp/translation/case.py",
        "verify/audit.py",
        "verify/engines.py",
        "verify/noise/largest.py",
        "verify/noise/ratio/blocks/joint.py",
    ),
    "a search whose answers are checked exactly": (
        "lp/accounting/remaining.py",
        "lp/cones/orbits.py",
        "lp/cones/products.py",
        "lp/cones/symmetry.py",
        "lp/exact/highs.py",
        "lp/exact/linear.py",
        "lp/exact/program.py",
        "lp/exact/proposals.py",
        "lp/exact/weights.py",
        "lp/redaction/central/basis.py",
        "lp/redaction/central/simplex.py",
        "lp/translation/products.py",
        "verify/noise/scale/least_approx.py",
        "verify/noise/scale/sigma.py",
        "verify/proof/farkas.py",
        "verify/proof/handelman.py",
    ),
    "arithmetic, exact or rounded outward": (
        "lp/accounting/total.py",
        "lp/exact/logarithms.py",
        "lp/translation/bits/jumps.py",
        "lp/translation/bits/quotients.py",
        "verify/influence/box/powers.py",
        "verify/influence/gaussian/ladder.py",
        "verify/noise/integrals/renyi/powers.py",
        "verify/leakage/laws.py",
    ),
    "calculus and theorems of textbooks, named where they are coded": (
        "verify/leakage/runs/grid.py",
        "verify/influence/box/atoms.py",
        "verify/influence/box/limits.py",
        "verify/influence/gaussian/box.py",
        "verify/influence/gaussian/rows.py",
        "verify/influence/gaussian/rule.py",
        "verify/influence/gaussian/supremum.py",
        "verify/influence/gaussian/tails.py",
        "verify/noise/integrals/delta/boxes.py",
        "verify/noise/integrals/delta/cells.py",
        "verify/noise/integrals/delta/classes.py",
        "verify/noise/integrals/delta/several.py",
        "verify/noise/integrals/renyi/gaussian.py",
        "verify/noise/integrals/renyi/laplace.py",
        "verify/noise/integrals/renyi/products.py",
        "verify/noise/integrals/renyi/rules.py",
        "verify/noise/normal/beside.py",
        "verify/noise/normal/flats.py",
        "verify/noise/normal/hulls.py",
        "verify/noise/classes/bridges.py",
        "verify/noise/classes/jets.py",
        "verify/noise/classes/networks/intervals.py",
        "verify/noise/classes/outputs.py",
        "verify/noise/classes/turning.py",
        "verify/noise/normal/composition.py",
        "verify/noise/normal/supremum.py",
        "verify/sequences/parameters.py",
    ),
    "as printed, and claims on the paper find it wrong": (
        "verify/influence/gaussian/published.py",
    ),
    "an engine of proofs: its answer says what it trusts": (
        "verify/proof/argument.py",
        "verify/proof/arithmetic/enclosures.py",
        "verify/proof/arithmetic/polynomials.py",
        "verify/proof/formulas.py",
        "verify/proof/implication.py",
        "verify/proof/smt.py",
        "verify/proof/solvers.py",
        "verify/proof/steps.py",
        "verify/proof/time_limit.py",
        "verify/proof/triviality.py",
        "verify/proof/whole.py",
    ),
    "samples, which decide nothing but that a level is violated, with a stated confidence": (
        "verify/simulation/estimation/answer.py",
        "verify/simulation/estimation/cells.py",
        "verify/simulation/estimation/events.py",
        "verify/simulation/estimation/outputs.py",
        "verify/simulation/estimation/calls.py",
        "verify/simulation/estimation/running.py",
        "verify/simulation/estimation/samplers.py",
        "verify/simulation/estimation/selection.py",
        "verify/simulation/estimation/state.py",
        "verify/simulation/estimation/tallies.py",
        "verify/simulation/estimation/worlds.py",
        "verify/simulation/exact.py",
        "verify/simulation/networks.py",
    ),
    "samples, which decide nothing": (
        "verify/simulation/central.py",
        "verify/simulation/draws.py",
    ),
}
LISTED = [path for paths in RESTS_ON_NO_CLAIM.values() for path in paths]


@cache
def head(text):
    """The docstring of a source, of which no more is parsed."""
    opening = re.match(r'r?"""(?:[^"\\]|\\.|"(?!""))*"""', text, flags=re.DOTALL)
    return ast.get_docstring(ast.parse(opening[0] if opening else text)) or ""


def ids(text):
    """The claims of the constant `RESTS_ON` of a source."""
    constant = re.search(r"^RESTS_ON = (\((?:[^()]*)\))$", text, flags=re.MULTILINE)
    return list(ast.literal_eval(constant[1])) if constant else []


def words(text):
    """How many words a head has, without displayed formulas and tables."""
    return len(re.sub(r"^(    .*|\|.*\|)$", "", head(text), flags=re.MULTILINE).split())


def sources(root, folders):
    return {
        str(path.relative_to(root)): path.read_text(encoding="utf-8")
        for folder in folders
        for path in sorted((root / folder).rglob("*.py"))
    }


def unproved(texts, listed):
    """The algorithms that neither name a claim nor are listed."""
    return [
        path
        for path, text in texts.items()
        if not path.startswith(KERNEL)
        and not path.endswith("__init__.py")
        and path not in listed
        and not ids(text)
    ]


def long_winded(texts):
    counts = {path: words(text) for path, text in texts.items()}
    return {path: count for path, count in counts.items() if count > MOST_WORDS}


@cache
def code():
    return sources(ROOT, FLOORS)


@cache
def resting():
    """The claims that files name which have the constant."""
    return {path: ids(text) for path, text in code().items() if "\nRESTS_ON" in text}


def bases(named, record):
    """How many of the named claims have each verdict; None counts those that do not exist."""
    return Counter(record.get(each, {}).get("verdict") for each in set(named))


def test_algorithms_rest_on_claims_that_hold_and_every_constant_is_read():
    assert [path for path, named in resting().items() if not named] == []
    assert [path for path, named in resting().items() if len(named) != len(set(named))] == []
    assert len(resting()) > 100
    wrong = [
        (path, each)
        for path, named in resting().items()
        for each in named
        if not HOLD.issuperset(bases([each], RECORD))
    ]
    assert wrong == []


def test_bases_are_counted_once_a_claim_and_names_of_nothing_apart():
    record = {"a.b": {"verdict": "TRIED"}, "c.d": {"verdict": "PROVED"}, "e.f": {"verdict": "OPEN"}}
    counted = bases(["a.b", "a.b", "c.d", "e.f", "g.h"], record)
    assert counted == {"TRIED": 1, "PROVED": 1, "OPEN": 1, None: 1}
    assert set(counted) - HOLD == {"OPEN", None}


def test_no_head_names_claims_in_prose():
    assert [path for path, text in code().items() if "\nDerived: " in head(text)] == []


def test_every_algorithm_names_its_claims_or_is_listed_with_a_reason():
    assert unproved(sources(ROOT, ALGORITHMS), LISTED) == []


def test_what_is_listed_exists_once_and_names_no_claim():
    assert len(LISTED) == len(set(LISTED))
    assert [path for path in LISTED if path not in code()] == []
    assert [path for path in LISTED if path in resting()] == []


def test_heads_say_what_is_computed_and_leave_the_rest_to_claims():
    assert long_winded(code()) == {}


PLAIN = '"""What is computed."""\n'
NAMED = PLAIN + '\nRESTS_ON = (\n    "lemma.mediant",\n    "worst.vertices",\n)\n'


def test_a_file_without_the_constant_is_found(tmp_path):
    folder = tmp_path / "lp" / "worst"
    folder.mkdir(parents=True)
    for name, text in {"__init__": PLAIN, "plain": PLAIN, "named": NAMED, "listed": PLAIN}.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    texts = sources(tmp_path, ("lp",))
    assert unproved(texts, ["lp/worst/listed.py"]) == ["lp/worst/plain.py"]
    assert ids(texts["lp/worst/named.py"]) == ["lemma.mediant", "worst.vertices"]


@pytest.mark.parametrize(
    "line", ['rests_on = ("lemma.mediant",)', '    RESTS_ON = ("lemma.mediant",)', "RESTS_ON = ()"]
)
def test_a_line_that_is_not_the_constant_names_nothing(line):
    assert ids(f"{PLAIN}\n{line}\n") == []


def test_a_word_more_than_the_most_is_found():
    formula = "\n\n    a b c\n\n"
    for count, found in ((MOST_WORDS, {}), (MOST_WORDS + 1, {"x.py": MOST_WORDS + 1})):
        prose = " ".join(["word"] * (count - 1))
        assert long_winded({"x.py": f'"""{prose}{formula}word"""\n'}) == found
