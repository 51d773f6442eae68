"""The command `redact`: ways to keep records of a binary Markov chain private by redaction, side by
side.

Prints every strategy's utility (the expected fraction of released records) and exact leakage,
evaluates a profile of one's own, draws the utility against epsilon and how often a record with the
common value is redacted, and simulates. The designs are `lp/redaction/strategies.py`, those for
several records `lp/redaction/sets.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

import typer

from pufferproof.lp.redaction.certificates import certified_designs
from pufferproof.lp.redaction.sets import evaluated, redaction_set_designs
from pufferproof.lp.redaction.strategies import NAMES, Design, Skipped, redaction_designs
from pufferproof.models.errors import CertificateError, ModelError
from pufferproof.models.numbers.grammar import parse_number
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.recorded import read_sequence
from pufferproof.reports.console.options import (
    AsJson,
    CertificateOut,
    parsed_level,
)
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.plots import plot_format, rendered
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import (
    print_answer,
    warn,
)
from pufferproof.reports.redaction import samples as reports
from pufferproof.reports.redaction.curves import curves_csv, utility_curves
from pufferproof.reports.redaction.plot import redaction_plot
from pufferproof.reports.redaction.profile import read_profile
from pufferproof.reports.redaction.samples import Recorded
from pufferproof.reports.redaction.table import (
    PROFILE,
    certified_lines,
    described,
    design_lines,
    published_text,
)
from pufferproof.verify.certificates.writing import certified_text

_MOST_RECORDS = 1_000_000


def redact(
    private: Annotated[
        list[str],
        typer.Option(
            "--private", metavar="INDEX", help="a private record, from 1; several: repeat, or 2,5"
        ),
    ],
    epsilon: Annotated[
        str, typer.Option("--epsilon", metavar="LEVEL", help="log(N), log(N/M) or nats")
    ],
    alpha: Annotated[
        str | None,
        typer.Option("--alpha", metavar="P", help="probability that a 0 is followed by a 1"),
    ] = None,
    beta: Annotated[
        str | None,
        typer.Option("--beta", metavar="P", help="probability that a 1 is followed by a 0"),
    ] = None,
    length: Annotated[
        int | None,
        typer.Option(
            "--length", metavar="N", help="number of records; with --sequence: of each block"
        ),
    ] = None,
    sequence: Annotated[
        str | None,
        typer.Option(
            "--sequence", metavar="FILE", help="recorded 0s and 1s: estimate the chain, redact them"
        ),
    ] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option("--strategy", metavar="NAME", help="only this one; all if left out"),
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option(
            "--profile",
            metavar="FILE",
            help='evaluate this mechanism file of form "redaction" as well',
        ),
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option(
            "--plot", metavar="FILE", help="draw utility curves and redaction probabilities"
        ),
    ] = None,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="write the points of these curves")
    ] = None,
    simulate: Annotated[
        int | None,
        typer.Option(
            "--simulate", metavar="RUNS", help="estimate utility and leakage from samples"
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="of all random draws", min=0)
    ] = 1,
    certificate: CertificateOut = None,
    as_json: AsJson = False,
) -> None:
    """Design redaction that keeps records of a binary Markov chain private, by every strategy.

    data-independent: the best pattern that is blind to values; quilt: the published window;
    3r-relaxed, 3r-constant, 3r-exact: three regions, by the published bound, the best single q, the
    best q; 3r-split: with the best budgets of the two sides; local-optimal: any local redaction;
    central-lp: any redaction that sees the whole sequence.
    """
    task = _task(alpha, beta, length, private, parsed_level(epsilon), sequence)
    names = _names(strategy)

    if plot is not None:
        plot_format(plot)
    with working("designing redactions"):
        found = [*task.designs(names), *([] if profile is None else [task.profile(profile)])]
    samples, sampled_lines = _sampled(task, found, simulate, seed)
    trust, certified = ({}, {}) if certificate is None else _certified(task, found, certificate)
    written = _drawn(task, found, plot, csv) | certified
    write_outputs(written, plot, csv, certificate, inputs=[profile, sequence])
    if task.chain.swapped:
        warn(
            [
                "note: alpha is larger than beta, so that 0 and 1 change roles (states swapped): 1 "
                "is the common value"
            ]
        )
    answer: dict[str, Any] = {
        "strategies": [
            described(design, task.private, task.level, trust.get(design.name, "EXACT"))
            | samples.get(design.name, {})
            for design in found
        ],
        "swapped": task.chain.swapped,
        "private": list(task.private),
        "published_bound": published_text(task.chain, task.private, task.level),
        "certificate": certificate,
    }
    if task.recorded is not None:
        answer["sequence"] = task.recorded.as_json()
    lines = [] if task.recorded is None else task.recorded.lines()
    lines += [*design_lines(task.chain, task.private, task.level, found), *sampled_lines]
    print_answer(answer, [*lines, *certified_lines(trust, certificate)], as_json)


@dataclass(frozen=True)
class _Task:
    """What is to be kept private, on which chain, and the recorded sequence that the chain was
    estimated from.
    """

    chain: BinaryChain
    private: tuple[int, ...]
    level: Level
    recorded: Recorded | None

    def designs(
        self, names: Sequence[str], level: Level | None = None
    ) -> tuple[Design | Skipped, ...]:
        """Return the designs of the named strategies, for one record or for the set of them."""
        at = self.level if level is None else level
        if len(self.private) == 1:
            return redaction_designs(self.chain, self.private[0], at, names)
        return redaction_set_designs(self.chain, self.private, at, names)

    def profile(self, path: str) -> Design:
        """Return what a mechanism file of form "redaction" reaches and leaks."""
        return evaluated(self.chain, self.private, PROFILE, read_profile(path, self.chain))


def _certified(
    task: _Task, found: Sequence[Design | Skipped], path: str
) -> tuple[dict[str, str], dict[str, bytes]]:
    """Return the trust in every design that the certificate speaks of, and its text, which the
    kernel has accepted.
    """
    if len(task.private) > 1:
        raise CertificateError(
            f"expected one private record, found {len(task.private)}: the format has no rule for "
            f"several",
            "--certificate",
        )
    with working("certifying redactions"):
        certified = certified_designs(task.chain, task.private[0], task.level, found)
        if certified.document is None:
            raise CertificateError("the format has a rule for none of these designs")
        return certified.trust, {path: certified_text(certified.document).encode()}


def _task(
    alpha: str | None,
    beta: str | None,
    length: int | None,
    private: list[str],
    level: Level,
    sequence: str | None,
) -> _Task:
    if sequence is None:
        if length is None or not 1 <= length <= _MOST_RECORDS:
            given = "none" if length is None else length
            raise ModelError(
                f"expected from 1 to {_MOST_RECORDS} records, found {given}", "--length"
            )
        chosen = _private(private, length)
        chain = BinaryChain(_probability("--alpha", alpha), _probability("--beta", beta), length)
        return _Task(chain, chosen, level, None)
    for option, text in (("--alpha", alpha), ("--beta", beta)):
        if text is not None:
            raise ModelError(
                "expected no value beside --sequence, which it is estimated from", option
            )

    recorded = Recorded.of(sequence, read_sequence(sequence), length)
    chain = recorded.chain()
    return _Task(chain, _private(private, chain.length), level, recorded)


def _private(given: list[str], length: int) -> tuple[int, ...]:
    found = set()
    for text in ",".join(given).split(","):
        if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= length):
            raise ModelError(
                f"expected a record from 1 to {length}, found {text[:60] or 'none'}", "--private"
            )
        found.add(int(text))
    return tuple(sorted(found))


def _probability(option: str, text: str | None) -> Fraction:
    if text is None:
        raise ModelError(
            "expected a probability, or --sequence FILE to estimate it from, found none", option
        )
    try:
        value = parse_number(text)
    except ModelError as error:
        raise error.within(option) from None
    if not 0 < value < 1:
        raise ModelError(
            f"expected a probability strictly between 0 and 1, found {text[:60]}", option
        )
    return value


def _names(strategy: list[str] | None) -> list[str]:
    chosen = list(dict.fromkeys(strategy or NAMES))
    if unknown := [name for name in chosen if name not in NAMES]:
        raise ModelError(
            f'expected one of {", ".join(NAMES)}, found "{unknown[0][:60]}"', "--strategy"
        )
    return chosen


def _sampled(
    task: _Task, found: Sequence[Design | Skipped], runs: int | None, seed: int
) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Redact samples of the chain and the recorded sequence; return JSON by strategy, and lines."""
    if runs is None and task.recorded is None:
        return {}, []
    if len(task.private) > 1:
        raise ModelError(
            "expected one private record with --simulate or --sequence, found several", "--private"
        )
    (private,) = task.private
    answer: dict[str, dict[str, Any]] = {}
    simulated, realised = [], []
    with working("redacting samples"):
        for design in found:
            if not isinstance(design, Design):
                continue
            answer[design.name] = {}
            if task.recorded is not None and (
                each := reports.realised(task.recorded, task.chain, private, design, seed)
            ):
                realised.append((design.name, each))
                answer[design.name]["realised"] = each.as_json()
            if runs is not None and (
                drawn := reports.simulated(task.chain, private, design, runs, seed)
            ):
                simulated.append((design.name, drawn))
                answer[design.name]["simulation"] = reports.simulation_json(drawn)
    lines = reports.simulation_lines(f"simulated {runs} runs, seed {seed}", simulated)
    return answer, [*reports.realised_lines(realised, task.chain, seed), *lines]


def _drawn(
    task: _Task, found: Sequence[Design | Skipped], plot: str | None, csv: str | None
) -> dict[str, bytes]:
    """Compute the curves and return the files that were asked for."""
    if plot is None and csv is None:
        return {}

    curves = utility_curves(
        task.chain,
        task.private,
        task.level,
        found,
        lambda level, name: task.designs([name], level)[0],
    )
    files = {} if csv is None else {csv: curves_csv(curves).encode()}
    if plot is not None:
        files[plot] = rendered(
            redaction_plot(task.chain, task.private, task.level, found, curves), plot
        )
    return files
