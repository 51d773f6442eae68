"""Errors a person can act on: what is wrong, where, what was expected and what was found.

Exceptions are for misuse and malformed input; mathematical outcomes are verdicts.
"""

import os
import re
import signal
import sys
from types import TracebackType

DIVIDE = "normalize=True"
_ENDS = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")  # of lines, for `str.splitlines`


EXTRAS = {  # the extra of pyproject.toml that installs a module
    "highspy": "solve",
    "scipy": "solve",
    "z3": "solve",
    "matplotlib": "plot",
    "bibtexparser": "theory",
    "clarabel": "theory",
    "cvc5": "theory",
    "cvxpy": "theory",
    "lark": "theory",
    "latex2mathml": "theory",
    "sympy": "theory",
    "hypothesis": "testing",
    "pandas": "pandas",
}


def of_extra(package: str, extra: str) -> str:
    """Return that a package is not installed, and which extra of this one installs it."""
    command = f'pip install "pufferproof[{extra}]"'
    return f'expected {package}, which {command} installs (in a checkout: pip install ".[{extra}]")'


def expect_unix(what: str) -> None:
    """Raise `PufferproofError` unless this system has processes that can be copied and timed."""
    if not (hasattr(os, "fork") and hasattr(signal, "SIGALRM")):
        raise PufferproofError(f"expected Linux or macOS, found {sys.platform}, which has no fork and no timers", what)


def lacks(error: MemoryError) -> str:
    """Return what is said to be found where there is not enough memory.

    >>> lacks(MemoryError()), lacks(MemoryError("Unable to allocate 9 GiB"))
    ('found too little memory', 'found too little memory: Unable to allocate 9 GiB')
    """
    said = str(error)
    return f"found too little memory: {said}" if said else "found too little memory"


class PufferproofError(Exception):
    """Base of every error this package raises on purpose.

    `where` is the place inside the input (a key path such as `priors.theta`); readers of files put
    the file in front. Its text is one line, whatever was found: ends of lines are escaped in it.

    >>> str(PufferproofError("sums to 7/8, expected 1", "priors.theta"))
    'priors.theta: sums to 7/8, expected 1'
    """

    def __init__(self, what: str, where: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where

    def __str__(self) -> str:
        said = f"{self.where}: {self.what}" if self.where else self.what
        return _ENDS.sub(lambda end: repr(end[0])[1:-1], said)

    def at(self, where: str) -> "PufferproofError":
        """Return the same error with another place."""
        return type(self)(self.what, where)

    def within(self, place: str) -> "PufferproofError":
        """Return the same error with `place` put in front of its key path."""
        return self.at(f"{place}: {self.where}" if self.where else place)


class ModelError(PufferproofError):
    """A framework, prior, channel, level or file of one is malformed, or an argument is of another
    kind.

    >>> from pufferproof import Level
    >>> Level("log(1/2)")
    Traceback (most recent call last):
    pufferproof.models.errors.ModelError: expected a level such as "log(2)",
    "log(3/2)" or "0.5", found "log(1/2)" (a level is at least 0)
    """


class within:  # noqa: N801 - reads as a statement
    """Put a place in front of every `ModelError` of the body."""

    def __init__(self, place: str) -> None:
        self.place = place

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ModelError):
            raise error.within(self.place) from None


class MissingPackageError(PufferproofError):
    """A package is not installed that one of our extras installs."""


def missing_package(error: ImportError) -> MissingPackageError | None:
    """Return the error that names the extra, or a part of this package that was taken away; None if
    no extra installs the module.

    >>> print(missing_package(ModuleNotFoundError(name="scipy.optimize")))
    expected the package scipy, which pip install "pufferproof[solve]" installs (in a checkout:
    pip install ".[solve]")
    """
    package = (error.name or "").partition(".")[0]
    if package == "pufferproof":
        return MissingPackageError(f"expected {error.name}, which is left out of this installation")
    extra = EXTRAS.get(package)
    return MissingPackageError(of_extra(f"the package {package}", extra)) if extra else None


class _Extras:
    """Turns a `ModuleNotFoundError` of its body into a `MissingPackageError`."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if isinstance(error, ModuleNotFoundError) and (missing := missing_package(error)):
            raise missing from None


extras = _Extras()
"""`with extras:` stands round every import of a package that is not always installed."""


class SumError(ModelError):
    """Numbers that do not sum to 1, where they would be divided by their sum if that was asked for.

    `remedies` are the ways to ask for it: an argument in Python; command lines and files have words
    of their own.
    """

    def __init__(self, what: str, where: str = "", remedies: tuple[str, ...] = (DIVIDE,)) -> None:
        super().__init__(what, where)
        self.remedies = remedies

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message} ({' or '.join(self.remedies)} divides by the sum)" if self.remedies else message

    def at(self, where: str) -> "SumError":
        """Return the same error with another place."""
        return SumError(self.what, where, self.remedies)

    def asking(self, *remedies: str) -> "SumError":
        """Return the same error with other remedies."""
        return SumError(self.what, self.where, remedies)


class TooLargeError(ModelError):
    """What was asked for is well formed, but more work than a limit allows; bounds may still be
    known.
    """


class CertificateError(PufferproofError):
    """A certificate cannot be written: there is no rule for the statement, or nothing to certify.

    >>> issubclass(CertificateError, PufferproofError)
    True
    """


class SolverError(PufferproofError):
    """An engine gave no usable answer."""


class SweepError(PufferproofError):
    """A sweep could not carry out all of its units; those that it did are kept, if that was asked
    for.
    """
