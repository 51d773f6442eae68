"""What is installed without extras is enough for an audit; whatever needs an extra names it, in one
line.
"""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tests.project.outside.commands import DAYS, METER, PAIR, ROOT, WITH_JSON, WITHOUT_JSON, prepared, ran

from pufferproof.models.errors import EXTRAS, MissingPackageError, PufferproofError, extras

WITHOUT = str(Path(__file__).with_name("without.py"))
FLOORS = ("models", "verify", "lp", "counterexamples", "claims", "reports", "examples")
SOLVED, DRAWN, PROVED = (
    [module for module, known in EXTRAS.items() if known == extra] for extra in ("solve", "plot", "theory")
)
BARE = [*SOLVED, *DRAWN, *PROVED, "hypothesis", "pandas", "mpmath", "fontTools", "PIL"]
NEED_MORE = {  # command of `commands.py`, and its extra
    "partner": "solve", "optimal": "solve", "conditions": "solve", "collapse": "solve",
    "critical": "solve", "translate": "solve", "reproduce": "solve",
    "report": "solve", "prove": "theory",
}  # fmt: skip
PACKAGES = {"z3-solver": "z3"}  # called otherwise than their modules


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return prepared(tmp_path_factory.mktemp("bare"))


def bare(folder, *words, hidden=BARE):
    """Run a command where modules are hidden."""
    return ran(folder, *words, program=(WITHOUT, ",".join(hidden)))


def names_one_line(done, command, package, extra):
    assert (done.returncode, done.stdout) == (2, "")
    said = f'the package {package}, which pip install "pufferproof[{extra}]" installs'
    assert done.stderr == (f'pufferproof: {command}: expected {said} (in a checkout: pip install ".[{extra}]")\n')


@pytest.mark.parametrize("name", [name for name in WITH_JSON if name not in NEED_MORE])
def test_commands_answer_without_extras(name, folder):
    done = bare(folder, name, *WITH_JSON[name], "--json")
    assert done.returncode in (0, 1, 3), done.stderr
    assert done.stdout.startswith("{")


@pytest.mark.parametrize("name", [name for name in WITHOUT_JSON if name not in NEED_MORE])
def test_commands_write_without_extras(name, folder):
    done = bare(folder, name, *WITHOUT_JSON[name])
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("words", "package", "extra"),
    [
        (["partner", *WITH_JSON["partner"]], "highspy", "solve"),
        (["collapse", *WITH_JSON["collapse"]], "highspy", "solve"),
        (["collapse", *WITH_JSON["collapse"], "--engine", "z3"], "z3", "solve"),
        (["prove", "lemma.mediant"], "sympy", "theory"),
        (["audit", *WITH_JSON["audit"], "--plot", "p.svg"], "matplotlib", "plot"),
        (["stream", *WITH_JSON["stream"], "--plot", "p.svg"], "matplotlib", "plot"),
    ],
)
def test_a_command_that_needs_an_extra_names_it(words, package, extra, folder):
    names_one_line(bare(folder, *words), words[0], package, extra)
    assert not (folder / "p.svg").exists()


def test_a_solver_in_a_process_of_its_own_is_named_too(folder):
    words = ["collapse", f"{PAIR}/framework.json", "--budget", "log(1)", "--engine", "z3"]
    done = bare(folder, *words, "--shrink", "--out", "shrunk", hidden=["cvc5"])
    names_one_line(done, "collapse", "cvc5", "theory")


def test_evidence_has_its_pictures_without_matplotlib(folder):
    files = [f"{METER}/framework.json", f"{METER}/mechanism-response.json"]
    done = bare(folder, "audit", *files, "--epsilon", "1", "--evidence", "bare.zip")
    assert done.returncode == 1
    assert done.stdout.startswith("VIOLATES 1 nat\n")
    assert done.stderr == ""
    checked = bare(folder, "check", "bare.zip")
    assert checked.returncode == 0, checked.stderr


