"""Pytest fixtures for other people's test suites: `assert_pufferfish(framework, mechanism,
epsilon)`, `assert_composes(framework, mechanisms)`, `assert_release(plan)`,
`assert_translates(framework, levels, epsilon)`.

Pytest imports this module in every run where the package is installed, so it imports nothing else
until a fixture is used.
"""

from collections.abc import Callable

import pytest

Assertion = Callable[..., None]


@pytest.fixture
def assert_pufferfish() -> Assertion:
    """Give `pufferproof.assert_pufferfish`, which fails with the exact leakage and its witness."""
    from pufferproof.lp.assertions import assert_pufferfish as check

    return _called(check)


@pytest.fixture
def assert_composes() -> Assertion:
    """Give `pufferproof.assert_composes`, which fails with the single and the joint leakage."""
    from pufferproof.lp.assertions import assert_composes as check

    return _called(check)


@pytest.fixture
def assert_release() -> Assertion:
    """Give `pufferproof.assert_release`, which fails with the witness and the least noise."""
    from pufferproof.lp.assertions import assert_release as check

    return _called(check)


@pytest.fixture
def assert_translates() -> Assertion:
    """Give `pufferproof.assert_translates`, which fails with the worst case of the levels."""
    from pufferproof.lp.assertions import assert_translates as check

    return _called(check)


def _called(check: Assertion) -> Assertion:
    """Let a call without a framework, or another argument, say in one line how it is called."""
    from functools import wraps
    from inspect import signature

    @wraps(check)
    def called(*args: object, **kwargs: object) -> None:
        __tracebackhide__ = True
        from pufferproof.models.errors import ModelError

        expected = signature(check)
        try:
            expected.bind(*args, **kwargs)
        except TypeError as error:
            names = ", ".join(expected.parameters)
            raise ModelError(f"{error}: expected {check.__name__}({names})") from None
        try:
            check(*args, **kwargs)
        except ModelError as error:  # the caller's mistake: where it was found is of no use
            raise error.with_traceback(None) from None

    return called
