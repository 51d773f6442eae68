"""The chain that a plan fits to recorded data, and the framework that it is a prior of."""

from pathlib import Path

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import in_file
from pufferproof.models.files.recorded.chains.document import StatedFramework, rendered
from pufferproof.models.files.recorded.chains.options import Options
from pufferproof.models.files.recorded.fit import Fit
from pufferproof.models.files.recorded.sources.asked import Asked
from pufferproof.models.files.recorded.sources.classes import Classes
from pufferproof.models.files.recorded.table import read_column
from pufferproof.models.files.shapes import DataShape
from pufferproof.models.framework import Framework


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
        )
    except ModelError as error:
        raise error.within("data") from None
