"""Inputs are read once, what a file names lies beside it, all of it is hashed, and no output
replaces any of it.
"""

import hashlib
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from pufferproof.models.errors import ModelError
from pufferproof.models.files import reading as model_files
from pufferproof.models.files.frameworks import read_framework
from pufferproof.models.files.mechanisms import read_mechanism
from pufferproof.models.files.reading import MAX_BYTES, bytes_inside, bytes_of, digest

BIF = """variable a { type discrete [ 2 ] { 0, 1 }; } variable b { type discrete [ 2 ] { 0, 1 }; }
probability ( a ) { table 0.5, 0.5; } probability ( b | a ) { (0) 0.75, 0.25; (1) 0.25, 0.75; }"""
OTHER = BIF.replace("0.75, 0.25", "0.875, 0.125")
RECORDS = {
    "format": "pufferproof-framework/1",
    "records": {"count": 2, "alphabet": ["0", "1"]},
    "secrets": {"s": {"record": 1, "value": "0"}, "t": {"record": 1, "value": "1"}},
    "pairs": [["s", "t"]],
}
NAMED = RECORDS | {"priors": {"rain": {"bayes_net": {"bif": "rain.bif"}}}}
LISTED = RECORDS | {"priors": {"even": {"product": [["1/2", "1/2"], ["1/2", "1/2"]]}}}
LAST = {  # shows the second record, so that all that leaks about the first comes from the prior
    "format": "pufferproof-mechanism/1",
    "outputs": ["u", "v"],
    "channel": {"00": ["1", "0"], "01": ["0", "1"], "10": ["1", "0"], "11": ["0", "1"]},
}


@pytest.fixture
def example(save):
    save("f.json", NAMED)
    save("l.json", LISTED)
    save("m.json", LAST)
    return save("rain.bif", BIF)


def framework_naming(save, name):
    return save("n.json", RECORDS | {"priors": {"p": {"bayes_net": {"bif": name}}}})


# --- what a framework file may name ---


@pytest.mark.parametrize("name", ["/etc/passwd", "../f.json", "sub/../../f.json", "", ".", "a\nb", "/", "..", "a\0b"])
def test_a_bif_file_has_a_relative_name(save, name):
    with pytest.raises(ModelError, match=r"priors\.p: .*expected the name of a file inside the folder"):
        read_framework(framework_naming(save, name))


def test_links_out_of_the_folder_are_refused_and_links_inside_are_followed(save, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "rain.bif").write_text(BIF)
    (home / "out.bif").symlink_to("../rain.bif")
    (home / "folder").symlink_to(tmp_path)
    (home / "circle").symlink_to("circle")
    (home / "own.bif").write_text(BIF)
    (home / "in.bif").symlink_to("own.bif")
    for name, message in [("out.bif", "a link out"), ("folder/rain.bif", "a link out"), ("circle", "cannot be read")]:
        document = RECORDS | {"priors": {"p": {"bayes_net": {"bif": name}}}}
        (home / "n.json").write_text(json.dumps(document))
        with pytest.raises(ModelError, match=message) as refusal:
            read_framework(home / "n.json")
        assert str(tmp_path / "rain.bif") not in str(refusal.value)
    assert bytes_inside(home, "in.bif", 1_000) == BIF.encode()


def test_pipes_devices_and_folders_are_not_opened(save, tmp_path):
    os.mkfifo(tmp_path / "pipe")  # opening it would wait for a writer
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        with pytest.raises(ModelError, match="expected a regular file"):
            bytes_inside(tmp_path, name, 1_000)
    with pytest.raises(ModelError, match="expected a regular file"):
        bytes_inside("/dev", "zero", 1_000)


def test_a_bif_file_has_a_size_limit(example, tmp_path, monkeypatch):
    assert bytes_inside(tmp_path, "rain.bif", len(BIF)) == BIF.encode()
    monkeypatch.setattr(model_files, "MAX_BIF_BYTES", len(BIF) - 1)
    with pytest.raises(ModelError, match=f"rain.bif: expected at most {len(BIF) - 1} bytes"):
        read_framework("f.json")


def test_errors_show_a_few_characters_of_the_file_at_most(save):
    save("f.json", NAMED)
    secret = "password-of-somebody:x:0:0"
    for text in (
        secret,
        f"variable {secret}",
        f"variable a {{ type discrete [ {secret} ] ",
        BIF + secret,
        f'"{secret}',
    ):
        save("rain.bif", text)
        with pytest.raises(ModelError) as refusal:
            read_framework("f.json")
        assert secret[:14] not in str(refusal.value)


