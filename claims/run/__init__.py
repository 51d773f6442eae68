"""Running claims, and what came of it. Read `cached.py` first: a claim that is stored is checked
again, the others are examined.

`workers.py` examines in processes of their own; `results.py` has the plain data that reports are
made of, with a digest of what each claim means (`meaning.py`, `texts.py`); `whole.py` keeps those
of a whole run while nothing changes. `steps` writes down what claims do, so that files of claims
can be given another form.
"""

from pufferproof.claims.run.cached import KEPT, run_claims
from pufferproof.claims.run.results import Result, as_result
from pufferproof.claims.run.whole import Whole

__all__ = ["KEPT", "Result", "Whole", "as_result", "run_claims"]
