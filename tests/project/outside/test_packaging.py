"""Checkout, wheel and sdist name the same folders, and a folder refuses to be imported under
its bare name.
"""

import os
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TEXTBOOK = ROOT / "examples" / "textbook"
PACKAGES = {"models", "verify", "lp", "counterexamples", "claims", "reports", "examples"}
FOLDERS = PACKAGES | {"formal"}  # no modules: theorems, and what Coq said of them
SOURCE = ROOT / "src" / "pufferproof"
CONFIGURATION = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_every_folder_is_a_link_to_the_checkout():
    asked = ["git", "ls-files", "--stage", str(SOURCE)]
    tracked = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    if tracked.returncode:
        pytest.skip("an unpacked sdist has no links")
    paths = [Path(line.partition("\t")[2]) for line in tracked.stdout.splitlines() if line[:2] == "12"]
    assert {path.name for path in paths} == FOLDERS
    for path in paths:
        there = ROOT / path
        said = os.readlink(there) if there.is_symlink() else there.read_text()
        assert (there.parent / said).resolve() == ROOT / path.name


@pytest.mark.parametrize("links", ["missing", "texts"])
def test_a_checkout_without_links_is_imported_all_the_same(links, tmp_path):
    """As an sdist is, and as git makes where there are no links."""
    source = tmp_path / "src" / "pufferproof"
    source.mkdir(parents=True)
    for path in SOURCE.glob("*.py"):
        shutil.copy(path, source)
    for name in FOLDERS:
        (tmp_path / name).symlink_to(ROOT / name)
        if links == "texts":
            (source / name).write_text(f"../../{name}")
    done = subprocess.run(
        [sys.executable, "-m", "pufferproof", "ledger", str(TEXTBOOK), "--json"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(source.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert '"ledger"' in done.stdout


def test_wheel_and_sdist_are_configured_for_the_same_folders():
    targets = CONFIGURATION["tool"]["hatch"]["build"]["targets"]
    mapped = {path for path in targets["wheel"]["sources"] if "/" not in path}
    assert mapped == FOLDERS
    for target in ("wheel", "sdist"):
        assert set(targets[target]["only-include"]) >= FOLDERS


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build the sdist, and the wheel from the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)],
        check=True,
        capture_output=True,
    )
    return folder


def sources(root, prefix):
    return {
        f"{prefix}/{path.relative_to(root)}"
        for path in root.rglob("*.py")
        if not {"out", "out-proofs"} & set(path.relative_to(root).parts)
    }


def test_the_wheel_has_every_module_and_data_file(built):
    names = set(zipfile.ZipFile(next(built.glob("*.whl"))).namelist())
    expected = {f"pufferproof/{path.name}" for path in SOURCE.glob("*.py")} | {"pufferproof/py.typed"}
    for folder in FOLDERS:
        expected |= sources(ROOT / folder, f"pufferproof/{folder}")
    expected |= {
        "pufferproof/verify/kernel/CERTIFICATES.md",
        "pufferproof/examples/correlated/smart-meter/framework.json",
    }
    templates = [path for path in (ROOT / "reports" / "templates").rglob("*") if path.is_file()]
    expected |= {f"pufferproof/{path.relative_to(ROOT).as_posix()}" for path in templates}
    compiled = {".build", ".exported"}
    theory = [path for path in (ROOT / "formal").rglob("*.v") if not compiled & {*path.parts}]
    expected |= {f"pufferproof/{path.relative_to(ROOT).as_posix()}" for path in theory}
    expected |= {"pufferproof/formal/CHECKED.json", "pufferproof/formal/claims.toml"}
    assert expected <= names
    assert not [name for name in names if name.startswith("pufferproof/reports/out")]


def test_the_page_of_the_wheel_has_no_link_that_leads_nowhere(built):
    wheel = zipfile.ZipFile(next(built.glob("*.whl")))
    (name,) = [each for each in wheel.namelist() if each.endswith("METADATA")]
    said = wheel.read(name).decode()
    assert "Which command answers what" in said
    assert re.findall(r"\]\((?!https://)[^)]*\)", said) == []
    assert "Classifier: Programming Language :: Python :: 3.11" in said


def test_links_of_the_page_lead_into_the_repository_where_it_has_an_address():
    page = runpy.run_path(str(ROOT / "hatch_build.py"))["page"]
    text = "see [a](docs/a.md#b), [b](https://c.org)"
    there = "https://d.org/e/blob/main"
    assert page(text, "https://d.org/e") == f"see [a]({there}/docs/a.md#b), [b](https://c.org)"
    assert page(text, "") == "see a, [b](https://c.org)"
    shown = "First.\n\n![bars](docs/a.svg)\n\nLast."
    assert page(shown, "") == "First.\n\nLast."
    assert "\n\n![bars](https://d.org/e/raw/main/docs/a.svg)\n\nLast." in page(shown, "https://d.org/e")


