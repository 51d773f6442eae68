"""Fitted models of hmmlearn as priors: the observed symbols are the records."""

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.library import unsupported
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovModel


def prior_of(model: object, normalize: bool) -> HiddenMarkovModel:
    """Return a `CategoricalHMM` as a hidden Markov model, its symbols in the order of the alphabet.

    Raises `ModelError` unless it is one, is fitted, and rows sum to 1 or are divided by their sums.
    """
    if type(model).__name__ != "CategoricalHMM":
        raise unsupported(f"hmmlearn {type(model).__name__}", ["CategoricalHMM"], "prior")
    missing = [name for name in ("startprob_", "transmat_", "emissionprob_") if not hasattr(model, name)]
    if missing:
        raise ModelError(f"the model has no {missing[0]}: expected a fitted model", "prior")
    start, steps, shows = (getattr(model, name).tolist() for name in ("startprob_", "transmat_", "emissionprob_"))
    return HiddenMarkovModel(start, steps, shows, normalize)
