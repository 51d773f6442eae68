"""Every field of a certificate is bound to the files, or named in the statement, or does not matter
to it.

The table at the end of CERTIFICATES.md says which. For each kind of certificate and each
field: a file is altered so that it contradicts a bound field, and its hash with it, and the checker
must refuse; a named field is altered in the certificate, and the statement must change with it; a
field of a proof is altered, and the statement must stay.
"""

import hashlib
import json
import re
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.kernel.bench import Loaded, accepted_files, read
from tests.kernel.cases import accepted, given
from tests.kernel.reading_list import KERNEL
from tests.kernel.unpack import Json, edited

CHECKER = Loaded()
KINDS = {name: [*module.RULES] for name, module in CHECKER.families()}

# --- certificates and the files that they were made from ---

LAW, OTHER_LAW = dict.fromkeys("abcd", "1/4"), {"a": "1/8", "b": "3/8", "c": "1/8", "d": "3/8"}
SPACE: Json = {
    "databases": ["a", "b", "c", "d"],
    "secrets": {"s": ["a", "d"], "t": ["b"], "r": ["c"]},
    "pairs": [["s", "t"], ["s", "r"]],
    "priors": {"theta": LAW, "eta": OTHER_LAW},
    "closure": "list",
}
LEFT, RIGHT = ["3/8", "3/8", "1/4"], ["1/8", "1/8", "3/4"]
MECHANISM = {"outputs": ["u", "v", "x"], "channel": {"a": LEFT, "b": RIGHT, "c": RIGHT, "d": LEFT}}
TABLES = {name: {"table": law} for name, law in SPACE["priors"].items()}
FILES: list[Json] = [
    SPACE | {"format": "pufferproof-framework/1", "priors": TABLES},
    MECHANISM | {"format": "pufferproof-mechanism/1"},
]
AROUND = {x: [[each, each] for each in row] for x, row in MECHANISM["channel"].items()}
AROUND["a"] = [["3/8", "1/2"], ["1/4", "3/8"], ["1/4", "1/4"]]
BOUNDS = {"outputs": MECHANISM["outputs"], "bounds": AROUND}
BOUNDS_FILES: list[Json] = [FILES[0], BOUNDS | {"format": "pufferproof-mechanism/1"}]
LOG_3, LOG_4 = {"log": 3}, {"log": 4}
AT = {"prior": "theta", "pair": ["s", "t"], "output": "u"}
IN = {"prior": "theta", "pair": ["s", "t"], "outputs": ["u", "v"]}
PLACE: Json = {"prior": "theta", "pair": ["s", "t"], "database": "a"}
BETAS = [{"database": x, "beta": {y: 1}} for x, y in ("ab", "db", "ac", "dc", "ba", "ca")]
OTHER_BETAS = [{"database": x, "beta": {y: 1}} for x, y in ("ab", "db", "ac", "dc", "bd", "cd")]
CLAIMS: dict[str, Json] = {
    "leakage-at-most": {"level": LOG_3, "attained": None},
    "leakage-witness": {**AT, "exceeds": {"log": 2}},
    "joint-leakage-at-most": {"releases": [0, 1], "level": {"log": 9}, "attained": None},
    "joint-leakage-witness": {"releases": [0, 1], **IN, "exceeds": {"log": 2}},
    "delta-at-most": {"level": {"log": 2}, "delta": "1/2"},
    "delta-witness": {"level": {"log": 2}, "delta": "1/10", **IN},
    "bounded-leakage-at-most": {"level": {"log": 4}},
    "joint-bounded-leakage-at-most": {"releases": [0, 1], "level": {"log": 16}},
    "bounded-delta-at-most": {"level": {"log": 2}, "delta": "1/2"},
    "nfc": {"levels": [LOG_3], "betas": BETAS},
    "nfc-violation": {"levels": [{"log": 2}], **PLACE, "alpha": [{"u": 1}]},
    "rate": {"lower": LOG_3, "upper": LOG_3, **PLACE, "alpha": [{"u": 1}], "betas": BETAS},
}
WORST = "worst-at-most"
RECORDS, CHAIN = read(accepted("optima", "worst-records")), read(accepted("redaction", "exact"))
RECORDS_FILES: list[Json] = [read(path) for path in given("optima", "records")[1:]]
CHAIN_FILES: list[Json] = [read(path) for path in given("redaction", "matched")[1:]]
NOISE_FILES: list[Json] = [read(path) for path in given("noise", "matched")[1:]]
WEEK = NOISE_FILES[0]["priors"]["week"]
NOISE_FILES[0]["priors"]["month"] = WEEK
NOISE_FILES[0]["secrets"] |= {x: {"record": 3, "value": v} for x, v in (("late", "1"), ("rest", "0"))}
NOISE_FILES[0]["pairs"].append(["late", "rest"])
SAID = {key: each for key, each in NOISE_FILES[0].items() if key != "format"}
LISTED: Json = {"closure": "list", "people": 1}
NOISE = {
    f"noise-leakage-{name}": read(accepted("noise", name)) | {"framework": {**SAID, **LISTED}}
    for name in ("at-most", "witness")
}
NORMAL_FILES = [NOISE_FILES[0], {**NOISE_FILES[1], "noise": {"gaussian": {"sigma": "2"}}}]
NORMAL = {"query": "sum", "segment": None, "noise": NORMAL_FILES[1]["noise"]}
CROSSINGS = {("on", "off"): (2, 3), ("off", "on"): (-1, 1), ("late", "rest"): (2, 3)}
CROSSINGS |= {("rest", "late"): (-1, 1)}


