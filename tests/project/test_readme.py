"""README and the guides keep their word: every command in them runs, and prints what is shown."""

import math
import os
import re
import shlex
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from pufferproof import markov_quilt, read_framework
from pufferproof.claims.registry import load_extra
from pufferproof.claims.run import workers
from pufferproof.models.interface.sweeps import executors
from pufferproof.verify.simulation.estimation.samplers import Coins

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
_NAMES = (
    "composition",
    *(f"correlation/{name}" for name in ("experiments", "influence", "noise", "releases")),
    *(f"priors/{name}" for name in ("chains", "networks", "numbers", "which")),
    *("data", "redaction", "streams"),
)
DOCS = ROOT / "docs"
GUIDES = {name: (DOCS / "guides" / f"{name}.md").read_text(encoding="utf-8") for name in _NAMES}
PAGES = {  # of each, all that its terminals show is one session
    str(path.relative_to(DOCS).with_suffix("")): path.read_text(encoding="utf-8")
    for folder in ("concepts", "tutorials")
    for path in sorted((DOCS / folder).glob("*.md"))
} | {
    f"guides/{name}": (DOCS / "guides" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("claims", "estimate", "exploring", "libraries", "release", "sweeps")
}
HIDDEN = (ROOT / "examples" / "hidden" / "README.md").read_text(encoding="utf-8")
BIN = Path(sys.executable).parent


def blocks(kind, text=README):
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


COMMANDS = [line for block in blocks("sh") for line in block.splitlines() if line.strip()]
SESSIONS = {
    "README": blocks("console"),
    **{name: blocks("console", text) for name, text in GUIDES.items()},
    **{name: ["".join(shown)] for name, text in PAGES.items() if (shown := blocks("console", text))},
    "examples/hidden": blocks("console", HIDDEN),
}
_FILE = r"`([\w.-]+)`:\n\n```(?:json|python|toml|csv|text)\n(.*?)^```$"
FILES = {
    name: dict(re.findall(_FILE, text, flags=re.MULTILINE | re.DOTALL))
    for name, text in (GUIDES | PAGES | {"examples/hidden": HIDDEN}).items()
}


_CLAIMS = re.compile(r"(rests on +)[a-z0-9_]+\.[\w.-]+ \([A-Z]+\).*")

IN_CI = ("CI", "BUILD_NUMBER")


def elided(text):
    """Leave out the claims that an answer rests on, whose verdicts change as claims are proved: a
    page shows `rests on ..`, and other tests the claims.
    """
    return _CLAIMS.sub(r"\1..", text)


def started(command, folder):
    words = shlex.split(command)
    words[0] = str(BIN / words[0]) if (BIN / words[0]).exists() else words[0]
    # pytest shortens its summary for a person, and prints it in full where it runs in CI
    person = {name: value for name, value in os.environ.items() if name not in IN_CI}
    return subprocess.run(words, cwd=folder, env=person, capture_output=True, text=True, check=False)


@pytest.fixture
def checkout(tmp_path):
    """A folder that looks like the checkout, in which commands may write, and to which no settings
    of a folder above apply.
    """
    (tmp_path / "pytest.ini").touch()
    for name in ("examples", "verify"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def shown(session):
    """Return every command of a terminal session with its output, and its exit code: what `echo $?`
    shows after it.

    Without that it is 1 for what is violated, as README says so in words, and else 0.
    """
    said = [part.partition("\n")[::2] for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]]
    codes = [int(after[1]) if after[0] == "echo $?" else None for after in [*said[1:], ("", "")]]
    return [
        (command, output, (1 if output.startswith("VIOLATES") else 0) if code is None else code)
        for (command, output), code in zip(said, codes)
        if command != "echo $?"
    ]


@cache
def alone():
    """Return the commands of README's terminals, the first of each name, and those of all guides
    that are not ours: each is run in a process of its own, the others in that of the test.
    """
    first = {}
    for document, sessions in SESSIONS.items():
        for command in (command for session in sessions for command, _, _ in shown(session)):
            program, name, *_ = shlex.split(command)
            if program != "pufferproof" or document == "README":
                first.setdefault(name if program == "pufferproof" else command, command)
    return {*first.values()}


@pytest.fixture
def answer(checkout, run, monkeypatch):
    """Return a function that runs a command in the checkout: its streams and its exit code. But
    where it is alone, units of its sweeps are carried out in this process, and its coins are fixed.
    """
    monkeypatch.chdir(checkout)
    monkeypatch.setattr(executors, "Processes", lambda _: executors.InProcess())
    monkeypatch.setattr(workers, "_load", load_extra)
    monkeypatch.setattr(Coins, "new", lambda: Coins("coins of the guides, 1"))
    by_itself = alone()

    def answered(command):
        if command not in by_itself:
            code, out, err = run(*shlex.split(command)[1:])
            return out, err, code
        done = started(command, checkout)
        return done.stdout, done.stderr, done.returncode

    return answered


def written(command):
    return [
        path
        for option, path in pairwise(shlex.split(command))
        if option in ("--out", "--plot", "--csv", "--certificate")
    ]


def of_any_speed(text):
    """Return a text without how often a program was drawn from in the time that it has."""
    return re.sub(r"\d+ draws agree", ".. draws agree", text)


def test_commands_of_readme_run_in_order(checkout):
    direct = [command for command in COMMANDS if not command.startswith("make ")]
    assert len(direct) >= 4
    for command in direct:
        done = started(command, checkout)
        assert done.returncode == 0, (command, done.stderr)
        assert done.stdout


@pytest.mark.parametrize(
    ("document", "session"), [(name, each) for name, all_of in SESSIONS.items() for each in all_of]
)
def test_the_terminal_shows_what_is_written(checkout, answer, document, session):
    if document == "guides/libraries":
        pytest.importorskip("opendp", exc_type=ImportError)
    for name, text in FILES.get(document, {}).items():  # those that the guide has one write
        (checkout / name).write_text(text, encoding="utf-8")
    for command, output, code in shown(session):
        notes = [line for line in output.splitlines(keepends=True) if line.startswith("pufferproof: ")]
        printed = "".join(line for line in output.splitlines(keepends=True) if line not in notes)
        out, err, status = answer(command)
        found = of_any_speed(elided(out)), err, status
        expected = of_any_speed(printed), "".join(notes), code
        assert found == expected, f"{document}: {command}"
        if "proved impossible" not in output:
            assert [path for path in written(command) if not (checkout / path).exists()] == []


def test_every_terminal_is_run():
    """A block with a command to type is a `console`, and its page is one of those that are run."""
    pages = [ROOT / "README.md", *DOCS.rglob("*.md")]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        kinds = {
            kind
            for kind, block in re.findall(r"^ *```([\w-]*)\n(.*?)^ *```$", text, re.M | re.S)
            if re.search(r"^ *\$ ", block, re.M)
        }
        name = str(page.relative_to(DOCS).with_suffix("")) if page.is_relative_to(DOCS) else "README"
        assert kinds <= {"console"}, name
        assert not kinds or {name, name.removeprefix("guides/")} & {*SESSIONS}, name


_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")


def test_no_number_on_a_terminal_has_more_than_twelve_digits():
    """What is exact and short is shown in full, all else rounded; `--json` has every digit."""
    answers = [
        (command, output)
        for sessions in SESSIONS.values()
        for session in sessions
        for command, output, _ in shown(session)
        if "--json" not in command
    ]
    numbers = [(number, command) for command, output in answers for number in _NUMBER.findall(output)]
    assert len(numbers) > 1000
    assert [(number, command) for number, command in numbers if len(number.replace(".", "").lstrip("0")) > 12] == []


def test_the_guide_shows_every_command_about_composition():
    commands = {command.split()[1] for each in SESSIONS["composition"] for command, _, _ in shown(each)}
    assert {"compose", "collapse", "worst", "partner", "conditions", "optimal", "reveal", "check"} <= commands
    codes = {code for each in SESSIONS["composition"] for _, _, code in shown(each)}
    assert codes == {0, 1}


def test_the_guide_shows_what_redact_can_do():
    commands = [command for each in SESSIONS["redaction"] for command, _, _ in shown(each)]
    options = {word for command in commands for word in command.split() if word.startswith("--")}
    assert {"--plot", "--profile", "--simulate", "--sequence", "--certificate"} <= options
    assert any("--private 2,5" in command for command in commands)


def test_the_first_screen_has_a_picture_one_true_and_one_false_result():
    above = README.partition("```console")[0]
    assert "](docs/concepts/meter.svg)" in above
    assert len(above.splitlines()) < 30
    first = [output.split()[0] for each in SESSIONS["README"][:2] for _, output, _ in shown(each)]
    assert first == ["SATISFIES", "VIOLATES"]


def test_the_first_commands_answer_in_an_empty_folder(tmp_path):
    """They come before the picture, with what they print."""
    above = README.partition("](docs/concepts/meter.svg)")[0]
    (block,) = blocks("bash", above)
    install, *commands = block.splitlines()
    assert install == "pip install ."
    assert [command.split()[1] for command in commands] == ["init", "audit", "calibrate"]
    printed = []
    for command in commands:
        done = started(command, tmp_path)
        assert done.returncode == (1 if " audit " in command else 0), done.stderr
        printed += done.stdout.splitlines()
    said = re.findall(r"`([A-Z]+ [^`]+|[a-z]+  +[^`]+)`", " ".join(above.splitlines()))
    assert len(said) == 2
    assert set(said) <= {*printed}


def test_the_two_make_commands_come_first_and_do_what_they_say():
    """The first is run in tests/reports/page/test_report.py, where its report is looked into."""
    assert COMMANDS[:2] == ["make report", "make test"]
    recipes = {}
    for target in ("report", "test"):
        done = subprocess.run(
            ["make", "--no-print-directory", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True
        )
        recipes[target] = done.stdout.splitlines()
    assert recipes["report"][-4:] == [
        ".venv/bin/pufferproof report --out reports/out/audits --home ../index.html",
        ".venv/bin/pufferproof prove --check --out reports/out/proofs --home ../index.html \\",
        "\t--start reports/out --benchmarks benchmarks/README.md --summary",
        ".venv/bin/pufferproof reproduce massny2025.figure3 --out reports/out/figures --replace",
    ]
    assert any(line.startswith(".venv/bin/pytest") for line in recipes["test"])


def test_the_python_of_readme_runs():
    code, of_opendp = blocks("python")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("SATISFIES log(3); leakage log(3)")
    pytest.importorskip("opendp", exc_type=ImportError)
    done = subprocess.run([sys.executable, "-c", of_opendp], capture_output=True, text=True, check=True)
    (nats,) = re.findall(r"it leaks ([0-9.]+) nats about that day", README)
    assert done.stdout.startswith(f"1.0 VIOLATES 1; leakage ≈ {nats} nats")


def test_the_python_of_the_guide_to_redaction_runs(capsys):
    (code,) = blocks("python", GUIDES["redaction"])
    exec(code, {"__name__": "__main__"})
    assert capsys.readouterr().out == "18/11 **\n4/15 [['1', '1'], ['1/5', '1']]\n"


def test_the_python_of_the_guide_to_data_runs(capsys):
    for code in blocks("python", GUIDES["data"]):
        if 'open("homes.csv", "w")' in code:  # the session below it runs this one
            continue
        exec(code, {"__name__": "__main__"})
    printed = capsys.readouterr().out
    assert printed.startswith("p < 1e-300: strong evidence against one chain for all groups")
    assert "\nchain of order 1 on 2 values, from 18 records; " in printed
    assert "['2/3', '1/3'] IntervalChain('any', " in printed
    assert "VIOLATES 0.5; leakage ≈ 1.738914 nats" in printed


def test_every_link_exists():
    pages = [ROOT / "README.md", *DOCS.glob("*.md"), *(DOCS / f"guides/{name}.md" for name in GUIDES)]
    pages += [DOCS / f"{name}.md" for name in PAGES]
    for page in pages:
        links = re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
        assert [link for link in links if not (page.parent / link.partition("#")[0]).exists()] == [], page


def test_the_table_of_questions_has_every_command_once_and_guides_that_exist():
    table = (DOCS / "index.md").read_text(encoding="utf-8").partition("\n## Which command")[2]
    named = re.findall(r"^\|[^|]*\| `([a-z]+)` \|", table, flags=re.MULTILINE)
    help_text = started("pufferproof --help", ROOT).stdout
    assert sorted(named) == sorted(re.findall(r"^  ([a-z]+) {2,}[A-Z]", help_text, flags=re.MULTILINE))
    for path in re.findall(r"\]\(([^)]+)\)", table):
        assert (DOCS / path).is_file(), path


def test_the_page_about_verdicts_explains_every_verdict():
    from pufferproof.verify.proof.argument import ClaimVerdict

    for name in ("concepts/verdicts", "guides/claims"):
        text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
        assert all(
            verdict.value in text
            for verdict in ClaimVerdict
            if (name, verdict.value) != ("concepts/verdicts", "DEFINITION")
        )


def test_rounded_numbers_of_the_prose_are_those_that_are_computed(checkout, run, monkeypatch):
    """Those that no terminal on the page shows: factors e^0.5 and 702/31, the scale without a
    confidence, and that of a chain without ends.
    """
    text = {name: (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in SAID}
    half, ratio = f"{math.exp(0.5):.2f}", f"{702 / 31:.3g}"
    assert text["faq"].count(half) == 2
    assert f"a level of 0.5 is a factor of {half}" in text["concepts/leakage"]
    assert f"by a factor of {ratio} instead of 3" in text["concepts/pufferfish"]
    endless = 1 / (2 * math.asinh(0.1 / 0.9 * math.sinh(0.5)))
    assert f"a scale of {endless:.6f}" in text["guides/correlation/noise"]
    monkeypatch.chdir(checkout)
    days = "examples/correlated/seattle-weather/wet-days.csv"
    assert run(*f"fit {days} --column day --private 731 --out whole.json".split())[0] == 0
    known = read_framework("whole.json").value
    (chain,) = known.priors.values()
    scale = markov_quilt(chain, known.records.count, 1, [731], lipschitz=2).scale.enclosure()
    assert f"the scale {float(scale.upper):.1f} (leave out" in text["guides/data"]


SAID = ("faq", "concepts/leakage", "concepts/pufferfish", "guides/correlation/noise", "guides/data")
