"""A claim that is loaded alone says what it says among all others, in the same order."""

import json
import os
import subprocess
import sys

import pytest

import pufferproof.claims
from pufferproof.claims.document import finder
from pufferproof.claims.document.finder import modules_of
from pufferproof.claims.registry import OWN, _sources, load_claims
from pufferproof.claims.run.results import described
from pufferproof.reports.proofs.running import chosen_claims

ALONE = """
import json, sys

from pufferproof.claims import registry
from pufferproof.claims.run.results import described
from pufferproof.reports.proofs.running import chosen_claims

chosen = chosen_claims(sys.argv[1:], [])
print(json.dumps([len(registry._CLAIMS), [described(each) for each in chosen]]))
"""


def ours():
    return {name: claim for name, claim in load_claims().items() if claim.own}


@pytest.mark.parametrize(
    "patterns",
    [
        ["song2017.bg-dp"],
        ["song2017.framework"],
        ["wang2016.thm-4"],  # the beginning of an id
        ["classes.corner"],  # each of these four is the repair of a claim of another file
        ["streaming_cw.thm4-repaired"],
        ["wang2016.x-alg3-repaired"],
        ["wang2016.vector"],
        ["redaction.", "lemma.am-gm", "massny2025.fig*"],
    ],
)
def test_what_patterns_choose_is_described_alike_where_no_others_are_loaded(patterns):
    call = [sys.executable, "-c", ALONE, *patterns]
    loaded, alone = json.loads(subprocess.run(call, capture_output=True, check=True).stdout)
    assert loaded < len(ours()) / 2
    among = [described(each) for each in chosen_claims(patterns, []) if each.own]
    assert alone == json.loads(json.dumps(among))
    assert alone


def test_the_text_of_a_document_names_each_claim_that_it_registers_and_few_others():
    """So that a claim is found, and no other document is loaded, whatever else there is."""
    for name, claim in ours().items():
        naming = [
            module
            for module, source in _sources(claim.paper).items()
            if f'"{name}"' in source or f"## {name} |" in source
        ]
        assert claim.function.__module__ in naming
        assert len(naming) <= 2, name


def test_claims_stand_in_the_order_of_modules():
    modules = [*modules_of(pufferproof.claims)]
    places = [modules.index(claim.function.__module__) for claim in ours().values()]
    assert places == sorted(places)


def test_no_id_begins_another_one_so_that_a_pattern_that_is_an_id_chooses_one_claim():
    names = ours().keys()
    beginnings = {name[:at] for name in names for at, each in enumerate(name) if each == "."}
    assert not beginnings & names


def test_what_is_printed_is_known_without_other_families():
    """No claim of a paper is neither in the list of what it prints nor a repair of its family."""
    claims = ours().values()
    repairs = {(claim.paper, claim.repair) for claim in claims}
    for claim in claims:
        own = claim.paper in OWN or claim.id.partition(".")[2].startswith("x-")
        assert own or claim.print is not None or (claim.paper, claim.id) in repairs


def test_a_document_is_compiled_again_once_one_sign_of_it_or_of_its_compiler_differs(tmp_path, monkeypatch):
    """Also where its length and its time stay: of what was compiled before a claim would be proved."""
    path = tmp_path / "words.claims"
    monkeypatch.setattr(finder.Loader, "source_to_code", lambda self, data, place: compile(data, place, "exec"))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)

    def read():
        found = {}
        exec(finder.Loader("words", str(path)).get_code("words"), found)
        return found["said"]

    for said in (1, 2):
        path.write_text(f"said = {said}", encoding="utf-8")
        os.utime(path, (1_000_000_000, 1_000_000_000))
        assert read() == said
    monkeypatch.setattr(finder.Loader, "source_to_code", lambda self, data, place: compile("said = 3", place, "exec"))
    assert read() == 2
    monkeypatch.setattr(finder, "_compiler", lambda: b"another")
    assert read() == 3