def cuts(narrower: str) -> list[Json]:
    """Brackets around the crossings of both priors and all pairs."""
    ends = {
        pair: [str(low + Fraction(narrower)), str(high - Fraction(narrower))] for pair, (low, high) in CROSSINGS.items()
    }
    return [
        {"prior": prior, "pair": [*pair], "ends": [0, 0], "brackets": [bracket]}
        for prior in ("week", "month")
        for pair, bracket in ends.items()
    ]


DELTAS: dict[str, Json] = {
    "at-most": {"width": None, "delta": "9/10", "cuts": cuts("0")},
    "witness": {"prior": "week", "pair": ["on", "off"], "delta": "1/100"} | {"outputs": [["5/2", None]]},
}
NOISE |= {
    f"noise-delta-{name}": NOISE["noise-leakage-at-most"]
    | {"kind": f"noise-delta-{name}", "mechanisms": [NORMAL]}
    | {"claim": {"level": {"log": "3/2"}, "bits": 64, **claim}}
    for name, claim in DELTAS.items()
}
CLASS = {name: read(accepted("noise", f"class{name}")) for name in ("", "-witness")}
BOX = CLASS[""]["framework"]["priors"]["week"]
CLASS_FILES = [NOISE_FILES[0] | {"priors": {"week": BOX, "month": BOX}}, NOISE_FILES[1]]
NOISE |= {
    each["kind"]: each | {"framework": {**SAID, "priors": CLASS_FILES[0]["priors"]} | LISTED} for each in CLASS.values()
}
CELLS = {"week": ".", "month": "as.s..b.s.."}
NOISE["noise-class-at-most"]["claim"] = {"level": {"log": 5}, "bits": 64, "cells": CELLS}
NOISE["noise-class-witness"]["claim"]["exceeds"] = {"log": "101/100"}
MARKOV = CHAIN_FILES[0]["priors"]["theta"]["markov"]


def certificate(kind: str) -> Json:
    if kind == WORST:
        return edited(RECORDS, "claim.attained", None)
    if kind == "redaction-leakage":
        return edited(CHAIN, "precision", None)
    if kind in NOISE:
        return deepcopy(NOISE[kind])
    count = 2 if kind.startswith("joint") else 1
    inputs = {"framework": None, "mechanisms": [None] * count, "normalized": [False] * count}
    whole = {
        "framework": SPACE,
        "mechanisms": [BOUNDS if "bounded" in kind else MECHANISM] * count,
        "inputs": inputs,
        "claim": CLAIMS[kind],
    }
    return deepcopy({"format": "pufferproof-certificate/1", "kind": kind} | whole)


def files_of(kind: str) -> list[Json]:
    if kind == WORST:
        return RECORDS_FILES
    if kind == "redaction-leakage":
        return CHAIN_FILES
    if kind in NOISE:
        files = {"delta": NORMAL_FILES, "class": CLASS_FILES}
        return files.get(kind.split("-")[1], NOISE_FILES)
    framework, mechanism = BOUNDS_FILES if "bounded" in kind else FILES
    return [framework, mechanism, *[mechanism] * kind.startswith("joint")]


