"""The smallest scale of noise that keeps a level: `calibration` first, which asks whether one does and guesses where to
begin; `smallest` for a delta or a Renyi divergence, by sigma for Gaussian noise on a line.
"""
