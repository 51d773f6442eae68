"""The cache of results believes little: what was edited or does not come out as stored is
examined again; nothing breaks.
"""

import copy
import json
import os
from functools import cache as cache_of_calls
from pathlib import Path

import pytest

from pufferproof.claims import registry
from pufferproof.claims.registry import examine, load_claims
from pufferproof.claims.run import KEPT, as_result, cache, cached, replay, run_claims
from pufferproof.claims.run.replay import NotReproduced, checked_again
from pufferproof.claims.run.workers import examine_one
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.sealing import seal
from pufferproof.models.interface.sweeps import unchanged, versions
from pufferproof.reports import cli
from pufferproof.reports.proofs import record
from pufferproof.reports.proofs.running import place_of, printed_of
from pufferproof.reports.proofs.site import write_proof_report

CLAIMS = """
from fractions import Fraction

from pufferproof.claims.language import letters
from pufferproof.claims.language.formulas import formula
from pufferproof.claims.registry import claim

a, b = letters("a b", "any number", real=True)


@claim("stored.means", where="here", statement=formula("2*a*b <= a**2 + b**2"))
def true(check):
    check.formula()


@claim("stored.refuted", where="here", statement="n^2 < 30, and n > 0 if n >= 0", unsaid="test")
def false(check):
    seen = []
    with check.reading("as printed") as argument:
        numbers = map(Fraction, range(10))
        n = argument.exhaust("smallest", "n = 0, 1, ..", numbers, lambda n: n * n < 30)
        shown = {"n": n, "square": n * n}
        argument.counterexample("first", "its square", shown, lambda: n * n >= 30)
    with check.reading("compared with those before") as argument:
        small = lambda n: seen.append(n) or sum(seen) < 10  # noqa: E731
        m = argument.exhaust("sum", "n = 0, 1, ..", range(10), small)
        argument.counterexample("total", "their sum", {"m": m}, lambda: sum(range(m + 1)) >= 10)


@claim("stored.open", where="here", statement="2 > 3", unsaid="test")
def open_claim(check):
    with check.reading("as printed") as argument:
        argument.inequality("square", "too strong", 3 * a * b <= a**2 + b**2)
        argument.counterexample("two", "2 is not above 3", {"n": 2}, lambda: 2 > 3)
"""
VERDICTS = {"stored.means": "PROVED", "stored.refuted": "REFUTED", "stored.open": "OPEN"}
TIMEOUT = 20.0


@pytest.fixture
def known(tmp_path, monkeypatch):
    """Three claims in a file of their own, an empty cache and a new key; claims are examined in
    this process.
    """
    (tmp_path / "claims.py").write_text(CLAIMS)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(registry, "_CLAIMS", dict(load_claims()))
    examined = []

    def here(claims, how, sharing):
        for claim in claims:
            examined.append(claim.id)
            yield copy.deepcopy(results_of(claim.id, how.timeout))

    monkeypatch.setattr(cached, "examined", here)
    return {
        name: claim
        for name, claim in load_claims([tmp_path / "claims.py"]).items()
        if name in VERDICTS
    }, examined


@cache_of_calls
def results_of(identifier, timeout):
    """Examine a claim, once for all tests."""
    return examine_one(identifier, timeout)


def found(known, **options):
    """Run the claims; return the results, which of them were examined and not read, and the
    warnings.
    """
    claims, examined = known
    examined.clear()
    warnings = []
    results = run_claims(list(claims.values()), timeout=TIMEOUT, warn=warnings.append, **options)
    return results, list(examined), warnings


def entry_of(known, name, tmp_path):
    claims, _ = known
    mark = cache.fingerprint(claims[name], TIMEOUT, cache.Sources())
    return tmp_path / "cache" / "pufferproof" / "claims" / f"{mark}.json"


def reseal(path, change, tmp_path):
    """Change an entry as somebody who can read the key."""
    payload = json.loads(path.read_bytes().partition(b"\n")[2])
    text = json.dumps(change(payload)).encode()
    key = (tmp_path / "state" / "pufferproof" / "cache-key").read_bytes()
    path.write_bytes(seal(key, path.stem, text).encode() + b"\n" + text)


def verdicts(results):
    return {result["id"]: result["verdict"] for result in results}


