"""Certificates as files for Coq: the tables say what the certificate says, and Coq proves it.

The corpora of the kernel are the cases. No test but those marked `coq` needs Coq.
"""

import json
import re
import shutil
from fractions import Fraction
from pathlib import Path

import pytest
from tests.kernel.unpack import unpacked

from pufferproof.models.errors import CertificateError
from pufferproof.reports import cli
from pufferproof.reports.auditing.reproving import proof
from pufferproof.verify import kernel
from pufferproof.verify.certificates.export import layout
from pufferproof.verify.certificates.export.writing import KINDS, exported
from pufferproof.verify.certificates.formal import NotChecked, tables
from pufferproof.verify.certificates.formal import exported as compiled
from pufferproof.verify.proof.smt import decided

ROOT = Path(__file__).parents[3]
CORPORA = unpacked()
FORMAL = ROOT / "formal"


def coq(test):
    """Mark a test that has Coq prove what is exported: `make exported` runs it."""
    without = pytest.mark.skipif(not shutil.which("coqc"), reason="Coq is not installed")
    return pytest.mark.coq(without(test))


_BOUNDED = ("bounded-leakage", "joint-bounded-leakage", "bounded-delta")
NOT_EXPORTED = {  # kinds of the kernel that no file for Coq is about, and why
    f"{what}-at-most": "no theorem of Coq is about bounds of probabilities yet" for what in _BOUNDED
} | {
    f"noise-{what}-{name}": "no theorem of Coq is about laws of sums of a chain yet"
    for what in ("leakage", "class", "delta")
    for name in ("at-most", "witness")
}
TOO_LARGE = {  # levels of 10^9999 nats, which no file for Coq writes out
    *("at-most-nats-huge", "convex-nats-huge", "delta-at-most-infinite-part"),
    *("delta-witness-infinite-part", "witness-infinite-above-any-level"),
    *("exp-huge", "exp-zero-bound", "log-huge"),
}


def cases():
    return [path for path in sorted(CORPORA.glob("*/accept/*.json")) if json.loads(path.read_bytes())["kind"] in KINDS]


VARYING = {"exact-loose", "exact-ones", "exact-three", "exact-two"}  # medium records on a side


def without_theorem():
    """Designs of classes about which there is no theorem in Coq, with the class."""
    for path in sorted((CORPORA / "designs" / "accept").glob("*.json")):
        for design in json.loads(path.read_bytes())["claim"]["designs"]:
            if design["name"] == "3r-relaxed" or path.stem in VARYING:
                yield path, design["name"]
                break


NO_THEOREM = dict(without_theorem())


def case(name):
    return next(path for path in cases() if path.stem == name)


def text_of(path):
    return exported(path.read_bytes(), path.name)


@pytest.mark.parametrize("path", cases(), ids=lambda path: path.stem)
def test_tables_say_what_the_certificate_says(path):
    if path.stem in TOO_LARGE or path in NO_THEOREM:
        with pytest.raises(CertificateError, match="exported"):
            text_of(path)
        return
    statement = tables.compare(text_of(path), path.read_bytes())
    assert statement in " ".join(text_of(path).split())


@pytest.fixture
def large(monkeypatch):
    """Every table counts as a large one."""
    monkeypatch.setattr(layout, "SHORT", 0)


def long_rows(secrets=2):
    """A certificate with rows over units of their own, some of two machine words."""
    certificate = json.loads(case("at-most").read_bytes())
    small = Fraction(1, 10**30)
    rows = {"a": [Fraction(3, 4) - small, Fraction(1, 4) + small], "c": [Fraction(2, 7)] * 2}
    rows["c"][1] = 1 - rows["c"][0]
    certificate["framework"]["secrets"].update({f"more {i}": ["b"] for i in range(secrets - 2)})
    certificate["mechanisms"][0]["channel"].update({x: [*map(str, r)] for x, r in rows.items()})
    return json.dumps(certificate).encode()


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("secrets", [2, 4])
def test_a_large_table_with_another_number_is_of_no_certificate(secrets):
    data = long_rows(secrets)
    text = exported(data, "long")
    assert "words 2 [" in text
    tables.compare(text, data)
    for start, end in numbers(text):
        other = f"{text[:start]}{int(text[start:end]) + 1}{text[end:]}"
        with pytest.raises(NotChecked):
            tables.compare(other, data)


