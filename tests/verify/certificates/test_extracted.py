"""The checker that is extracted from Coq, as an oracle beside the kernel: both say the same of
every certificate of the corpora, in the same words; what differs is listed with the reason.

Tests marked `coq` need Coq and OCaml.
"""

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from tests.kernel.fuzz.edits import edited
from tests.kernel.fuzz.units import bases
from tests.kernel.unpack import unpacked

from pufferproof.verify import kernel
from pufferproof.verify.certificates.formal import extracting, sources

ROOT = Path(__file__).parents[3]
FORMAL = ROOT / "formal"
CORPORA = unpacked()
LONGEST = 20  # seconds for one run of the program

DIFFERENT = {  # accepted by the kernel: accepted by the checker
    "algebra/accept/exp-huge.json": "no bounds of an exponential above e^4096 are tried",
    "algebra/accept/log-huge.json": "the same",
    "leakage/accept/delta-witness-infinite-part.json": "no fraction beside e^(10^9999) is written",
    "leakage/accept/witness-infinite-above-any-level.json": "the same, of a level",
    "redaction/reject/QL2-precision.json": "true; the precision is too low for the kernel only",
    "rates/reject/RB5-of-no-game.json": "true; weights that serve no game change no statement",
    "rates/reject/RB5-twice.json": "the same",
    "noise/accept/witness-long.json": "a sum of over 200,000 values is not added up",
    "rates/reject/RW2-zero.json": "true; a weight of 0 is as good as none",
}


def coq(test):
    """Mark a test of the program: `make exported` runs it."""
    there = all(shutil.which(tool) for tool in ("coqc", "ocamlfind", "ocamlopt"))
    without = pytest.mark.skipif(not there, reason="Coq or OCaml is not installed")
    return pytest.mark.coq(without(test))


@pytest.fixture(scope="module")
def program():
    try:
        return extracting.extracted(FORMAL)
    except extracting.NoOCaml as error:
        pytest.skip(str(error))


def files():
    """All certificates of the corpora; those with input files are checked without them."""
    every = [path for path in sorted(CORPORA.rglob("*.json")) if path.parent.name != "inputs"]
    return every + sorted(CORPORA.rglob("*.certificate.json"))


