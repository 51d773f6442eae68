"""Running claims, and what came of it. Read `cached.py` first: a claim that is stored is checked
again, the others are examined.

`workers.py` examines in processes of their own, in the order of `order.py`; `results.py` has the
plain data that reports are made of.
"""

from pufferproof.claims.run.cached import KEPT, run_claims
from pufferproof.claims.run.results import Result, as_result

__all__ = ["KEPT", "Result", "as_result", "run_claims"]