@pytest.mark.usefixtures("large")
def test_a_large_table_with_other_words_is_of_no_certificate():
    for old, new in [
        ("over_shared r0", "over_shared p"),
        ("shared_unit r0", "shared_unit p"),
        ("shared_unit r0", "4"),
        ("over_shared r0", "[]"),
        ("Definition r0 : table", "Definition r1 : table"),
        ("words 2", "word 2"),
        ("]%uint63", "]"),
        ("Definition f :", "Definition g : table := [].\n\nDefinition f :"),
    ]:
        data = long_rows()
        text = exported(data, "long")
        assert old in text
        with pytest.raises(NotChecked):
            tables.compare(text.replace(old, new), data)


def test_every_kind_has_a_reader_and_a_case():
    kinds = {json.loads(path.read_bytes())["kind"] for path in cases()}
    assert kinds == set(KINDS) == set(tables.KINDS)


def test_every_kind_of_the_kernel_is_exported_or_has_a_reason():
    assert set(kernel.KINDS) - set(KINDS) == set(NOT_EXPORTED)
    assert set(KINDS) <= set(kernel.KINDS)


def test_a_class_of_designs_without_a_theorem_is_refused_by_name():
    for path in NO_THEOREM:
        with pytest.raises(CertificateError, match=f"^{NO_THEOREM[path]}: .* export"):
            text_of(path)


def numbers(text):
    """Where the numbers of the tables and of the statement stand, in a text for Coq."""
    end = text.index("Proof.")
    shown = re.sub(r"\(\*.*?\*\)", lambda found: " " * len(found[0]), text[:end], flags=re.S)
    return [found.span() for found in re.finditer(r"(?<![\w])\d+", shown)]


@pytest.mark.parametrize(
    "name",
    [
        *("at-most-attained", "convex-tie", "joint-different", "delta-witness", "witness"),
        *("nfc-two-mechanisms", "nfc-violation-mixtures", "rate", "rate-infinite"),
        *("worst-records", "worst-twice", "exp-negative", "log"),
        *("strict-product", "farkas-strict", "lp-slack"),
        *("first-known", "infinite", "nats-at-least", "quilt", "window-middle"),
        *("central-turned", "local-optimal"),
    ],
)
def test_a_file_with_another_number_is_of_no_certificate(name):
    path = case(name)
    text = text_of(path)
    places = numbers(text)
    assert len(places) > 5
    for start, end in places:
        other = f"{text[:start]}{int(text[start:end]) + 1}{text[end:]}"
        with pytest.raises(NotChecked):
            tables.compare(other, path.read_bytes())


def test_a_file_with_other_words_is_of_no_certificate():
    for old, new in [
        ("[true;", "[false;"),
        ("convex := false", "convex := true"),
        ("leakage_equals", "leakage_above"),
        ("channel f m0", "channel m0 f"),
        ("well_formed f [m0]", "True"),
        ("Definition f :", "Axiom a : False.\nDefinition f :"),
        ("Definition f :", "Definition g : nat := 0.\n\nDefinition f :"),
        ("Open Scope Z_scope.", 'Notation "0 <= x" := True.\nOpen Scope Z_scope.'),
        ("Import Indices Tables", "Import Indices Tables Mine"),
        ("Import Indices", "Import Mine"),
        ("Qed.", "Admitted."),
        ("vm_cast_no_check (eq_refl true).", "admit."),
        ("apply (", "apply (fun x => "),
        ("Print Assumptions statement.", ""),
        ("Import ListNotations.", '(* "*) Axiom a : False. (*" *) Import ListNotations.'),
    ]:
        path = case("at-most-attained")
        text = text_of(path)
        assert old in text
        if old == "apply (":  # the proof is Coq's to judge, whatever it is
            tables.compare(text.replace(old, new), path.read_bytes())
            continue
        with pytest.raises(NotChecked):
            tables.compare(text.replace(old, new), path.read_bytes())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ThreeR false false", "ThreeR true false"),
        ("ThreeR false false", "ThreeR false true"),
        ("(Side 0 1 0), (4, 15", "(Side 0 1 0), (5, 15"),
        ("(Side 0 1 0)", "(Side 0 (1 + 0) 0)"),
        ("(Side 0 1 0)", ""),
    ],
)
def test_a_class_of_three_regions_is_that_of_the_certificate(old, new):
    path = case("exact")
    assert old in text_of(path)
    with pytest.raises(NotChecked):
        tables.compare(text_of(path).replace(old, new), path.read_bytes())


