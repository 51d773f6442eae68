"""Influences and leakages of a chain of bits in numbers a, b of the evidence, for formulas about
counterexamples.
"""


def step(distance: int, a: str = "a", b: str = "b") -> str:
    """Write the transition matrix of a distance."""
    return f"bits({a}, {b})" if distance == 1 else f"power(bits({a}, {b}), {distance})"


def influence(distance: int, value: int | None = None, a: str = "a", b: str = "b") -> str:
    """Write e to the influence of X_p on a value at a distance, or e to the max-influence."""
    if value is None:
        return f"largest_ratio({step(distance, a, b)})"
    return f"ratio_of_column({step(distance, a, b)}, {value})"


def leaked(left: int | None, right: int | None) -> str:
    """Write e^Lk of a pattern, by the distances of its nearest released records."""
    sides = [step(distance) for distance in (left, right) if distance is not None]
    if not sides:
        return "1"
    return f"largest_ratio({sides[0] if len(sides) == 1 else f'both({sides[0]}, {sides[1]})'})"
