"""What ties the entries of the vocabulary to Coq, a file for each area."""

import importlib
import pkgutil

from pufferproof.claims.vocabulary.probe import Probe


def of_all_areas() -> list[Probe]:
    """Import all files of probes, and return their probes. Most claims need those of one file."""
    modules = pkgutil.walk_packages(__path__, f"{__name__}.")
    imported = [importlib.import_module(each.name) for each in modules if not each.ispkg]
    return [probe for module in imported for probe in module.PROBES]
