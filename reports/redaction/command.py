"""The command `redact`: ways to keep records of a binary Markov chain private by redaction, side by
side.

Prints every strategy's utility (the expected fraction of released records) and exact leakage,
evaluates a profile of one's own, draws the utility against epsilon and how often a record with the
common value is redacted, and simulates. The designs are `lp/redaction/strategies.py`, those for
several records `lp/redaction/sets.py`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

import typer

from pufferproof.lp.redaction.sets import certified_designs, evaluated, redaction_set_designs
from pufferproof.lp.redaction.strategies import NAMES, Design, Skipped, Solver, redaction_designs
from pufferproof.models.errors import CertificateError, ModelError
from pufferproof.models.files.mechanisms import local_of
from pufferproof.models.files.reading import in_file, read_loaded
from pufferproof.models.files.recorded.fit import read_sequence
from pufferproof.models.files.shapes import MechanismFile
from pufferproof.models.interface.steps import steps
from pufferproof.models.numbers.grammar import parse_number
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, did_you_mean
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.reports.console.drawing import plot_file, plot_format
from pufferproof.reports.console.options import AsJson, CertificateOut, parsed_level
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.telling import tell
from pufferproof.reports.console.words import claims_lines
from pufferproof.reports.redaction import samples as reports
from pufferproof.reports.redaction.curves import curves_csv, redaction_plot, utility_curves
from pufferproof.reports.redaction.samples import Recorded
from pufferproof.reports.redaction.table import (
    PROFILE,
    alphabet_answer,
    certified_lines,
    described,
    design_lines,
    published_text,
)
from pufferproof.reports.schemas.redaction import AlphabetRedaction, Redact, RedactionDesign, SkippedDesign
from pufferproof.reports.schemas.values import bases
from pufferproof.verify.certificates.writing import certified_text
from pufferproof.verify.simulation.redaction import Simulation

_MOST_RECORDS = 1_000_000
_SWAPPED = "note: alpha is larger than beta, so that 0 and 1 change roles (states swapped): 1 is the common value"


def redact(
    private: Annotated[
        list[str],
        typer.Option(
            "--private",
            metavar="INDEX",
            help="private record, counted from 1; repeat the option or write 2,5 for several",
        ),
    ],
    epsilon: Annotated[str, typer.Option("--epsilon", metavar="LEVEL", help="level to keep: log(N), log(N/M) or nats")],
    alpha: Annotated[
        str | None, typer.Option("--alpha", metavar="P", help="probability that a 0 is followed by a 1")
    ] = None,
    beta: Annotated[
        str | None, typer.Option("--beta", metavar="P", help="probability that a 1 is followed by a 0")
    ] = None,
    length: Annotated[
        int | None, typer.Option("--length", metavar="N", help="number of records, or with --sequence of each block")
    ] = None,
    sequence: Annotated[
        str | None,
        typer.Option(
            "--sequence", metavar="FILE", help="file of recorded 0s and 1s, which give the chain and are redacted"
        ),
    ] = None,
    chain: Annotated[
        str | None,
        typer.Option(
            "--chain",
            metavar="FRAMEWORK",
            help="framework whose records and stationary Markov chain, with any number of "
            "values, replace --alpha, --beta and --length",
        ),
    ] = None,
    strategy: Annotated[
        list[str] | None, typer.Option("--strategy", metavar="NAME", help="only strategy to compute [default: all]")
    ] = None,
    solver: Annotated[
        str,
        typer.Option(
            "--solver", metavar="NAME", help="solver of the published program of 3r-relaxed: exact, cvxpy or both"
        ),
    ] = "exact",
    profile: Annotated[
        str | None,
        typer.Option("--profile", metavar="FILE", help='mechanism file of form "redaction" to evaluate as well'),
    ] = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="plot of utility curves and redaction probabilities")
    ] = None,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="CSV file for the points of these curves")
    ] = None,
    simulate: Annotated[
        int | None,
        typer.Option("--simulate", metavar="RUNS", help="number of simulated runs that estimate utility and leakage"),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="seed for all random draws", min=0)] = 1,
    certificate: CertificateOut = None,
    as_json: AsJson = False,
) -> None:
    """Compare ways to redact the neighbours of private records of a binary Markov chain.

    data-independent: the best pattern that is blind to values; quilt: the published window;
    3r-relaxed, 3r-constant, 3r-exact: three regions, by the published bound, the best single q, the
    best q; 3r-split: with the best budgets of the two sides; local-optimal: any local redaction;
    central-lp: any redaction that sees the whole sequence.
    """
    if chain is not None:
        others = (alpha, beta, length, sequence, profile, plot, csv, simulate, certificate)
        # what is for two values does not go with --chain
        options = ("alpha", "beta", "length", "sequence", "profile", "plot", "csv", "simulate")
        for name, value in zip((*options, "certificate"), others):
            if value is not None:
                raise ModelError("cannot be combined with --chain", f"--{name}")
        if solver != "exact":
            raise ModelError("cannot be combined with --chain", "--solver")
        level = parsed_level(epsilon)
        designed = alphabet_answer(chain, _private(private, _MOST_RECORDS), level, strategy or [])
        known = designed.as_json()
        tell(known, [*designed.lines(), *_claims_lines(known.strategies)], [], as_json)
    task = _task(alpha, beta, length, private, parsed_level(epsilon), sequence)
    names = _names(strategy)
    solver = _solver(solver, names, task, certificate)
    if plot is not None:
        plot_format(plot)
    with working("designing redactions"):
        designs = [*task.designs(names, solver=solver), *([] if profile is None else [task.profile(profile)])]
    samples = _sampled(task, designs, simulate, seed)
    trust, certified = ({}, {}) if certificate is None else _certified(task, designs, certificate)
    written = _drawn(task, designs, plot, csv) | certified
    write_outputs(written, plot, csv, certificate, inputs=[profile, sequence])
    lines = [] if task.recorded is None else task.recorded.lines()
    lines += [*design_lines(task.chain, task.private, task.level, designs), *samples.lines(seed)]
    answer = _answer(task, designs, samples, trust, certificate)
    notes = [_SWAPPED] if task.chain.swapped else []
    lines += [*certified_lines(trust, certificate), *_claims_lines(answer.strategies)]
    tell(answer, lines, notes, as_json)


def _claims_lines(designs: Iterable[RedactionDesign | SkippedDesign | AlphabetRedaction]) -> list[str]:
    """Name what the designs rest on together."""
    computed = [design for design in designs if not isinstance(design, SkippedDesign)]
    return claims_lines(bases(claim for each in computed for claim in each.rests_on or ()))


def _answer(
    task: "_Task",
    designs: Sequence[Design | Skipped],
    samples: "_Samples",
    trust: dict[str, str],
    certificate: str | None,
) -> Redact:
    known: JsonObject = {
        "strategies": [
            described(design, task.private, task.level, trust.get(design.name, "EXACT")) | samples.as_json(design.name)
            for design in designs
        ],
        "swapped": task.chain.swapped,
        "private": list(task.private),
        "published_bound": published_text(task.chain, task.private, task.level),
        "certificate": certificate,
    }
    sequence = {} if task.recorded is None else {"sequence": task.recorded.as_json()}
    return Redact.model_validate(known | sequence)


@dataclass(frozen=True)
class _Task:
    """What is to be kept private, on which chain, and the recorded sequence."""

    chain: BinaryChain
    private: tuple[int, ...]
    level: Level
    recorded: Recorded | None

    def designs(
        self, names: Sequence[str], level: Level | None = None, solver: Solver | Literal["both"] = "exact"
    ) -> tuple[Design | Skipped, ...]:
        """Return the designs of the named strategies, for one record or for the set of them."""
        at = self.level if level is None else level
        if len(self.private) == 1:
            return redaction_designs(self.chain, self.private[0], at, names, solver)
        return redaction_set_designs(self.chain, self.private, at, names)

    def profile(self, path: str) -> Design:
        """Return what a mechanism file of form "redaction" reaches and leaks."""
        return evaluated(self.chain, self.private, PROFILE, read_profile(path, self.chain))


def _solver(solver: str, names: Sequence[str], task: _Task, certificate: str | None) -> Solver | Literal["both"]:
    """Return the solver that is asked for. Raises `ModelError` unless it is one, and of floats
    unless it has something to solve, for one private record and without a certificate.
    """
    if solver == "exact":
        return "exact"
    if solver not in ("cvxpy", "both"):
        raise ModelError(f'expected exact, cvxpy or both, found "{solver[:60]}"', "--solver")
    if "3r-relaxed" not in names:
        raise ModelError("needs --strategy 3r-relaxed, whose program it solves", "--solver")
    if len(task.private) > 1:
        raise ModelError("needs one private record", "--solver")
    if certificate is not None:
        raise ModelError("cannot be combined with --certificate, which is about the exact design", "--solver")
    return "cvxpy" if solver == "cvxpy" else "both"


def _certified(task: _Task, designs: Sequence[Design | Skipped], path: str) -> tuple[dict[str, str], dict[str, bytes]]:
    """Return the trust in every certified design, and the accepted certificate's text."""
    if len(task.private) > 1:
        raise CertificateError(
            f"expected one private record, found {len(task.private)}: the format has no rule for several",
            "--certificate",
        )
    with working("certifying redactions"):
        certified = certified_designs(task.chain, task.private[0], task.level, designs)
        if certified.document is None:
            raise CertificateError("the format has a rule for none of these designs")
        return certified.trust, {path: certified_text(certified.document).encode()}


