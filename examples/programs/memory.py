"""Objects that remember: RAPPOR of Erlingsson, Pihur and Korolova (CCS 2014) for one bit, and an
analyst whose next question depends on the last answer. `--runs K` is the law of K releases.

A database is the records of some people, each 0 or 1.
"""

from typing import Any


class Rappor:
    """Reports of one person's bit: a noisy copy of it is kept for ever, and every report is a noisy
    copy of that.
    """

    def __init__(self, rng: Any, lie: float = 0.5, keep: float = 0.75) -> None:
        self.rng, self.lie, self.keep = rng, lie, keep
        self.permanent: dict[str, str] = {}

    def release(self, database: str) -> str:
        """Report the first person's bit."""
        bit = database[0]
        if bit not in self.permanent:
            flips = self.rng.random() < self.lie / 2
            self.permanent[bit] = str(1 - int(bit)) if flips else bit
        kept = self.permanent[bit]
        return kept if self.rng.random() < self.keep else str(1 - int(kept))


class Adaptive:
    """An analyst asks whether many people have a 1, and then about the half that is left of the
    people: the first half after a no, the second after a yes.
    """

    def __init__(self, rng: Any, epsilon: float = 1) -> None:
        self.rng, self.epsilon = rng, epsilon
        self.asked: tuple[int, int | None] = (0, None)

    def release(self, database: str) -> str:
        """Answer one question."""
        people = database[slice(*self.asked)]
        many = people.count("1") + self.rng.laplace(scale=1 / self.epsilon) > len(people) / 2
        half = len(database) // 2
        self.asked = (half, None) if many else (0, half)
        return "y" if many else "n"
