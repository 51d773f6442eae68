"""The formats of files that people hand in: how each is read, and how what was read is written
again.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from tests.models.files.fuzz.commands import certificate, certificates, command
from tests.models.files.fuzz.edits import corpus

from pufferproof.counterexamples.exploration.conjectures.quantities import read_formula
from pufferproof.counterexamples.exploration.family import read_family
from pufferproof.examples.reproduce.populations.days import read_days
from pufferproof.lp.accounting.ledger import entries_of, read_ledger, updated
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_framework, read_gaussian
from pufferproof.models.files.mechanisms import read_mechanism, read_query, read_utility
from pufferproof.models.files.question import NoisyReleases, Sequences, Words, read
from pufferproof.models.files.reading import in_file, read_levels, read_loaded
from pufferproof.models.files.recorded.fit import read_sequence
from pufferproof.models.files.recorded.sources.gathering import Asked
from pufferproof.models.files.recorded.table import read_column
from pufferproof.models.files.shapes import KernelsFile, LossFile
from pufferproof.models.files.writing import framework_document, hidden_document, local_file, mechanism_document
from pufferproof.models.framework import Framework
from pufferproof.models.interface.sweeps.executors import Answers, InProcess
from pufferproof.models.interface.sweeps.running import Sweep
from pufferproof.models.interface.sweeps.store import Store
from pufferproof.models.interface.sweeps.units import DONE, Unit
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.formats import read_bif
from pufferproof.models.priors.records import Records
from pufferproof.reports.auditing.lists import lines_of
from pufferproof.reports.proofs.record import recorded
from pufferproof.verify.simulation.estimation.samplers import Command, sampled
from pufferproof.verify.simulation.estimation.state import State, Subject, read_state, write_state

SUBJECT = Subject(f"sha256:{'1' * 64}", "module:sampler", 7, Fraction(99, 100))
LEDGER = f"sha256:{'0' * 64}"
LABELS = ("00", "01", "10", "11")
FEW = 300  # databases that are written out
SECRETS = {"zero": {"record": 1, "value": "0"}, "one": {"record": 1, "value": "1"}}


@dataclass(frozen=True)
class Format:
    """How a file is read, and written again: None if what was read is not written.

    `bases` are the files that are edited, those of the corpus if left out; `computes` says that
    what was read may take long.
    """

    read: Callable[[Path], Any]
    write: Callable[[Any, Path], str | bytes | None] = lambda value, beside: None
    bases: Callable[[], list[tuple[str, bytes]]] | None = None
    computes: bool = False


def framework(path: Path) -> Framework | None:
    """Read it for the command that takes it."""
    if b"gaussian" in path.read_bytes():
        read_gaussian(path)
        return None
    return read_framework(path).value


def framework_text(value: Framework | None, beside: Path) -> str | None:
    if value is None or value.classes:
        return None
    records = value.records
    few = records is None or len(records.alphabet) ** min(records.count, 9) <= FEW
    return json.dumps(framework_document(value)) if few else None


def space(path: Path) -> Path:
    """A framework whose databases have two records."""
    document = {
        "format": "pufferproof-framework/1",
        "records": {"count": 2, "alphabet": ["0", "1"]},
        "secrets": SECRETS,
        "pairs": "disjoint",
        "priors": {"uniform": {"product": [["1/2", "1/2"], ["1/2", "1/2"]]}},
    }
    place = path.parent / "space.json"
    place.write_text(json.dumps(document))
    return place


def mechanism(path: Path) -> Any:
    """Read it as commands do, with a framework beside it."""
    question = read(space(path), [str(path)])
    if isinstance(question, Sequences | Words | NoisyReleases):
        return question.mechanisms[0].value
    return read_mechanism(path, question.framework.value).value


def mechanism_text(value: Any, beside: Path) -> str | bytes | None:
    kind = type(value).__name__
    if kind == "Channel":
        return json.dumps(mechanism_document(value))
    if kind == "HiddenMarkovMechanism":
        return json.dumps(hidden_document(value))
    return local_file(value) if kind == "LocalMechanism" and value.redaction is None else None


def column(path: Path) -> Any:
    header = path.read_bytes().split(b"\n")[0]
    return read_column(path, Asked("state", "person" if b"person" in header else None))


def parquet(path: Path) -> Any:
    return read_column(path, Asked("state", "person" if b"person" in path.read_bytes() else None))


def matrix(path: Path) -> Any:
    """Read a matrix of `LABELS`, or what was written of it."""
    if path.suffix != ".npy":
        return mechanism(path)
    listed = path.parent / "labels.txt"
    listed.write_text("\n".join(LABELS))
    among = read_framework(space(path)).value
    return read_mechanism(path, among, databases=listed).value


def labels(path: Path) -> Any:
    """Read the labels of a matrix."""
    rows = path.parent / "matrix.npy"
    rows.write_bytes(corpus()["matrix.halves.npy"])
    among = read_framework(space(path)).value
    return read_mechanism(rows, among, databases=path).value


def square(number: int) -> int:
    return number * number


class Squares(InProcess):
    """Carries out units whatever the sources are."""

    def submit(self, units: Sequence[Unit], limit: float | None) -> Answers:
        future = Answers()
        answers = [str(square(*json.loads(each.arguments))) for each in units]
        future.set_result([(DONE, answer, 0.0) for answer in answers])
        return future


def store(path: Path) -> int:
    """Go on with a sweep that it keeps: whatever stands there changes no answer. Nobody here has
    sealed it, so it has to be trusted.
    """
    with suppress(ModelError):
        Store(str(path)).close()
    units = [Unit(f"{__name__}:square", f"[{number}]", "fuzzed") for number in range(12)]
    with closing(Store(str(path), trusted=True)) as kept:
        found = Sweep(Squares(), kept).answers(units)
        if found != [*map(square, range(12))]:
            raise AssertionError(f"the store changed answers: {found}")
        kept.failures()
        return len(kept)


def bif(path: Path) -> Any:
    """Read it as the network of a prior."""
    document = json.loads(space(path).read_text())
    document["priors"] = {"rain": {"bayes_net": {"bif": path.name}}}
    place = path.parent / "space.json"
    place.write_text(json.dumps(document))
    read_framework(place)
    return read_bif(path.read_text(encoding="utf-8-sig"))


def family(path: Path) -> Any:
    """Read it, and the framework of its first, its last and some member between."""
    found = read_family(str(path))
    for number in {0, len(found) // 2, len(found) - 1}:
        point = found.point(number)
        found.framework(point)
    return found


def formula(path: Path) -> Any:
    """Read it, and all that it asks."""
    found = read_formula(str(path))
    with in_file(path):
        return found.quantity, found.hypotheses, found.relation


def ledger(path: Path) -> Any:
    chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/5", "4/5"]])
    secrets = {name: (each["record"], each["value"]) for name, each in SECRETS.items()}
    among = Framework(Records(60, ("0", "1")), secrets, "disjoint", {"chain": chain})
    return read_ledger(path, among, LEDGER)


def outputs(path: Path) -> list[str]:
    """Have a command print the file, and read it as the outputs of a sampler."""
    asked = [[("a", 2)], [("b", 4)]]
    return list(map(repr, sampled(Command(["cat", str(path)], 10.0), asked, 1, (1,), [])))


def state_text(value: State | None, beside: Path) -> str | None:
    if value is None:
        return None
    write_state(str(beside), SUBJECT, value, b"key", ended=True)
    return beside.read_text()


def texts(values: Iterable[object]) -> str:
    return "\n".join(map(str, values))


FORMATS = {
    "framework": Format(framework, framework_text),
    "mechanism": Format(mechanism, mechanism_text),
    "levels": Format(lambda path: read_levels(path).value, lambda found, _: texts(found)),
    "query": Format(read_query),
    "utility": Format(read_utility),
    "loss": Format(lambda path: read_loaded(path, LossFile).value),
    "kernels": Format(lambda path: read_loaded(path, KernelsFile).value),
    "bif": Format(bif),
    "records": Format(column),
    "bits": Format(read_sequence, lambda found, _: texts(found)),
    "days": Format(lambda path: read_days(path, "days")),
    "batch": Format(lambda path: lines_of(str(path))),
    "family": Format(family),
    "formula": Format(formula),
    "estimate": Format(lambda path: read_state(str(path), SUBJECT, None), state_text),
    "ledger": Format(ledger, lambda found, beside: updated(beside, LEDGER, entries_of(found), 0)),
    "sampler": Format(outputs),
    "record": Format(recorded),
    "matrix": Format(matrix, mechanism_text),
    "labels": Format(labels),
    "parquet": Format(parquet),
    "store": Format(store),
    "certificate": Format(certificate, bases=certificates, computes=True),
    "command": Format(command, computes=True),
}
