"""The kernel writes out files of neighbours by itself, and sees when they differ."""

import json
from fractions import Fraction

import pytest

from pufferproof import Framework, Records
from pufferproof.models.priors.definitions.definition import Neighbours
from pufferproof.verify.kernel.reading import Node, Numeral
from pufferproof.verify.kernel.space import Framework as Space
from pufferproof.verify.kernel.space import neighbouring

FORMAT = "pufferproof-framework/1"


def node(relation, changes, **space):
    said = {"relation": relation, "changes": Numeral(str(changes))}
    return Node({"format": FORMAT, **space, "neighbours": said}, "framework")


@pytest.mark.parametrize("relation", ["add-remove", "substitute"])
@pytest.mark.parametrize(("count", "alphabet"), [(2, "01"), (3, "01"), (2, "abc")])
@pytest.mark.parametrize("changes", [1, 2])
def test_the_kernel_has_the_same_pairs(relation, count, alphabet, changes):
    records = {"count": Numeral(str(count)), "alphabet": [*alphabet]}
    theirs = Space(neighbouring(node(relation, changes, records=records), "records"))
    ours = Framework(Records(count, tuple(alphabet)), neighbours=Neighbours(relation, changes))
    assert [*theirs.databases] == [*ours.databases]
    assert {*theirs.pairs} == {tuple(sorted(pair)) for pair in ours.pairs}
    assert {*theirs.priors["each"].values()} == {Fraction(1, len(theirs.databases))}


def test_listed_databases_have_the_same_pairs():
    for labels in (["", "0", "00", "11"], ["a,b", "a", "b", ""]):
        theirs = Space(neighbouring(node("add-remove", 2, databases=labels), "databases"))
        ours = Framework(labels, neighbours=Neighbours("add-remove", 2))
        assert {*theirs.pairs} == {tuple(sorted(pair)) for pair in ours.pairs}


def test_a_certificate_is_about_its_file(tmp_path, run):
    framework, mechanism = tmp_path / "f.json", tmp_path / "m.json"
    framework.write_text(json.dumps({"format": FORMAT, "databases": ["", "0", "1"], "neighbours": "add-remove"}))
    rows = {"": ["1/2", "1/2"], "0": ["2/3", "1/3"], "1": ["1/3", "2/3"]}
    mechanism.write_text(json.dumps({"format": "pufferproof-mechanism/1", "outputs": ["u", "v"], "channel": rows}))
    paths, certificate = [str(framework), str(mechanism)], tmp_path / "c.json"
    code, out, _ = run("audit", *paths, "--epsilon", "log(3/2)", "--certificate", str(certificate))
    assert (code, "KERNEL" in out) == (0, True)
    assert run("check", str(certificate), *paths)[0] == 0
    document = json.loads(certificate.read_text())
    document["framework"]["pairs"] = document["framework"]["pairs"][:1]
    certificate.write_text(json.dumps(document))
    code, _, err = run("check", str(certificate), *paths)
    assert (code, "pairs" in err) == (1, True)
