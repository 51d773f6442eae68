"""What can be asked of `audit`, in groups: what is decided, shown and written."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs import Calls
from pufferproof.models.files.question import NoisyReleases
from pufferproof.models.numbers.level import Level
from pufferproof.reports.auditing.any_form import Files
from pufferproof.reports.auditing.plots import NAMES
from pufferproof.reports.console.options import (
    AcceptDoubt,
    CertificateOut,
    DecidedLevel,
    EvidenceOut,
    Input,
    ObjectRuns,
    Printed,
    calls_of,
    parsed_delta,
    parsed_level,
)


@dataclass(frozen=True)
class Promise:
    """Options that say what is decided."""

    title: ClassVar = "Decide"
    epsilon: DecidedLevel = None
    delta: Annotated[
        str | None, typer.Option("--delta", metavar="P", help="delta to decide at the level of --epsilon")
    ] = None
    renyi: Annotated[
        str | None,
        typer.Option(
            "--renyi", metavar="ALPHA", help="order of the Renyi divergence to compute, or to decide with --epsilon"
        ),
    ] = None

    zcdp: Annotated[
        str | None,
        typer.Option(
            "--zcdp", metavar="[RHO]", help="rho of zero-concentrated privacy to decide; without RHO, find the smallest"
        ),
    ] = None
    gdp: Annotated[
        str | None,
        typer.Option(
            "--gdp",
            metavar="[MU]",
            help="mu of Gaussian privacy to decide; without MU, find the smallest (f-DP: --corners)",
        ),
    ] = None

    @property
    def smallest(self) -> dict[str, str | bool]:
        """The smallest number that is asked for, by its name, with what is claimed or True. Raises
        `ModelError` unless it is alone.
        """
        given = {"zcdp": self.zcdp, "gdp": self.gdp}
        found = {name: value or True for name, value in given.items() if value is not None}
        others = {
            "--epsilon": self.epsilon,
            "--delta": self.delta,
            "--renyi": self.renyi,
            "--zcdp": None if self.gdp is None else self.zcdp,
        }
        beside = next((name for name, value in others.items() if value is not None), None)
        if found and beside is not None:
            raise ModelError(f"expected this or {beside}, found both", f"--{[*found][-1]}")
        for name, value in found.items():
            from pufferproof.verify.noise.concentrated import claimed_of

            try:
                _ = value is True or claimed_of(value)
            except ModelError as error:
                raise error.at(f"--{name}") from None
        return found

    @property
    def level(self) -> Level | None:
        """The level."""
        level: Level | None = parsed_level(self.epsilon)
        return level

    @property
    def bound(self) -> Fraction | None:
        """The delta."""
        return parsed_delta(self.delta, self.epsilon)

    @property
    def order(self) -> Fraction | None:
        """The Renyi order. Raises `ModelError` unless it is one, and no delta stands beside it."""
        if self.renyi is None:
            return None
        if self.delta is not None:
            raise ModelError("expected this or --delta, found both", "--renyi")
        from pufferproof.verify.leakage.renyi import order_of

        try:
            return order_of(self.renyi)
        except ModelError as error:
            raise error.at("--renyi") from None

    def expect(self) -> None:
        """Raise `ModelError` unless what is decided is what can be."""
        _ = self.level, self.bound, self.order, self.smallest

    def only_listed(self, files: Files) -> dict[str, str | None]:
        """Return the options that go with listed outputs and noise only, if these are others."""
        if isinstance(files, NoisyReleases):
            return {}
        return {
            "--delta": self.delta,
            "--renyi": self.renyi,
            "--zcdp": None if self.zcdp is None else "asked",
            "--gdp": None if self.gdp is None else "asked",
        }


@dataclass(frozen=True)
class Decide(Promise):
    """The same, with what single questions have."""

    accept_doubt: AcceptDoubt = False
    effort: Annotated[
        int,
        typer.Option(
            "--effort",
            metavar="N",
            help="amount of work for classes of chains and programs, 1 to 10; each step doubles it",
        ),
    ] = 1
    length: Annotated[
        int | None,
        typer.Option("--length", metavar="K", help="number of symbols that a hidden Markov mechanism releases"),
    ] = None


@dataclass(frozen=True)
class AuditInput(Input):
    """Options that say how files are read, and how often an object releases."""

    title: ClassVar = "Input"
    runs: ObjectRuns = 1

    @property
    def calls(self) -> Calls:
        """How code is called. Raises `ModelError` unless it can be."""
        return calls_of(self.trust_code, self.records, self.arguments, self.runs, self.no_agreement)


@dataclass(frozen=True)
class Show(Printed):
    """Options that say what is printed."""

    table: Annotated[bool, typer.Option("--table", help="show the leakage of every prior, pair and output")] = False
    profile: Annotated[bool, typer.Option("--profile", help="show the smallest delta at levels from 0 to 10")] = False
    corners: Annotated[
        bool,
        typer.Option("--corners", help="show the levels where the slope of the smallest delta in e^epsilon changes"),
    ] = False
    paths: Annotated[
        bool, typer.Option("--paths", help="show the choices of a program, and the witness as two runs side by side")
    ] = False


@dataclass(frozen=True)
class Write:
    """Options that name files to write."""

    csv: Annotated[str | None, typer.Option("--csv", metavar="FILE", help="CSV file for the table of --table")] = None
    plot: Annotated[
        str | None,
        typer.Option("--plot", metavar="FILE", help="plot of the smallest delta at every level (.svg, .png, .pdf)"),
    ] = None
    draw: Annotated[
        str | None, typer.Option("--draw", metavar="NAME", help=f"what --plot draws instead: {', '.join(NAMES)}")
    ] = None
    certificate: CertificateOut = None
    evidence: EvidenceOut = None
    out: Annotated[str | None, typer.Option("--out", metavar="DIR", help="folder for a page with the evidence")] = None

    def expect_together(self) -> None:
        """Raise `ModelError` for a name of a plot without a file for it, or an unknown one."""
        if self.draw is not None and self.plot is None:
            raise ModelError("needs --plot", "--draw")
        if self.draw is not None and self.draw not in NAMES:
            raise ModelError(f'expected one of {", ".join(NAMES)}, found "{self.draw}"', "--draw")

    @property
    def proof(self) -> str | None:
        """Where the certificate goes, if there is one."""
        return self.certificate or self.evidence or (self.out and f"{self.out}/certificate.json")

    @property
    def proofs(self) -> dict[str, str | None]:
        """Return what is written of certificates, by its option."""
        files = {"--certificate": self.certificate, "--evidence": self.evidence}
        return {**files, "--out": self.out}
