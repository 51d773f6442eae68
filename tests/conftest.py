"""Settings of the test suite: deterministic examples, and the brute-force definitions importable from every test."""

import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile("deterministic", derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("deterministic")