def _task(
    alpha: str | None, beta: str | None, length: int | None, private: list[str], level: Level, sequence: str | None
) -> _Task:
    if sequence is not None:
        return _recorded_task((alpha, beta), length, private, level, sequence)
    if length is None or not 1 <= length <= _MOST_RECORDS:
        given = "none" if length is None else length
        raise ModelError(f"expected from 1 to {_MOST_RECORDS} records, found {given}", "--length")
    records = _private(private, length)
    chain = BinaryChain(_probability("--alpha", alpha), _probability("--beta", beta), length)
    return _Task(chain, records, level, None)


def _recorded_task(
    given: tuple[str | None, str | None], length: int | None, private: list[str], level: Level, sequence: str
) -> _Task:
    """Estimate the chain from a sequence; alpha and beta must not be given as well."""
    for option, text in zip(("--alpha", "--beta"), given):
        if text is not None:
            raise ModelError("cannot be combined with --sequence, from which it is estimated", option)
    recorded = Recorded.of(sequence, read_sequence(sequence), length)
    chain = recorded.chain()
    return _Task(chain, _private(private, chain.length), level, recorded)


def _private(given: list[str], length: int) -> tuple[int, ...]:
    records = set()
    for text in ",".join(given).split(","):
        if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= length):
            raise ModelError(f"expected a record from 1 to {length}, found {text[:60] or 'none'}", "--private")
        records.add(int(text))
    return tuple(sorted(records))


