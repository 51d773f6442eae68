"""The groups of recorded data, their kinds, and what these cost.

Which kinds there are is decided in `kinds`, words about them are in `saying`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain

from pufferproof.models.files.recorded.chains.counts import Counts, Recorded
from pufferproof.models.files.recorded.chains.options import Thin
from pufferproof.models.files.recorded.doubts.comparison import Doubt
from pufferproof.models.files.recorded.groups.around import doubts_of_estimates
from pufferproof.models.files.recorded.groups.kinds import (
    Fitting,
    GroupChains,
    Kind,
    chains,
    chains_of,
    counts_of,
    groups_of,
    invented,
    kinds,
    own_chain,
)
from pufferproof.models.files.recorded.groups.saying import (
    doubts_of_invented,
    doubts_of_kinds,
    doubts_of_thin,
    halves,
    kinds_json,
)
from pufferproof.models.files.recorded.groups.sorting import Cost, cost_approx
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.hidden_markov import HiddenMarkovModel


@dataclass(frozen=True)
class Grouped:
    """The groups of recorded data, by the kinds that were `asked` for."""

    recorded: Recorded
    asked: str | int
    fitting: Fitting
    way: Thin = "pooled"  # what to do with groups without a chain of their own

    @cached_property
    def groups(self) -> list[Kind]:
        """The groups, each by itself."""
        return groups_of(self.recorded)

    @cached_property
    def kinds(self) -> list[Kind]:
        """The kinds that have a chain of their own, none where groups are pooled or in a box."""
        if self.asked in ("pooled", "box"):
            return []
        found = kinds(self.recorded, self.asked, self.fitting.order)
        if self.asked != "each" or not self.thin:
            return found
        thin = set(self.thin)
        own = [kind for place, kind in enumerate(found) if place not in thin]
        if self.way == "out" and own:
            return own
        name = f"all groups, for {len(thin)} with too few records"
        return [*own, Kind(name, tuple(self.thin), self.recorded)]

    @cached_property
    def thin(self) -> list[int]:
        """The places of groups without a chain of their own, as nothing follows some value."""
        by = self.fitting
        return [place for place, group in enumerate(self.groups) if not own_chain(group, by)]

    @property
    def boxed(self) -> list[Kind]:
        """The groups that a box is around: all, or those with a chain of their own."""
        out = set(self.thin) if self.way == "out" else set()
        return [group for place, group in enumerate(self.groups) if place not in out] or self.groups

    @cached_property
    def cost(self) -> Cost:
        """What one chain for all loses against a chain for each group."""
        return self._cost(self.groups)

    @cached_property
    def inside(self) -> list[Cost]:
        """What the chain of each kind costs its groups."""
        return [self._cost([self.groups[k] for k in kind.groups]) for kind in self.kinds]

    def _cost(self, groups: Sequence[Kind]) -> Cost:
        sequences = [group.recorded.sequences for group in groups]
        return cost_approx(sequences, self.fitting.order, len(self.recorded.states))

    @cached_property
    def transitions(self) -> list[tuple[Counts, tuple[tuple[Fraction, ...] | None, ...]]]:
        """The counts of every kind, and their relative frequencies."""
        counts = [counts_of(kind.recorded, self.fitting) for kind in self.kinds]
        return [(each, each.estimates(self.fitting.smoothing)) for each in counts]

    def chains(self) -> dict[str, MarkovChain | HiddenMarkovModel]:
        """Return the chain of every kind, by name. Raises `ModelError` where a kind has none."""
        return chains(self.kinds, self.fitting)

    def costliest(self, most: int) -> GroupChains:
        """Return the chains of at most so many groups, by turns of those that one chain for all
        costs most and those whose values depend most on the last ones.

        What a group leaks is decided by its own counts: they are not smoothed.
        """
        cost = self.cost
        turns = zip((place for place, _ in cost.by_distance), cost.by_dependence)
        places = list(dict.fromkeys(chain.from_iterable(turns)))
        return chains_of(self.groups, places, replace(self.fitting, smoothing=Fraction(0)), most)

    def doubts(self, estimated: bool) -> list[Doubt]:
        """Return what speaks against kinds or a box; `estimated`: a box is around estimates."""
        if self.asked == "box":
            around = doubts_of_estimates(self.boxed, self.fitting) if estimated else []
            return [*self._of_thin, *around]
        found = doubts_of_invented(invented(self.kinds, self.fitting), len(self.kinds))
        found = [*self._of_thin, *found]
        if isinstance(self.asked, int):
            tested = halves(self.groups, self.asked, self.fitting.order)
            found = [*doubts_of_kinds(self.kinds, tested), *found]
        return found

    @property
    def _of_thin(self) -> list[Doubt]:
        """What is said of groups without a chain of their own."""
        names = [self.groups[place].name for place in self.thin]
        if self.asked not in ("each", "box") or (self.asked, self.way) == ("box", "pooled"):
            return []
        out = self.way == "out" and len(names) < len(self.groups)
        return doubts_of_thin(names, len(self.groups), out)

    def as_json(self) -> JsonObject | None:
        """Return the groups and kinds of the file formats, None of one group."""
        names = [each.name for each in self.groups]
        if len(names) < 2:
            return None
        return {
            "asked": str(self.asked),
            "groups": len(names),
            "nats_per_step": f"{self.cost.per_step:.6g}",
            "farthest": [
                {"group": names[k], "nats_per_step": f"{nats:.6g}"}
                for k, nats in self.cost.farthest
            ],
            "kinds": kinds_json(self.kinds, names, self.inside),
            "thin": None
            if self.asked not in ("each", "box")
            else {"way": self.way, "groups": [names[place] for place in self.thin]},
        }
