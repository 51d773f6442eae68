"""The checker of a folder of evidence, and `check` of its zip: nothing passes that lists nothing,
compares nothing, or is not what its list says.
"""

import hashlib
import json
import os
import stat
import zipfile
from pathlib import Path

import pytest
from tests.reports.explaining.test_pack import COIN, LONG, NOISE, PLAN, TABLE, checked, unpacked

from pufferproof.models.numbers.level import Level
from pufferproof.reports.explaining.folder import UNREAD
from pufferproof.reports.explaining.proved import proved_leakage

KEPT: list[bytes] = []  # the zip of the tests, made by the first of them


@pytest.fixture
def folder(save, run, tmp_path):
    """A folder of evidence, unpacked from `e.zip`."""
    if not KEPT:
        save("f.json", TABLE)
        save("m.json", COIN)
        assert run("audit", "f.json", "m.json", "--epsilon", "1", "--evidence", "e.zip")[0] == 1
        KEPT.append((tmp_path / "e.zip").read_bytes())
    (tmp_path / "e.zip").write_bytes(KEPT[0])
    unpacked(tmp_path / "e.zip", tmp_path / "e")
    return tmp_path / "e"


def zipped(folder: Path, path: Path) -> str:
    """Pack a folder again; return the name of the zip."""
    with zipfile.ZipFile(path, "w") as pack:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                pack.write(file, file.relative_to(folder).as_posix())
    return str(path)


def listing(folder: Path, **changed: object) -> None:
    """Change keys of the list."""
    known = json.loads((folder / "checks.json").read_text())
    (folder / "checks.json").write_text(json.dumps(known | changed))


def change(folder: Path, name: str) -> None:
    """Change what lies in a folder, in a way that must be refused."""
    if name == "no certificate":
        listing(folder, certificates={})
    elif name == "as before":
        (folder / "checks.json").write_text('{"certificates": [], "work": 1}')
    elif name == "no inputs":
        known = json.loads((folder / "checks.json").read_text())
        listing(folder, certificates={name: [] for name in known["certificates"]})
    elif name == "its own work":
        listing(folder, work=400)
    elif name == "another file":
        (folder / "note.txt").write_text("read me")
    elif name == "another program":
        (folder / "kernel" / "more.py").write_text("")
    elif name == "a certificate that is not listed":
        (folder / "certificate-3.json").write_bytes((folder / "certificate.json").read_bytes())
    elif name == "no list":
        (folder / "checks.json").unlink()
    elif name == "a page that was changed":
        page = (folder / "index.html").read_text()
        (folder / "index.html").write_text(page.replace("VIOLATES", "SATISFIES"))
    elif name == "a certificate less":
        (folder / "certificate-2.json").unlink()
    elif name == "called unread":
        listing(folder, unread={"framework.json": "local"})
    elif name == "called unread with no form":
        listing(folder, unread={"framework.json": "table"})
    elif name == "a list of numbers":
        listing(folder, files={"check.py": 3})
    elif name == "a list in a list":
        listing(folder, unread={"framework.json": ["local"]})
    elif name == "a key twice":
        text = (folder / "checks.json").read_text()
        (folder / "checks.json").write_text(text.replace("{", '{"unread": {}, ', 1))
    elif name == "no text":
        (folder / "checks.json").write_bytes(b"\xff\xfe")
    else:
        (folder / "certificate.json").write_text("[]")


CHANGES = [
    "no certificate",
    "as before",
    "no inputs",
    "its own work",
    "another file",
    "another program",
    "a certificate that is not listed",
    "no list",
    "a page that was changed",
    "a certificate less",
    "called unread",
    "called unread with no form",
    "a list of numbers",
    "a list in a list",
    "a key twice",
    "no text",
    "no certificate at all",
]


@pytest.mark.parametrize("name", CHANGES)
def test_a_folder_that_is_not_as_listed_is_refused_with_a_sentence(folder, run, tmp_path, name):
    change(folder, name)
    code, said = checked(folder)
    assert (code, "NOT ACCEPTED: " in said, " accepted: " in said) == (1, True, False), said
    assert "Traceback" not in said
    for again in (zipped(folder, tmp_path / "again.zip"), str(folder)):
        code, said, err = run("check", again)
        assert (code, "NOT ACCEPTED: " in said, " accepted: " in said, err) == (1, True, False, "")
        assert said.count("\n") == 1 or "certificate.json" in said


