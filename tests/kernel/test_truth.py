"""Nothing in a certificate can change unnoticed: it is refused, or the statement is still true."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.kernel.algebra import truth as algebra
from tests.kernel.bench import FAMILIES, Loaded, accepted_files, paths, read
from tests.kernel.cases import accepted
from tests.kernel.changes import Change, at, changes, numbers, replaced, written
from tests.kernel.designs import truth as designs
from tests.kernel.optima import truth as optima
from tests.kernel.rates import truth as rates
from tests.kernel.slow.judging import judged
from tests.kernel.unpack import listed


def holds(change: Change) -> bool:
    """Whether the slow kernel does not say that a statement is false."""
    return judged(change.certificate) is not False


HOLDS: dict[str, Callable[[Change], bool]] = {
    "leakage": holds,
    "rates": rates.holds,
    "optima": optima.holds,
    "algebra": algebra.holds,
    "redaction": holds,
    "designs": designs.holds,
    "noise": holds,
}
DECIDED = ("leakage", "optima", "redaction", "designs", "noise")  # whose truth is decided from the certificate alone
TOO_LONG = {"redaction": 5, "designs": 4, "noise": 6}  # records of a chain that enumeration takes
MOST_SEQUENCES = 256


def short(path: Path) -> bool:
    """Say whether the statement of a file can be enumerated."""
    longest, certificate = TOO_LONG.get(path.parts[-3]), read(path)
    if longest is None:
        return True
    values = certificate.get("framework", {}).get("records", {}).get("alphabet", "01")
    known = length(certificate)
    return known <= longest and len(values) ** known <= MOST_SEQUENCES


def length(certificate: Any) -> int:
    """The number of records of a chain, of all people."""
    if chain := certificate.get("chain"):
        return int(chain["length"])
    framework = certificate["framework"]
    return int(framework["records"]["count"]) * int(framework.get("people", 1))


FILES = [path for family in FAMILIES for path in accepted_files(family) if short(path)]


def name_of(path: Path) -> str:
    return f"{path.parts[-3]}/{path.stem}"


@pytest.fixture(scope="module")
def kernel() -> Loaded:
    return Loaded()


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_changed_number_is_refused_or_the_statement_is_still_true(path: Path, kernel: Loaded) -> None:
    certificate, family, check = read(path), path.parts[-3], kernel["__init__"].check_bytes
    places, decided, refused = list(numbers(certificate)), family in DECIDED, 0
    assert places
    zero = Fraction(0)
    assert not decided or HOLDS[family](Change(path.stem, certificate, places[0], zero, zero))
    for place in places:
        old = at(certificate, place)
        for new in [*changes(old), *[0] * decided]:
            try:
                check(written(certificate, place, new))
            except kernel.Refused:
                refused += 1
                continue
            mutant = replaced(certificate, place, new)
            change = Change(path.stem, mutant, place, Fraction(str(old)), Fraction(str(new)))
            assert HOLDS[family](change), f"{place} changed from {old} to {new} was accepted"
    assert refused or not decided


FALSE = [
    ("optima", "lp-corner", ("claim", "value"), "3"),
    ("optima", "worst-records", ("claim", "level", "log"), str(Fraction(28, 5) - Fraction(1, 100))),
    ("redaction", "exact", ("claim", "level", "log"), "17/11"),
    ("designs", "window", ("claim", "designs", 0, "utility", "upper"), "2/5"),
    ("designs", "central", ("claim", "designs", 0, "utility", "upper"), "2/5"),
    ("designs", "exact", ("claim", "designs", 0, "utility", "lower"), "1/5"),
    ("noise", "at-most", ("claim", "level", "log"), "143/50"),
    ("noise", "witness", ("claim", "exceeds", "log"), "72/25"),
    ("noise", "class", ("claim", "level", "log"), "426/100"),
    ("noise", "class-gap", ("claim", "level", "log"), "3"),
    ("noise", "class-witness", ("claim", "exceeds", "log"), "427/100"),
    ("noise", "class-witness", ("claim", "member", "transition", 0, 1), "1/10"),
]


@pytest.mark.parametrize(("family", "name", "place", "value"), FALSE)
def test_the_oracles_tell_a_false_statement(family: str, name: str, place: tuple[Any, ...], value: str) -> None:
    certificate = read(accepted(family, name))
    old = Fraction(str(at(certificate, place)))
    change = Change(name, certificate, place, old, old)
    assert HOLDS[family](change)
    mutant = replaced(certificate, place, value)
    assert not HOLDS[family](change._replace(certificate=mutant, new=Fraction(value)))


WITH_FILES = [name for name, case in listed("leakage", "inputs").items() if "refused" not in case]


@pytest.mark.parametrize("name", WITH_FILES)
def test_a_changed_hash_or_label_is_refused_when_files_are_given(name: str, kernel: Loaded, tmp_path: Path) -> None:
    (path, *files), draft = paths("leakage", name), tmp_path / "mutant.json"
    text = path.read_text(encoding="utf-8")
    certificate = json.loads(text)
    hashes = [certificate["inputs"]["framework"], *certificate["inputs"]["mechanisms"]]
    space, outputs = certificate["framework"], certificate["mechanisms"][0]["outputs"]
    labels = [*space["databases"], *space["secrets"], *space["priors"], *outputs]
    mutants = [text.replace(json.dumps(label), json.dumps(label + "'")) for label in labels]
    others = [(old, new) for old in hashes for new in (*hashes, "sha256:" + "0" * 64) if new != old]
    mutants += [text.replace(old, new) for old, new in others]
    mutants += [text.replace(f'"{old}"', "null") for old in hashes]
    for mutant in mutants:
        assert mutant != text
        draft.write_text(mutant, encoding="utf-8")
        with pytest.raises(kernel.Refused):
            kernel.check(str(draft), str(files[0]), [*map(str, files[1:])])
