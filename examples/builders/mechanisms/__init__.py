"""Mechanisms of the literature as exact channels, one file per family: noise on numbers
(`geometric`, `laplace`), `randomized_response`, and those that select (`noisy_max`,
`sparse_vector`, `top_k`).

Every constructor takes its privacy parameter as a rational ratio R = e^epsilon_0 and returns a
`Channel` with exact entries. Copy the one you use; `pufferproof audit` decides what it leaks.
"""

if __name__ != "pufferproof.examples.builders.mechanisms":
    raise ImportError(
        'import it as "pufferproof.examples.builders.mechanisms": a bare "mechanisms" would make a second copy'
    )
