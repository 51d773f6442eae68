"""Every form of a framework with every form of a mechanism, at every door that certifies: evidence
that `check` accepts, or a refusal by name before anything is computed.
"""

import hashlib
import json
import tempfile
import zipfile
from pathlib import Path

import pytest
from tests.reports.explaining.forms import FRAMEWORKS, MECHANISMS, PRIORS, written

from pufferproof.models.files.shapes import PRIOR_FORMS, FrameworkFile, MechanismFile
from pufferproof.reports.auditing.audit.command import Decided
from pufferproof.reports.composition import compose as composition
from pufferproof.reports.explaining import folder, pack
from pufferproof.verify import kernel

# what is known with the answer alone: that a law with densities keeps a level, that an irrational
# one leaks without bound
LATER = ("only that a level is violated", "no certificate of a joint release")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("forms")


@pytest.fixture(scope="module")
def files(place):
    return written(place)


@pytest.fixture
def worked(monkeypatch, place):
    """Work in the folder; what is asked of the audit or the composition is noted. The checker of a
    zip runs in this process.
    """
    monkeypatch.chdir(place)
    monkeypatch.syspath_prepend(str(place))
    noted = []
    decided, released = Decided.of.__func__, composition._Release.of.__func__
    monkeypatch.setattr(Decided, "of", classmethod(lambda cls, *all_: noted.append(1) or decided(cls, *all_)))
    monkeypatch.setattr(
        composition._Release, "of", classmethod(lambda cls, *all_: noted.append(1) or released(cls, *all_))
    )
    monkeypatch.setattr(pack, "_accepted", accepted)
    return noted


def accepted(packed):
    with tempfile.TemporaryDirectory() as inside:
        for name, content in packed.items():
            path = Path(inside, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        answer = folder.answer(inside, kernel, pack.WORK)
    if answer["code"] not in (0, folder.NOT_COMPARED):
        raise pack.CertificateError(f"the kernel in the zip did not accept it: {answer['reason']}")
    return "", answer


def test_the_matrix_has_every_form_of_the_schema():
    assert {form.partition(",")[0] for form in PRIORS} == {*PRIOR_FORMS}
    assert {key for each in FRAMEWORKS.values() for key in each} == {*FrameworkFile.model_fields}
    described = [each for each in MECHANISMS.values() if isinstance(each, dict)]
    assert {key for each in described for key in each} == {*MechanismFile.model_fields}


def certified(run, words, inputs):
    """Run a command that certifies, and return its error unless `check` accepts what it wrote."""
    for name in ("e.zip", "c.json"):
        Path(name).unlink(missing_ok=True)
    code, out, err = run(*words, "--evidence", "e.zip", "--certificate", "c.json", "--json")
    if code not in (0, 1):
        assert err.count("\n") >= 1
        assert not Path("e.zip").exists()
        assert not Path("c.json").exists()
        return err
    trust = json.loads(out)["trust"]
    assert trust[0] == "KERNEL"
    unread = [word for word in trust if word.startswith("UNREAD(")]
    checked = run("check", "e.zip")
    assert checked[0] == (folder.NOT_COMPARED if unread else 0), checked
    if unread or any(":" in name for name in inputs):
        assert run("check", "c.json")[0] == 0
    if not any(":" in name for name in inputs):  # which accepts the certificate as well
        assert (run("check", "c.json", *inputs)[0] == 0) == (not unread)
    return None


def expect_early(run, worked, words, error):
    """A command that computed before it refused has no answer without evidence either, or it is
    the answer that has no certificate.
    """
    if error is not None and worked and not any(text in error for text in LATER):
        assert run(*words)[0] == 2, (words, error)


@pytest.mark.parametrize("form", FRAMEWORKS)
def test_an_audit_is_certified_or_refused_before_it_computes(run, worked, files, form):
    frameworks, mechanisms = files
    level = [] if form in ("metric", "levels") else ["--epsilon", "3"]
    for name in mechanisms.values():
        del worked[:]
        code = ["--trust-code"] if ":" in name else []
        words = ["audit", frameworks[form], name, *code, *level]
        error = certified(run, words, words[1:3])
        expect_early(run, worked, words, error)


@pytest.mark.parametrize("form", ["table", "contacts", "neighbours, product", "closure"])
def test_a_composition_is_certified_or_refused_before_it_computes(run, worked, files, form):
    frameworks, mechanisms = files
    for name in mechanisms.values():
        del worked[:]
        code = ["--trust-code"] if ":" in name else []
        words = ["compose", frameworks[form], name, name, *code]
        error = certified(run, words, [frameworks[form], name, name])
        expect_early(run, worked, words, error)


@pytest.mark.parametrize(("form", "named", "code"), [("contacts", "urn", 3), ("table", "table", 1)])
def test_a_prior_that_no_kernel_knows_is_named_and_one_that_it_reads_is_compared(run, worked, files, form, named, code):
    frameworks, mechanisms = files
    Path("urn.zip").unlink(missing_ok=True)
    words = ["audit", frameworks[form], mechanisms["channel"], "--epsilon", "3"]
    assert run(*words, "--evidence", "urn.zip")[0] == 0
    inside = Path(f"urn-{form}")
    with zipfile.ZipFile("urn.zip") as packed:
        packed.extractall(inside)
    before = (inside / "framework.json").read_bytes()
    after = before.replace(form.encode(), named.encode())
    listed = json.loads((inside / "checks.json").read_bytes())
    for name in ("framework.json", *listed["certificates"]):
        old = (inside / name).read_bytes()
        new = after if old == before else old.replace(sha256_of(before), sha256_of(after))
        (inside / name).write_bytes(new)
        listed["files"][name] = f"sha256:{sha256_of(new).decode()}"
    listed["unread"] = {"framework.json": named}
    (inside / "checks.json").write_text(json.dumps(listed))
    answer = run("check", inside, "--json")
    assert answer[0] == code
    assert named in answer[1]


def sha256_of(data):
    return hashlib.sha256(data).hexdigest().encode()
