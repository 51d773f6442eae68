"""The table of commands, and that of subjects which can be taken away: text alone, so that nothing
is imported before it is asked for.

Help, the schemas of answers and the tests of commands are made from these rows: a new command is a
module in the room of its subject, and a row here.
"""

from dataclasses import dataclass

from pufferproof.reports.console.lazy import CommandPlace

GROUPS = {  # in the order of help
    "Start": {
        "init": CommandPlace(
            "pufferproof.reports.explaining.init:init",
            "Write a framework and a mechanism to start from, with comments on what to change.",
            "init mine",
            "tutorials/engineer.md",
        ),
        "fit": CommandPlace(
            "pufferproof.reports.correlation.fit.command:fit",
            "Fit a Markov chain or a normal law to recorded data, and write a framework.",
            "fit days.csv --column day --length 7 --private 4 --out week.json",
            "guides/data.md",
            {"fit": "pufferproof.reports.schemas.fit:Fit"},
        ),
    },
    "Audit one release": {
        "audit": CommandPlace(
            "pufferproof.reports.auditing.audit.command:audit",
            "Compute what a mechanism leaks, and decide whether it keeps a level.",
            'audit framework.json mechanism.json --epsilon "log(3)"',
            "reference/formats.md",
            {"audit": "pufferproof.reports.schemas.audit:Audit"},
        ),
        "audit-list": CommandPlace(
            "pufferproof.reports.auditing.lists:audit_list",
            "Audit the files in every line of LIST, and print one JSON object per line.",
            'audit-list list.txt --epsilon "log(3)"',
            "guides/sweeps.md",
            {"audit-line": "pufferproof.reports.schemas.audit:AuditLine"},
        ),
        "estimate": CommandPlace(
            "pufferproof.reports.auditing.samplers.command:estimate",
            "Bound the leakage of a sampler from below, by drawing from it.",
            "estimate framework.json sampler:draw --epsilon 1 --trust-code",
            "guides/estimate.md",
            {
                "estimate": "pufferproof.reports.schemas.audit:Estimate",
                "check-bets": "pufferproof.reports.schemas.audit:CheckBets",
            },
        ),
        "check": CommandPlace(
            "pufferproof.reports.auditing.check:check",
            "Check a certificate, or a zip or a folder of evidence, with the kernel alone.",
            "check certificate.json framework.json mechanism.json",
            "reference/formats.md",
            {
                "check": "pufferproof.reports.schemas.audit:Check",
                "check-zip": "pufferproof.reports.schemas.audit:CheckZip",
            },
        ),
        "export": CommandPlace(
            "pufferproof.reports.auditing.export:export",
            "Write a certificate as a file for Coq, or the steps of a claim for SMT solvers.",
            "export certificate.json --coq certificate.v",
            "reference/formats.md",
        ),
    },
    "Release more than once": {
        "compose": CommandPlace(
            "pufferproof.reports.composition.compose:compose",
            "Compute what independent releases leak together.",
            "compose framework.json mechanism.json --runs 10",
            "guides/composition.md",
            {
                "compose": "pufferproof.reports.schemas.composition:Compose",
                "compose-sampled": "pufferproof.reports.schemas.composition:ComposeSampled",
                "ledger-file": "pufferproof.lp.accounting.ledger:LedgerFile",
            },
        ),
        "release": CommandPlace(
            "pufferproof.reports.correlation.release.command:release",
            "Compute what releases over time leak together, and the smallest noise that keeps a budget.",
            "release plan.toml",
            "guides/release.md",
            {
                "release": "pufferproof.reports.schemas.fit:Release",
                "plan": "pufferproof.models.files.shapes.plans:PlanFile",
            },
        ),
        "stream": CommandPlace(
            "pufferproof.reports.correlation.stream:stream",
            "Compute what releases over a sliding window leak after every step, beside the published bound.",
            "stream stream.json",
            "guides/streams.md",
            {
                "stream": "pufferproof.reports.schemas.stream:Stream",
                "stream-file": "pufferproof.models.files.shapes.streams:StreamFile",
            },
        ),
        "reveal": CommandPlace(
            "pufferproof.reports.composition.reveal:reveal",
            "Compute how many independent runs it takes until a secret, or the whole database, is certain.",
            "reveal framework.json mechanism.json --runs 20",
            "guides/composition.md",
            {"reveal": "pufferproof.reports.schemas.composition:Reveal"},
        ),
        "conditions": CommandPlace(
            "pufferproof.reports.composition.conditions:conditions",
            "Find the conditions under which levels of a mechanism add up, and the smallest level of each.",
            "conditions framework.json mechanism.json --runs 10",
            "guides/composition.md",
            {"conditions": "pufferproof.reports.schemas.composition:Conditions"},
        ),
        "worst": CommandPlace(
            "pufferproof.reports.composition.worst:worst",
            "Compute the largest joint leakage of any mechanisms within budgets.",
            'worst framework.json --budget "log(2)" --budget "log(2)"',
            "guides/composition.md",
            {"worst": "pufferproof.reports.schemas.composition:Worst"},
        ),
        "critical": CommandPlace(
            "pufferproof.reports.composition.critical:critical",
            "Find the smallest budget at which releases can reveal everything together.",
            "critical framework.json --runs 2",
            "guides/composition.md",
            {"critical": "pufferproof.reports.composition.critical:Critical"},
        ),
        "partner": CommandPlace(
            "pufferproof.reports.composition.partner:partner",
            "Find the mechanism that leaks the most together with a given one.",
            'partner framework.json mechanism.json --budget "log(2)" --out partner.json',
            "guides/composition.md",
            {"partner": "pufferproof.reports.schemas.composition:Partner"},
        ),
        "collapse": CommandPlace(
            "pufferproof.reports.composition.collapse:collapse",
            "Find mechanisms that keep a budget alone and reveal everything together, or prove that none exist.",
            'collapse framework.json --budget "log(2)" --out found',
            "guides/composition.md",
            {"collapse": "pufferproof.reports.schemas.composition:Collapse"},
        ),
    },
    "Choose a mechanism": {
        "calibrate": CommandPlace(
            "pufferproof.reports.correlation.calibrate.command:calibrate",
            "Compute how much noise a query needs, and what that noise leaks.",
            "calibrate framework.json --mechanism markov-quilt --query sum --epsilon 1",
            "guides/correlation/noise.md",
            {
                "calibrate": "pufferproof.reports.schemas.correlation:Calibrate",
                "utility": "pufferproof.models.files.shapes.mechanisms:UtilityFile",
            },
        ),
        "influence": CommandPlace(
            "pufferproof.reports.correlation.influence.command:influence",
            "Compute how much distant records reveal about one record.",
            "influence framework.json --record 500 --left 9 --right 9",
            "guides/correlation/influence.md",
            {"influence": "pufferproof.reports.schemas.correlation:Influence"},
        ),
        "translate": CommandPlace(
            "pufferproof.reports.correlation.translate:translate",
            "Translate levels per record into the level that all mechanisms with these levels keep.",
            'translate framework.json --per-record-dp "log(2)"',
            "guides/correlation/influence.md",
            {"translate": "pufferproof.reports.schemas.correlation:Translate"},
        ),
        "optimal": CommandPlace(
            "pufferproof.reports.composition.optimal:optimal",
            "Find the mechanism of least expected loss that keeps a level.",
            'optimal framework.json --epsilon "log(3)" --loss loss.json --out best.json',
            "guides/composition.md",
            {
                "optimal": "pufferproof.reports.schemas.composition:Optimal",
                "loss": "pufferproof.models.files.shapes.mechanisms:LossFile",
            },
        ),
        "redact": CommandPlace(
            "pufferproof.reports.redaction.command:redact",
            "Compare ways to redact the neighbours of private records of a binary Markov chain.",
            "redact --alpha 1/4 --beta 1/2 --length 9 --private 5 --epsilon 1",
            "guides/redaction.md",
            {"redact": "pufferproof.reports.schemas.redaction:AnyRedact"},
        ),
    },
    "Published work": {
        "ledger": CommandPlace(
            "pufferproof.reports.page.ledger:ledger",
            "List published mechanisms with the level they claim and the exact leakage.",
            "ledger --json",
            "reference/formats.md",
            {"ledger": "pufferproof.reports.schemas.page:Ledger"},
        ),
        "reproduce": CommandPlace(
            "pufferproof.examples.reproduce.command:reproduce",
            "Recompute a published figure, and show the exact values beside it.",
            "reproduce wang2016.figure2 --out figures",
            "guides/correlation/experiments.md",
            {"reproduce": "pufferproof.examples.reproduce.schemas:Reproduce"},
        ),
        "prove": CommandPlace(
            "pufferproof.reports.proofs.prove:prove",
            "Prove, check or refute published claims, and write a report.",
            'prove "song2017.*" --summary',
            "guides/claims.md",
            {"prove": "pufferproof.reports.schemas.proofs:Prove"},
        ),
    },
    "Reports and files": {
        "report": CommandPlace(
            "pufferproof.reports.page.start:report",
            "Audit a folder of examples, check every certificate, and write a page. Unchanged results are reused.",
            "report examples --out report",
            "reference/formats.md",
        ),
        "explore": CommandPlace(
            "pufferproof.reports.correlation.explore:explore",
            "Compare bounds with the exact worst case over a family of frameworks, or find "
            "a formula for an exact value.",
            "explore examples/families/chains.toml --out found",
            "guides/sweeps.md",
            {
                "explore": "pufferproof.reports.schemas.correlation:Explore",
                "family": "pufferproof.counterexamples.exploration.family:FamilyFile",
                "formula": "pufferproof.counterexamples.exploration.conjectures.quantities:FormulaFile",
            },
        ),
        "schema": CommandPlace(
            "pufferproof.reports.auditing.schema:schema",
            "Print the JSON Schema of a file format or of a command's --json output.",
            "schema framework",
            "reference/formats.md",
        ),
    },
}
COMMANDS = {name: place for named in GROUPS.values() for name, place in named.items()}
REPLACED = {
    "explain": "check CERTIFICATE --explain",
    "start": "report --start FOLDER",
    "conjecture": "explore FAMILY --formula FILE",
    "audit --batch": "audit-list LIST",
}
ALSO = {"data": "fit"}


