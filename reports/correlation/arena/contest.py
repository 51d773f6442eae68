"""What is found of one framework: the scale of every method, what noise of that scale leaks, and
whether it keeps the level; the least scale that does; and the error of the best mechanism of any
kind. A unit of a sweep takes several frameworks.
"""

import hashlib
from fractions import Fraction
from pathlib import Path
from typing import Any

from pufferproof.lp.best.losses import absolute_error
from pufferproof.lp.best.mechanism import loss_json, optimal_mechanism
from pufferproof.models.errors import ModelError, PufferproofError
from pufferproof.models.files.inputs import MAX_BYTES, bytes_inside
from pufferproof.models.files.writing import query_document
from pufferproof.models.interface.sweeps.portions import begun
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.reports.auditing.points.reading import read_point_framework
from pufferproof.reports.auditing.words.answers import audit_lines
from pufferproof.reports.correlation.arena.cases import named_files, query_path
from pufferproof.reports.correlation.calibrate.comparison import ComparedScale, compared
from pufferproof.reports.correlation.calibrate.points import PointTask, compared_at_points
from pufferproof.reports.correlation.calibrate.task import Task
from pufferproof.verify.audit import audit
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.scale.level import LaplaceLevel

MOST_DATABASES = 1_024  # for which the best mechanism of any kind is looked for
ContestRow = JsonObject
Asked = list[str]  # the folder, a framework's place, the query, the level, a digest of the files


def asked(folder: Path, place: str, query: str, level: str) -> Asked:
    """Return what is asked of a framework; files that change are another question."""
    digest = hashlib.sha256()
    for name in named_files(place, query):
        try:
            digest.update(bytes_inside(folder, name, MAX_BYTES))
        except ModelError:
            digest.update(b"none")
    return [str(folder), place, query, level, digest.hexdigest()]


def rows_of(questions: list[list[str]]) -> list[JsonObject]:
    """Return what is found of the first frameworks of a portion: of a broken one, its error.

    Raises `ModelError` if a file is not the one that is asked about: on another machine, say.
    """
    return begun(_row, questions)


def task_of(question: Asked) -> Task | PointTask:
    """Read a framework and its query, inside the folder of the arena alone; of normal records as
    one of these. Raises `ModelError` unless they can be read.
    """
    folder, place, query, level, _ = question
    budget = Level.parse(level)
    for name in named_files(place, query):
        try:
            bytes_inside(folder, name, MAX_BYTES)
        except ModelError as error:
            raise error.within(str(Path(folder) / name)) from None
    path, asked_of = str(Path(folder) / place), query_path(Path(folder), query)
    normal = read_point_framework(path)
    if normal is not None:
        return PointTask.read(normal, asked_of)
    return Task.read(path, asked_of, budget)


def audited_at(question: Asked, scale: Enclosure) -> tuple[str, JsonObject, list[str]]:
    """Return a framework's path, the mechanism file with noise of a scale, and what the audit of
    both says.
    """
    task, level = task_of(question), Level.parse(question[3])
    if isinstance(task, PointTask):
        found = audit(task.loaded.value, task.mechanism(scale), level)
        return task.loaded.path, task.document(scale), str(found).splitlines()
    mechanism = task.mechanism(scale)
    space = task.framework if task.loaded.value.records else task.listed
    said = audit_lines(audit(space, mechanism, level))
    return task.loaded.path, query_document(mechanism), said


def _row(question: Asked) -> ContestRow:
    folder, place, query, level, _ = question
    if asked(Path(folder), place, query, level) != question:
        raise ModelError("expected the files that the question is about", place)
    row: ContestRow = {"framework": place, "query": query, "epsilon": level, "error": None}
    nothing: ContestRow = {"methods": [], "least": None, "floor": None, "floor_reason": None}
    budget = Level.parse(level)
    try:
        task = task_of(question)
        rows = compared_at_points(task, budget) if isinstance(task, PointTask) else compared(task)
    except PufferproofError as error:
        return row | nothing | {"error": str(error)}
    *methods, tight = rows
    best, reason = _floor(task)
    found = [_said(task, budget, method, tight) for method in methods]
    fields: ContestRow = {"methods": found, "least": tight.scale and tight.scale.as_json()}
    return row | fields | {"floor": best, "floor_reason": reason}


def _said(
    task: Task | PointTask, level: Level, row: ComparedScale, tight: ComparedScale
) -> ContestRow:
    """Return what is said of a method: its name and scale, and whether that keeps the level."""
    name = row.mechanism if row.option is None else f"{row.mechanism}, {row.option}"
    scale = None if row.scale is None else exact(row.scale.upper)
    return {
        "name": name,
        "scale": row.scale and row.scale.as_json(),
        "leakage": row.leakage and row.leakage.as_json(),
        "keeps": None if scale is None else _keeps(task, level, scale, row.leakage),
        "over_least": _quotient_approx(scale, tight),
        "reason": row.reason,
    }


def _keeps(
    task: Task | PointTask, level: Level, scale: Fraction, leakage: Leakage | None
) -> bool | None:
    """Return whether noise of a scale keeps the level, or None if bounds do not tell."""
    if isinstance(task, PointTask):
        return task.keeps(scale, level)
    if leakage is None:
        return None
    if leakage.infinite:
        return False
    if leakage.upper is not None and level.compare(leakage.upper) <= 0:
        return True
    if leakage.lower is not None and level.compare(leakage.lower) > 0:
        return False
    if task.classes or not scale:
        return None
    return not LaplaceLevel(task.laws, level).exceeds(scale)


def _quotient_approx(scale: Fraction | None, tight: ComparedScale) -> float | None:
    """Return a scale over the least one, or None if one of them is not known, or none is needed."""
    least = None if tight.scale is None else exact(tight.scale.upper)
    return float(scale / least) if scale is not None and least else None


def _floor(task: Task | PointTask) -> tuple[ContestRow | None, str | None]:
    """Return the least mean absolute error within the level, over all mechanisms, under the worst
    prior: post-processing to a median makes any output a value of the query.
    """
    if isinstance(task, PointTask):
        return None, "normal records have no databases to list"
    if task.classes:
        return None, "a class of chains has no list of priors"
    records = task.loaded.value.records
    if records is not None and len(records.alphabet or ()) ** records.count > MOST_DATABASES:
        return None, f"more than {MOST_DATABASES} databases"
    try:
        databases = task.listed.databases
        values = {x: _number(task.table.values[x]) for x in databases if x in task.table.values}
        best = optimal_mechanism(task.listed, task.level, absolute_error(values))
    except ModelError as error:
        return None, error.what
    return loss_json(best.lower, best.upper), None


def _number(value: Any) -> str:
    if len(value) != 1:
        raise ModelError("the query is a vector, and the error that of a number", "query")
    return text_of(value[0])
