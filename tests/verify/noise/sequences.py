"""The exact leakage of independent noisy queries of one sequence, all at once."""

from pufferproof.verify.noise.laws.of_records import sequence_laws
from pufferproof.verify.noise.ratio.listed import largest_ratio


def sequence_noise_leakage(framework, *releases):
    laws = sequence_laws(framework, releases)
    return largest_ratio(laws.noises, laws.pairs, laws.excluded, laws.never)
