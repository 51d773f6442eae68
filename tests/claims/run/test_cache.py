"""The cache of results believes little: what does not come out as stored is examined again."""

import copy
import json
import os
import time
from functools import cache as cache_of_calls
from pathlib import Path

import pytest
from tests.claims.examination import stored, without

import pufferproof
from pufferproof.claims import registry
from pufferproof.claims.language.printed import catalogue
from pufferproof.claims.registry import examine, load_claims
from pufferproof.claims.run import as_result, cache, cached, replay, run_claims
from pufferproof.claims.run.replay import NotReproduced, checked_again
from pufferproof.claims.run.workers import examine_one
from pufferproof.claims.vocabulary.coq import tie
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.readable import seal
from pufferproof.models.interface.sweeps import portions as unchanged
from pufferproof.models.interface.sweeps import units as versions
from pufferproof.reports import cli
from pufferproof.reports.proofs.running import written
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
OF, TIMEOUT = ("PROVED", "REFUTED", "OPEN"), 20.0


@pytest.fixture
def known(tmp_path, monkeypatch):
    """Three claims in a file of their own, an empty cache and a new key; no processes."""
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
    claims = load_claims([tmp_path / "claims.py"], trust_code=True)
    return {name: claims[name] for name in VERDICTS}, examined


@cache_of_calls
def results_of(identifier, timeout):
    """Examine a claim, once for all tests."""
    return examine_one(identifier, timeout)


def found(known):
    """Run the claims; return their verdicts, which were examined and not read, and the warnings."""
    results, examined, warnings = run(known)
    return {result["id"]: result["verdict"] for result in results}, examined, warnings


def run(known, **options):
    """Run the claims; return the results, and the rest."""
    claims, examined = known
    examined.clear()
    warnings = []
    results = run_claims([*claims.values()], timeout=TIMEOUT, warn=warnings.append, **options)
    return results, [*examined], warnings


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


def test_a_cached_result_is_the_same_and_says_that_it_is_cached(known):
    first, examined, warnings = run(known)
    assert (examined, warnings) == (list(VERDICTS), [])
    assert {each["id"]: each["verdict"] for each in first} == VERDICTS
    again, examined, warnings = run(known)
    assert (examined, warnings) == ([], [])
    assert [each["cached"] for each in (*first, *again)] == [False] * 3 + [True] * 3
    one, other = (json.dumps(without(each, "cached", "seconds")) for each in (first, again))
    assert one == other  # but for the time that evaluating a counterexample took


def test_an_entry_that_was_edited_is_examined_again(known, tmp_path):
    found(known)
    edits = (("REFUTED", "PROVED"), ('"ok": false', '"ok": true'), ("counterexample", "definition"))
    for old, new in edits:
        for name in VERDICTS:
            path = entry_of(known, name, tmp_path)
            path.write_text(path.read_text().replace(old, new))
        assert found(known)[0] == VERDICTS
    moved = entry_of(known, "stored.means", tmp_path)
    entry_of(known, "stored.open", tmp_path).write_bytes(moved.read_bytes())
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
    assert [found(known)[1:] for _ in range(2)] == [(["stored.open"], []), ([], [])]


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


def steps(entry):
    return {step["name"]: step for step in entry["readings"][0]["steps"]}


WHOLE = "the formula"
FORGED = {
    "a counterexample that is none": ("open", lambda entry: steps(entry)["two"].update(ok=True)),
    "a counterexample left out": ("refuted", lambda entry: entry["readings"][0]["steps"].pop()),
    "no failure": ("refuted", lambda of: steps(of)["smallest"].update(ok=True, refuted=False)),
    "another failure": ("refuted", lambda entry: steps(entry)["smallest"].update(checked=5)),
    "a reading left out": ("refuted", lambda entry: entry["readings"].pop()),
    "a reading more": ("refuted", lambda entry: entry["readings"].append(entry["readings"][0])),
    "a false certificate": ("means", lambda of: steps(of)[WHOLE]["certificate"].update(claim={})),
    "no certificate": ("means", lambda of: steps(of)[WHOLE].update(certificate=None)),
}


@pytest.mark.parametrize("what", FORGED)
def test_certificates_and_counterexamples_are_checked_again_even_when_they_are_sealed(known, tmp_path, what):
    name, change = FORGED[what]
    found(known)
    path = entry_of(known, f"stored.{name}", tmp_path)
    reseal(path, lambda entry: (change(entry), entry)[1], tmp_path)
    assert found(known)[:2] == (VERDICTS, [f"stored.{name}"])


