"""When a certificate of a leakage with a changed number is still true."""

import re
from fractions import Fraction

from tests.kernel.changes import Change

# A changed level or delta may leave the statement true:
# - at most: a larger level or delta (up to 1) is a weaker promise, where nothing is said to be
# attained;
#   a smaller one is true down to the value here.
LOG_3, LOG_MIXED = (
    Fraction("1.09861228866811"),
    Fraction("1.093087413"),
)  # just above log 3 and log(361/121)
SMALLEST_TRUE = {
    ("at-most-loose.json", "claim.level.log"): Fraction(3),
    ("at-most-long-numbers.json", "claim.level.log"): 3 / (1 - Fraction("4e-23")),
    ("at-most-nats-huge.json", "claim.level.nats"): LOG_3,
    ("at-most-nats-large.json", "claim.level.nats"): LOG_3,
    ("convex-nats-huge.json", "claim.level.nats"): LOG_MIXED,
    ("convex-nats-large.json", "claim.level.nats"): LOG_MIXED,
    ("joint-nats.json", "claim.level.nats"): 2 * LOG_3,
    ("delta-at-most-loose.json", "claim.level.log"): Fraction(9, 5),
    ("delta-at-most-loose.json", "claim.delta"): Fraction(1, 4),
    ("delta-at-most-one.json", "claim.delta"): Fraction(3, 4),
    ("delta-at-most-infinite-part.json", "claim.level.nats"): Fraction(0),
    ("delta-at-most-three-outputs.json", "claim.level.log"): Fraction(1),
}
# - witness: a smaller level or delta is exceeded all the more; a larger one is exceeded below the
# value here.
LEAKAGE_3 = Fraction("1.0986122886681096")  # just below log 3
EXCEEDED_BELOW = {
    ("witness.json", "claim.exceeds.log"): Fraction(3),
    ("witness-other-order.json", "claim.exceeds.log"): Fraction(3),
    ("witness-log-one.json", "claim.exceeds.log"): Fraction(3),
    ("witness-mixture.json", "claim.exceeds.log"): Fraction(361, 121),
    ("witness-mixture-zero-weight.json", "claim.exceeds.log"): Fraction(3),
    ("joint-witness.json", "claim.exceeds.log"): Fraction(9),
    ("joint-witness-order.json", "claim.exceeds.log"): Fraction(2),
    ("witness-nats.json", "claim.exceeds.nats"): LEAKAGE_3,
    ("witness-nats-zero.json", "claim.exceeds.nats"): LEAKAGE_3,
    ("delta-witness-zero.json", "claim.level.log"): Fraction(2),
    ("delta-witness-zero.json", "claim.delta"): Fraction(1, 8),
    ("delta-witness.json", "claim.delta"): Fraction(3, 8),
    ("delta-witness-mixture.json", "claim.delta"): Fraction(3, 8),
    # infinite leakage, and an output that the other secret makes impossible, exceed every level
    ("witness-infinite-above-any-level.json", "claim.exceeds.nats"): Fraction("1e9999"),
    ("delta-witness-infinite-part.json", "claim.level.nats"): Fraction("1e9999"),
}


def holds(change: Change) -> bool:
    """Say whether the tables above explain that the changed statement is true."""
    where, new = (f"{change.name}.json", ".".join(map(str, change.place))), change.new
    least = 1 if where[1].endswith("log") else 0
    if not re.match(r"claim\.(level|delta|exceeds)", where[1]) or new < least:
        return False
    if change.certificate["kind"].endswith("witness"):
        return new < EXCEEDED_BELOW.get(where, change.old)
    attained = change.certificate["claim"].get("attained") is not None
    if attained or (where[1] == "claim.delta" and new > 1):
        return False
    return new >= SMALLEST_TRUE.get(where, change.old)
