"""Errors a person can act on: what is wrong, where, what was expected and what was found.

Exceptions are for misuse and malformed input; mathematical outcomes are verdicts.
"""


class PufferproofError(Exception):
    """Base of every error this package raises on purpose.

    `where` is the place inside the input (a key path such as `priors.theta`); readers of files put the file in front.
    """

    def __init__(self, what: str, where: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what

    def within(self, place: str) -> "PufferproofError":
        """Return the same error with `place` put in front of its key path."""
        return type(self)(self.what, f"{place}: {self.where}" if self.where else place)


class ModelError(PufferproofError):
    """A framework, prior, channel, level or file of one is malformed."""


class TooLargeError(ModelError):
    """What was asked for is well formed, but more work than a limit allows; bounds may still be known."""


class CertificateError(PufferproofError):
    """A certificate cannot be written: there is no rule for the statement, or nothing to certify."""


class SolverError(PufferproofError):
    """An engine gave no usable answer."""