@dataclass(frozen=True)
class Subject:
    """What can be taken away as a whole: the modules and folders of the package that are its own,
    the subjects that these import, and those that they import only if somebody asks for what is
    theirs. Everything else works without it.
    """

    rooms: str
    needs: str = ""
    asks: str = ""


SUBJECTS = {
    "redaction": Subject("reports.redaction lp.redaction verify.simulation.redaction"),
    "samples": Subject(
        "reports.auditing.samplers verify.simulation.estimation verify.simulation.search", asks="evidence"
    ),
    "evidence": Subject(
        "reports.explaining.evidence reports.explaining.pack reports.explaining.folder reports.auditing.evidence",
        asks="programs",
    ),
    "streams": Subject("reports.correlation.stream verify.sequences.streams models.files.shapes.streams"),
    "worst": Subject(
        "reports.composition.worst reports.composition.partner reports.composition.plots.budgets lp.worst"
    ),
    "conditions": Subject("reports.composition.conditions lp.conditions"),
    "optimal": Subject("reports.composition.optimal lp.best", "worst conditions"),
    "collapse": Subject(
        "reports.composition.collapse reports.composition.critical counterexamples.collapse "
        "counterexamples.shrink counterexamples.gallery",
        "worst",
    ),
    "translate": Subject("reports.correlation.translate reports.correlation.accounts lp.translation lp.accounts"),
    "families": Subject("reports.correlation.explore counterexamples.exploration", "worst collapse translate"),
    "programs": Subject("verify.programs reports.explaining.draws reports.explaining.paths", asks="libraries"),
    "libraries": Subject("models.mechanisms.adapters"),
    "network-files": Subject("models.priors.networks.formats"),
    "normal-curves": Subject("reports.correlation.influence.gaussian verify.influence.gaussian"),
    "pages": Subject("reports.page", "worst collapse"),
    "coq-export": Subject("verify.certificates.export reports.auditing.export", asks="claims"),
    "claims": Subject("claims reports.proofs", "normal-curves pages", "coq-export"),
    "figures": Subject("examples.reproduce", "claims normal-curves redaction translate worst"),
}