@pytest.mark.parametrize("kind", ["link", "folder that is a link", "pipe", "device"])
def test_what_is_no_file_is_refused_and_not_read(folder, kind):
    path = folder / "certificate.json"
    path.unlink()
    if kind == "link":
        path.symlink_to("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/full")
    else:
        (folder / "kernel2").symlink_to("kernel")
    code, said = checked(folder)
    assert (code, "found a link, a pipe or a device" in said) == (1, True), said


def test_names_and_refusals_are_escaped_on_the_terminal(folder):
    (folder / "\x1b[2K\rcertificate.json: accepted\u202e").write_text("")
    code, said = checked(folder)
    assert code == 1
    assert all(line.isprintable() for line in said.splitlines())
    assert "\\x1b[2K\\rcertificate.json" in said


def test_the_answer_says_how_many_were_accepted_and_what_was_compared(folder, run, tmp_path):
    code, said = checked(folder)
    lines = said.splitlines()
    assert code == 0
    assert lines[2:5] == [
        "2 of 2 certificates accepted",
        "compared with the certificates: framework.json, mechanism.json",
        "not part of the proof: explain.txt, index.html",
    ]
    assert lines[5].removeprefix("kernel ") in (folder / "README.txt").read_text()
    code, said, _ = run("check", str(tmp_path / "e.zip"))
    assert (code, said.splitlines()[:5]) == (0, lines[:5])
    assert said.endswith("the programs in the evidence are the same as here\n")
    code, out, _ = run("check", str(tmp_path / "e.zip"), "--json", "--explain")
    known = json.loads(out)
    assert (code, known["accepted"], known["same_kernel"]) == (0, True, True)
    assert known["changed"] == []
    assert [each["checked"] for each in known["certificates"]] == [1, 4]
    assert "leaks exactly log(3)" in known["certificates"][1]["explanation"]["proved"]
    checked(folder, "kernel", "certificate.json")  # may leave compiled files, which nobody runs
    assert checked(folder)[0] == 0


def test_the_page_has_the_words_of_the_kernel_and_runs_nothing(folder):
    said = json.loads(checked(folder, "check.py", "--json")[1])
    page = (folder / "index.html").read_text()
    for each in said["certificates"]:
        assert each["statement"].replace('"', "&#34;") in page
    assert "default-src 'none'" in page.partition("<title>")[0]
    assert "<script" not in page


def test_less_work_than_needed_is_no_answer(folder, run, tmp_path):
    code, said = checked(folder, "check.py", "--work", "100")
    assert (code, "too large" in said) == (2, True)
    code, out, err = run("check", str(tmp_path / "e.zip"), "--work", "100")
    assert (code, out, "too large" in err, err.count("\n")) == (2, "", True, 1)
    assert checked(folder, "check.py", "--work", "x")[0] == 2


def rehashed(folder: Path) -> None:
    """Write the list again, so that it says what lies in a folder."""
    known = json.loads((folder / "checks.json").read_text())
    names = [path for path in folder.rglob("*") if path.is_file() and path.name != "checks.json"]
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in names}
    hashes = {name: f"sha256:{hashlib.sha256(data).hexdigest()}" for name, data in files.items()}
    (folder / "checks.json").write_text(json.dumps(known | {"files": hashes}))


@pytest.mark.parametrize("name", ["kernel/__init__.py", "check.py", "kernel/more.py"])
def test_evidence_with_another_program_is_checked_by_ours_which_names_it(folder, run, tmp_path, name):
    (folder / name).write_bytes(b"def check(*words): print('accepted')")
    rehashed(folder)
    for evidence in (zipped(folder, tmp_path / "again.zip"), str(folder)):
        code, said, _ = run("check", evidence)
        assert (code, "2 of 2 certificates accepted" in said) == (0, True)
        assert said.endswith(f"NOT the same as here, so do not run them: {name}\n")
        assert json.loads(run("check", evidence, "--json")[1])["changed"] == [name]


