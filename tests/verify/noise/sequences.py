"""The exact leakage of independent noisy queries of one sequence, all at once."""

from pufferproof.verify.noise.leakage import largest_ratio
from pufferproof.verify.noise.records.laws import sequence_laws


def sequence_noise_leakage(framework, *releases):
    laws = sequence_laws(framework, releases)
    return largest_ratio(laws.noises, laws.pairs, laws.excluded, laws.never)
