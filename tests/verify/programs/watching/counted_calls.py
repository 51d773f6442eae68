"""A module that counts its calls, which a program should not depend on."""

TOTAL = SUM = 0


def bump():
    """Count a call."""
    global TOTAL
    TOTAL += 1
    return TOTAL


def add(module):
    """Count a call in a module."""
    module.SUM += 1
    return module.SUM % 20 == 19