def run(program, *paths):
    """The answers of the program to certificates, and its exit code."""
    try:
        done = subprocess.run([program, *paths], capture_output=True, text=True, check=False, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return ["no answer: too long"] * len(paths), 2
    lines = done.stdout.splitlines()
    if len(lines) != len(paths):
        return ["no answer: crashed"] * len(paths), 2
    named = zip(paths, lines) if len(paths) > 1 else []
    return [line.removeprefix(f"{path}: ") for path, line in named] or lines, done.returncode


def of_kernel(path):
    try:
        return f"accepted: {kernel.check(str(path)).statement}"
    except kernel.TooLarge:
        return "no answer: too large"
    except kernel.Refused:
        return "refused"
    except kernel.NotJSON:
        return "no answer: no JSON"


def accepted(answer):
    return answer.startswith("accepted: ")


# --- what stands in the folder ---


def test_the_sources_in_ocaml_are_those_that_are_compiled():
    assert sorted(path.stem for path in (FORMAL / "extract" / "ocaml").glob("*.ml")) == sorted(extracting.READER)


def test_every_extracted_function_has_a_theorem_of_its_name_that_says_what_it_means():
    text = (FORMAL / sources.EXTRACTION).read_text(encoding="utf-8")
    ((names),) = re.findall(r'^Extraction "core.ml" ([\w\s]+)\.$', text, re.M)
    of_coq = [file for file in sources.files(FORMAL) if file.startswith("extract/")]
    proofs = "\n".join((FORMAL / file).read_text(encoding="utf-8") for file in of_coq)
    for name in names.split():
        theorem = name.replace("check", "checked")
        assert re.search(rf"^Theorem {theorem} [^:]*:\s+{name} [^=]*= true ->", proofs, re.M), name


def test_words_of_extraction_are_in_one_file():
    text = (FORMAL / sources.EXTRACTION).read_text(encoding="utf-8")
    assert "Theorem" not in sources.code(text)
    assert {"Extract", "Extraction"} <= {*sources.banned(FORMAL, sources.EXTRACTION)}


def test_a_source_in_ocaml_is_plain():
    for name in extracting.READER:
        text = extracting.texts(FORMAL)[name]
        assert not re.search(r"\bObj\b|\bexternal\b|unsafe|\bMarshal\b", text)
        assert [line for line in text.split("\n") if len(line) > 100] == []


def test_pages_say_what_may_be_claimed_and_of_how_many_lines():
    claim = extracting.CLAIM.format(lines=extracting.lines(extracting.texts(FORMAL)))
    for page in (FORMAL / "extract" / "README.md", ROOT / "docs" / "reference" / "formats.md"):
        assert claim in " ".join(page.read_text(encoding="utf-8").replace("> ", "").split()), page


@pytest.mark.parametrize(("required", "code"), [("", 0), ("require", 1)])
def test_without_coq_one_line_says_what_to_install(tmp_path, required, code):
    done = subprocess.run(
        [sys.executable, "-m", "formal.extracting", str(FORMAL)],
        cwd=ROOT / "verify" / "certificates",
        env={"PATH": str(tmp_path), "EXTRACT": required},
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == code
    assert said.count("\n") == 1
    assert "apt-get install" in said


# --- beside the kernel ---


@coq
def test_both_say_the_same_of_every_certificate_in_the_same_words(program):
    paths, differ, counts = files(), {}, Counter()
    for path, answer in zip(paths, run(program, *paths)[0]):
        if "no answer: no rule for " not in answer:
            ours = of_kernel(path)
            counts[accepted(ours), accepted(answer)] += 1
            if (accepted(ours), accepted(answer)) != (False, False) and ours != answer:
                differ[path.relative_to(CORPORA).as_posix()] = (ours, answer)
    assert differ.keys() == DIFFERENT.keys(), differ
    assert counts[True, True] > 200
    assert counts[False, False] > 250


def test_a_page_says_what_may_be_claimed_there():
    """The same words stand in the program that is shipped."""
    claim = extracting.PAGE_CLAIM.format(lines=extracting.lines(extracting.texts(FORMAL)))
    shown = (FORMAL / "extract" / "README.md").read_text(encoding="utf-8")
    program = (FORMAL / "browser" / extracting.SHIPPED).read_text(encoding="utf-8")
    assert claim in " ".join(shown.replace("> ", "").split())
    assert claim in program


@coq
def test_the_program_for_pages_gives_the_same_answers(program):
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    every, script = (
        files(),
        (
            "const {pufferproofVerify: f} = require(process.argv[1]);"
            "for (const path of process.argv.slice(2))"
            "  console.log(f(require('fs').readFileSync(path, 'latin1')));"
        ),
    )
    shipped = FORMAL / "browser" / extracting.SHIPPED
    words = ["node", "-e", script, shipped, *every]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.splitlines() == run(program, *every)[0]


@coq
def test_the_program_for_pages_is_what_its_sources_make(program):
    try:
        assert extracting.compared(FORMAL, record=False)
    except extracting.NoOCaml as error:
        pytest.skip(str(error))


@coq
def test_nothing_assumed_is_left_in_what_is_extracted(program):
    text = (program.parent / "core.ml").read_text(encoding="utf-8")
    assert not re.search(r"Obj\.|AXIOM|failwith|assert false", text)


@coq
def test_the_program_says_what_may_be_claimed(program):
    done = subprocess.run([program, "--help"], capture_output=True, text=True, check=True)
    assert extracting.CLAIM.format(lines=extracting.lines(extracting.texts(FORMAL))) in done.stdout


@coq
def test_no_certificate_is_accepted_that_the_kernel_refuses(program, tmp_path):
    """1,000 edits that the kernel refuses, of the kinds that there is a rule for."""
    for family in ["leakage", "redaction", "algebra", "optima", "rates", "noise"]:
        draw, paths = Random(f"extracted {family}"), []
        known = [each for each in bases(family) if RULES.search(each["kind"])]
        while len(paths) < 1000:
            data = edited(known, draw)
            if taken(data) is False:
                paths.append(tmp_path / f"{len(paths)}.json")
                paths[-1].write_bytes(data)
        answers = []
        for start in range(0, len(paths), 100):
            answers += run(program, *paths[start : start + 100])[0]
        wrong = [path.read_bytes() for path, answer in zip(paths, answers) if accepted(answer)]
        wrong = [data for data in wrong if not HARMLESS.search(refusal(data))]
        assert [data for data in wrong if not taken(with_more_precision(data))] == []
        assert sum(answer.startswith("refused: ") for answer in answers) > 500


RULES = re.compile("leakage|^delta|farkas|lp-optimum|exp-enclosure|nfc|rate|worst")
HARMLESS = re.compile("serve no game|positive weights that sum to 1|betas.*unknown names")
"""What the kernel refuses of weights: they are hints, and what they show stays true."""


def refusal(data):
    """Return why the kernel refuses a certificate."""
    with pytest.raises(kernel.Refused) as why:
        kernel.check_bytes(data, 3_000_000_000)
    return str(why.value)


def taken(data):
    """Whether the kernel accepts a certificate, or None if that takes much work."""
    try:
        kernel.check_bytes(data, 3_000_000_000)
    except kernel.TooLarge:
        return None
    except (kernel.Refused, kernel.NotJSON):
        return False
    return True


def with_more_precision(data):
    """The same certificate, of which the kernel computes slopes exactly."""
    return json.dumps({**json.loads(data, parse_float=str), "precision": None}).encode()


BAD = {
    "not a number": lambda text: text.replace('"3"', "NaN", 1),
    "a key twice": lambda text: text.replace('"kind"', '"kind": "leakage-at-most", "kind"', 1),
    "nested": lambda text: "[" * 200_000 + text,
    "nested inside": lambda text: text.replace("null", "[" * 150 + "]" * 150, 1),
    "200,000 digits": lambda text: text.replace('"3"', f'"{"9" * 200_000}"', 1),
    "200,000 decimals": lambda text: text.replace('"3"', f'"3.{"0" * 200_000}"', 1),
    "a large exponent": lambda text: text.replace('"3"', '"3e99999"', 1),
    "a denominator of 0": lambda text: text.replace('"3"', '"3/0"', 1),
    "leading zeros": lambda text: text.replace('"3"', "03", 1),
    "half a character": lambda text: text.replace('"u"', '"\\ud800"'),
    "two halves that do not fit": lambda text: text.replace('"u"', '"\\ud800\\u0041"'),
    "more behind it": lambda text: text + "{}",
    "cut off": lambda text: text[: len(text) // 2],
    "nothing": lambda text: "",
}


@coq
def test_bad_input_is_never_accepted(program, tmp_path):
    for name in BAD:
        good = (CORPORA / "leakage" / "accept" / "at-most.json").read_text(encoding="utf-8")
        text = BAD[name](good)
        assert text != good
        (tmp_path / "bad.json").write_text(text, encoding="utf-8")
        (answer,), code = run(program, tmp_path / "bad.json")
        assert re.match("refused: |no answer: ", answer), answer
        assert code in (1, 2)


@coq
def test_bytes_that_are_no_text_and_files_that_are_not_there_are_no_answer(program, tmp_path):
    (tmp_path / "latin.json").write_bytes(b'{"a": "\xe9"}')
    for path in (tmp_path / "latin.json", tmp_path / "none.json", tmp_path):
        (answer,), code = run(program, path)
        assert answer.startswith("no answer: ")
        assert code == 2


# --- faults planted in the reader ---

FAULTS = {
    "the first prior only": ("leakage", "priors = List.map (Numbers.over unit) laws",
     "priors = [Numbers.over unit (List.hd laws)]"),
    "a minus is lost": ("reader", "if minus then", "if minus && false then"),
    "the sign of an exponent is lost": ("reader", "if down then -", "if down then"),
    "releases are lost": ("leakage", "Several (List.map (List.nth all) order)", "Several all"),
    "nats are read as log": ("leakage", "(Nats (x.above", "(Log (x.above"),
    "any row for one that is missing": ("leakage",
     'require (not space.live.(i)) "a row is missing";', ""),
    "both priors are the first": ("runs", "prior_of_others = nat l", "prior_of_others = nat k"),
    "levels are read in another order": ("runs",
     "List.combine ms (List.map fst levels)", "List.combine ms (List.rev_map fst levels)"),
    "the lower bound of a rate is the upper one": ("runs",
     'Leakage.level (claim "lower") and', 'Leakage.level (claim "upper") and'),
    "the levels of records are lost": ("runs",
     "Option.map (fun (e, _) -> (shape, log e)) near", "None"),
    "two budgets are the second one": ("runs", "(budget e1 near1)", "(budget e2 near1)"),
    "a record is the next one": ("noise", "(name, (record - 1, place", "(name, (record, place"),
    "the query adds up all records": ("noise", "last0 = nat (q.last - 1)",
     "last0 = nat (space.count - 1)"),
    "the ratio of the noise is its inverse": ("noise",
     "ratio.under, ratio.above), true)", "Numbers.(add ratio.under one), ratio.above), true)"),
    "only the first prior": ("noise", "walks = List.map snd space.walks",
     "walks = [snd (List.hd space.walks)]"),
    "a mean is a sum": ("noise", "List.map (Numbers.times share) (numbers ())", "numbers ()"),
    "secrets of a pair may overlap": ("leakage",
     'require (not (overlap i j)) "secrets of a pair have a database in common";', ""),
}  # fmt: skip


def changed(program, folder, name, text):
    """The program with another text of one of its sources."""
    for file in ("core.mli", "core.ml"):
        shutil.copyfile(program.parent / file, folder / file)
    extracting.compiled(folder, {**extracting.texts(FORMAL), name: text})
    return folder / extracting.PROGRAM


@pytest.fixture(scope="module")
def answers(program):
    return [accepted(answer) for answer in run(program, *files())[0]]


@coq
def test_a_fault_of_the_reader_is_caught_by_the_corpora(program, answers, tmp_path):
    for fault in FAULTS:
        name, old, new = FAULTS[fault]
        text = extracting.texts(FORMAL)[name]
        assert text.count(old) == 1
        faulty = changed(program, tmp_path, name, text.replace(old, new))
        assert [accepted(answer) for answer in run(faulty, *files())[0]] != answers


NOT_NOTICED = {  # conditions of the reader without which the answers stay, and why
    "nested too deeply": "a limit: what is nested has the wrong keys as well",
    "a number of over 100,000 characters": "a limit: a longer number is one too",
    "a denominator is 0": "the unit of a law is then 0, which the proved checker refuses",
    "over 1,000,000 pairs": "a limit",
    "expected 1 to 1,000,000 databases": "a limit; of no database no secret can be possible",
    "a mechanism without outputs": "no law has an empty list, which the proved checker asks for",
    "a mixture, but the closure is list": "asked by the proved checker too",
    "expected one output for each release": "lists of two lengths are no answer",
    "expected an output": "the proved checker asks that outputs exceed delta, and none do not",
    "an output of another length": "asked by the proved checker too",
    "private: expected a record of the chain": "asked by the proved checker too",
    "only a positive number has a logarithm": "asked by the proved checker too",
    "expected one number for each variable": "lists of two lengths are no answer",
    "expected one multiplier for each row": "lists of two lengths are no answer",
    "expected a level for each mechanism": "lists of two lengths are no answer",
    "over 4096 databases": "a limit",
    "records: over 1,000,000 databases": "a limit",
    "records: databases of another number": "their names are compared after it",
    "expected a law": "asked by the proved checker too",
    "expected a row for each value": "asked by the proved checker too",
    "no such record": "asked by the proved checker too",
    "expected records of two values or more": "of one value no two differ",
    "a stationary law of over 64 values": "a limit",
    "the stationary law is not unique": "elimination finds no pivot, which is no answer",
    "noise: expected a number above 0": "the proved checker asks for bounds of the decay",
    "noise: an unknown scale": "the same",
    "expected a ratio below 1": "asked by the proved checker too",
    "noise: the least value is no integer": "asked by the proved checker too",
    "expected a mechanism": "a list without entries has no first one, which is no answer",
}


def conditions():
    """Every condition of the reader, with what it says, and the source without it."""
    nothing = "let unasked (_ : bool) (_ : string) = ()\n"
    believed = {n: t for n, t in extracting.texts(FORMAL).items() if n not in extracting.HINTS}
    for name, text in believed.items():
        for match in re.finditer(r"(?<!let )\brequire\b", text):
            said = re.search('"(.*?)"', text[match.start() :])
            without = text[: match.start()] + "unasked" + text[match.end() :]
            yield name, said[1], nothing + without


@coq
def test_every_condition_of_the_reader_is_noticed_or_redundant(program, answers, tmp_path):
    found, stay = [*conditions()], []
    assert len(found) > 40
    for i, (name, condition, without) in enumerate(found):
        (tmp_path / str(i)).mkdir()
        faulty = changed(program, tmp_path / str(i), name, without)
        if [accepted(answer) for answer in run(faulty, *files())[0]] == answers:
            stay.append(condition)
    assert sorted(set(stay)) == sorted(NOT_NOTICED)