def test_a_framework_that_comes_from_no_file_names_none():
    from pufferproof.models.files.frameworks import framework_of
    from pufferproof.models.files.shapes import FrameworkFile

    with pytest.raises(ModelError, match="expected a framework that is read from a file"):
        framework_of(FrameworkFile.model_validate(NAMED))


# --- hashes ---


def sha256(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def test_a_changed_bif_file_changes_the_inputs_and_the_certificate(example, run, save):
    seen = []
    for text in (BIF, OTHER):
        save("rain.bif", text)
        code, out, _ = run("audit", "f.json", "m.json", "--json", "--certificate", "c.json", "--replace")
        assert code == 0
        answer = json.loads(out)
        assert answer["inputs"]["files"] == [{"name": "rain.bif", "sha256": sha256(text.encode())}]
        with open("c.json", encoding="utf-8") as file:
            assert json.load(file)["inputs"]["framework"] == answer["inputs"]["framework"]
        seen.append(answer)
    assert seen[0]["leakage"]["ratio"] != seen[1]["leakage"]["ratio"]
    assert seen[0]["inputs"]["framework"] != seen[1]["inputs"]["framework"]
    assert seen[0]["inputs"]["mechanism"] == seen[1]["inputs"]["mechanism"]


def test_the_digest_of_several_files_is_that_of_their_digests(example):
    first = read_framework("f.json")
    shell = "sha256sum f.json rain.bif | cut -c-64 | sha256sum | cut -c-64"
    assert first.sha256 == "sha256:" + subprocess.check_output(shell, shell=True, text=True).strip()
    assert digest(b"a") == sha256(b"a") != digest(b"a", b"")
    assert read_framework("l.json").sha256 == sha256(bytes_of("l.json", MAX_BYTES))


@pytest.mark.parametrize(
    "command",
    [
        ["audit", "f.json", "m.json"],
        ["compose", "f.json", "m.json", "m.json"],
        ["reveal", "f.json", "m.json"],
        ["conditions", "f.json", "m.json"],
        ["critical", "f.json", "--runs", "2"],
        ["influence", "f.json", "--record", "1", "--right", "1"],
        ["calibrate", "f.json", "--mechanism", "wasserstein", "--query", "sum", "--epsilon", "1"],
    ],
)
def test_every_command_names_the_files_that_its_inputs_name(example, run, command):
    code, out, err = run(*command, "--json")
    assert code == 0, err
    inputs = json.loads(out)["inputs"]
    assert inputs["files"] == [{"name": "rain.bif", "sha256": sha256(BIF.encode())}]
    assert inputs["framework"] == read_framework("f.json").sha256


def test_labels_of_a_matrix_are_part_of_its_hash(example, save):
    framework = read_framework("l.json").value
    np.save("m.npy", np.eye(4))
    save("x.txt", "00\n01\n10\n11\n")
    first = read_mechanism("m.npy", framework, databases="x.txt")
    save("x.txt", "00\n01\n11\n10\n")
    second = read_mechanism("m.npy", framework, databases="x.txt")
    assert first.sha256 != second.sha256
    assert [*second.named] == ["x.txt"]


def test_the_module_of_a_function_is_hashed_and_named(example, save, run, monkeypatch):
    code = "def rows(x):\n    return {'u': '1'}\n"
    save("named_module.py", code)
    monkeypatch.delitem(sys.modules, "named_module", raising=False)
    answer = json.loads(run("audit", "l.json", "named_module:rows", "--trust-code", "--json")[1])
    assert answer["inputs"]["files"] == [{"name": "named_module.py", "sha256": sha256(code.encode())}]
    assert answer["inputs"]["mechanism"] == sha256(code.encode())


def test_a_function_of_no_file_is_refused(example):
    with pytest.raises(ModelError, match="expected a module that is a file"):
        read_mechanism("sys:intern", read_framework("l.json").value, trust_code=True)


# --- outputs ---


def names_of(path):
    """Return the name of a file, and other names of it: another spelling, a symbolic link, a
    hard link.
    """
    os.makedirs("sub", exist_ok=True)
    os.symlink(f"../{path}", f"sub/link-{path}")
    os.link(path, f"sub/hard-{path}")
    return [path, f"./{path}", f"sub/../{path}", os.path.abspath(path), f"sub/link-{path}", f"sub/hard-{path}"]


@pytest.mark.parametrize("option", ["--certificate", "--csv", "--plot"])
def test_no_output_replaces_a_bif_file(example, run, option):
    os.rename("rain.bif", "rain.svg")
    with open("f.json", "w", encoding="utf-8") as file:
        json.dump(RECORDS | {"priors": {"rain": {"bayes_net": {"bif": "rain.svg"}}}}, file)
    for name in names_of("rain.svg"):
        code, out, err = run("audit", "f.json", "m.json", option, name, "--replace")
        assert (code, out) == (2, "")
        assert "is already read or written by this command" in err
    with open("rain.svg", encoding="utf-8") as file:
        assert file.read() == BIF


def test_no_output_replaces_a_module_or_labels(example, run, save, monkeypatch):
    save("kept_module.py", "def rows(x):\n    return {'u': '1'}\n")
    np.save("m.npy", np.eye(4))
    save("x.txt", "00\n01\n10\n11\n")
    monkeypatch.delitem(sys.modules, "kept_module", raising=False)
    for path, arguments in [
        ("kept_module.py", ["kept_module:rows", "--trust-code"]),
        ("x.txt", ["m.npy", "--databases", "x.txt"]),
        ("m.npy", ["m.npy", "--databases", "x.txt"]),
    ]:
        before = bytes_of(path, MAX_BYTES)
        for name in names_of(path):
            code, _, err = run("audit", "l.json", *arguments, "--certificate", name, "--replace")
            assert code == 2
            assert "choose another file" in err
        assert bytes_of(path, MAX_BYTES) == before


@pytest.mark.parametrize(
    "command",
    [
        ["partner", "f.json", "m.json", "--budget", "log(2)", "--out", "rain.bif"],
        ["worst", "f.json", "--budget", "log(2)", "--budget", "log(2)", "--certificate", "rain.bif"],
        ["compose", "f.json", "m.json", "--rate-certificate", "rain.bif"],
        ["collapse", "f.json", "--out", "rain.bif"],
    ],
)
def test_no_command_replaces_a_bif_file(example, run, command):
    assert run(*command)[0] == 2
    assert bytes_of("rain.bif", MAX_BYTES) == BIF.encode()


# --- every input is read once ---


def piped(path, content):
    """Write to a named pipe once, as soon as somebody reads it."""
    os.mkfifo(path)
    threading.Thread(target=lambda: Path(path).write_text(content), daemon=True).start()
    return path


@pytest.mark.parametrize(
    "priors", [LISTED["priors"], {"c": {"markov": {"initial": ["1/2", "1/2"], "transition": [["3/4", "1/4"]] * 2}}}]
)
@pytest.mark.parametrize(
    "mechanism",
    [
        LAST,
        {"format": LAST["format"], "redaction": [["1", "1"], ["1/2", "1/2"]]},
        {"format": LAST["format"], "outputs": ["a", "b"], "local": [[["1", "0"], ["1/2", "1/2"]]] * 2},
        {"format": LAST["format"], "query": "sum", "noise": {"laplace": {"scale": "1"}}},
    ],
)
def test_pipes_are_inputs(save, run, priors, mechanism):
    save("f.json", RECORDS | {"priors": priors})
    save("m.json", mechanism)
    expected = run("audit", "f.json", "m.json", "--json")
    assert expected[0] == 0
    piped("f.pipe", json.dumps(RECORDS | {"priors": priors}))
    piped("m.pipe", json.dumps(mechanism))
    assert run("audit", "f.pipe", "m.pipe", "--json")[:2] == (0, expected[1].replace("\n", "") + "\n")


def test_a_process_substitution_and_standard_input_are_inputs(example):
    command = f"exec {sys.executable} -c 'from pufferproof.reports.cli import main; main()'"
    whole = f"{command} audit l.json <(cat m.json) --json"
    found = subprocess.run(["bash", "-c", whole], capture_output=True, check=True, stdin=subprocess.DEVNULL)
    whole = f"{command} audit l.json /dev/stdin --json < m.json"
    again = subprocess.run(["bash", "-c", whole], capture_output=True, check=True)
    assert json.loads(found.stdout) == json.loads(again.stdout)