def test_the_sdist_has_what_tests_need(built):
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "pyproject.toml",
        "Makefile",
        ".ci/run",
        "CONTRIBUTING.md",
        "hatch_build.py",
        "docs/index.md",
        "tests/conftest.py",
        "LICENSE",
        "tests/brute/definitions.py",
        "models/channel.py",
        "constraints/install.txt",
        "formal/CHECKED.json",
        "formal/theory/foundations/Pufferfish.v",
    } <= names
    assert "constraints/bench.txt" in names


def test_the_wheel_runs_alone(built, tmp_path):
    """Unpacked away from the checkout, the package audits examples."""
    zipfile.ZipFile(next(built.glob("*.whl"))).extractall(tmp_path)
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import pufferproof; from pufferproof.reports.cli import main; "
    )
    script += "assert pufferproof.__file__.startswith(sys.argv[1]); "
    script += "assert len(pufferproof.__path__) == 1; main(['ledger', sys.argv[2], '--json'])"
    done = subprocess.run(
        [sys.executable, "-I", "-c", script, str(tmp_path), str(TEXTBOOK)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert '"ledger"' in done.stdout


@pytest.mark.parametrize("folder", sorted(PACKAGES))
def test_a_folder_is_not_importable_under_its_bare_name(folder):
    done = subprocess.run(
        [sys.executable, "-c", f"import {folder}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert f'import it as "pufferproof.{folder}"' in done.stderr


def test_versions_agree():
    import pufferproof

    assert pufferproof.__version__ == CONFIGURATION["project"]["version"]
    assert f"## {pufferproof.__version__}" in (ROOT / "CHANGELOG.md").read_text()
    assert f"version: {pufferproof.__version__}" in (ROOT / "CITATION.cff").read_text()


def pins(name):
    """Return the requirements of a file of pins, each with its hashes, and whatever else it
    says.
    """
    text = (ROOT / name).read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {line.split()[0]: line.split()[1:] for line in lines}


@pytest.mark.parametrize(
    "name",
    [
        "constraints/install.txt",
        "constraints/base.txt",
        "constraints/bench.txt",
        "constraints/docs.txt",
        "constraints/accounting.txt",
    ],
)
def test_every_pin_has_a_version_and_hashes_and_names_no_registry(name):
    found = pins(name)
    assert found
    for requirement, hashes in found.items():
        assert re.fullmatch(r"[a-z0-9._-]+==[a-z0-9.]+", requirement)
        assert hashes
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", each) for each in hashes)
    text = (ROOT / name).read_text()
    assert not [word for word in ("://", "--index", "--find-links", "--extra-index") if word in text]


def test_all_that_is_asked_for_is_pinned_with_pip_and_what_builds():
    project = CONFIGURATION["project"]
    extras = project["optional-dependencies"]
    known = [*project["dependencies"], *extras["theory"], *extras["dev"]]  # solve, plot: in theory
    asked = [*known, *CONFIGURATION["build-system"]["requires"]]
    pinned = {requirement.partition("==")[0] for requirement in pins("constraints/install.txt")}
    assert {re.match(r"[A-Za-z0-9._-]+", each)[0] for each in asked} <= pinned
    assert {"pip", "setuptools", "hatchling", "editables"} <= pinned
    base = pins("constraints/base.txt")
    assert base.keys() <= pins("constraints/install.txt").keys()
    assert {re.match(r"[A-Za-z0-9._-]+", each)[0] for each in project["dependencies"]} <= {
        requirement.partition("==")[0] for requirement in base
    }
    more = {requirement.partition("==")[0] for requirement in pins("constraints/bench.txt")}
    assert {re.match(r"[A-Za-z0-9._-]+", each)[0] for each in extras["bench"]} <= more
    site = {requirement.partition("==")[0] for requirement in pins("constraints/docs.txt")}
    assert {re.match(r"[A-Za-z0-9._-]+", each)[0] for each in extras["docs"]} <= site
    others = {requirement.partition("==")[0] for requirement in pins("constraints/accounting.txt")}
    assert {re.match(r"[A-Za-z0-9._-]+", each)[0] for each in extras["accounting"]} <= others
    assert not {"pplpy", "pycddlib-standalone"} & pinned, "GPL packages are for benchmarks only"


def test_nothing_refers_outside_the_checkout():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if tracked.returncode:
        pytest.skip("an unpacked sdist has no list of tracked files")
    needle = "../" + "shared"
    files = [ROOT / name for name in tracked.stdout.splitlines() if (ROOT / name).is_file()]
    found = [path for path in files if needle.encode() in path.read_bytes()]
    assert found == []
