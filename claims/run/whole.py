"""The results of a whole run, kept as one sealed file: they are read again, without loading a claim
or asking an engine, while nothing has changed that any of them could depend on.

`models/interface/sweeps/portions.py` says what that is. The patterns that chose the claims and the
time limit belong to it. If any of it differs, claims are read one by one, or examined
(`cached.py`).
"""

import json
from collections.abc import Sequence
from pathlib import Path

from pufferproof.claims.registry import load_claims
from pufferproof.claims.run.cached import lasting
from pufferproof.claims.run.results import Result
from pufferproof.models.interface.sweeps.portions import Unchanged
from pufferproof.models.interface.sweeps.units import HOME


class Whole(Unchanged):
    """The results of a run of the claims that patterns choose, for one time limit; to be made
    before any claim is loaded.
    """

    def __init__(self, patterns: Sequence[str], timeout: float, home: Path = HOME, inputs: str = "") -> None:
        super().__init__("run", json.dumps([*patterns, timeout]), home, inputs=inputs)

    def read(self) -> list[Result] | None:
        """Return the results, marked as cached; None unless all they depend on is as it was."""
        entry = self.kept()
        return None if entry is None else [each | {"cached": True} for each in entry["results"]]

    def write(self, results: Sequence[Result]) -> bool:
        """Keep the results of a run that was not interrupted; not where one depends on more than
        its inputs, where claims were loaded from elsewhere, or where a file has changed since.
        Return whether the first two allow it.
        """
        ours = all(
            each.function.__module__.startswith("pufferproof.claims.") for each in load_claims(names=()).values()
        )
        if is_lasting := ours and all(map(lasting, results)):
            self.keep({"results": list(results)})
        return is_lasting