def test_a_cached_result_is_the_same_and_says_that_it_is_cached(known):
    first, examined, warnings = found(known)
    assert (examined, warnings, verdicts(first)) == (list(VERDICTS), [], VERDICTS)
    again, examined, warnings = found(known)
    assert (examined, warnings) == ([], [])
    assert [result.pop("cached") for result in first] == [False] * 3
    assert [result.pop("cached") for result in again] == [True] * 3
    for one, other in zip(first, again):  # but for the time that evaluating a counterexample took
        for result in (one, other):
            for step in (step for reading in result["readings"] for step in reading["steps"]):
                step.pop("seconds")
    assert json.loads(json.dumps(again)) == json.loads(json.dumps(first))


def test_an_entry_that_was_edited_is_examined_again(known, tmp_path):
    found(known)
    for old, new in (
        ("REFUTED", "PROVED"),
        ('"ok": false', '"ok": true'),
        ("counterexample", "definition"),
    ):
        for name in VERDICTS:
            path = entry_of(known, name, tmp_path)
            path.write_text(path.read_text().replace(old, new))
        again, _, _ = found(known)
        assert verdicts(again) == VERDICTS
    path = entry_of(known, "stored.open", tmp_path)
    # moved under another name
    path.write_bytes(entry_of(known, "stored.means", tmp_path).read_bytes())
    assert found(known)[1] == ["stored.open"]
    assert found(known)[1] == []


def test_an_entry_of_another_key_is_not_used(known, tmp_path):
    found(known)
    key = tmp_path / "state" / "pufferproof" / "cache-key"
    assert (len(key.read_bytes()), key.stat().st_mode & 0o777) == (32, 0o600)
    assert found(known)[1] == []
    key.unlink()
    assert found(known)[1] == list(VERDICTS)
    key.write_bytes(b"short")
    assert found(known)[1:] == (list(VERDICTS), [])
    assert len(key.read_bytes()) == 32


MALFORMED = [b"", b"null", b"[]", b'"x"', b"{}", b"\xff\xfe", b'{"result":5}', b"[" * 99999]
ODD = {"readings": [{"name": 1, "scope": 2, "steps": [{"ok": True}]}], "near_misses": []}
WRONG = [None, [], "x", 5, {}, {"readings": 5}, {"readings": [{}], "near_misses": []}, ODD]


@pytest.mark.parametrize("content", [*MALFORMED, *WRONG], ids=lambda content: repr(content)[:12])
def test_an_entry_that_is_malformed_is_ignored_and_written_again(known, tmp_path, content):
    """Even when it is sealed, if the cache could have written its text."""
    found(known)
    path = entry_of(known, "stored.open", tmp_path)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        reseal(path, lambda _: content, tmp_path)
    assert found(known)[1:] == (["stored.open"], [])
    assert found(known)[1:] == ([], [])


def test_an_entry_that_is_huge_cut_off_or_no_file_is_ignored(known, tmp_path):
    found(known)
    path = entry_of(known, "stored.open", tmp_path)
    path.write_bytes(path.read_bytes()[:-10])
    assert found(known)[1:] == (["stored.open"], [])
    os.truncate(path, unchanged._LARGEST + 1)
    assert found(known)[1:] == (["stored.open"], [])
    path.unlink()
    os.mkfifo(path)
    _, examined, [warning] = found(known)
    assert examined == ["stored.open"]
    assert "expected a regular file" in warning


def step(entry, reading, name):
    return next(step for step in entry["readings"][reading]["steps"] if step["name"] == name)


def changed(path, tmp_path, change):
    def apply(entry):
        change(entry)
        return entry

    reseal(path, apply, tmp_path)


def reading(entry):
    return entry["readings"][0]


FORGED = {
    "a counterexample that is none": (
        "stored.open",
        lambda entry: step(entry, 0, "two").update(ok=True),
    ),
    "a counterexample left out": ("stored.refuted", lambda entry: reading(entry)["steps"].pop()),
    "a failure left out": (
        "stored.refuted",
        lambda entry: step(entry, 0, "smallest").update(ok=True, refuted=False),
    ),
    "another failure": (
        "stored.refuted",
        lambda entry: step(entry, 0, "smallest").update(checked=5),
    ),
    "a reading left out": ("stored.refuted", lambda entry: entry["readings"].pop()),
    "a reading more": ("stored.refuted", lambda entry: entry["readings"].append(reading(entry))),
    "a false certificate": (
        "stored.means",
        lambda entry: step(entry, 0, "the formula")["certificate"].update(claim={}),
    ),
    "no certificate": (
        "stored.means",
        lambda entry: step(entry, 0, "the formula").update(certificate=None),
    ),
}