def check(kind: str, whole: Json, files: list[Json], folder: Path, stale: int | None = None) -> Any:
    """Check a certificate with files and their hashes, but for the file `stale`, which has
    changed since.
    """
    paths, hashes = [], []
    for i, content in enumerate(files):
        paths.append(folder / f"{i}.json")
        text = json.dumps(content)
        hashes.append("sha256:" + hashlib.sha256(text.encode()).hexdigest())
        paths[-1].write_text(text + " " * (stale == i), encoding="utf-8")
    inputs = {**whole["inputs"], "framework": hashes[0]}
    if "mechanism" in inputs:
        inputs["mechanism"] = hashes[1]
    elif hashes[1:]:
        inputs["mechanisms"] = hashes[1:]
    draft = folder / "certificate.json"
    draft.write_text(json.dumps(whole | {"inputs": inputs}), encoding="utf-8")
    found = CHECKER.check(str(draft), str(paths[0]), list(map(str, paths[1:])))
    assert found.inputs == "matched"
    return found


def fields(whole: Json) -> set[str]:
    """The fields of a certificate, those of its parts one by one."""
    found = set[str]()
    for key, value in whole.items():
        inner = value[0] if key == "mechanisms" and value else value
        found |= {f"{key}.{name}" for name in inner} if isinstance(inner, dict) else {key}
    return found - {"format", "kind"}


# --- the table ---


def table() -> dict[tuple[str, str], str]:
    """Return what the table says of each kind and field: bound, named, proof or empty; a
    checker stands for all its kinds.
    """
    text = (KERNEL / "CERTIFICATES.md").read_text(encoding="utf-8").partition("# What the files bind")[2]
    found: dict[tuple[str, str], str] = {}
    for kinds, names, status in re.findall(r"^\| (`.*?) \| (`.*?) \| (\w+)", text, flags=re.MULTILINE):
        for kind in re.findall("`(.*?)`", kinds):
            for one in KINDS.get(kind, [kind]):
                for name in re.findall("`(.*?)`", names):
                    assert (one, name) not in found, f"twice in the table: {one}, {name}"
                    found[one, name] = status
    return found


TABLE = table()
WITH_FILES = [*CLAIMS, WORST, "redaction-leakage", *NOISE]
WITHOUT_FILES = {"lp-optimum", *KINDS["designs"], *KINDS["algebra"]}


def listed(status: str) -> dict[str, list[str]]:
    """The fields of each kind of which the table says this."""
    found: dict[str, list[str]] = {}
    for (kind, name), said in TABLE.items():
        if said == status:
            found.setdefault(kind, []).append(name)
    return found


def test_the_table_has_every_kind_and_every_field() -> None:
    assert {kind for kinds in KINDS.values() for kind in kinds} == {*WITH_FILES} | WITHOUT_FILES
    assert {*TABLE} == {(kind, name) for kind in WITH_FILES for name in fields(certificate(kind))}
    assert {*TABLE.values()} == {"bound", "named", "proof", "empty"}


def test_every_certificate_is_accepted_with_its_files(tmp_path: Path) -> None:
    for kind in WITH_FILES:
        check(kind, certificate(kind), files_of(kind), tmp_path)


# --- bound: the file that is altered, what is altered, and the reason of the refusal ---

