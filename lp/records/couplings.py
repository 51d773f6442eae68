"""How far apart two values of a record can move a mechanism when the two worlds meet: the bound by
coupling.

With t_d >= TV(P^d(v, .), P^d(w, .)), p_d = t_(d-1) - t_d meeting at record d, r_d = R^(d-1) and q_d
= r_d D, D a bound for what record c and those beyond it tell, the ratio of both worlds is at most

    max over s of (sum_(d <= s) p_d r_d + sum_(d > s) p_d r_d q_d)
                / (sum_(d <= s) p_d     + sum_(d > s) p_d q_d),

d running to c and on to the part that has not met. To first order in log R this is sum_d TV(P^d(v,
.), P^d(w, .)) log R: correlation costs its total, not its worst.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESTS_ON = ("worst.coupling-upper",)
_NEVER = 1e-9  # distances beyond which worlds have met, as far as noise is concerned


def distances(powers: "list[Floats]", slack: float) -> "Floats":
    """Return t_1 .. t_c for all pairs of values: c x k x k, rounded up, none above the one before.

    Args:
        powers: P^1 .. P^c.
        slack: more than the roundings of half a sum of differences.
    """
    import numpy as np

    found = np.array(
        [0.5 * np.abs(power[:, None, :] - power[None, :, :]).sum(axis=2) for power in powers]
    )
    return np.minimum.accumulate(np.minimum(found + slack, 1.0), axis=0)


def enough_steps(step: "Floats", most: int) -> int:
    """Return how many records it takes until two worlds have met, as far as it matters; at most
    `most`.
    """
    import numpy as np

    power, count = step, 1
    while count < most and np.ptp(power, axis=0).max() > _NEVER:
        power, count = power @ step, count + 1
    return count


def meeting(apart: "Floats", ratio: float, most: float, count: int) -> "Floats":
    """Return the bound for worlds that meet within `count` records, over the trailing axes.

    Paths from v and paths from w can be cut so that mass p_d meets at record d, at the same value
    with the same mass, and goes on together; t_c has not met by record c. What meets at d differs
    in records 1 .. d - 1 only: a factor r_d. What never meets differs by R^(c-1) D. On either part
    the mean of the mechanism is at most q_d times its least mean on parts that met earlier
    (worst.coupling-upper).

    Args:
        apart: t_1 .. t_c, c >= count, and any axes after the first.
        ratio: R.
        most: D.
    """
    import numpy as np

    shape = (-1,) + (1,) * (apart.ndim - 1)
    before = np.concatenate([np.ones((1, *apart.shape[1:])), apart[: count - 1]])
    mass = np.concatenate([before - apart[:count], apart[count - 1 : count]])
    factor = ratio ** np.arange(count)
    factor = np.append(factor, factor[-1] * most)
    above = np.append(ratio ** np.arange(count), ratio ** (count - 1)) * most
    weighted, raised = mass * factor.reshape(shape), mass * above.reshape(shape)
    # worst.coupling-upper: numerator and denominator for every s
    upper = _heads_and_tails(weighted, raised * factor.reshape(shape))
    lower = _heads_and_tails(mass, raised)
    met = np.cumsum(mass, axis=0) > 0  # something is in the head
    quotients = np.divide(upper, lower, out=np.ones_like(upper), where=met & (lower > 0))
    found: Floats = quotients.max(axis=0)
    return found


def _heads_and_tails(head: "Floats", tail: "Floats") -> "Floats":
    """Return sum_(d <= s) head_d + sum_(d > s) tail_d for every s."""
    import numpy as np

    after = np.cumsum(tail[:0:-1], axis=0)[::-1]
    found: Floats = np.cumsum(head, axis=0)
    found[:-1] += after
    return found