@pytest.mark.parametrize("what", FORGED)
def test_certificates_and_counterexamples_are_checked_again_even_when_they_are_sealed(
    known, tmp_path, what
):
    name, change = FORGED[what]
    found(known)
    changed(entry_of(known, name, tmp_path), tmp_path, change)
    again, examined, _ = found(known)
    assert (examined, verdicts(again)) == ([name], VERDICTS)


@pytest.mark.parametrize("broken", ["cache", "state", "both", "home", "full"])
def test_a_cache_that_cannot_be_written_costs_time_only(known, tmp_path, monkeypatch, broken):
    for name in ("cache", "state"):
        if broken in (name, "both"):
            (tmp_path / name).write_text("a file where a folder should be")
    if broken == "home":
        monkeypatch.delenv("XDG_CACHE_HOME")
        monkeypatch.delenv("HOME")
        monkeypatch.setattr(
            Path,
            "home",
            lambda: (_ for _ in ()).throw(RuntimeError("Could not determine home directory.")),
        )
    if broken == "full":
        refused = ModelError("cannot be written: No space left on device", "x")
        monkeypatch.setattr(
            unchanged, "write_atomically", lambda *_: (_ for _ in ()).throw(refused)
        )
    for _ in range(2):
        results, examined, [warning] = found(known)
        assert (verdicts(results), examined) == (VERDICTS, list(VERDICTS))
        assert warning.startswith("warning: results are not kept for the next run: ")


def test_terminal_and_json_say_what_is_cached_and_pages_are_the_same(known, tmp_path, capfd):
    found(known)
    assert cli._run(["prove", "stored", "--out", str(tmp_path / "site")]) == 0
    shown = capfd.readouterr().out.splitlines()
    assert shown[-1] == "cached: 3 of 3 claims"
    assert [
        line.endswith(")  cached") for line in shown if line.startswith(tuple(VERDICTS.values()))
    ] == [True] * 3
    assert cli._run(["prove", "stored", "--json"]) == 0
    assert [claim["cached"] for claim in json.loads(capfd.readouterr().out)["claims"]] == [True] * 3
    fresh, _, _ = found(known, use_cache=False)
    fresh = [
        each | {"source": place_of(known[0][each["id"]]), "print": printed_of(each)}
        for each in fresh
    ]
    write_proof_report(fresh, tmp_path / "fresh", catalogue=record.catalogue())
    for name in ("index.html", "report.md", "claims/stored.means.html", "files/stored.tar.xz"):
        pages = [(tmp_path / place / name).read_bytes() for place in ("site", "fresh")]
        assert pages[0] == pages[1]  # nothing says from which run it is


def test_a_result_is_not_kept_where_a_source_changed_while_it_was_found(
    known, tmp_path, monkeypatch
):
    def edited(claims, how, sharing):
        for claim in claims:
            (tmp_path / "claims.py").write_text(CLAIMS + f"\n# {claim.id}\n")
            yield copy.deepcopy(results_of(claim.id, how.timeout))

    monkeypatch.setattr(cached, "examined", edited)
    found(known)
    assert list((tmp_path / "cache").rglob("*.json")) == []


def test_a_result_is_not_kept_of_a_file_that_says_something_else_in_a_worker(
    known, tmp_path, monkeypatch
):
    def others(claims, how, sharing):
        for claim in claims:
            result = copy.deepcopy(results_of(claim.id, how.timeout))
            yield result | {
                "readings": [each | {"statement": "1 = 1."} for each in result["readings"]]
            }

    monkeypatch.setattr(cached, "examined", others)
    found(known)
    assert not [*(tmp_path / "cache" / "pufferproof" / "claims").glob("[0-9a-f]*.json")]


def test_files_of_data_and_what_public_names_lead_to_are_sources(known):
    claims = load_claims()
    sources = cache.Sources()
    ours = {Path(each).name for each in sources.of(claims["bai2026.tables"])}
    assert {"tables.claims", "tables.json"} <= ours
    outside = {Path(each).name for each in sources.of(known[0]["stored.means"])}
    assert {"claims.py", "partner.py", "trade_off.py", "tables.json"} <= outside
    inside = {Path(each).name for each in sources.of(claims["lemma.am-gm"])}
    assert {"algebra.py", "level.py", "reading.py"} <= inside  # of the kernel, by relative names
    assert "partner.py" not in inside
    folders = {Path(each).parent for each in sources.of(claims["lemma.am-gm"])}
    packages = {each / "__init__.py" for each in folders if each.name != "run"}
    assert {str(each) for each in packages if each.exists()} <= sources.of(claims["lemma.am-gm"])