Altered = tuple[int, str, Any, str]
OF_TABLES: dict[str, Altered] = {
    "framework.databases": (0, "databases", [*"abcde"], '["databases"] differ'),
    "framework.secrets": (0, "secrets.s", ["a"], '["secrets"] differ'),
    "framework.pairs": (0, "pairs", [["s", "t"]], '["pairs"] differ'),
    "framework.priors": (0, "priors.eta.table", LAW, '["priors"] differ'),
    "framework.closure": (0, "closure", "convex", '["convex"] differ'),
    "mechanisms.outputs": (1, "outputs", ["v", "u", "x"], "outputs differ"),
    "mechanisms.channel": (1, "channel.d", RIGHT, 'rows ["d"] differ'),
    "mechanisms.bounds": (1, "bounds.a", AROUND["d"], 'rows ["a"] differ'),
    "inputs.normalized": (1, "channel.d", ["3/4", "3/4", "1/2"], "sums to 2"),
}
OF_RECORDS: dict[str, Altered] = {
    "framework.databases": (0, "records", {"count": 2, "alphabet": ["0", "1", "2"]}, '["databases"] differ'),
    "framework.secrets": (0, "secrets.s", ["00", "01"], '["secrets"] differ'),
    "framework.pairs": (0, "pairs", [], '["pairs"] differ'),
    "framework.priors": (0, "priors.theta.table", {"00": "1/3", "11": "2/3"}, '["priors"] differ'),
    "framework.closure": (0, "closure", "convex", '["convex"] differ'),
    "claim.records": (0, "records", {"count": 1, "alphabet": ["00", "01", "10", "11"]}, "the records are"),
}
OF_CHAINS: dict[str, Altered] = {
    "chain.alpha": (0, "priors.theta.markov.transition.0", ["2/3", "1/3"], "transition probabilities differ"),
    "chain.beta": (0, "priors.theta.markov.transition.1", ["1/3", "2/3"], "transition probabilities differ"),
    "chain.length": (0, "records.count", 3, "expected 2 records"),
    "chain.initial": (0, "priors.theta.markov", MARKOV | {"initial": ["1/2", "1/2"]}, "initial law differs"),
    "private": (0, "secrets", {x: {"record": 2, "value": v} for x, v in zip("stu", "abb")}, "expected record 1"),
    "redaction": (1, "redaction.1.0", "1/4", "probabilities differ"),
}
OTHER: Json = {"late": {"record": 3, "value": "0"}, "rest": {"record": 3, "value": "1"}}
ANOTHER = "their content is another"
OF_NOISE: dict[str, Altered] = {
    "framework.people": (0, "people", 2, ANOTHER),
    "framework.records": (0, "records.count", 4, ANOTHER),
    "framework.secrets": (0, "secrets", NOISE_FILES[0]["secrets"] | OTHER, ANOTHER),
    "framework.pairs": (0, "pairs", [], ANOTHER),
    "framework.priors": (0, "priors.week.markov", WEEK["markov"] | {"initial": ["1", "0"]}, ANOTHER),
    "framework.closure": (0, "closure", "hull", "closure"),
    "mechanisms.query": (1, "query", "histogram", ANOTHER),
    "mechanisms.segment": (1, "segment", [1, 2], ANOTHER),
    "mechanisms.noise": (1, "noise", {"laplace": {"scale": "3"}}, ANOTHER),
}
HASHES = {"inputs.framework": 0, "inputs.mechanisms": 1, "inputs.mechanism": 1}


ALTERED = {WORST: OF_RECORDS, "redaction-leakage": OF_CHAINS} | dict.fromkeys(NOISE, OF_NOISE)


@pytest.mark.parametrize(("kind", "fields"), listed("bound").items())
def test_a_file_that_contradicts_a_bound_field_is_refused(kind: str, fields: list[str], tmp_path: Path) -> None:
    for field in fields:
        refused, files = CHECKER.Refused, deepcopy(files_of(kind))
        if field in HASHES:
            with pytest.raises(refused, match="the certificate says"):
                check(kind, certificate(kind), files, tmp_path, HASHES[field])
            continue
        which, path, value, reason = ALTERED.get(kind, OF_TABLES)[field]
        files[which] = edited(files[which], path, value)
        with pytest.raises(refused, match=re.escape(reason)):
            check(kind, certificate(kind), files, tmp_path)


# --- named and proof: other values of the field with which the certificate is accepted ---