@pytest.mark.parametrize("broken", ["cache", "state", "both", "home", "full"])
def test_a_cache_that_cannot_be_written_costs_time_only(known, tmp_path, monkeypatch, broken):
    def refused(*_):
        if broken == "home":
            raise RuntimeError("Could not determine home directory.")
        raise ModelError("cannot be written: No space left on device", "x")

    for name in ("cache", "state"):
        if broken in (name, "both"):
            (tmp_path / name).write_text("a file where a folder should be")
    if broken == "home":
        monkeypatch.delenv("XDG_CACHE_HOME")
        monkeypatch.delenv("HOME")
        monkeypatch.setattr(Path, "home", refused)
    if broken == "full":
        monkeypatch.setattr(unchanged, "write_atomically", refused)
    for _ in range(2):
        verdicts, examined, [warning] = found(known)
        assert (verdicts, examined) == (VERDICTS, list(VERDICTS))
        assert warning.startswith("warning: results are not kept for the next run: ")


def test_terminal_and_json_say_what_is_cached_and_pages_are_the_same(known, tmp_path, capfd):
    found(known)
    assert cli._run(["prove", "stored", "--out", str(tmp_path / "site")]) == 0
    *shown, last = capfd.readouterr().out.splitlines()
    assert last == "cached: 3 of 3 claims"
    assert sum(each.startswith(OF) and each.endswith("  cached") for each in shown) == 3
    assert cli._run(["prove", "stored", "--json"]) == 0
    assert [claim["cached"] for claim in json.loads(capfd.readouterr().out)["claims"]] == [True] * 3
    fresh, _, _ = run(known, use_cache=False)
    fresh = [each | written(known[0][each["id"]]) for each in fresh]
    write_proof_report(fresh, tmp_path / "fresh", catalogue=catalogue())
    for name in ("index.html", "report.md", "claims/stored.means.html", "files/stored.tar.xz"):
        pages = [(tmp_path / place / name).read_bytes() for place in ("site", "fresh")]
        assert pages[0] == pages[1]  # nothing says from which run it is


@pytest.mark.parametrize("what", ["a source changed meanwhile", "a worker read another file"])
def test_a_result_is_not_kept_of_another_file(known, tmp_path, monkeypatch, what):
    def examined(claims, how, sharing):
        for claim in claims:
            result = copy.deepcopy(results_of(claim.id, how.timeout))
            if what == "a source changed meanwhile":
                (tmp_path / "claims.py").write_text(CLAIMS + f"\n# {claim.id}\n")
            else:
                for each in result["readings"]:
                    each["statement"] = "1 = 1."
            yield result

    monkeypatch.setattr(cached, "examined", examined)
    found(known)
    assert list((tmp_path / "cache").rglob("[0-9a-f]*.json")) == []


def test_files_of_data_and_what_public_names_lead_to_are_sources(known):
    claims, sources = load_claims(), cache.Sources()
    inner = sources.of(claims["lemma.am-gm"])
    others = (sources.of(claims["bai2026.tables"]), sources.of(known[0]["stored.means"]))
    ours, outside, inside = ({Path(each).name for each in of} for of in (*others, inner))
    assert {"tables.claims", "tables.json"} <= ours
    assert {"claims.py", "partner.py", "delta.py", "tables.json"} <= outside
    assert {"algebra.py", "level.py", "reading.py"} <= inside  # of the kernel, by relative names
    assert "partner.py" not in inside
    folders = {Path(each).parent for each in inner}
    packages = {each / "__init__.py" for each in folders if each.name != "run"}
    assert {str(each) for each in packages if each.exists()} <= inner


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


def test_what_claims_from_outside_reach_only_when_they_run_is_a_source(known, tmp_path, monkeypatch):
    """Modules that a function imports, what these import; data below a folder, beside a link."""
    files = {
        **dict.fromkeys(["modules/bounds_of_numbers/__init__.py", "modules/said.txt"], ""),
        "where_it_runs.txt": "",
        "modules/bounds_of_numbers/largest.py": "import other_bounds",
        "modules/other_bounds.py": "SAID = 'said.txt'",
        "here/numbers/2.txt": "5",
        "here/beside.txt": "",
        "there/lazily.py": LAZY,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "here" / "lazily.py").symlink_to(tmp_path / "there" / "lazily.py")
    monkeypatch.syspath_prepend(tmp_path / "modules")
    monkeypatch.chdir(tmp_path)
    claim = load_claims([tmp_path / "here"], trust_code=True)["stored.lazy"]

    def mark():
        return cache.fingerprint(claim, TIMEOUT, cache.Sources())

    for name in files:
        before = mark()
        with (tmp_path / name).open("a") as file:
            file.write("\n")
        assert mark() != before, name


DECIDE = "numpy highspy cvxpy clarabel networkx z3-solver cvc5 sympy python-flint scipy"


