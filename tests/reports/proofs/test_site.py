"""The proof-check report shows every verdict with what it rests on, escapes what it is given,
and replaces only its own.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from xml.etree import ElementTree

import jsonschema
import pytest
from tests.kernel.bench import FAMILIES, accepted_files
from tests.reports import results as synthetic
from tests.reports.console.schemas import expect_valid

from pufferproof import ModelError
from pufferproof.claims.registry import load_claims
from pufferproof.claims.run import run_claims
from pufferproof.reports import cli
from pufferproof.reports.auditing.reproving import FORMAL
from pufferproof.reports.auditing.schema import json_schema
from pufferproof.reports.proofs.counterexamples.shown import counterexample_view, region_corners, value_text
from pufferproof.reports.proofs.files.archives import summary_of, timeless
from pufferproof.reports.proofs.pages import badge, claim_views, file_name
from pufferproof.reports.proofs.papers.shown import papers
from pufferproof.reports.proofs.prove import summary
from pufferproof.reports.proofs.sentences import verdict_sentence
from pufferproof.reports.proofs.site import junit_xml, write_proof_report
from pufferproof.reports.proofs.words import lines
from pufferproof.verify.certificates.formal import tables
from pufferproof.verify.certificates.formal.exported import proved, theory

CATALOGUE = {
    "paper": ["paper.refuted", "paper.checked", "paper.thm9"],
    "elsewhere": ["elsewhere.thm1", "elsewhere.thm2"],
}
VOID = {"meta", "link", "input", "br", "hr", "img", "wbr"}
ITALIC = re.compile(r"<i>([A-Za-z])</i>")  # a letter, which is read with what stands beside it
ENDLESS = {"li", "dt", "dd", "td", "th", "tr", "thead", "tbody", "p"}  # HTML needs no end tag


class Page(HTMLParser):
    """A page as a reader meets it: text, links, headings, and tags that are balanced."""

    def __init__(self, path):
        super().__init__()
        self.tags, self.links, self.ids, self.headings, self.words, self.open = ([], [], [], [], [], [])
        self.feed(ITALIC.sub(r"\1", path.read_text(encoding="utf-8")))
        assert self.open == [], path
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append((tag, given))
        self.links += [given[name] for name in ("href", "src") if given.get(name)]
        self.ids += [given["id"]] if "id" in given else []
        self.headings += [int(tag[1])] if re.fullmatch("h[1-6]", tag) else []
        if tag not in VOID | ENDLESS:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert tag in ENDLESS or self.open.pop() == tag, self.getpos()

    def handle_data(self, data):
        if "style" not in self.open and "script" not in self.open:
            self.words.append(data)


@pytest.fixture(scope="module")
def results():
    return synthetic.every_kind()


@pytest.fixture(scope="module")
def site(results, tmp_path_factory):
    return write_proof_report(results, tmp_path_factory.mktemp("proofs") / "out", catalogue=CATALOGUE).parent


@pytest.fixture(scope="module")
def pages(site):
    return {path.relative_to(site).as_posix(): Page(path) for path in site.rglob("*.html")}


def page_of(pages, identifier):
    return pages[f"claims/{file_name(identifier)}.html"]


def test_there_is_a_page_for_every_claim_and_the_json_is_the_results_without_steps(site, pages, results):
    papers_shown = {each["paper"] for each in results}
    assert len(pages) == len(results) + len(papers_shown) + 1
    answer = json.loads((site / "report.json").read_text())
    graded = [each["grade"] for each in claim_views(results)]
    expected = [summary_of(timeless(each)) | {"grade": grade} for each, grade in zip(results, graded)]
    assert {None, "false as meant"} == {*graded}
    assert answer["claims"] == json.loads(json.dumps(expected))
    assert {"verdict", "readings", "archive"} <= answer["claims"][0].keys()
    assert {*answer["files"], "report.json", "files.json"} == {
        p.relative_to(site).as_posix() for p in site.rglob("*") if p.is_file()
    }


def test_every_link_leads_somewhere_inside_the_site(site, pages):
    for name, page in pages.items():
        folder = (site / name).parent
        for link in page.links:
            path, _, anchor = link.partition("#")
            if name.startswith("papers/") and link.startswith(("https://arxiv.org/abs/", "https://doi.org/")):
                continue
            assert "://" not in link
            if path and path != "data:,":
                assert (folder / path).resolve().is_file(), (name, link)
            elif anchor and "=" not in anchor:  # which a filter reads
                assert anchor in page.ids, (name, link)


def test_headings_are_in_order_and_ids_are_unique(pages):
    for name, page in pages.items():
        assert page.headings[0] == 1, name
        assert all(below <= above + 1 for above, below in zip(page.headings, page.headings[1:])), (name, page.headings)
        assert len(page.ids) == len(set(page.ids)), name


@pytest.mark.parametrize(
    ("identifier", "said"),
    [
        ("lemma.solvers", "PROVED by Z3 and cvc5"),
        ("lemma.kernel", "PROVED by the kernel"),
        ("lemma.exact", "PROVED in exact arithmetic"),
        ("paper.checked", "CHECKED finite family, in exact arithmetic"),
        ("paper.refuted", "REFUTED"),
        ("paper.open", "OPEN"),
        ("paper.definition", "DEFINITION"),
        ("paper.broken", "OPEN engine error"),
    ],
)
def test_a_verdict_says_in_words_what_it_rests_on(pages, identifier, said):
    page = page_of(pages, identifier)
    assert said in page.text
    assert said in pages["index.html"].text


def test_the_weakest_thing_a_proof_rests_on_names_it():
    assert badge("PROVED", ["KERNEL", "Z3"])["basis"] == "by Z3 alone"
    assert badge("DERIVED", ["KERNEL", "Z3", "PROSE"])["basis"] == "formulas by Z3 alone"
    assert badge("DERIVED", ["GUESS", "KERNEL"])["basis"] == "see trust"


def test_the_overview_lists_errors_repairs_and_what_has_no_verdict(pages):
    text = pages["papers/paper.html"].text
    assert (
        "Errors found in this paper (1) It has 1 root cause. Broken guarantees come first, "
        "then theorems, steps of proofs, remarks and displays. Differences between a printed "
        "formula and its repair are marked . Theorems, lemmas and algorithms that are false as "
        "printed “Theorem 2” paper.refuted false as meant Claimed A statement. "
        "False The ratio is 3 > 2." in text
    )
    assert "True A statement. “Lemma 1” lemma.solvers" in text
    assert "“Theorem 2” is false as printed; nothing that relies on it is guaranteed." in text
    assert "The paper does not claim these. “beside Theorem 2” paper.x-question" in text
    assert "1 claim of the catalogue without a verdict yet paper.thm9" in text
    assert "2 of 3 claims of the catalogue of this paper have a verdict." in text
    text = pages["index.html"].text
    assert "2 ✗ errors in papers" in text  # the claim that tries to be markup is the other
    assert "elsewhere (2): elsewhere.thm1, elsewhere.thm2" in text


def test_a_paper_has_its_errors_first_and_what_is_our_own_apart(pages):
    page = pages["papers/paper.html"]
    order = ["Errors found", "of the catalogue of this paper", "Claims (", "Of our own", "Questions of ours"]
    places = [page.text.find(each) for each in order]
    assert [each for each in places if each >= 0] == sorted(each for each in places if each >= 0)
    kinds = {given["data-id"]: given for _, given in page.tags if (given.get("class") or "").split() == ["claim"]}
    assert {name for name, given in kinds.items() if "data-error" in given} == {"paper.refuted"}
    assert "data-error" not in kinds["paper.x-question"]
    assert {each["id"] for each in synthetic.every_kind() if each["paper"] == "paper"} == {*kinds}


def test_every_counter_is_a_filter_that_the_page_has(pages):
    for name in ("index.html", "papers/paper.html"):
        tags = pages[name].tags
        offered = {given.get("value") for tag, given in tags if tag == "option"}
        links = {link.partition("#verdict=")[2] for link in pages[name].links if "#verdict=" in link}
        assert links <= offered
        assert {"", "ERROR", "REFUTED"} <= links


def test_the_formulas_stand_below_the_statement_and_the_verdict(pages):
    page = page_of(pages, "lemma.solvers")
    order = ["The statement", "Verdict", "Proof", "If a b ≤ c d"]
    places = [page.text.index(each) for each in order]
    assert places == sorted(places)
    assert sum(tag == "math" for tag, _ in page.tags) > 3


def test_the_command_shown_refutes_the_claim_again(site, pages, monkeypatch, capsys):
    command = re.search(r"pufferproof (audit .*? --epsilon \S+)", page_of(pages, "paper.refuted").text)
    monkeypatch.chdir(site)
    with pytest.raises(SystemExit):
        cli.main(shlex.split(command[1]))
    assert "VIOLATES log(2)" in capsys.readouterr().out


def test_a_refutation_is_a_certificate_and_a_file_for_coq(site):
    packed = taken_out(site, "paper")
    data = packed["paper.refuted/refutation-1.json"].encode()
    assert "leakage_above f" in tables.compare(packed["paper.refuted/refutation-1.v"], data)


@pytest.mark.coq
@pytest.mark.skipif(not shutil.which("coqc"), reason="Coq is not installed")
def test_coq_proves_the_file_of_a_refutation(site, tmp_path):
    text = taken_out(site, "paper")["paper.refuted/refutation-1.v"]
    assert proved(theory(FORMAL), text, tmp_path)


def taken_out(site, paper):
    with tarfile.open(site / "files" / f"{paper}.tar.xz") as packed:
        return {name: packed.extractfile(name).read().decode() for name in packed.getnames()}


def test_queries_are_in_the_archive_of_the_paper(site, pages, results):
    packed = taken_out(site, "lemma")
    assert packed["lemma.solvers/1-1.smt2"].startswith("(set-logic")
    assert "near-1-1.smt2" in page_of(pages, "lemma.solvers").text
    assert "lemma.solvers/near-1-1.smt2" in packed
    for each in results:
        whole = json.loads(taken_out(site, file_name(each["paper"]))[f"{file_name(each['id'])}/result.json"])
        assert (whole["id"], whole["verdict"]) == (each["id"], each["verdict"])


def test_the_same_results_give_the_same_bytes(site, results, tmp_path):
    later = [each | {"cached": True, "seconds": 99.0} for each in results]
    again = write_proof_report(later, tmp_path / "out", catalogue=CATALOGUE).parent
    for path in (path for path in site.rglob("*") if path.is_file()):
        other = (again / path.relative_to(site)).read_bytes()
        assert path.name in ("junit.xml", "files.json") or other == path.read_bytes(), path


def test_a_near_miss_is_shown_as_not_proved(pages):
    assert "Near misses" in page_of(pages, "lemma.solvers").text
    assert "FALSE “strict”" in page_of(pages, "lemma.solvers").text


def test_a_near_miss_that_came_out_proved_is_an_alarm(tmp_path):
    proof = ("as printed", [synthetic.exhausted("s")])
    write_proof_report(
        [synthetic.result("a.b", proof, near=[("too strong", [synthetic.exhausted("s")])])], tmp_path / "out"
    )
    page = Page(tmp_path / "out" / "claims" / "a.b.html")
    assert "The argument proves too much: a near miss came out true (“too strong”)" in page.text
    assert "OPEN" in page.text


def test_markup_in_ids_labels_and_statements_is_shown_and_never_run(site, pages):
    attacks = ("script", "img", "iframe")
    for name, page in pages.items():
        found = [given for tag, given in page.tags if tag in attacks]
        assert len(found) == (not name.startswith("claims/")), name
        assert not any(key.startswith("on") for _, given in page.tags for key in given), name
    page = page_of(pages, synthetic.attack()["id"])
    assert page.text.count(synthetic.ATTACK) > 8
    assert {path.parent.name for path in site.rglob("*script*")} <= {"claims", "files", "papers"}
    assert synthetic.ATTACK not in (site / "report.md").read_text()


def test_pages_forbid_scripts_but_our_own(pages):
    for name, page in pages.items():
        policy = next(given["content"] for tag, given in page.tags if given.get("http-equiv"))
        assert "default-src 'none'" in policy
        scripts = "none'" if name.startswith("claims/") else "sha256-"
        assert f"script-src '{scripts}" in policy


@pytest.mark.parametrize(
    ("identifier", "same"),
    [("paper.thm1", True), ("a/b", False), ("..", False), ("", False), ("x" * 300, False), ("é", False)],
)
def test_only_plain_ids_are_file_names(identifier, same):
    name = file_name(identifier)
    assert (name == identifier) is same
    assert re.fullmatch(r"[A-Za-z0-9._-]{1,130}", name)
    assert name not in (".", "..")


def test_labels_that_look_like_numbers_are_not_rounded():
    assert value_text(["00", "1" * 40]) == f"00, {'1' * 40}"
    assert value_text(f"{10**30}/3") == "~3.3333333e+29"


@pytest.mark.parametrize(
    ("epsilon", "shown"),
    [
        ("log(2)", " --epsilon 'log(2)'"),
        ("3/10", " --epsilon 0.3"),
        ("1/3", ""),
        ("-1", ""),
        ("ln 2; rm", ""),
        (2, " --epsilon 2"),
    ],
)
def test_the_level_in_the_command_is_one_that_the_command_line_reads(epsilon, shown):
    documents = {"framework": {"format": "pufferproof-framework/1"}, "mechanism": {"format": "pufferproof-mechanism/1"}}
    view = counterexample_view(documents | {"epsilon": epsilon}, "p.t", "1")
    assert view["command"] == f"pufferproof audit claims/p.t.framework.json claims/p.t.mechanism.json{shown}"


def test_junit_has_a_case_per_claim_and_counts_findings_as_passed(results):
    root = ElementTree.fromstring(junit_xml(results).encode())
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert len(cases) == len(results)
    refuted = cases["paper.refuted"]
    assert refuted.get("classname") == "paper"
    assert {each.get("name"): each.get("value") for each in refuted.iter("property")}["verdict"] == "REFUTED"
    children = {name: {child.tag for child in case} & {"failure", "error", "skipped"} for name, case in cases.items()}
    assert {name: found for name, found in children.items() if found} == {
        "paper.open": {"skipped"},
        "paper.broken": {"error"},
    }
    suites = root.findall("testsuite")
    assert sum(int(suite.get("tests")) for suite in suites) == len(results)
    assert [suite.get("failures") for suite in suites] == ["0"] * len(suites)


def test_markdown_says_the_same(site, results):
    text = (site / "report.md").read_text()
    for said in ("Errors found in this paper", "DEFINITION", "Z3, CVC5", "pufferproof audit claims/"):
        assert said in text
    assert text.count("\n### ") == len(results) + 3  # three of them lists of errors and questions


def test_an_interrupted_run_says_so_and_what_is_missing(tmp_path, results):
    out = tmp_path / "out"
    write_proof_report(results, out, catalogue=CATALOGUE, partial=True)
    assert "This run was interrupted." in Page(out / "index.html").text
    assert json.loads((out / "report.json").read_text())["missing"] == [
        "paper.thm9",
        "elsewhere.thm1",
        "elsewhere.thm2",
    ]
    write_proof_report(results, out, partial=True, missing=["lemma.kernel", "lemma.later"])
    assert json.loads((out / "report.json").read_text())["missing"] == ["lemma.later"]
    assert "1 without a result: Missing claims lemma.later" in Page(out / "index.html").text


def test_a_report_replaces_its_own_and_nothing_else(tmp_path, results):
    out = tmp_path / "out"
    write_proof_report(results, out)
    write_proof_report(results[:1], out)
    assert [path.name for path in (out / "claims").glob("*.html")] == ["lemma.solvers.html"]
    (out / "notes.txt").write_text("mine")
    with pytest.raises(ModelError, match=r"notes\.txt"):
        write_proof_report(results, out)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_no_results_make_a_page_that_says_nothing_was_examined(tmp_path):
    assert "0 claims" in Page(write_proof_report([], tmp_path / "out", catalogue=CATALOGUE)).text


def test_two_hundred_claims_have_two_hundred_pages(tmp_path):
    page = write_proof_report(synthetic.many(200), tmp_path / "out")
    assert len(list((tmp_path / "out" / "claims").glob("*.html"))) == 200
    assert sum(given.get("class") == "claim" for tag, given in Page(page).tags if tag == "li") == 200


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """Results of lemmas of the registry and of a refuted claim, and their report."""
    chosen = (
        *("lemma.bernoulli", "lemma.smallest-scale", "general.prior-mixture-bound"),
        "general.bayes-form-one-order",
    )
    found = run_claims([claim for name, claim in load_claims().items() if name in chosen], timeout=20.0)
    return found, write_proof_report(found, tmp_path_factory.mktemp("real") / "out").parent


def test_claims_of_the_registry_are_shown(real):
    text = Page(real[1] / "claims" / "lemma.smallest-scale.html").text
    assert "PROVED by Z3 and cvc5" in text
    assert "Query 1-1.smt2" in text


def test_a_page_says_its_claim_then_the_verdict_then_what_is_false_and_what_is_true(real):
    text = Page(real[1] / "claims" / "general.bayes-form-one-order.html").text
    order = ["What the claim file says", "False by an audit", "Counterexample", "their proofs"]
    assert [text.index(each) for each in order] == sorted(text.index(each) for each in order)
    tried = Page(real[1] / "claims" / "lemma.bernoulli.html").text
    held = r"The statement held at each of [\d,]+ instances and [\d,]+ hard ones on which it was tried"
    assert re.search(held, tried)


def test_a_linked_argument_is_listed_beside_words_that_are_said_once(real):
    text = Page(real[1] / "claims" / "general.prior-mixture-bound.html").text
    words, proof = text.split("Readings and their proofs")
    first, second = proof.split("What letters mean is an explanation", 1)
    assert "Let l (the priors) and y (the outputs) run through" in words
    assert "Let l (the priors) and y (the outputs) run through" not in first
    assert "a ratio below R Omega" in second  # of the other reading
    order = ["Letters", "Definitions", "Facts", "a hypothesis", "by induction along l"]
    assert [first.index(each) for each in order] == sorted(first.index(each) for each in order)
    assert "hard ones" not in text


def test_a_theorem_of_coq_stands_beside_the_claim_with_its_axioms_and_what_differs(tmp_path):
    theorem = {
        "name": "Pufferproof.noise.A.one",
        "file": "theory/noise/A.v",
        "says": "One (paper, lemma 1)",
        "differs": "finite",
        "statement": "forall x : R,\n0 <= x * x",
        "axioms": ["Classical_Prop.classic"],
        "coq": "8.16.1",
    }
    made = synthetic.result("a.b", ("r", [synthetic.step("s")])) | {"theorems": [theorem]}
    write_proof_report([made], tmp_path / "out")
    text = Page(tmp_path / "out" / "claims" / "a.b.html").text
    for said in (
        "Coq checked a theorem beside it.",
        "noise.A.one One (paper, lemma 1). Differs from the print: finite. forall x : R,",
        "theory/noise/A.v; Coq 8.16.1; axioms: classic.",
    ):
        assert said in text


def test_every_certificate_is_accepted_by_the_copied_checker_alone(real, tmp_path):
    results, site = real
    written = {
        name: text
        for paper in ("lemma", "general")
        for name, text in taken_out(site, paper).items()
        if name.endswith(".certificate.json")
    }
    readings = [reading for result in results for reading in [*result["readings"], *result["near_misses"]]]
    assert len(written) == sum(step["certificate"] is not None for reading in readings for step in reading["steps"]) > 0
    for name, text in written.items():
        file = tmp_path / "certificate.json"
        file.write_text(text)
        command = [sys.executable, "-I", "-S", "kernel", "--json", str(file)]
        done = subprocess.run(command, cwd=site, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (name, done.stdout, done.stderr)
        assert json.loads(done.stdout)["accepted"] is True
        expect_valid(json.loads(text), "certificate")


def test_the_commands_shown_for_certificates_are_those_that_work(real, tmp_path):
    site = shutil.copytree(real[1], tmp_path / "report" / "site")
    text = (site / "claims" / "lemma.smallest-scale.html").read_text()
    commands = re.search(r"<code>(python -m tarfile.*?)</code>", text, re.DOTALL)[1]
    for command in commands.strip().splitlines():
        words = [sys.executable, *shlex.split(command)[1:]]
        done = subprocess.run(words, cwd=site, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert done.args[1] == "kernel"
    assert "accept" in done.stdout
    assert not (site / "taken-out").exists()


def differing():
    refuted = ("with two", [synthetic.step("c", "counterexample", trust=("EXACT",), evidence={"n": 2})])
    proved = [(f"reading {name}", [synthetic.exhausted("s")]) for name in "abc"]
    return synthetic.result("p.thm1", *proved, refuted, refuted)


@pytest.mark.parametrize(
    ("verdicts", "headline"),
    [
        ("RCO", "REFUTED"),
        ("ORC", "OPEN"),
        ("CRO", "DEPENDS"),
        ("COR", "DEPENDS"),
        ("CR", "DEPENDS"),
        ("CO", "OPEN"),
        ("CC", "CHECKED"),
    ],
)
def test_the_first_reading_decides_before_those_that_are_open(verdicts, headline):
    """An extra reading that nobody has decided does not hide what is known of the others."""
    kinds = {
        "R": [synthetic.step("c", "counterexample", trust=("EXACT",), evidence={"n": 2})],
        "C": [synthetic.exhausted("s")],
        "O": [],
    }
    readings = [(f"reading {place}", kinds[each]) for place, each in enumerate(verdicts)]
    assert synthetic.result("p.thm1", *readings)["verdict"] == headline


def test_an_open_reading_of_a_claim_that_depends_is_named(tmp_path):
    readings = [("a", [synthetic.exhausted("s")]), ("b", [])]
    refuted = synthetic.step("c", "counterexample", trust=("EXACT",), evidence={"n": 2})
    found = synthetic.result("p.thm1", *readings, ("x", [refuted]))
    assert verdict_sentence(found).startswith("The first reading holds, some others are false, and 1 is open.")
    write_proof_report([found], tmp_path / "out")
    claim = Page(tmp_path / "out" / "claims" / "p.thm1.html").text
    assert "Not every reading is settled. False in 1 of the others: “x”. Undecided in “b”." in claim.replace(" .", ".")


def test_readings_that_differ_are_not_shown_as_unknown(tmp_path):
    said, found = "first reading checked; others: 2 checked, 2 refuted", differing()
    page = write_proof_report([found], tmp_path / "out")
    assert f"DEPENDS {said}" in Page(page).text
    claim = Page(tmp_path / "out" / "claims" / "p.thm1.html").text
    assert f"DEPENDS {said}" in claim
    assert "would sign, holds: “reading a” (CHECKED). Every reading is settled. False in 2 of" in claim
    assert claim.index("Readings and their proofs") < claim.index("✗ Counterexample to another")
    assert (tmp_path / "out" / "report.md").read_text().count(f"DEPENDS ({said})") == 2
    assert lines([found])[1].strip() == said


def test_a_claim_says_why_its_proof_is_not_enough(tmp_path):
    weak = synthetic.result("a.weak", ("r", [synthetic.step("s")])) | {
        "verdict": "OPEN",
        "weakness": "there is no near miss",
    }
    write_proof_report([weak], tmp_path / "out")
    said = "Not enough, so the claim stays open: there is no near miss."
    assert said in Page(tmp_path / "out" / "claims" / "a.weak.html").text
    assert "- **Not enough**: there is no near miss" in (tmp_path / "out" / "report.md").read_text()
    assert lines([weak])[1].strip() == "not enough: there is no near miss"


def test_a_search_that_found_a_counterexample_is_no_failed_step(tmp_path):
    search = synthetic.step("search", "exhaust", ok=False, trust=("EXACT",), checked=7)
    hit = synthetic.step("hit", "counterexample", trust=("EXACT",), evidence={"n": 2})
    results = [synthetic.result("a.found", ("r", [search, hit])), synthetic.result("a.failed", ("r", [hit, search]))]
    write_proof_report(results, tmp_path / "out")
    texts = [Page(tmp_path / "out" / "claims" / f"a.{name}.html").text for name in ("found", "failed")]
    assert ["search found a counterexample" in text for text in texts] == [True, False]
    assert ["fails at an instance" in text for text in texts] == [False, True]


def pictures(evidence):
    return counterexample_view(evidence, "p.t", "1")["pictures"]()


def test_a_region_is_drawn_with_its_corners_and_lines_in_words():
    (drawn,) = pictures({"P": ["1", "0"], "Q": ["1/2", "1/2"], "R": "2", "delta": "0", "point": ["0", "1/2"]})
    assert drawn.below.startswith("Privacy region: the convex hull of (P(S), Q(not S))")
    assert drawn.finding == "The region of P and Q crosses the lines of e^epsilon = 2, delta = 0."
    assert "Region of P and Q: corners (0, 1), (0, 1/2), (1, 0), (1, 1/2)." in drawn.said
    assert "a + 2 b = 1" in drawn.said
    assert "Marked, point: (0, 1/2)." in drawn.said
    region, one, other, point = drawn.curves
    assert region.points == [(0, 1), (0, 0.5), (1, 0), (1, 0.5), (0, 1)]
    assert all(2 * x + y == 1 for x, y in one.points)
    assert all(x + 2 * y == 1 for x, y in other.points)
    assert (point.points, point.name, point.line) == ([(0, 0.5)], "point", False)


def test_curves_are_drawn_with_their_numbers_in_words():
    (drawn,) = pictures({"curves": {"q": ["0", "1/2"], "exact": ["1", "3/2"], "printed": [2, 3]}})
    assert drawn.below == "exact and printed (up) by q (across)."
    assert drawn.finding == "At q = 1/2, exact is 3/2 and printed is 3."
    assert drawn.said == "q: 0, 1/2; exact: 1, 3/2; printed: 2, 3"
    assert [each.points for each in drawn.curves] == [[(0, 1), (0.5, 1.5)], [(0, 2), (0.5, 3)]]


def test_every_point_of_a_curve_is_inside_the_picture_whatever_its_sign():
    (drawn,) = pictures({"curves": {"q": ["-3", "5/2"], "f": ["-1/7", "-9"], "g": ["4", "4"]}})
    for each in drawn.curves:
        for x, y in each.points:
            assert 0 < drawn.across(x) < 100
            assert 0 < drawn.down(y) < 100
    assert [text for _, text in drawn.ticks_along] == ["-2", "0", "2"]
    (flat,) = pictures({"curves": {"q": ["1", "1"], "f": ["0", "0"]}})
    assert flat.across(1) == flat.down(0) == 50


@pytest.mark.parametrize(
    "curves",
    [
        {"q": ["0", "1"]},
        {"q": ["0", "1"], "exact": ["1"]},
        {"q": ["0", "1"], "exact": ["1", "inf"]},
        {"q": ["0"], "exact": ["1"]},
        {"q": "01", "exact": ["1", "2"]},
        ["0", "1"],
    ],
)
def test_no_curve_is_drawn_of_what_is_none(curves):
    assert pictures({"curves": curves}) == []


@pytest.mark.parametrize(
    "evidence",
    [
        {"P": ["1", "1"], "Q": ["1/2", "1/2"]},
        {"P": "1/2", "Q": "1/4"},
        {"P": ["1"], "Q": ["1/2", "1/2"]},
        {"P0": {"a": "1"}, "P1": {"b": "1"}},
        {"P": ["1/0"], "Q": ["1"]},
        {"P": [], "Q": []},
        {"framework": {"format": "pufferproof-framework/1"}, "mechanism": {"format": "pufferproof-mechanism/1"}},
    ],
)
def test_nothing_is_drawn_of_what_is_no_pair_of_distributions(evidence):
    assert pictures(evidence) == []


def test_corners_are_those_of_the_hull_of_all_events():
    from pufferproof.claims.papers.streaming_cw.plane.planar import generating_points, hull, two_rows

    for p, q in two_rows(3, 4):
        corners = region_corners(p, q)
        assert set(corners) == set(hull(generating_points(p, q))), (p, q)
    assert region_corners([Fraction(1)], [Fraction(1)]) == [(0, 1), (1, 0)]


def test_what_an_output_tells_is_drawn_at_a_counterexample(pages):
    labels = [
        given["aria-label"]
        for tag, given in page_of(pages, "paper.refuted").tags
        if tag == "svg" and given.get("role") == "img"
    ]
    (said,) = labels[1:]
    assert said.endswith('"y" 1.1 nats for "zero"; "n" 1.1 nats for "one".')


def test_what_prove_prints_fits_its_schema(results, real):
    printed = {"claims": [summary(result, {}) for result in [*results, *real[0]]]}
    expect_valid(json.loads(json.dumps(printed)), "prove")


@cache
def certificates():
    """What validates certificates by their schema, which is checked once."""
    schema = json_schema("certificate")
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


@pytest.mark.parametrize("family", FAMILIES)
def test_certificates_of_every_kind_fit_their_schema(family):
    for path in accepted_files(family):
        document = json.loads(path.read_text(encoding="utf-8-sig"))
        certificates().validate(document)
        assert not certificates().is_valid(document | {"kind": "bogus"})


def test_a_sentence_is_prose_and_only_formulas_are_discharged(pages):
    for name, page in pages.items():
        assert not re.search(r"discharged: The sentence", page.text), name
    text = page_of(pages, "lemma.solvers").text
    assert "formula discharged: mediant inequality prose The sentence of mediant." in text


def test_a_page_shows_the_notation_that_its_statement_uses(tmp_path):
    made = synthetic.result("a.b", ("r", [synthetic.step("s")]), statement="If L*_K <= 2 then T is finite.") | {
        "notation": {"L*_K": "the largest ratio", "T, U": "pairs of laws", "W": "not used here"}
    }
    write_proof_report([made], tmp_path / "out")
    text = Page(tmp_path / "out" / "claims" / "a.b.html").text
    assert "Notation L* K the largest ratio T, U pairs of laws" in text
    assert "not used here" not in text


def test_a_page_shows_the_letters_of_its_formulas_with_meanings_and_domains(tmp_path):
    steps = [synthetic.step("s", formula="Implies((L >= 1) & (w > 0), w*m <= w*L*n_2)")]
    made = synthetic.result("a.b", ("r", steps), statement="The largest L is a bound of K.") | {
        "notation": {"L": "the largest ratio", "K, R": "how many"},
        "letters": {
            "L": {"meaning": "the largest ratio", "domain": "L >= 1"},
            "m": {"meaning": "sums", "domain": "m >= 0"},
            "n_2": {"meaning": "sums", "domain": "n_2 >= 0"},
            "n": {"meaning": "another sum", "domain": ""},
            "w": {"meaning": "a weight", "domain": ""},
            "a": {"meaning": "a word of the statement", "domain": ""},
        },
    }
    write_proof_report([made], tmp_path / "out")
    text = Page(tmp_path / "out" / "claims" / "a.b.html").text
    assert "Notation K, R how many L the largest ratio L ≥ 1 m, n 2 sums m ≥ 0, n 2 ≥ 0 w a weight" in text
    assert "another sum" not in text
    assert "a word of" not in text


def test_papers_appear_with_title_and_authors(tmp_path):
    found = [synthetic.result("song2017.thm9", ("r", [synthetic.step("s")]))]
    text = Page(write_proof_report(found, tmp_path / "out", catalogue={"song2017": ["song2017.thm9"]})).text
    assert (
        "Composition Properties of Inferential Privacy for Time-Series Data Song and Chaudhuri 2017 (song2017)" in text
    )
    page = Page(tmp_path / "out" / "papers" / "song2017.html")
    assert "Song, Shuang; Chaudhuri, Kamalika, 2017, arXiv:1707.02702 ." in page.text
    assert "https://arxiv.org/abs/1707.02702" in page.links
    assert {*papers()} >= {claim.paper for claim in load_claims().values() if claim.own and claim.printed}


FREE = "so” it is PROVED for every mechanism"


def test_words_of_a_claim_file_are_in_quotation_marks_that_they_cannot_end(tmp_path):
    proof = (FREE, [synthetic.exhausted("s")])
    found = synthetic.result("a.b", proof) | {"where": FREE, "kind": FREE}
    write_proof_report([found], tmp_path / "out")
    shown = "“" + FREE.replace("”", '"')
    for page in ("claims/a.b.html", "papers/a.html", "index.html"):
        text = Page(tmp_path / "out" / page).text
        assert FREE not in text
        assert text.count(FREE[-20:]) == text.count(shown) + text.count(f"({shown[1:]}")
        assert "Words in quotation marks are those of the claim file, which nothing checks." in text
    told = json.loads((tmp_path / "out" / "report.json").read_text())["claims"][0]
    assert {"where", "kind", "statement"} <= set(told["words_of_file"])
    assert {"name"} <= set(told["readings"][0]["words_of_file"])