def test_data_with_their_release_need_no_extra(folder):
    words = [DAYS, "--column", "day", "--length", "20", "--private", "7", "--out", "days.json"]
    for more in ([], ["--confidence", "95%"], ["--epsilon", "1"]):
        done = bare(folder, "data", *words, *more, "--replace")
        assert done.returncode == 0, done.stderr
    asked = ["--mechanism", "markov-quilt", "--query", "count=wet", "--epsilon", "1", "--tight"]
    done = bare(folder, "calibrate", "days.json", *asked)
    assert done.returncode == 0, done.stderr


def test_compose_says_that_rates_need_a_solver(folder):
    done = bare(folder, "compose", *WITH_JSON["compose"])
    assert done.returncode == 0
    assert "note: no composition rates: expected the package highspy" in done.stderr
    words = WITH_JSON["compose"][:2]
    done = bare(folder, "compose", *words, "--rate-certificate", "rate.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert 'pip install "pufferproof[solve]"' in done.stderr


def test_the_pytest_plugin_needs_no_extra(folder):
    (folder / "test_day.py").write_text(
        "from pufferproof import read_framework, read_mechanism\n\n"
        "def test_day(assert_pufferfish):\n"
        f"    framework = read_framework('{METER}/framework.json').value\n"
        f"    mechanism = read_mechanism('{METER}/mechanism-response.json', framework).value\n"
        "    assert_pufferfish(framework, mechanism, '4')\n"
    )
    hidden = ",".join(name for name in BARE if name != "hypothesis")
    done = ran(folder, "pytest", "-q", "test_day.py", program=(WITHOUT, hidden))
    assert done.returncode == 0, done.stdout + done.stderr


def test_python_raises_an_error_of_the_package():
    program = f"""
import sys
sys.path.insert(0, {str(Path(WITHOUT).parent)!r})
from without import hide
hide({BARE!r})
import pufferproof as pp
framework = pp.read_framework("{METER}/framework.json").value
mechanism = pp.read_mechanism("{METER}/mechanism-response.json", framework).value
for ask in (
    lambda: pp.collapse(framework, "log(1)"),
    lambda: pp.audit(framework, mechanism).plot(),
    lambda: pp.audit(framework, mechanism).to_pandas(),
):
    try:
        ask()
    except pp.PufferproofError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert re.findall(r'"(pufferproof\[\w+\])"', done.stdout) == [
        f"pufferproof[{extra}]" for extra in ("solve", "plot", "pandas")
    ]


def test_other_errors_pass():
    with pytest.raises(ModuleNotFoundError), extras:
        import absent  # noqa: F401
    with pytest.raises(MissingPackageError, match=r"^expected the package scipy, "), extras:
        raise ModuleNotFoundError(name="scipy.optimize")
    assert issubclass(MissingPackageError, PufferproofError)


def test_extras_are_those_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    known = {
        extra: {PACKAGES.get(name, name) for name in map(_name, needed)}
        for extra, needed in project["optional-dependencies"].items()
    }
    always = set(map(_name, project["dependencies"]))
    for module, extra in EXTRAS.items():
        assert module in known[extra]
        assert module not in always
    assert known["solve"] | known["plot"] <= known["theory"]
    (every,) = project["optional-dependencies"]["all"]
    assert {"solve", "plot", "theory"} <= {*re.split(r"[\[\],]", every)}


def _name(requirement):
    return re.match(r"[\w.-]+", requirement)[0]


def test_what_extras_install_is_imported_where_its_absence_is_said():
    bare = {
        f"{path.relative_to(ROOT)}:{line}"
        for floor in FLOORS
        for path in sorted((ROOT / floor).rglob("*.py"))
        for line in _unguarded(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert bare == set()


def _unguarded(node, inside=False):
    """Lines of imports in functions of what is not always installed, without `with extras`."""
    inside = inside or isinstance(node, ast.FunctionDef)
    if isinstance(node, ast.With) and ast.unparse(node.items[0].context_expr) == "extras":
        return []
    if isinstance(node, ast.Import | ast.ImportFrom):
        module = node.module or "" if isinstance(node, ast.ImportFrom) else node.names[0].name
        named = module.partition(".")[0] in {*SOLVED, *DRAWN, *PROVED}
        return [node.lineno] if inside and named else []
    return [line for child in ast.iter_child_nodes(node) for line in _unguarded(child, inside)]