TOLD = "[[3; 1]; [1; 3]; [1; 3]]"
UNTOLD = (  # Coq takes the last rows, of no leakage; a reader of single fields would take others
    "{| outputs := (fst (2%nat, ({| outputs := 2; row_unit := 4; rows := ([] : list (list Z)) |}, "
    f"{{| rows := {TOLD}; outputs := (2 : nat); row_unit := (4 : Z) |}})) : nat); "
    "row_unit := (4 : Z); rows := ([[1; 3]; [1; 3]; [1; 3]] : list (list Z)) |}.\n\n"
)


def test_fields_are_those_of_the_record_itself():
    path = case("at-most")
    before, rest = text_of(path).split("Definition m0 : mechanism := ")
    text = f"{before}Definition m0 : mechanism := {UNTOLD}{rest[rest.index('Theorem') :]}"
    with pytest.raises(NotChecked, match="and nothing else"):
        tables.compare(text, path.read_bytes())


def test_a_file_of_another_certificate_is_refused():
    one, other = case("at-most"), case("at-most-loose")
    with pytest.raises(NotChecked, match="another SHA-256"):
        tables.compare(text_of(one), other.read_bytes())


def test_a_wrong_hash_is_refused():
    path = case("at-most")
    text = re.sub("sha256:[0-9a-f]{8}", "sha256:00000000", text_of(path))
    with pytest.raises(NotChecked, match="another SHA-256"):
        tables.compare(text, path.read_bytes())


def test_a_proof_about_real_numbers_has_known_steps_only():
    for old, new in [
        ("lra.", "admit."),
        ("lra.", "Abort. Axiom a : False. Lemma b : False. Proof. lra."),
        ("Qed.", "Admitted."),
        ("Reals Lra.", "Reals Lra. Axiom a : False."),
        ("forall v0 v1 : R, ", "forall v0 v1 : R, False -> "),
        ("lra.", "exact magic."),
    ]:
        path = case("strict-product")
        text = text_of(path)
        assert old in text
        with pytest.raises(NotChecked):
            tables.compare(text.replace(old, new), path.read_bytes())


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments):
        code = cli._run([*map(str, arguments)])
        return code, *capfd.readouterr()

    return invoke


def test_the_command_writes_and_compares(run):
    path = case("at-most")
    assert run("export", path, "--coq", "out.v") == (0, "export: out.v, files not compared\n", "")
    code, out, _ = run("export", path, "--check", "out.v")
    assert (code, "leakage_at_most" in out, "files not compared" in out) == (0, True, True)
    code, out, err = run("export", case("witness"), "--check", "out.v")
    assert (code, out) == (1, "")
    assert "another SHA-256" in err


def test_bad_input_is_one_line(run, tmp_path):
    path = case("at-most")
    (tmp_path / "unknown.json").write_text('{"kind": "hearsay"}', encoding="utf-8")
    (tmp_path / "text.json").write_text("no JSON", encoding="utf-8")
    refused = CORPORA / "leakage" / "reject" / "A2-above-the-level.json"
    for arguments, code, words in [
        ((path,), 2, "expected one of --coq FILE"),
        (("absent.json", "--coq", "x.v"), 2, "cannot be read"),
        (("text.json", "--coq", "x.v"), 2, "expected a certificate"),
        (("unknown.json", "--coq", "x.v"), 2, "'hearsay' are not exported, only leakage-at-most"),
        ((refused, "--coq", "x.v"), 1, "refused by the kernel"),
        ((path, "--check", "unknown.json"), 1, "expected the first lines"),
        ((path, "absent.json", "absent.json", "--coq", "x.v"), 2, "absent.json"),
        ((path, "text.json", "--smtlib", "queries"), 2, "--smtlib: takes no files"),
    ]:
        found, out, err = run("export", *arguments)
        assert (found, out, err.count("\n")) == (code, "", 1)
        assert words in err
    assert not (tmp_path / "x.v").exists()


def test_queries_of_a_claim_are_answered_by_either_solver_alone(run, tmp_path):
    code, out, _ = run("export", "lemma.smallest-scale", "--smtlib", "queries")
    files = sorted((tmp_path / "queries").glob("*.smt2"))
    noun = "query" if len(files) == 1 else "queries"
    said = f"export: {len(files)} {noun} in queries, each to be answered unsat\n"
    assert (code, out) == (0, said)
    assert files
    for path in files:
        for solver in ("z3", "cvc5"):
            assert decided(solver, path.read_text(encoding="utf-8"), 60.0).status == "unsat"


