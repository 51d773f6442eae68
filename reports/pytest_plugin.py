"""A pytest fixture for other people's test suites: `assert_pufferfish(framework, mechanism,
epsilon)`.
"""

from collections.abc import Callable

import pytest


@pytest.fixture
def assert_pufferfish() -> Callable[..., None]:
    """Give `pufferproof.assert_pufferfish`, which fails with the exact leakage and its witness."""
    from pufferproof.verify.audit import assert_pufferfish as check

    return check