def _probability(option: str, text: str | None) -> Fraction:
    if text is None:
        raise ModelError("expected a probability, or --sequence FILE to estimate it from, found none", option)
    try:
        value = parse_number(text)
    except ModelError as error:
        raise error.within(option) from None
    if not 0 < value < 1:
        raise ModelError(f"expected a probability strictly between 0 and 1, found {text[:60]}", option)
    return value


def _names(strategy: list[str] | None) -> list[str]:
    names = list(dict.fromkeys(strategy or NAMES))
    if unknown := [name for name in names if name not in NAMES]:
        raise ModelError(
            f'expected one of {", ".join(NAMES)}, found "{unknown[0][:60]}"{did_you_mean(unknown[0], NAMES)}',
            "--strategy",
        )
    return names


@dataclass(frozen=True)
class _Samples:
    """Samples of the chain, and what is released of the recorded sequence, by strategy."""

    runs: int | None
    chain: BinaryChain
    simulated: dict[str, Simulation]
    realised: dict[str, reports.Realised]

    def as_json(self, name: str) -> JsonObject:
        """Return what the answer says of a strategy."""
        answer = {}
        if name in self.realised:
            answer["realised"] = self.realised[name].as_json()
        if name in self.simulated:
            answer["simulation"] = reports.simulation_json(self.simulated[name])
        return answer

    def lines(self, seed: int) -> list[str]:
        """Return tables of both."""
        title = f"simulated {self.runs} runs, seed {seed}"
        return [
            *reports.realised_lines(list(self.realised.items()), self.chain, seed),
            *reports.simulation_lines(title, list(self.simulated.items())),
        ]


def _sampled(task: _Task, designs: Sequence[Design | Skipped], runs: int | None, seed: int) -> _Samples:
    """Redact samples of the chain, and the recorded sequence, as far as they are asked for."""
    samples = _Samples(runs, task.chain, {}, {})
    if runs is None and task.recorded is None:
        return samples
    if len(task.private) > 1:
        raise ModelError("expected one private record with --simulate or --sequence, found several", "--private")
    chain, (private,) = task.chain, task.private
    with working("redacting samples"):
        for design in steps(designs, "strategies"):
            if not isinstance(design, Design):
                continue
            if task.recorded is not None:
                realised = reports.realised(task.recorded, chain, private, design, seed)
                samples.realised.update({design.name: realised} if realised else {})
            if runs is not None:
                drawn = reports.simulated(chain, private, design, runs, seed)
                samples.simulated.update({design.name: drawn} if drawn else {})
    return samples


def _drawn(task: _Task, designs: Sequence[Design | Skipped], plot: str | None, csv: str | None) -> dict[str, bytes]:
    """Compute the curves and return the files that were asked for."""
    if plot is None and csv is None:
        return {}

    curves = utility_curves(
        task.chain, task.private, task.level, designs, lambda level, name: task.designs([name], level)[0]
    )
    files = {} if csv is None else {csv: curves_csv(curves).encode()}
    drawn = plot_file(plot, lambda: redaction_plot(task.chain, task.private, task.level, designs, curves))
    return files | drawn


# Profile ------------------------------------------------------------------------------------------
#
# A redaction profile of one's own, read from a mechanism file of form "redaction": [[r_t(0),
# r_t(1)], ..].


def read_profile(path: str, chain: BinaryChain) -> LocalRedaction:
    """Read the profile of a chain's records.

    Raises `ModelError` naming file and record unless there are two probabilities, r_t(0) and
    r_t(1), for every record.
    """
    shape = read_loaded(path, MechanismFile).value
    with in_file(path):
        if shape.redaction is None:
            raise ModelError('expected a mechanism given by "redaction"', "mechanism")
        mechanism = local_of(shape, Records(chain.length, ("0", "1")), False)
        if mechanism.redaction is None:
            raise AssertionError("a mechanism given by its redaction has one")
        return LocalRedaction(mechanism.redaction)