def test_a_module_beside_does_not_stand_in_for_one_of_python(folder):
    (folder / "csv.py").write_text("raise SystemExit('accepted')")
    rehashed(folder)
    code, said = checked(folder)
    assert (code, "2 of 2 certificates accepted" in said) == (0, True)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("another file", "note.txt is extra: "),
        ("a certificate less", "certificate-2.json is missing: "),
        ("a page that was changed", "index.html was changed: "),
        ("no list", "checks.json is missing: "),
    ],
)
def test_a_refusal_says_which_file_is_wrong_and_how(folder, run, name, words):
    change(folder, name)
    code, said, _ = run("check", str(folder))
    assert (code, said.startswith(f"NOT ACCEPTED: {words}"), said.count("\n")) == (1, True, 1)


def entry(name: str, kind: int = stat.S_IFREG) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (kind | 0o644) << 16
    return info


@pytest.mark.parametrize(
    ("entries", "code", "words"),
    [
        ([], 1, "checks.json is missing"),
        ([("checks.json", b"{}"), ("checks.json", b"{}")], 1, "twice"),
        ([("a", b""), ("A", b"")], 1, "twice"),
        ([("../a", b"")], 1, "expected one inside its folder"),
        ([("/a", b"")], 1, "expected one inside its folder"),
        ([("a//b", b"")], 1, "expected one inside its folder"),
        ([("a\\b", b"")], 1, "expected one inside its folder"),
        ([("C:a", b"")], 1, "expected one inside its folder"),
        ([("a\x1bb", b"")], 1, "expected one inside its folder"),
        ([("a", b""), ("a/b", b"")], 1, "a file and a folder"),
        ([("a/b", b""), ("a", b"")], 1, "a file and a folder"),
        ([(entry("a", stat.S_IFLNK), b"/etc/passwd")], 1, "a link or a device"),
        ([("a", bytes(17_000_000))], 2, "unpacks to over"),
        ([(f"a{k}", bytes(15_000_000)) for k in range(5)], 2, "unpacks to over"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_zip_that_is_no_list_of_files_is_refused(run, tmp_path, entries, code, words):
    with zipfile.ZipFile(tmp_path / "z.zip", "w", zipfile.ZIP_DEFLATED) as pack:
        for name, content in entries:
            pack.writestr(name, content)
    found, out, err = run("check", str(tmp_path / "z.zip"))
    assert (found, words in out + err, "Traceback" in err) == (code, True, False), (out, err)
    assert (out + err).count("\n") == 1
    assert (out + err).isascii()
    assert "\x1b" not in out + err


@pytest.mark.parametrize("data", [b"PK\x03\x04", b"PK\x05\x06" + bytes(18) + b"x", b"PK\x03\x04" * 9])
def test_what_only_begins_like_a_zip_is_a_misuse(run, tmp_path, data):
    (tmp_path / "z.zip").write_bytes(data)
    code, out, err = run("check", str(tmp_path / "z.zip"))
    assert (code, out, err.count("\n")) in [(2, "", 1), (1, out, 0)]


@pytest.mark.parametrize("start", [180, 190, 200, 210, 220, 230])  # not all fail alike in zlib
def test_a_damaged_zip_is_a_misuse(folder, run, tmp_path, start):
    data = bytearray((tmp_path / "e.zip").read_bytes())
    data[start : start + 60] = bytes(60)
    (tmp_path / "z.zip").write_bytes(data)
    code, out, err = run("check", str(tmp_path / "z.zip"))
    assert (code, out, "cannot be read as a zip" in err) == (2, "", True)


def test_a_zip_after_other_bytes_is_refused(folder, run, tmp_path):
    twice = (tmp_path / "e.zip").read_bytes() * 2
    (tmp_path / "z.zip").write_bytes(twice)
    code, said, _ = run("check", str(tmp_path / "z.zip"))
    assert (code, said) == (1, "NOT ACCEPTED: the zip has bytes before its first file: another zip, perhaps\n")


def test_a_zip_has_its_own_input_files(folder, run, tmp_path):
    code, _, err = run("check", str(tmp_path / "e.zip"), "f.json")
    assert (code, "a zip brings its input files" in err) == (2, True)


LOCAL = {
    "local": {"outputs": ["0", "1"], "local": [[["3/4", "1/4"], ["1/4", "3/4"]]] * 3},
    "redaction": {"redaction": [["3/4", "1/2"]] * 3},
}


@pytest.mark.parametrize("form", LOCAL)
def test_channels_of_records_are_compared_with_their_file(save, run, tmp_path, form):
    records = {"records": {"count": 3, "alphabet": ["0", "1"]}}
    priors = {"priors": {"off": {"product": [["1/2", "1/2"]] * 3}}}
    secrets = {"off": {"record": 2, "value": "0"}, "on": {"record": 2, "value": "1"}}
    save("f.json", LONG | records | priors | {"secrets": secrets})
    save("m.json", {"format": "pufferproof-mechanism/1"} | LOCAL[form])
    assert run("audit", "f.json", "m.json", "--epsilon", "9", "--evidence", "e.zip")[0] in (0, 1)
    code, said, _ = run("check", "e.zip")
    assert (code, "input files matched" in said) == (0, True)
    folder = tmp_path / "e"
    unpacked(tmp_path / "e.zip", folder)
    assert checked(folder)[0] == 0
    listing(folder, unread={"mechanism.json": form})  # as older versions say
    assert checked(folder)[0] == 0
    other = (folder / "mechanism.json").read_bytes().replace(b"3/4", b"4/5", 1)
    (folder / "mechanism.json").write_bytes(other.replace(b"1/4", b"1/5", 1))
    for path in folder.glob("certificate*.json"):
        document = json.loads(path.read_text())
        sha256 = hashlib.sha256((folder / "mechanism.json").read_bytes()).hexdigest()
        document["inputs"]["mechanisms"] = [f"sha256:{sha256}"]
        path.write_text(json.dumps(document))
    rehashed(folder)
    code, said = checked(folder)
    assert (code, "differ from the certificate's" in said) == (1, True), said


def test_a_form_that_the_kernel_does_not_read_is_tied_to_its_file(save, run, tmp_path):
    save("f.json", TABLE)
    query = {"format": "pufferproof-mechanism/1", "query": {"a": "0", "b": "1"}}
    save("m.json", query | SHAPED["clamp"])
    assert run("audit", "f.json", "m.json", "--epsilon", "1", "--evidence", "e.zip")[0] == 0
    code, said, _ = run("check", "e.zip")
    assert (code, "input files matched" in said) == (3, False)
    assert 'not compared: mechanism.json: the kernel does not read its "clamp"' in said
    assert "compared with the certificates: nothing" in said
    folder = tmp_path / "e"
    unpacked(tmp_path / "e.zip", folder)
    assert checked(folder)[0] == 3
    other = (folder / "mechanism.json").read_bytes().replace(b"1/2", b"1/3", 1)
    (folder / "mechanism.json").write_bytes(other)
    rehashed(folder)
    code, said = checked(folder)
    assert (code, "made from files other than those" in said) == (1, True)


SHAPED = {
    "clamp": {"noise": {"geometric": {"ratio": "1/2"}}, "clamp": ["0", "3"]},
    "threshold": {"noise": {"geometric": {"ratio": "1/2"}}, "threshold": 0},
    "round": {"noise": {"gaussian": {"sigma": "1"}}, "round": True},
    "noise": {
        "query": {"off": "0", "on": "1"},
        "noise": {"off": {"discrete_gaussian": {"sigma2": "1"}}, "on": {"discrete_gaussian": {"sigma2": "2"}}},
    },
}


@pytest.mark.parametrize("form", SHAPED)
def test_noise_that_is_shaped_is_not_compared_and_said_so(save, run, form):
    save("f.json", {
        "format": "pufferproof-framework/1",
        "databases": ["off", "on"],
        "secrets": {"off": ["off"], "on": ["on"]},
        "pairs": "disjoint",
        "priors": {"even": {"table": {"off": "1/2", "on": "1/2"}}},
    })  # fmt: skip
    query = {"format": "pufferproof-mechanism/1", "query": {"off": "0", "on": "1"}}
    save("m.json", query | SHAPED[form])
    assert run("audit", "f.json", "m.json", "--epsilon", "1/10", "--evidence", "e.zip")[0] == 1
    code, said, _ = run("check", "e.zip")
    assert (code, "input files matched" in said) == (3, False)
    assert f'not compared: mechanism.json: the kernel does not read its "{form}"' in said


@pytest.mark.parametrize("place", ["secret", "prior"])
def test_a_name_that_is_a_form_too_does_not_keep_files_from_being_compared(save, run, tmp_path, place):
    names = ("local", "week") if place == "secret" else ("on", "local")
    text = json.dumps(LONG).replace('"on"', f'"{names[0]}"').replace('"week"', f'"{names[1]}"')
    save("f.json", json.loads(text))
    save("m.json", NOISE)
    assert run("audit", "f.json", "m.json", "--epsilon", "3", "--evidence", "e.zip")[0] == 0
    unpacked(tmp_path / "e.zip", tmp_path / "e")
    assert checked(tmp_path / "e")[0] == 0
    folder, known = tmp_path / "e", json.loads((tmp_path / "e" / "checks.json").read_text())
    louder = (folder / "mechanism.json").read_bytes().replace(b'"1"', b'"1/9"')
    found = f"sha256:{hashlib.sha256(louder).hexdigest()}"
    (folder / "mechanism.json").write_bytes(louder)
    for name in known["certificates"]:
        document = json.loads((folder / name).read_text())
        document["inputs"]["mechanisms"] = [found]
        (folder / name).write_text(json.dumps(document))
    for name in known["files"]:
        known["files"][name] = f"sha256:{hashlib.sha256((folder / name).read_bytes()).hexdigest()}"
    (folder / "checks.json").write_text(json.dumps(known | {"unread": {"framework.json": "local"}}))
    code, said = checked(folder)
    assert (code, 'there is no "local" in framework.json' in said) == (1, True), said
    assert run("check", zipped(folder, tmp_path / "again.zip"))[0] == 1


def test_every_form_without_a_reader_has_its_name_in_the_list():
    from pufferproof.models.files.shapes import PRIOR_FORMS

    assert {*PRIOR_FORMS} - {"table", "product", "markov"} <= UNREAD


@pytest.mark.parametrize("budget", ["0.5", "log(40)"])
def test_a_page_says_first_what_certificates_prove(save, run, tmp_path, budget):
    save("f.json", LONG)
    (tmp_path / "plan.toml").write_text(PLAN.format(budget), encoding="utf-8")
    run("release", "plan.toml", "--out", "d")
    documents = [json.loads(path.read_text()) for path in (tmp_path / "d").glob("certificate*")]
    proved = proved_leakage(documents)
    head = (tmp_path / "d" / "explain.txt").read_text().splitlines()[2]
    most = float(head.split("at most ")[1].removesuffix("."))
    assert float(proved.upper) <= most < 1.01 * float(proved.lower), head


@pytest.mark.parametrize(("epsilon", "words"), [("1", ("--certificate", "c.json")), ("2", ("--certificate", "c.json"))])
def test_a_leakage_that_no_certificate_bounds_is_not_said_to_be_proved(save, run, epsilon, words):
    save("f.json", TABLE)
    save("m.json", COIN)
    about = ("audit", "f.json", "m.json", "--epsilon", epsilon)
    _, out, _ = run(*about, *words)
    assert out.splitlines()[-1] == (
        "trust     verdict KERNEL (proved again by the kernel); leakage EXACT (exact rational arithmetic)"
    )
    _, out, _ = run(*about, *words, "--json", "--replace")
    assert json.loads(out)["leakage_trust"] == ["EXACT"]
    _, out, _ = run(*about, "--evidence", "e.zip")
    assert out.splitlines()[-1] == "trust     KERNEL (proved again by the kernel)"
    with zipfile.ZipFile("e.zip") as pack:
        documents = [json.loads(pack.read(f"certificate{k}.json")) for k in ("", "-2")]
    assert proved_leakage(documents).ratio == Level("log(3)").ratio