LAZY = """
from pathlib import Path
from pufferproof.claims.registry import claim


@claim("stored.lazy", where="here", statement="n < 5", unsaid="test")
def lazy(check):
    import bounds_of_numbers.largest

    text = (Path(__file__).parent / "numbers" / f"{2}.txt").read_text()
    assert Path(__file__).with_name("beside.txt").exists()
    assert Path("where_it_runs.txt").exists()
"""


def test_what_claims_from_outside_reach_only_when_they_run_is_a_source(
    known, tmp_path, monkeypatch
):
    """Modules that a function imports, the packages they are in and what these import, data below
    a folder, data beside a link, and data where it runs.
    """
    files = {
        "modules/bounds_of_numbers/__init__.py": "",
        "modules/bounds_of_numbers/largest.py": "import other_bounds",
        "modules/other_bounds.py": "SAID = 'said.txt'",
        "modules/said.txt": "",
        "here/numbers/2.txt": "5",
        "here/beside.txt": "",
        "there/lazily.py": LAZY,
        "where_it_runs.txt": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "here" / "lazily.py").symlink_to(tmp_path / "there" / "lazily.py")
    monkeypatch.syspath_prepend(tmp_path / "modules")
    monkeypatch.chdir(tmp_path)
    claim = load_claims([tmp_path / "here"])["stored.lazy"]

    def mark():
        return cache.fingerprint(claim, TIMEOUT, cache.Sources())

    for name in files:
        before = mark()
        with (tmp_path / name).open("a") as file:
            file.write("\n")
        assert mark() != before, name


DECIDE = "numpy highspy cvxpy clarabel networkx z3-solver cvc5 sympy python-flint scipy"


@pytest.mark.parametrize("package", DECIDE.split())
def test_every_package_that_decides_and_python_are_in_the_fingerprint(known, monkeypatch, package):
    claim = known[0]["stored.means"]
    sources = cache.Sources()
    before = cache.fingerprint(claim, TIMEOUT, sources)
    installed = versions.version
    versions.packages.cache_clear()
    monkeypatch.setattr(
        versions, "version", lambda name: "999" if name == package else installed(name)
    )
    changed = cache.fingerprint(claim, TIMEOUT, sources)
    versions.packages.cache_clear()
    monkeypatch.setattr(versions, "version", installed)
    monkeypatch.setattr(versions.platform, "python_version", lambda: "3.99")
    newer = cache.fingerprint(claim, TIMEOUT, sources)
    versions.packages.cache_clear()
    assert len({before, changed, newer}) == 3


def test_what_coq_checked_is_in_the_fingerprint(known, monkeypatch):
    sources = cache.Sources()
    before = cache.fingerprint(known[0]["stored.means"], TIMEOUT, sources)
    monkeypatch.setattr(cache, "checked_state", lambda: "CHECKED.json: theory/A.v changed since")
    assert cache.fingerprint(known[0]["stored.means"], TIMEOUT, sources) != before


@pytest.mark.parametrize("identifier", ["massny2025.fn2", "streaming_cw.thm4", "wang2016.A5-power"])
def test_claims_of_papers_come_out_as_stored(identifier):
    """Their functions run with stored answers and reach the same steps, with instances that
    were found in families.
    """
    check = examine(identifier)
    result = json.loads(json.dumps(as_result(check, 1.0)))
    entry = {
        key: [{part: each[part] for part in KEPT} for each in result[key]]
        for key in ("readings", "near_misses")
    }
    again = as_result(checked_again(check.claim, entry, TIMEOUT), 1.0)
    assert (again["verdict"], again["counterexample"]) == (
        result["verdict"],
        result["counterexample"],
    )


def test_a_family_that_ends_before_the_stored_failure_is_not_reproduced():
    assert replay._failure([1, 2, 3], lambda n: n < 3, 3, alone=True) == 3
    for family, place, alone in (
        ([1, 2], 3, True),
        ([], 1, False),
        ([3, 1, 3], 3, False),
        ([1, 2, 2], 3, True),
    ):
        with pytest.raises(NotReproduced):
            replay._failure(family, lambda n: n < 3, place, alone)
