"""What was given, files, programs and objects of other libraries, as objects to audit."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs import Program, is_code
from pufferproof.models.files.reading import Loaded
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import value_of
from pufferproof.models.mechanisms.library import LibraryMechanism
from pufferproof.models.noise.records import NoisyQueries, Query
from pufferproof.models.priors.continuous.points import PointFramework

if TYPE_CHECKING:
    from pufferproof.verify.programs.mechanism import ProgramMechanism


def framework_first(framework: object, mechanism: object) -> tuple[Any, Any]:
    """Return both as they are, or were read. Raises `ModelError` for the other order."""
    first, second = value_of(framework), value_of(mechanism)
    spaces = Framework, PointFramework
    if isinstance(second, spaces) and not isinstance(first, spaces):
        raise ModelError("expected the framework first and the mechanism second, found the other order", "framework")
    return first, second


def lawful(framework: object, mechanism: object, effort: int = 1) -> Any:
    """Return a mechanism with its law on the databases of a framework if it is a program or a
    function, and else as it is. Raises `ModelError` unless it has one.
    """
    if not is_code(value_of(mechanism)):
        return mechanism
    from pufferproof.verify.programs.mechanism import lawful as with_law

    return with_law(framework, mechanism, effort)


def law_alone(program: Program) -> "ProgramMechanism":
    """Return a program of one record as a mechanism given record by record."""
    from pufferproof.verify.programs.mechanism import law_alone as alone

    return alone(program)


def programs_of(mechanisms: Sequence[object]) -> "tuple[ProgramMechanism, ...]":
    """Return the programs among mechanisms, each once."""
    derived = [getattr(each, "derived", None) for each in mechanisms]
    return tuple(dict.fromkeys(each for each in derived if each is not None))


def of_one_kind(mechanisms: Sequence[Any]) -> list[Any]:
    """Return mechanisms, programs that are noise on a query with their outputs listed if others
    have no noise. Raises `ModelError` if a program has no such list.
    """
    noisy = [isinstance(value_of(each), Query | NoisyQueries) for each in mechanisms]
    if all(noisy):
        return list(mechanisms)
    derived = [getattr(each, "derived", None) for each in mechanisms]
    return [
        program.listed if noise and program is not None else given
        for given, program, noise in zip(mechanisms, derived, noisy)
    ]


def as_read(loaded: Loaded[Any]) -> Any:
    """Return the mechanism of a file: of a program with the paths behind its law."""
    return getattr(loaded, "derived", None) or loaded.value


def libraries(mechanisms: Sequence[object]) -> list[LibraryMechanism]:
    """Return the mechanisms of other libraries' objects among mechanisms, also those of files."""
    found = [getattr(each, "library", each) for each in mechanisms]
    return [each for each in found if isinstance(each, LibraryMechanism)]


def sources(*mechanisms: object) -> str:
    """Return what is audited of mechanisms of other libraries, each said once."""
    said = [mechanism.audited for mechanism in libraries(mechanisms)]
    return "; ".join(dict.fromkeys(said))