PLACES = {"claim.prior": "eta", "claim.pair": ["s", "r"]}
OTHERWISE: dict[str, dict[str, Any]] = {
    "leakage-at-most": {"claim.level": LOG_4, "claim.attained": AT},
    "leakage-witness": {**PLACES, "claim.output": "v", "claim.exceeds": {"nats": 1}},
    "joint-leakage-at-most": {"claim.releases": [1, 0], "claim.level": {"log": 10}, "claim.attained": IN},
    "joint-leakage-witness": {
        **PLACES,
        "claim.releases": [1, 0],
        "claim.outputs": ["u", "u"],
        "claim.exceeds": {"nats": 2},
    },
    "delta-at-most": {"claim.level": LOG_3, "claim.delta": "1/4"},
    "delta-witness": {**PLACES, "claim.level": {"nats": "1/2"}, "claim.delta": 0, "claim.outputs": ["v"]},
    "bounded-leakage-at-most": {"claim.level": {"log": 5}},
    "joint-bounded-leakage-at-most": {"claim.releases": [1, 0], "claim.level": {"log": 17}},
    "bounded-delta-at-most": {"claim.level": LOG_3, "claim.delta": "2/5"},
    "nfc": {"claim.levels": [LOG_4], "claim.betas": OTHER_BETAS},
    "nfc-violation": {**PLACES, "claim.levels": [{"nats": 1}], "claim.database": "d", "claim.alpha": [{"v": 1}]},
    "rate": {
        **PLACES,
        "claim.lower": {"log": 2},
        "claim.upper": LOG_4,
        "claim.database": "d",
        "claim.alpha": [{"v": 1}],
        "claim.betas": OTHER_BETAS,
    },
    WORST: {
        "claim.budgets": [{"log": 5}, {"log": "6/5"}],
        "claim.per_record": [{"log": "3/2"}, None],
        "claim.level": {"log": 6},
        "claim.attained": RECORDS["claim"]["attained"],
        "claim.rows": [[*rows, {"database": "01"}] for rows in RECORDS["claim"]["rows"]],
        "claim.laws": RECORDS["claim"]["laws"][::-1],
    },
    "redaction-leakage": {
        "precision": 16,
        "claim.relation": ">=",
        "claim.level": {"log": "17/11"},
        "claim.output": None,
    },
    "noise-leakage-at-most": {"claim.level": {"nats": 2}, "claim.width": 9, "claim.bits": 128},
    "noise-class-at-most": {
        "claim.level": {"nats": 2},
        "claim.cells": {"week": "s..", "month": "."},
        "claim.bits": 128,
    },
    "noise-class-witness": {
        "claim.prior": "month",
        "claim.pair": ["late", "rest"],
        "claim.output": "2",
        "claim.exceeds": {"nats": "1/200"},
        "claim.member": {"initial": ["1/2", "1/2"], "transition": [["3/4", "1/4"], ["1/2", "1/2"]]},
        "claim.bits": 128,
    },
    "noise-delta-at-most": {
        "claim.level": {"nats": "0.41"},
        "claim.delta": "1",
        "claim.width": 9,
        "claim.bits": 128,
        "claim.cuts": cuts("1/5"),
    },
    "noise-delta-witness": {
        "claim.prior": "month",
        "claim.pair": ["late", "rest"],
        "claim.level": {"nats": "0.41"},
        "claim.delta": "1/200",
        "claim.outputs": [["3", "9"]],
        "claim.bits": 128,
    },
    "noise-leakage-witness": {
        "claim.prior": "month",
        "claim.pair": ["late", "rest"],
        "claim.output": "2",
        "claim.exceeds": {"nats": "1"},
        "claim.bits": 128,
    },
}


def base_and_other(kind: str, field: str) -> tuple[Json, Json]:
    """Two certificates that differ in one field only."""
    base = certificate(kind)
    if (kind, field) == ("redaction-leakage", "claim.level"):  # what equals one level does not equal another
        base = edited(base, "claim.relation", ">=")
    if field in ("claim.pair", "claim.output") and kind == "noise-leakage-witness":
        base = edited(base, "claim.exceeds", {"log": "9/5"})
    if field == "claim.width" and "delta" in kind:
        base = edited(base, "claim.level", {"nats": "0.41"})
    elif field == "claim.width":  # which rounds what the law of all has exactly
        base = edited(base, "claim.level", LOG_3)
    return base, edited(base, field, OTHERWISE[kind][field])


@pytest.mark.parametrize(("kind", "fields"), listed("named").items())
def test_the_statement_names_what_no_file_speaks_of(kind: str, fields: list[str], tmp_path: Path) -> None:
    for field in fields:
        base, other = (check(kind, whole, files_of(kind), tmp_path).statement for whole in base_and_other(kind, field))
        assert base != other


@pytest.mark.parametrize(("kind", "fields"), listed("proof").items())
def test_the_statement_does_not_depend_on_its_proof(kind: str, fields: list[str], tmp_path: Path) -> None:
    for field in fields:
        whole, changed = base_and_other(kind, field)
        assert whole != changed
        base, other = (check(kind, each, files_of(kind), tmp_path).statement for each in (whole, changed))
        assert base == other


@pytest.mark.parametrize(("kind", "fields"), listed("empty").items())
def test_a_field_that_a_kind_does_not_use_is_empty(kind: str, fields: list[str], tmp_path: Path) -> None:
    for field in fields:
        value: Any = {"mechanisms": [MECHANISM], "inputs.mechanisms": [None]}.get(field, [False])
        reason = "no mechanisms"
        if "bounded" in kind:
            value, reason = [True for _ in certificate(kind)["mechanisms"]], "divided"
        with pytest.raises(CHECKER.Refused, match=reason):
            check(kind, edited(certificate(kind), field, value), files_of(kind), tmp_path)


def test_kinds_without_files_take_none(capsys: pytest.CaptureFixture[str]) -> None:
    found = set[str]()
    for path in (path for name in ("algebra", "optima", "designs") for path in accepted_files(name)):
        kind = read(path)["kind"]
        if kind in WITHOUT_FILES - found:
            found.add(kind)
            assert CHECKER.main([str(path)]) == 0
            assert CHECKER.main([str(path), str(path)]) > 0
    assert found == WITHOUT_FILES
    assert "accepted" in capsys.readouterr().out
