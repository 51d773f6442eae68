"""The registry of claims: published statements, each with a function that tries to prove, check and refute it.

A claim is a function of a `Check`, in which it opens one `Argument` per reading of the printed statement (the most literal
first). Its verdict is computed from the steps that engines discharged: nobody writes a verdict down. A claim that is true only
with an assumption the print lacks is REFUTED as printed and names its `repair`, a claim of its own.

    @claim("paper.lemma1", where="Lemma 1", statement="...")
    def lemma1(check: Check) -> None:
        with check.reading("as printed", scope="all finite sizes") as argument:
            argument.inequality(...)
        check.near_miss("constant tightened", lambda argument: ...)
"""

import hashlib
import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from pufferproof.models.errors import ModelError
from pufferproof.verify.proof import DEFAULT_TIMEOUT, Argument, Cited, ClaimVerdict

_CLAIMS: dict[str, "Claim"] = {}
_CITED: dict[str, Cited] = {}


@dataclass(frozen=True)
class Claim:
    """A published statement: where it stands, what it says and assumes, and the function that examines it.

    `kind` is "theorem", "lemma", "proof step", "remark", "definition", ...; `repair` the id of a corrected claim.
    """

    id: str
    where: str
    statement: str
    kind: str
    assumes: tuple[str, ...]
    repair: str | None
    function: "Callable[[Check], None]"

    @property
    def paper(self) -> str:
        """The part of the id before the first dot."""
        return self.id.partition(".")[0]


@dataclass
class Check:
    """What a claim's function works with: it opens readings, and near misses that must not come out proved."""

    claim: Claim
    timeout: float = DEFAULT_TIMEOUT
    readings: list[Argument] = field(default_factory=list)
    near_misses: list[Argument] = field(default_factory=list)

    @contextmanager
    def reading(self, name: str, scope: str = "") -> Iterator[Argument]:
        """Open the argument for one reading of the statement; the first reading is the most literal."""
        argument = Argument(name, scope, self.timeout, self._cited)
        self.readings.append(argument)
        yield argument

    def near_miss(self, name: str, build: Callable[[Argument], object]) -> None:
        """Run an argument for a statement that is slightly too strong: it must be neither proved nor checked."""
        argument = Argument(name, "near miss", self.timeout, self._cited)
        build(argument)
        self.near_misses.append(argument)

    def _cited(self, identifier: str) -> Cited:
        return cited(identifier, self.timeout)

    @property
    def weakness(self) -> str | None:
        """Why what was proved or checked does not count: no near miss, or one that was not found false."""
        if not any(argument.verdict in _POSITIVE for argument in self.readings):
            return None
        if not self.near_misses:
            return "there is no near miss"
        for argument in self.near_misses:
            if argument.verdict in _POSITIVE:
                return (
                    f'the near miss "{argument.name}" came out {argument.verdict.value}: the argument proves too much'
                )
            if not any(step.refuted for step in argument.steps):
                return f'the near miss "{argument.name}" was not found false, only not proved'
        return None

    @property
    def verdict(self) -> ClaimVerdict:
        """The headline: REFUTED if the most literal reading is false; PROVED or CHECKED only if every reading is.

        A claim with a `weakness` stays OPEN.
        """
        verdicts = [argument.verdict for argument in self.readings]
        if not verdicts:
            return ClaimVerdict.OPEN
        if verdicts[0] is ClaimVerdict.REFUTED:
            return ClaimVerdict.REFUTED
        if self.weakness is not None:
            return ClaimVerdict.OPEN
        if set(verdicts) <= {ClaimVerdict.DEFINITION}:
            return ClaimVerdict.DEFINITION
        if set(verdicts) <= {ClaimVerdict.PROVED, ClaimVerdict.DEFINITION}:
            return ClaimVerdict.PROVED
        return ClaimVerdict.CHECKED if set(verdicts) <= {*_POSITIVE, ClaimVerdict.DEFINITION} else ClaimVerdict.OPEN


_POSITIVE = (ClaimVerdict.PROVED, ClaimVerdict.CHECKED)


def claim(
    identifier: str,
    *,
    where: str,
    statement: str,
    kind: str = "theorem",
    assumes: Sequence[str] = (),
    repair: str | None = None,
) -> "Callable[[Callable[[Check], None]], Callable[[Check], None]]":
    """Register the function that examines a published statement. Raises `ModelError` if the id is taken."""

    def register(function: Callable[[Check], None]) -> Callable[[Check], None]:
        known = _CLAIMS.get(identifier)
        if known is not None and _place(known.function) != _place(function):
            raise ModelError(f'claim "{identifier}" is registered twice')
        _CLAIMS[identifier] = Claim(identifier, where, statement, kind, tuple(assumes), repair, function)
        return function

    return register


def _place(function: "Callable[[Check], None]") -> tuple[str, str]:
    return function.__module__, function.__qualname__


def examine(identifier: str, timeout: float = DEFAULT_TIMEOUT) -> Check:
    """Run the function of a claim. Raises `ModelError` if there is no such claim."""
    if identifier not in _CLAIMS:
        raise ModelError(f'unknown claim "{identifier}"')
    check = Check(_CLAIMS[identifier], timeout)
    check.claim.function(check)
    trusted = [item for argument in check.readings for item in argument.trust]
    assumed = tuple(dict.fromkeys(item for item in trusted if item.startswith("ASSUMED")))
    _CITED[identifier] = Cited(check.verdict, assumed)
    return check


def cited(identifier: str, timeout: float = DEFAULT_TIMEOUT) -> Cited:
    """Return what is known of a claim that another one cites, examining it once per process; a circle is OPEN."""
    if identifier not in _CITED:
        _CITED[identifier] = Cited(ClaimVerdict.OPEN)  # what a circle of citations finds
        examine(identifier, timeout)
    return _CITED[identifier]


def load_claims(extra: Sequence[str | Path] = ()) -> dict[str, Claim]:
    """Import every module of claims, and extra files or folders of them; return the claims by id, in order of loading."""
    import pufferproof.claims as home

    for module in pkgutil.walk_packages(home.__path__, "pufferproof.claims."):
        importlib.import_module(module.name)
    for path in extra:
        for file in _python_files(Path(path)):
            _import_file(file)
    return dict(_CLAIMS)


def _python_files(path: Path) -> list[Path]:
    if not path.exists():
        raise ModelError("no such file or folder of claims", str(path))
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


def _import_file(path: Path) -> ModuleType:
    name = f"extra_claims_{path.stem}_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ModelError("cannot be imported as Python", str(path))
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ModelError(f"cannot be imported: {error}", str(path)) from error
    return module