@pytest.fixture
def mark(known):
    """Return a function that returns a fingerprint of a claim, by what is installed now."""

    def marked():
        versions.packages.cache_clear()
        return cache.fingerprint(known[0]["stored.means"], TIMEOUT, sources)

    sources = cache.Sources()
    yield marked
    versions.packages.cache_clear()


@pytest.mark.parametrize("package", DECIDE.split())
def test_every_package_that_decides_is_in_the_fingerprint(mark, monkeypatch, package):
    before, installed = mark(), versions.version
    monkeypatch.setattr(versions, "version", lambda of: "9" if of == package else installed(of))
    assert mark() != before


def test_python_and_what_coq_checked_are_in_the_fingerprint(mark, monkeypatch):
    before = mark()
    monkeypatch.setattr(cache, "checked_state", lambda: "CHECKED.json: theory/A.v changed since")
    changed = mark()
    monkeypatch.setattr(versions.platform, "python_version", lambda: "3.99")
    assert len({before, changed, mark()}) == 3


IDS = "massny2025.fn2 streaming_cw.thm4 wang2016.A5-power song2017.III4-diag-repaired"


@pytest.mark.parametrize("identifier", IDS.split())
def test_claims_of_papers_come_out_as_stored(identifier):
    """Their functions run with stored answers, with instances that were found in families."""
    check = examine(identifier)
    result = json.loads(json.dumps(as_result(check, 1.0)))
    again = as_result(checked_again(check.claim, stored(check), TIMEOUT), 1.0)
    assert without(json.loads(json.dumps(again)), "seconds") == without(result, "seconds")


def test_a_family_that_ends_before_the_stored_failure_is_not_reproduced():
    def small(n):
        return n < 3

    assert replay._failure([1, 2, 3], small, 3, alone=True) == 3
    alone, several = [([1, 2], 3), ([1, 2, 2], 3)], [([], 1), ([3, 1, 3], 3)]
    for family, place in (*alone, *several):
        with pytest.raises(NotReproduced):
            replay._failure(family, small, place, (family, place) in alone)


@pytest.fixture
def saying(known, monkeypatch):
    """A claim with a statement, in a process that began after files were written, with no code from
    outside.
    """
    monkeypatch.setattr(tie, "DIGESTS", {})
    monkeypatch.setattr(pufferproof, "BEGUN", time.time() + 10)
    monkeypatch.setattr(cache, "_loaded_from_outside", set)
    return [claim for claim in load_claims().values() if claim.says][:1]


def test_digests_of_ties_are_kept_for_the_vocabulary_as_it_is(saying, tmp_path, monkeypatch):
    stored = cache.Cache(TIMEOUT, saying)
    tie.DIGESTS["process"] = "of its instances"
    stored.keep_shared()
    tie.DIGESTS.clear()
    cache.Cache(TIMEOUT, saying)
    assert tie.DIGESTS == {"process": "of its instances"}
    tie.DIGESTS.clear()
    with monkeypatch.context() as edited:
        edited.setattr(cache.Sources, "vocabulary_run", lambda sources: "another")
        cache.Cache(TIMEOUT, saying)
        assert tie.DIGESTS == {}
    (kept,) = (tmp_path / "cache").rglob("ties")
    kept.write_text(kept.read_text().replace("of its", "of other"))
    cache.Cache(TIMEOUT, saying)
    assert tie.DIGESTS == {}


CHANGED = [(pufferproof, "BEGUN", 0.0), (cache, "_loaded_from_outside", lambda: {"/a/file.py"})]


@pytest.mark.parametrize("change", CHANGED, ids=["edited", "outside"])
def test_digests_of_ties_are_neither_kept_nor_taken_where_another_vocabulary_may_run(
    saying, tmp_path, monkeypatch, change
):
    """A module that was loaded before its file was edited runs as it was; a stored digest of what it
    says would pass for one of the edited file.
    """
    stored = cache.Cache(TIMEOUT, saying)
    tie.DIGESTS["process"] = "of its instances"
    with monkeypatch.context() as changed:
        changed.setattr(*change)
        stored.keep_shared()
        cache.Cache(TIMEOUT, saying).keep_shared()
        assert not [*(tmp_path / "cache").rglob("ties")]
    stored.keep_shared()
    tie.DIGESTS.clear()
    monkeypatch.setattr(*change)
    cache.Cache(TIMEOUT, saying)
    assert tie.DIGESTS == {}


def test_the_vocabulary_rests_on_its_entries_and_what_they_call():
    reached = cache.Sources()
    reached.vocabulary_run()
    (files,) = reached._reached.values()
    inside = {str(Path(each).relative_to(cache._ROOT)) for each in files}
    assert {"claims/vocabulary/coq/tie.py", "claims/vocabulary/probe.py", "models/channel.py"} <= inside
    assert any(each.startswith("claims/vocabulary/entries/") for each in inside)
    assert any(each.startswith("verify/") for each in inside)
