"""What pages and verdicts take from the statement of a reading that is an object: its words, and
what Coq says of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pufferproof.claims.language import wording
from pufferproof.verify.certificates.formal.record import AcceptedTheorem


@dataclass(frozen=True)
class Listed:
    """A linked argument as a page lists it, formulas in LaTeX: each letter with what kind of number
    it is and its meaning, each definition with the meaning of its letter, and each fact with its
    name and how it is known.
    """

    letters: Sequence[tuple[str, str, str]]
    definitions: Sequence[tuple[str, str]]
    facts: Sequence[tuple[str, str, str]]


@dataclass(frozen=True)
class AsObject:
    """The statement of a reading that is an object, and what is made from it.

    `lets` says what its letters are, after "Let", and `meanings` are sentences on what words mean;
    `given` and `then` have words and LaTeX of each hypothesis and of the conclusion; `theorem` is
    that of Coq whose type it is, `missing` what it lacks for PROVED, None if nothing; `survivors`
    has the reasons of near misses that no instance refutes; `listed` is its linked argument, if it
    has one.
    """

    lets: str
    given: Sequence[tuple[str, str]]
    then: tuple[str, str]
    coq: str
    theorem: AcceptedTheorem | None
    missing: str | None
    survivors: Mapping[str, str]
    meanings: Sequence[str] = ()
    listed: Listed | None = None

    @property
    def words(self) -> str:
        """The statement in words: what stands beside its verdict."""
        given = [words for words, _ in self.given]
        return wording.theorem(self.lets, given, self.then[0], self.meanings)
