"""Claims beside code: the claims that an algorithm says it rests on exist and hold, and their
verdicts are counted; every algorithm names some, or it is said why it needs none.
"""

import ast
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

from pufferproof.reports.proofs.papers.grades import rests_on

ROOT = Path(__file__).parents[2]
RECORD = json.loads((ROOT / "claims" / "EXPECTED.json").read_text(encoding="utf-8"))
FLOORS = ("models", "verify", "lp", "counterexamples", "claims", "reports")
ALGORITHMS = ("verify/influence", "verify", "lp")
KERNEL = "verify/kernel/"  # CERTIFICATES.md has the proofs of its rules
HOLD = {"PROVED", "DERIVED", "CHECKED", "TRIED"}
MOST_WORDS = 120  # of a head, beside displayed formulas
RESTS_ON_NO_CLAIM = {  # folders and their files, or *, by reason
    "a format, which the kernel or a schema checks": """
        lp/accounting/releases: plan
        verify/certificates/export: chains designs layout levels mathematics tables writing
        verify/certificates/formal: __main__ building exported extracting record sources tables taken_apart
        verify/certificates: bounding calculation noise redaction writing
    """,
    "the definition, evaluated or written down": """
        verify: decision
        verify/influence/gaussian: definition law
        verify/leakage: delta ratio renyi
        verify/leakage/runs: revealing
        verify/noise/accounts: corners
        verify/noise: concentrated
        verify/noise/classes/rows: bound laws search
        verify/noise/integrals/delta: smallest
        verify/noise/integrals/renyi: largest
        verify/noise/laws: passes
        verify/noise/laws/floats: elimination halves
        verify/noise: queries
        verify/programs: law mechanism paths
        verify/programs/drawing: *
        verify/programs/watching: *
        verify/sequences/streams: passes
    """,
    "it hands over to algorithms that name theirs": """
        lp: assertions
        verify/audit: decide
        verify: engines
        verify/noise/integrals/renyi: several
        verify/programs: noise
    """,
    "an argument in words at its head, which answers say: PROSE": """
        lp/accounts: flips guarantees windows worst
    """,
    "a search whose answers are checked exactly": """
        lp/exact: linear program proposals weights
        verify/proof: farkas
    """,
    "calculus and theorems of textbooks, named where they are coded": """
        verify/losses: floats laws
        verify/noise/classes: outputs
        verify/noise/ratio: densities
        verify/noise/ratio: shaped
        verify/programs/regions: integrals normal region
    """,
    "as printed, and claims on the paper find it wrong": """
    """,
    "an engine of proofs: its answer says what it trusts": """
        verify/proof: argument formulas implication smt
    """,
    "samples, which decide nothing but that a level is violated, with a stated confidence": """
        verify/simulation/estimation: outputs running samplers state
        verify/simulation/estimation: worlds
        verify/programs: repeating
        verify/programs/agreement: agrees cells laws programs
        verify/simulation/estimation: choosing
        verify/simulation: exact search
    """,
    "samples, which decide nothing": """
        verify/simulation: draws
    """,
}


def named(folder, name):
    """A file of a folder, or all of them."""
    if name != "*":
        return [f"{folder}/{name}.py"]
    files = (path.name for path in sorted((ROOT / folder).glob("*.py")))
    return [f"{folder}/{file}" for file in files if file != "__init__.py"]


LISTED = [
    path
    for lines in RESTS_ON_NO_CLAIM.values()
    for folder, _, names in (line.strip().partition(": ") for line in lines.strip().splitlines())
    for name in names.split()
    for path in named(folder, name)
]


@cache
def head(text):
    """The docstring of a source, of which no more is parsed."""
    opening = re.match(r'r?"""(?:[^"\\]|\\.|"(?!""))*"""', text, flags=re.DOTALL)
    return ast.get_docstring(ast.parse(opening[0] if opening else text)) or ""


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
        and not rests_on(text)
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
    return {path: rests_on(text) for path, text in code().items() if "\nRESTS_ON" in text}


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
    assert rests_on(texts["lp/worst/named.py"]) == ["lemma.mediant", "worst.vertices"]
