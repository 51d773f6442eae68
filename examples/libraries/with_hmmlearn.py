"""A hidden Markov model of hmmlearn as what an adversary believes: a virus comes and goes unseen,
and shows in sick days. A noisy count of a hundred days at level 1 leaks more than that.
"""

from typing import Any

from pufferproof.examples.libraries.days import diary, told
from pufferproof.models.mechanisms.adapters.entry import as_prior
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import RecordQuery
from pufferproof.verify.audit import Audit, audit

DAYS, DAY = 100, 50


def model() -> Any:
    """Return the model; a fitted one has the same three tables."""
    import numpy as np
    from hmmlearn.hmm import CategoricalHMM

    virus = CategoricalHMM(n_components=2, init_params="")
    virus.startprob_ = np.array([0.8, 0.2])
    virus.transmat_ = np.array([[0.95, 0.05], [0.2, 0.8]])
    virus.emissionprob_ = np.array([[0.97, 0.03], [0.25, 0.75]])
    return virus


def answers() -> dict[str, Audit]:
    """Audit a count with Laplace noise of scale 1."""
    framework = diary(DAYS, DAY, {"virus": as_prior(model(), normalize=True)})
    count = RecordQuery("sum", Noise.laplace(1), framework.expect_records())
    return {"the count of a hundred days": audit(framework, count, "1")}


if __name__ == "__main__":
    print(told("hmmlearn", answers()))
