"""Evidence to hand on: what is in the zip is accepted by a bare Python, and nothing else is."""

import hashlib
import html
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

CHAIN = {"initial": "stationary", "transition": [["3/4", "1/4"], ["1/2", "1/2"]]}
LONG = {
    "format": "pufferproof-framework/1",
    "records": {"count": 20, "alphabet": ["0", "1"]},
    "secrets": {"off": {"record": 9, "value": "0"}, "on": {"record": 9, "value": "1"}},
    "pairs": [["on", "off"]],
    "priors": {"week": {"markov": CHAIN}},
}
NOISE = {"format": "pufferproof-mechanism/1", "query": "sum", "noise": {"laplace": {"scale": "1"}}}
TABLE = {
    "format": "pufferproof-framework/1",
    "databases": ["a", "b"],
    "secrets": {"s": ["a"], "t": ["b"]},
    "pairs": [["s", "t"]],
    "priors": {"theta": {"table": {"a": "1/2", "b": "1/2"}}},
}
COIN = {
    "format": "pufferproof-mechanism/1",
    "outputs": ["u", "v"],
    "channel": {"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]},
}
PLAN = """format = "pufferproof-release/1"
framework = "f.json"
budget = "{}"
[[release]]
query = "sum"
noise = {{ laplace = {{ scale = "1" }} }}
records = {{ first = 1, every = 5, times = 4 }}
"""


def unpacked(path: Path, folder: Path) -> list[str]:
    """Unpack a zip; return the names in it."""
    with zipfile.ZipFile(path) as pack:
        pack.extractall(folder)
        return pack.namelist()


def checked(folder: Path, *words: str) -> tuple[int, str]:
    """Run Python alone in a folder, without an environment."""
    command = [sys.executable, "-I", "-S", *(words or ("check.py",))]
    done = subprocess.run(command, cwd=folder, env={}, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("framework", "mechanism", "words"),
    [
        (LONG, NOISE, ["audit", "f.json", "m.json"]),
        (LONG, NOISE, ["audit", "f.json", "m.json", "--epsilon", "1"]),
        (LONG, NOISE, ["compose", "f.json", "m.json", "--runs", "2"]),
        (TABLE, COIN, ["audit", "f.json", "m.json", "--epsilon", "log(3)"]),
        (TABLE, COIN, ["audit", "f.json", "m.json", "--epsilon", "1"]),
        (TABLE, COIN, ["compose", "f.json", "m.json", "--runs", "2"]),
    ],
)
def test_what_is_packed_is_accepted_by_python_alone(save, run, tmp_path, framework, mechanism, words):
    save("f.json", framework)
    save("m.json", mechanism)
    code, out, err = run(*words, "--evidence", "e.zip", "--json")
    assert code in (0, 1), err
    assert json.loads(out)["trust"] == ["KERNEL"]
    names = unpacked(tmp_path / "e.zip", tmp_path / "e")
    for name in ("README.txt", "index.html", "explain.txt", "check.py", "certificate.json"):
        assert name in names
    assert (tmp_path / "e" / "framework.json").read_bytes() == (tmp_path / "f.json").read_bytes()
    code, said = checked(tmp_path / "e")
    assert (code, "NOT ACCEPTED" in said) == (0, False), said
    assert said.count("input files matched") == sum("certificate" in name for name in names)
    again = [*words, "--evidence", "again.zip"]
    run(*again)
    assert (tmp_path / "e.zip").read_bytes() == (tmp_path / "again.zip").read_bytes()
    file = tmp_path / "e" / "framework.json"
    file.write_bytes(file.read_bytes().replace(b"1/2", b"1/3", 1))
    code, said = checked(tmp_path / "e")
    assert (code, "accepted: " in said) == (1, False)


def test_what_is_not_proved_stands_apart_and_all_digits_one_click_away(save, run, tmp_path):
    save("f.json", TABLE)
    save("m.json", COIN)
    assert run("audit", "f.json", "m.json", "--epsilon", "1", "--out", "d")[0] == 1
    said = (tmp_path / "d" / "explain.txt").read_text(encoding="utf-8").splitlines()
    assert said[2:4] == [
        "Some output multiplies the odds of a secret by 3; no output multiplies them by more.",
        "The leakage is 1.1 nats.",
    ]
    assert "neither is more likely than 75%" in said[4]
    assert [line.partition(":")[0] for line in said[5:]] == [
        "Framework",
        "Mechanism",
        "Made on",
        "Computed, not certified",
        "Proved (certificate.json)",
        "Proved (certificate-2.json)",
        "Assumed",
        "All digits",
    ]
    assert "leaks more than 1 nat;" in said[9]
    assert "leaks exactly log(3);" in said[10]
    page = (tmp_path / "d" / "index.html").read_text(encoding="utf-8")
    digits = page.partition("<details><summary>All digits</summary>")[2].partition("</details>")[0]
    assert "The factor is 3, the leakage from 1.098612288668109" in digits


def test_one_certificate_is_checked_by_the_kernel_inside(save, run, tmp_path):
    save("f.json", LONG)
    save("m.json", NOISE)
    run("audit", "f.json", "m.json", "--evidence", "e.zip")
    unpacked(tmp_path / "e.zip", tmp_path / "e")
    words = ("kernel", "certificate.json", "framework.json", "mechanism.json")
    code, said = checked(tmp_path / "e", *words)
    assert code == 0
    assert "input files matched" in said


@pytest.mark.parametrize(("budget", "code"), [("0.5", 1), ("log(40)", 0)])
def test_releases_over_time_have_evidence(save, run, tmp_path, budget, code):
    save("f.json", LONG)
    (tmp_path / "plan.toml").write_text(PLAN.format(budget), encoding="utf-8")
    found, out, _ = run("release", "plan.toml", "--evidence", "e.zip", "--json")
    assert found == code
    answer = json.loads(out)
    assert (answer["trust"], answer["certificate"]) == (["KERNEL"], "e.zip")
    names = unpacked(tmp_path / "e.zip", tmp_path / "e")
    assert "plan.toml" in names
    assert checked(tmp_path / "e")[0] == 0
    words = ["framework.json", *(f"mechanism-{k}.json" for k in range(1, 5))]
    assert checked(tmp_path / "e", "kernel", "certificate.json", *words)[0] == 0
    words[1] = words[0]
    assert checked(tmp_path / "e", "kernel", "certificate.json", *words)[0] == 1


def test_releases_of_a_program_have_tables_and_its_source_in_the_evidence(save, run, tmp_path, monkeypatch):
    secrets = {x: {"record": 3, "value": v} for x, v in (("off", "0"), ("on", "1"))}
    short = {"records": {"count": 6, "alphabet": ["0", "1"]}, "secrets": secrets}
    save("f.json", LONG | short)
    (tmp_path / "meter.py").write_text(
        "def first(window, rng):\n    return window[0] if rng.random() < 0.75 else '-'\n"
    )
    monkeypatch.chdir(tmp_path)
    plan = PLAN.format("log(2)").partition("query")[0]
    plan += 'mechanism = "meter:first"\nrecords = { first = 1, length = 2, times = 3 }\n'
    (tmp_path / "plan.toml").write_text(plan, encoding="utf-8")
    found, out, _ = run("release", "plan.toml", "--trust-code", "--evidence", "e.zip", "--json")
    assert found == 1
    trust = json.loads(out)["trust"]
    assert trust[0] == "KERNEL"
    assert trust[1].startswith("PROGRAM(")
    names = unpacked(tmp_path / "e.zip", tmp_path / "e")
    assert {"meter.py", "plan.toml", "mechanism-3.json"} <= set(names)
    assert checked(tmp_path / "e")[0] == 0
    words = ["framework.json", *(f"mechanism-{k}.json" for k in range(1, 4))]
    assert checked(tmp_path / "e", "kernel", "certificate.json", *words)[0] == 0


def test_what_has_no_certificate_has_no_zip(save, run, tmp_path):
    save("f.json", LONG)
    save("m.json", NOISE | {"noise": {"gaussian": {"sigma": "3"}}})
    code, out, err = run("audit", "f.json", "m.json", "--evidence", "e.zip")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "rule for the delta of normal noise" in err
    assert not (tmp_path / "e.zip").exists()


def test_a_zip_that_is_there_is_not_replaced(save, run, tmp_path):
    save("f.json", TABLE)
    save("m.json", COIN)
    (tmp_path / "e.zip").write_bytes(b"mine")
    code, _, err = run("audit", "f.json", "m.json", "--evidence", "e.zip")
    assert (code, "exists already" in err) == (2, True)
    assert (tmp_path / "e.zip").read_bytes() == b"mine"


def test_disjoint_segments_are_composed_told_and_certified(save, run, tmp_path):
    save("f.json", LONG | {"records": {"count": 200, "alphabet": ["0", "1"]}})
    names = []
    for k in range(3):
        segment = [60 * k + 1, 60 * k + 60]
        names.append(save(f"m{k}.json", NOISE | {"segment": segment}))
    code, out, _ = run("compose", "f.json", *names, "--certificate", "c.json", "--json")
    assert code == 0
    answer = json.loads(out)
    assert answer["checked"] is None
    assert answer["trust"] == ["KERNEL"]
    code, out, _ = run("compose", "f.json", *names, "--together", "1")
    assert (code, "witness   outputs " in out, "every block" in out) == (1, True, True)
    assert run("check", "c.json", "f.json", *names)[0] == 0
    assert run("check", "c.json", "f.json", *names[::-1])[0] == 1


def test_an_audit_writes_the_page_and_all_evidence_into_a_folder(save, run, tmp_path):
    save("f.json", LONG)
    save("m.json", NOISE)
    files = "--out", "d", "--evidence", "e.zip"
    code, _, err = run("audit", "f.json", "m.json", "--epsilon", "1", *files)
    assert (code, err) == (1, "")
    names = unpacked(tmp_path / "e.zip", tmp_path / "z")
    for name in names:
        assert (tmp_path / "d" / name).read_bytes() == (tmp_path / "z" / name).read_bytes()
    assert checked(tmp_path / "d")[0] == 0
    page = (tmp_path / "d" / "index.html").read_text(encoding="utf-8")
    assert "Multiply all scales by" in page
    unproved = page.partition("<h2>What is not proved</h2>")[2]
    assert "how much more it leaks" not in unproved.lower()  # two certificates enclose the leakage
    assert "What is computed, and not certified" in unproved
    assert "def test_promise(assert_pufferfish)" in page
    code, _, err = run("audit", "f.json", "m.json", "--epsilon", "9", "--out", "d")
    assert (code, "d: is not empty" in err) == (2, True)
    assert (tmp_path / "d" / "index.html").read_text(encoding="utf-8") == page
    assert run("audit", "f.json", "m.json", "--renyi", "2", "--out", "r")[0] == 2
    assert not (tmp_path / "r").exists()
    assert run("audit-list", "f.json", "--out", "r")[0] == 2


def test_doubts_stand_before_the_numbers_and_among_what_is_assumed(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"{home},{(step // (1 + 7 * home)) % 2}" for home in (0, 1) for step in range(120)]
    (tmp_path / "d.csv").write_text("\n".join(["home,v", *rows]) + "\n", encoding="utf-8")
    data = '[data]\ncsv = "d.csv"\ncolumn = "v"\ngroup = "home"\nlength = 20\nprivate = [5]'
    plan = PLAN.format("log(40)").replace('framework = "f.json"\n', "")
    (tmp_path / "plan.toml").write_text(plan.replace("[[", f"{data}\n[[", 1), encoding="utf-8")
    code, out, _ = run("release", "plan.toml")
    assert code == 3
    assert out.startswith("UNDECIDED: the model keeps log(40), 2 of 2 people do not")
    code, out, err = run("release", "plan.toml", "--accept-doubt", "--evidence", "e.zip")
    lines = out.splitlines()
    assert code == 0, err
    assert lines[0].startswith("SATISFIES")
    assert "evidence against one chain for all groups" in lines[1]
    unpacked(tmp_path / "e.zip", tmp_path / "e")
    said = lines[1].removeprefix("doubt").strip()
    text = (tmp_path / "e" / "explain.txt").read_text(encoding="utf-8")
    assert text.index(f"Doubt: {said}.") < text.index("The leakage is")
    assert f"Assumed: that the fitted chain is right, despite this doubt: {said}." in text
    page = (tmp_path / "e" / "index.html").read_text(encoding="utf-8")
    assert page.index("<strong>Doubt:</strong>") < page.index("The leakage is")
    assert "not alike" in page.split("What is assumed")[1]
    answer = json.loads(run("release", "plan.toml", "--json")[1])
    assert answer["doubts"][0]["about"] == "groups"


def test_what_is_assumed_of_missing_values_is_said(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = ["" if k == 50 else str(k // 2 % 2) for k in range(121)]
    (tmp_path / "d.csv").write_text("\n".join(["t,v", *(f"{k},{v}" for k, v in enumerate(rows))]))
    data = '[data]\ncsv = "d.csv"\ncolumn = "v"\nmissing = "split"\nlength = 10\nprivate = [5]'
    plan = PLAN.format("log(40)").replace('framework = "f.json"\n', "")
    plan = plan.replace("times = 4", "times = 2").replace("[[", f"{data}\n[[", 1)
    (tmp_path / "plan.toml").write_text(plan, encoding="utf-8")
    code, out, err = run("release", "plan.toml", "--evidence", "e.zip")
    assert code == 0, err
    said = "whether a value is missing does not depend on what it would have been"
    assert f"assumed   {said}" in out
    unpacked(tmp_path / "e.zip", tmp_path / "e")
    assert f"that {said}" in (tmp_path / "e" / "explain.txt").read_text(encoding="utf-8")
    answer = json.loads(run("release", "plan.toml", "--json")[1])
    assert answer["assumed"] == [said]
    (tmp_path / "plan.toml").write_text((tmp_path / "plan.toml").read_text().replace("split", "refuse"))
    code, out, err = run("release", "plan.toml")
    assert (code, "line 52" in err, "--missing split" in err) == (2, True, True)


BIF = """network n {{ }}
variable rain {{ type discrete [2] {{ no, yes }}; }}
variable late {{ type discrete [2] {{ yes, no }}; }}
probability ( rain ) {{ table {}; }}
probability ( late | rain ) {{ (no) 0.1, 0.9; (yes) 0.4, 0.6; }}
"""
NETWORK = {
    "format": "pufferproof-framework/1",
    "records": {"from": "rain.bif"},
    "secrets": {"dry": {"record": "rain", "value": "no"}, "wet": {"record": "rain", "value": "yes"}},
    "pairs": "disjoint",
    "priors": {"t": {"bayes_net": {"bif": "rain.bif"}}},
}
SHORT = {"secrets": {v: {"record": 2, "value": v} for v in "01"}, "pairs": "disjoint"}
LATE = {"format": "pufferproof-mechanism/1", "show": ["late"]}


@pytest.mark.parametrize("more", [{}, {"priors": {"t": {"product": [["1/2", "1/2"]] * 2}}}])
def test_evidence_of_a_network_names_its_file(run, save, tmp_path, more):
    values = {"rain": ["no", "yes"], "late": ["no", "yes"]}
    named = NETWORK | more | ({"records": {"names": [*values], "values": values}} if more else {})
    save("rain.bif", BIF.format("0.7, 0.3"))
    save("f.json", named)
    save("m.json", LATE)
    code, _, err = run("audit", "f.json", "m.json", "--epsilon", "2", "--evidence", "e.zip")
    assert code == 0, err
    folder = tmp_path / "e"
    names = unpacked(tmp_path / "e.zip", folder)
    assert ("rain.bif" in names) == (not more)
    code, said = checked(folder)
    assert code == 3
    assert "of 2 certificates accepted" in said or "of 1 certificates accepted" in said
    if more:
        return
    (folder / "rain.bif").write_text(BIF.format("0.6, 0.4"), encoding="utf-8")
    assert checked(folder)[0] == 1
    listed = json.loads((folder / "checks.json").read_text(encoding="utf-8"))
    digest = hashlib.sha256((folder / "rain.bif").read_bytes()).hexdigest()
    listed["files"]["rain.bif"] = f"sha256:{digest}"
    (folder / "checks.json").write_text(json.dumps(listed), encoding="utf-8")
    code, said = checked(folder)
    assert (code, "made from files other than" in said) == (1, True)


def test_counts_of_chosen_records_are_not_compared(run, save, tmp_path):
    count = NOISE | {"query": {"count": "1", "of": [9, 10]}}
    save("f.json", LONG)
    save("m.json", count)
    code, _, err = run("audit", "f.json", "m.json", "--epsilon", "4", "--evidence", "e.zip")
    assert code == 0, err
    unpacked(tmp_path / "e.zip", tmp_path / "e")
    code, said = checked(tmp_path / "e")
    assert (code, 'does not read its "of"' in said) == (3, True)
    run("audit", "f.json", "m.json", "--epsilon", "4", "--certificate", "c.json")
    assert run("check", "c.json")[0] == 0
    code, _, err = run("check", "c.json", "f.json", "m.json")
    assert (code, "counts of chosen records" in err) == (2, True)
    save("f.json", LONG | {"records": {"count": 3, "alphabet": ["0", "1"]}} | SHORT)
    save("m.json", count | {"query": {"count": "1", "of": [1, 3]}})
    code, _, err = run("audit", "f.json", "m.json", "--epsilon", "4", "--evidence", "d.zip")
    assert (code, "rule for records that follow one another" in err) == (2, True)


def test_a_certificate_about_a_network_is_not_refused_for_its_file(run, save):
    save("rain.bif", BIF.format("0.7, 0.3"))
    save("f.json", NETWORK)
    save("m.json", LATE)
    run("audit", "f.json", "m.json", "--epsilon", "2", "--certificate", "c.json")
    code, out, err = run("check", "c.json", "f.json", "m.json")
    assert (code, out) == (2, "")
    assert 'the kernel does not read what is in "rain.bif": leave the files out' in err
    assert run("check", "c.json")[0] == 0


HALVES = """format = "pufferproof-release/1"
framework = "{}"
budget = "20"
[[release]]
query = "sum"
noise = {{ python = "a.noise:noise" }}
records = {{ every = 10, times = 1 }}
[[release]]
query = "sum"
noise = {{ python = "b.noise:noise" }}
records = {{ first = 11, every = 10, times = 1 }}
"""
MODULE = "from scipy import stats\n\n\ndef noise():\n    return stats.dlaplace({})\n"


def test_modules_of_one_name_in_two_packages_are_two_files(save, run, tmp_path):
    (tmp_path / "sub").mkdir()
    save("sub/framework.json", LONG)
    for folder, scale in (("a", 1.0), ("b", 0.5)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "noise.py").write_text(MODULE.format(scale))
    (tmp_path / "plan.toml").write_text(HALVES.format("sub/framework.json"))
    code, _, err = run("release", "plan.toml", "--trust-code", "--evidence", "e.zip")
    assert code == 0, err
    unpacked(tmp_path / "e.zip", tmp_path / "e")
    for name in ("a/noise.py", "b/noise.py", "sub/framework.json", "plan.toml"):
        assert (tmp_path / "e" / name).read_bytes() == (tmp_path / name).read_bytes()
    assert checked(tmp_path / "e")[0] == 0


@pytest.mark.parametrize("name", ["mechanism.json", "certificate.json", "checks.json", "Check.py", "kernel/f.json"])
def test_an_input_that_would_replace_a_file_of_the_evidence_is_refused(save, run, tmp_path, name):
    (tmp_path / "kernel").mkdir()
    save(name, LONG)
    (tmp_path / "plan.toml").write_text(PLAN.format("9").replace("f.json", name))
    code, out, err = run("release", "plan.toml", "--evidence", "e.zip")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"{name}: the evidence has its own file of this name: rename yours" in err
    assert not (tmp_path / "e.zip").exists()


def test_the_test_of_a_page_runs_in_its_folder(save, run, tmp_path):
    save("homes.json", LONG)
    (tmp_path / "year.toml").write_text(PLAN.format("9").replace("f.json", "homes.json"))
    assert run("release", "year.toml", "--out", "e")[0] == 0
    page = (tmp_path / "e" / "index.html").read_text()
    shown = html.unescape(page.partition("<pre>def ")[2].partition("</pre>")[0])
    (tmp_path / "e" / "test_page.py").write_text(f"def {shown}\n")
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_page.py"]
    done = subprocess.run([sys.executable, *words], cwd=tmp_path / "e", check=False)
    assert done.returncode == 0


def test_noise_of_a_library_is_packed_as_it_was_read(save, run, tmp_path):
    save("f.json", LONG)
    (tmp_path / "lib.py").write_text(
        "import pufferproof as pp\nfrom scipy import stats\n\n"
        "total = pp.as_mechanism(stats.dlaplace(0.5), pp.Records(20, ('0', '1')), 'sum')\n"
    )
    words = ["f.json", "lib:total", "--trust-code", "--epsilon", "3", "--evidence", "e.zip"]
    code, _, err = run("audit", *words)
    assert code == 0, err
    assert run("check", "e.zip")[0] == 0
    with zipfile.ZipFile(tmp_path / "e.zip") as pack:
        assert json.loads(pack.read("mechanism.json"))["noise"] == {"discrete_laplace": {"scale": "2"}}
        assert "dlaplace of scipy" in pack.read("explain.txt").decode()


def test_a_leakage_that_equals_the_budget_has_no_evidence_and_says_for_which_there_is(save, run, tmp_path):
    secrets = {name: {"record": 1, "value": value} for name, value in (("off", "0"), ("on", "1"))}
    one = {"records": {"count": 1, "alphabet": ["0", "1"]}, "secrets": secrets}
    save("f.json", LONG | one)
    save("m.json", NOISE)
    words = ["audit", "f.json", "m.json", "--evidence", "e.zip", "--epsilon"]
    assert run(*words[:3], "--epsilon", "1")[0] == 0
    code, _, err = run(*words, "1")
    assert (code, err.count("\n")) == (2, 1)
    assert "ask for a little more, such as 1.000000001, or for no level" in err
    assert run(*words, "1.000000001")[0] == 0


def test_rows_of_impossible_databases_are_in_the_certificate_of_a_release(save, run):
    """Record 2 is 0 for sure, and the table has rows where it is 1."""
    secrets = {f"x={value}": {"record": 1, "value": value} for value in "01"}
    framework = {
        "format": "pufferproof-framework/1",
        "records": {"count": 2, "alphabet": ["0", "1"]},
        "secrets": secrets,
        "pairs": [[*secrets]],
        "priors": {"sure": {"product": [["1/2", "1/2"], ["1", "0"]]}},
    }
    rows = {x: [f"1/{k}", f"{k - 1}/{k}"] for k, x in enumerate(("00", "01", "10", "11"), 2)}
    save("f.json", framework)
    save("m.json", {"format": "pufferproof-mechanism/1", "outputs": ["u", "v"], "channel": rows})
    window = {"first": 1, "length": 2, "every": 1, "times": 1}
    plan = {"format": "pufferproof-release/1", "framework": "f.json", "budget": "1"}
    save("plan.json", plan | {"release": [{"mechanism": "m.json", "records": window}]})
    assert run("release", "plan.json", "--evidence", "e.zip")[0] == 0
    assert run("check", "e.zip")[0] == 0