def test_queries_of_no_claim_are_an_error(run):
    code, out, err = run("export", "lemma.nonsense", "--smtlib", "queries")
    assert (code, out) == (2, "")
    assert "is not the id of a claim" in err


@pytest.fixture(scope="module")
def theory():
    return compiled.theory(FORMAL)


@coq
def test_coq_proves_a_certificate(theory, tmp_path):
    assert compiled.proved(theory, text_of(case("at-most-nats")), tmp_path)


@coq
def test_coq_proves_certificates_of_every_kind(theory):
    """In one run of Coq, which names the one that it refuses."""
    names = [
        *("convex-tie", "joint-witness-order", "delta-witness"),
        *("nfc-dyadic", "nfc-violation-nats", "rate-mixtures", "rate-infinite"),
        *("worst-records", "worst-deep", "exp-negative", "log-below-one"),
        *("strict-product", "farkas-strict", "lp-slack"),
        *("initial", "infinite-one", "nats-at-least", "quilt", "window-tie"),
        *("central-turned", "central-nats", "local-optimal"),
        *("exact", "exact-nats", "constant-end", "constant-both", "constant-turned"),
    ]
    assert proof(theory, {name: text_of(case(name)) for name in names})


@coq
def test_coq_refuses_what_is_not_true(theory, tmp_path):
    for name, old, new in [
        ("at-most", "(Log 3 1)", "(Log 2 1)"),  # a level one too small, in statement and proof
        ("convex-tie", "361 121", "360 121"),
        ("at-most", "[1; 3];", "[0; 4];"),  # one changed entry
        ("witness", "[3; 1]", "[2; 2]"),
        ("nfc", "(Log 3 2)", "(Log 7 5)"),
        ("nfc-nats", "[3; 1]", "[4; 0]"),
        ("nfc-violation", "(Log 10 9)", "(Log 6 5)"),
        ("nfc-violation-infinite", "[3; 0; 3]", "[2; 1; 3]"),
        ("rate", "(Log 3 1)", "(Log 2 1)"),  # below the rate, in both bounds
        ("rate", "(Log 3 1)", "(Log 4 1)"),  # above it
        ("rate-mixtures", "[3; 1]", "[4; 0]"),
        ("worst", "(Log 21 10)", "(Log 2 1)"),
        ("worst-exact", "(Log 21 10)", "(Log 22 10)"),  # an upper bound that is not reached
        ("worst-records", "Sequences 2 2", "Sequences 1 4"),  # all databases one record apart
        ("worst-exact", "[1; 2]  (* theta", "[0; 3]  (* theta"),
        ("exp", "27182818284590453", "27182818284590452"),
        ("log", "log_at_least 3 1", "log_at_least 2 1"),
        ("square", "1 * v0^2", "0 * v0^2"),
        ("farkas-strict", "< 3", "< 2"),
        ("lp-slack", "= 0", "= 1"),
        ("initial", "51 31", "50 31"),  # below the leakage, in both bounds
        ("initial", "51 31", "52 31"),  # above it
        ("initial", "Row 3 1 3", "Row 3 1 2"),
        ("initial", "private := 3", "private := 2"),
        ("middle", "(1, Some true)", "(1, Some false)"),  # another output
        ("infinite-one", "Row 2 2 1", "Row 2 2 2"),  # nothing is shown
        ("quilt", "utility := (2, 5", "utility := (3, 5"),
        ("quilt", "at_least := (6, 5", "at_least := (7, 5"),
        ("quilt", "at_most := (2, 1", "at_most := (1, 1"),
        ("window", "Some (Blind, (1, 2", "Some (Blind, (1, 4"),  # less than some release
        ("window-tie", "(Log 169 100)", "(Log 2 1)"),  # with more leakage, more can be released
        ("central", "Some (Anything, (65, 144", "Some (Anything, (64, 144"),
        ("central", "(Log 3 2)", "(Log 4 3)"),  # the mechanism leaks more
        ("central", "utility := (65, 144", "utility := (66, 144"),
        ("central", "None; None], 4)", "None; None], 5)"),  # over one in all
        ("central", "(Leaf 33)", "(Leaf 32)"),  # a price that does not pay
        ("local-optimal", "Some (Anything, (1, 2", "Some (Anything, (1, 3"),
        ("exact", "(Side 0 1 0), (4, 15", "(Side 0 1 0), (3, 15"),
        ("exact", "(Side 0 1 0)", "(Side 1 0 0)"),  # other regions
        ("exact", "(Least (1, 5", "(Least (1, 4"),
        ("constant-end", "ThreeR false true", "ThreeR false false"),  # probabilities that vary
    ]:
        text = text_of(case(name))
        assert old in text
        changed = text.replace(old, new).replace("(Bound 3 1", "(Bound 2 1")
        with pytest.raises(NotChecked, match="coqc refused"):
            compiled.proved(theory, changed, tmp_path)


