"""The chain that a plan, or a framework file, fits to recorded data, and the framework that it is a
prior of.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import (
    MAX_BYTES,
    Loaded,
    bytes_inside,
    bytes_of,
    digest,
    document_of,
    in_file,
    read_loaded,
    reading_once,
)
from pufferproof.models.files.recorded.chains import Options, StatedFramework, rendered
from pufferproof.models.files.recorded.fit import Fit
from pufferproof.models.files.recorded.sources.gathering import MAX_TABLE, Asked, Classes
from pufferproof.models.files.recorded.table import read_column
from pufferproof.models.files.shapes import DataShape, FrameworkFile
from pufferproof.models.files.shapes.plans import PlanShape
from pufferproof.models.framework import Framework


class FittedFile(PlanShape):
    """A framework of recorded data: a table `data` has the keys that it has in a plan."""

    format: Literal["pufferproof-framework/1"]
    data: DataShape


@dataclass(frozen=True)
class Fitted:
    """A framework file that names recorded data: the framework as a file would have it, and the
    chain that is fitted.
    """

    described: Loaded[FrameworkFile]
    fit: Fit


def read_fitted(path: str | Path) -> Fitted | None:
    """Read a framework file with a table `data`, None if it has none. The data lie in its folder.

    Raises `ModelError` naming the file, the key, what was expected and found.
    """
    with in_file(path):
        document = document_of(path, bytes_of(path, MAX_BYTES))
    if not isinstance(document, dict) or "data" not in document:
        return None
    loaded = read_loaded(path, FittedFile)
    folder, name = Path(path).parent, loaded.value.data.csv
    with reading_once():
        try:
            content = bytes_inside(folder, name, MAX_TABLE)
        except ModelError as error:
            raise error.within(f"{path}: data.csv") from None
        _, (_, text), fit = of_data(loaded.value.data, folder / name)
    shape = FrameworkFile.model_validate(json.loads(text))
    return Fitted(Loaded(shape, str(path), digest(loaded.sha256.encode(), content)), fit)


def of_data(data: DataShape, path: Path) -> tuple[Framework, tuple[str, bytes], Fit]:
    """Return the framework of the chain that is fitted to data, with every record secret or those
    it names, what its file is, and the fitted chain.
    """
    recorded = read_column(path, _asked(data)).value
    with in_file(path):
        share = data.confidence
        options = Options.of(
            1,
            data.smoothing,
            share,
            None,
            data.length,
            1,
            data.people,
            absorbing=data.absorbing,
            stopping=data.stopping,
            kinds=data.kinds,
            never=data.never,
            thin=data.thin,
        )
        fit = Fit(recorded, options)
        priors, records = fit.priors, fit.records
        private = range(1, records.count + 1) if data.private is None else sorted({*data.private})
        if not 1 <= private[0] <= private[-1] <= records.count:
            raise ModelError(f"expected records from 1 to {records.count}", "data.private")
        secrets = {f"x{t}={v}": (t, v) for t in private for v in recorded.states}
        framework = Framework.of_records(records, secrets, "disjoint", priors)
    text = rendered(StatedFramework(records, secrets, priors))
    return framework, ("framework.json", text.encode()), fit


def _asked(data: DataShape) -> Asked:
    """Return what a plan asks of its data. Raises `ModelError` naming a key."""
    try:
        classes = None if data.classes is None else Classes.of(data.classes, data.decimal)
        if data.cuts is not None:
            if classes is not None:
                raise ModelError("expected either cuts or classes", "classes")
            classes = Classes(tuple(sorted(data.cuts)), numbered=True)
        return Asked.of(
            data.column,
            data.group,
            classes=classes,
            time=data.time,
            missing=data.missing,
            separator=data.separator,
            decimal=data.decimal,
            sheet=data.sheet,
            na=data.na,
        )
    except ModelError as error:
        raise error.within("data") from None
