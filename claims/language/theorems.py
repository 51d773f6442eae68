"""Theorems that Coq checked, beside the claims that they say in its words.

`formal/claims.toml` names for every theorem the claims that it stands beside; `CHECKED.json` has
its statement, axioms and what differs from the print. No verdict rests on them: that a theorem is
the claim, but for what differs, is for a reader to see, who has both on one page. A step of an
argument may use a theorem by its name, and shows its statement.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path

import pufferproof
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import document_of
from pufferproof.verify.certificates.formal import NotChecked
from pufferproof.verify.certificates.formal.record import NAME, AcceptedTheorem, Checked, read

FORMAL = Path(pufferproof.__path__[-1]) / "formal"
CLAIMS = "claims.toml"


def theorems_of(claim: str, folder: Path = FORMAL) -> tuple[AcceptedTheorem, ...]:
    """Return the theorems that stand beside a claim.

    Raises `ModelError` if the folder is not what Coq checked, or names a theorem that is not there.
    """
    return _beside(folder).get(claim, ())


def theorem_named(name: str, folder: Path = FORMAL) -> AcceptedTheorem:
    """Return the theorem of a name such as `textbook.Farkas.farkas`.

    Raises `ModelError` if Coq checked none of this name, or the folder is not what Coq checked.
    """
    for theorem in _checked(folder).theorems:
        if theorem.name == f"Pufferproof.{name}" and theorem.file.startswith("theory/"):
            return theorem
    raise ModelError(f'expected a theorem of {NAME}, found "{name}"')


def coq_version(folder: Path = FORMAL) -> str:
    """Return the version of Coq that checked the theorems of a folder."""
    return _checked(folder).coq


@cache
def checked(folder: Path = FORMAL) -> Checked:
    """Return what Coq checked, read once: that takes longer than most claims take. Raises
    `NotChecked` or `OSError` if it is not to be believed.
    """
    return read(folder)


@cache
def checked_state(folder: Path = FORMAL) -> str:
    """Return a text that differs wherever what Coq checked differs, or is believed no more."""
    try:
        return sha256(repr(checked(folder)).encode()).hexdigest()
    except (NotChecked, OSError) as error:
        return str(error)


@cache
def _checked(folder: Path) -> Checked:
    try:
        return checked(folder)
    except (NotChecked, OSError) as error:
        raise ModelError(f"what Coq checked cannot be believed: {error}", NAME) from None


@cache
def _beside(folder: Path) -> dict[str, tuple[AcceptedTheorem, ...]]:
    """Return the theorems by claims."""
    theorems = {each.name: each for each in _checked(folder).theorems}
    try:
        table = document_of(CLAIMS, (folder / CLAIMS).read_bytes())
    except (OSError, ModelError) as error:
        raise ModelError(f"expected a table of theorems and claims ({error})", CLAIMS) from None
    beside: dict[str, tuple[AcceptedTheorem, ...]] = {}
    for room, named in table.items():
        for name, claims in named.items():
            theorem = theorems.get(f"Pufferproof.{room}.{name}")
            if theorem is None:
                raise ModelError(f'expected a theorem of {NAME}, found "{room}.{name}"', CLAIMS)
            for claim in claims:
                beside[claim] = (*beside.get(claim, ()), theorem)
    return beside