@coq
@pytest.mark.usefixtures("large")
@pytest.mark.parametrize(("secrets", "rule"), [(2, "_of_one f m0"), (4, "_of_table f 2 r0")])
def test_coq_reads_rows_of_machine_words(theory, tmp_path, secrets, rule):
    text = exported(long_rows(secrets), "long")
    assert rule in text
    assert {"int", "lsr"} <= {*compiled.proved(theory, text, tmp_path)}
    less = text.replace("(Log 3 1)", "(Log 2 1)").replace("(Bound 3 1", "(Bound 2 1")
    for changed in (less, text.replace("(7, words 1 [2; 5]", "(7, words 1 [1; 6]")):
        assert changed != text
        with pytest.raises(NotChecked, match="coqc refused"):
            compiled.proved(theory, changed, tmp_path)


@coq
def test_coq_proves_certificates_together_and_names_the_one_it_refuses(theory, monkeypatch):
    names = ("at-most", "witness", "square", "delta-witness")
    texts = {name: text_of(case(name)) for name in names}
    monkeypatch.setattr(layout, "SHORT", 0)
    texts["long"] = exported(long_rows(), "long")
    axioms = proof(theory, texts)
    assert {"sig_forall_dec", "int"} <= {axiom.rpartition(".")[2] for axiom in axioms}
    texts["witness"] = texts["witness"].replace("[3; 1]", "[2; 2]")
    with pytest.raises(CertificateError, match="witness: coqc refused"):
        proof(theory, texts)


def test_tables_of_another_mechanism_are_no_export_of_the_files(run, tmp_path):
    """The hashes of the real files stay in the certificate, its tables are others: without the
    files an export says that they were not compared, with them there is none.
    """
    files = ["framework.json", "mechanism.json"]
    framework = {
        "format": "pufferproof-framework/1",
        "databases": ["0", "1"],
        "secrets": {"zero": ["0"], "one": ["1"]},
        "pairs": [["zero", "one"]],
        "priors": {"even": {"table": {"0": "1/2", "1": "1/2"}}},
    }
    channel = {"0": ["3/4", "1/4"], "1": ["1/4", "3/4"]}
    mechanism = {"format": "pufferproof-mechanism/1", "outputs": ["u", "v"], "channel": channel}
    for name, content in zip(files, (framework, mechanism)):
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    assert run("audit", *files, "--epsilon", "log(3)", "--certificate", "true.json")[0] == 0
    assert run("export", "true.json", *files, "--coq", "true.v")[1:] == ("export: true.v, files compared\n", "")
    assert "(* Files compared: " in (tmp_path / "true.v").read_text(encoding="utf-8")

    forged = json.loads((tmp_path / "true.json").read_bytes())
    forged["mechanisms"][0]["channel"] = {"0": ["1/2", "1/2"], "1": ["1/2", "1/2"]}
    forged["claim"] = {"level": {"log": "1"}, "attained": None}
    (tmp_path / "forged.json").write_text(json.dumps(forged), encoding="utf-8")
    code, out, err = run("export", "forged.json", "--coq", "forged.v")
    assert (code, out, err) == (0, "export: forged.v, files not compared\n", "")
    text = (tmp_path / "forged.v").read_text(encoding="utf-8")
    assert "(* Files not compared: " in text
    for option, target in (("--coq", "again.v"), ("--check", "forged.v")):
        code, out, err = run("export", "forged.json", *files, option, target)
        assert (code, out, err.count("\n")) == (1, "", 1)
        assert 'refused by the kernel: "mechanism mechanism.json": rows ' in err
    assert not (tmp_path / "again.v").exists()


def test_a_certificate_of_mathematics_is_made_from_no_files(run):
    path = CORPORA / "algebra" / "accept" / "exp-large.json"
    assert run("export", path, "--coq", "out.v") == (0, "export: out.v, no input files\n", "")
    code, out, err = run("export", path, path, "--coq", "new.v")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "made from no files" in err
