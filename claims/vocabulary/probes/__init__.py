"""What ties the entries of the vocabulary to Coq, a file for each area."""

import importlib
import pkgutil

from pufferproof.claims.vocabulary.probe import Probe

PROBES: list[Probe] = [
    probe
    for module in pkgutil.walk_packages(__path__, f"{__name__}.")
    if not module.ispkg
    for probe in importlib.import_module(module.name).PROBES
]
