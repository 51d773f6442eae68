"""A lower confidence bound of the leakage of a sampler, by drawing from it.

The leakage is the largest log(P(M in W | s) / P(M in W | s')) over priors, ordered pairs of secrets
and events W. A fourth of the samples selects a prior, a pair and a few events (`selection`). With
these fixed a fair coin chooses the secret of every further call, a database is drawn given it by
the exact law, and passed to the sampler. Among the calls with an event the coins are bet on
(`betting`): the bound holds at any time, also for samplers that change or remember. A lower bound
for listed priors is one for their mixtures.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.sealing import key_for
from pufferproof.models.interface.signatures import checked
from pufferproof.models.numbers.grammar import confidence_of
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.verify.simulation.draws import Words
from pufferproof.verify.simulation.estimation.answer import Estimate, EventWitness
from pufferproof.verify.simulation.estimation.calls import heads, same_kind, sampled
from pufferproof.verify.simulation.estimation.cells import Secret
from pufferproof.verify.simulation.estimation.events import LabelEvent
from pufferproof.verify.simulation.estimation.outputs import Outputs, alike
from pufferproof.verify.simulation.estimation.samplers import (
    Command,
    Function,
    Sampler,
    SamplerError,
)
from pufferproof.verify.simulation.estimation.selection import (
    Candidate,
    candidates,
    confirmed,
)
from pufferproof.verify.simulation.estimation.state import (
    State,
    Subject,
    hash_of,
    read_state,
    write_state,
)
from pufferproof.verify.simulation.estimation.tallies import Counts, Tallies
from pufferproof.verify.simulation.estimation.worlds import Key, World, pairs_in, world_of

_SELECTED, _MOST_SELECTED = 4, 1 << 18  # a fourth of the samples, and at most so many
_MANY_PAIRS = 8  # more, and the best of them are sampled again
_MOST_SAMPLES = 10**12
_NEAR = 1e-6  # nats between a bound in floats and a level that it may exceed
_FIRST = 1 << 6  # samples of the first block; each is as large as all before, up to a limit
Told = Callable[[Estimate], Any]


@checked
def estimate(
    framework: Framework,
    sampler: Callable[..., object],
    epsilon: LevelLike | None = None,
    samples: int = 100_000,
    seed: int = 0,
    confidence: str | Fraction | float = "95%",
    seconds: float | None = None,
    resume: str | None = None,
    independent_draws: bool = False,
    trust_store: bool = False,
) -> Estimate:
    """Bound the leakage of a sampler from below, with a stated confidence.

    Args:
        framework: what must be protected: listed, or of long sequences.
        sampler: a function of (database), (database, rng) or (database, size, rng), where
            `database` is a label and `rng` a NumPy generator; the last form returns an array of
            `size` outputs. Outputs are numbers, text, truth values, None, or lists of these.
        epsilon: a level to refute: drawing ends as soon as the bound exceeds it.
        samples: how many outputs are drawn, at most.
        confidence: `"95%"`, `"19/20"` or a number; the bound is wrong with probability at most 1
            minus that.
        seconds: how long one call of the sampler may take, in the main thread.
        resume: a file where the run is kept, and from which it goes on if it is there.
        independent_draws: your word that outputs of (database, size, rng) are independent draws of
            a law that the database alone determines: then many are drawn in one call. Without it
            every call has `size` 1.
        trust_store: believe a file of `resume` that another user or machine has kept.

    The bound holds for every sampler that does not see the coins, whatever it remembers: with
    probability at least `confidence`, some call leaked as much about the secret of its database,
    given all that happened before.

    The answer is never that a level is kept. An interruption (Ctrl-C) returns the bound until then.

    Raises `ModelError` for what does not fit, and `SamplerError`, one of these, where the sampler
    fails; its `partial` is the answer until then.

    >>> from pufferproof import Framework, Table
    >>> framework = Framework(
    ...     ["a", "b"],
    ...     {"s": ["a"], "t": ["b"]},
    ...     [("s", "t")],
    ...     {"theta": Table({"a": "1/2", "b": "1/2"})},
    ... )
    >>> def noisy(database, size, rng):
    ...     return (database == "a") + rng.laplace(scale=0.5, size=size)
    >>> estimate(framework, noisy, epsilon="1", seed=1).verdict
    <Verdict.VIOLATES: 'VIOLATES'>
    """
    called = Function(sampler, seconds, independent_draws)
    name = f"{getattr(sampler, '__module__', '')}:{getattr(sampler, '__qualname__', 'function')}"
    return estimate_with(
        framework,
        called,
        name,
        Options.of(epsilon, samples, seed, confidence, resume, trust_store),
    )


@dataclass(frozen=True)
class Options:
    """How an estimate is made."""

    level: Level | None
    samples: int
    seed: int
    confidence: Fraction
    resume: str | None = None
    trust_store: bool = False

    @cached_property
    def key(self) -> bytes:
        """What the file of a run is sealed with."""
        return key_for(self.trust_store)

    @classmethod
    def of(
        cls,
        epsilon: LevelLike | None,
        samples: int,
        seed: int,
        confidence: str | Fraction | float,
        resume: str | None = None,
        trust_store: bool = False,
    ) -> "Options":
        """Read them. Raises `ModelError` unless each is in its range."""
        if not 0 < samples <= _MOST_SAMPLES:
            raise ModelError(f"expected from 1 to {_MOST_SAMPLES}, found {samples}", "samples")
        if not 0 <= seed < 1 << 63:
            raise ModelError(f"expected an integer from 0 to 2^63, found {seed}", "seed")
        level = None if epsilon is None else Level.coerce(epsilon, "epsilon")
        if trust_store and resume is None:
            raise ModelError("goes with --resume FILE", "--trust-store")
        return cls(level, samples, seed, confidence_of(confidence), resume, trust_store)


def estimate_with(
    framework: Framework,
    sampler: Sampler,
    name: str,
    options: Options,
    told: Told = lambda answer: None,
) -> Estimate:
    """Bound the leakage of a sampler from below; `name` says in files which one it is, and `told`
    hears the bound at every checkpoint.
    """
    grouped = isinstance(sampler, Function) and sampler.grouped
    subject = Subject(hash_of(framework), name, options.seed, options.confidence, grouped)
    state = None
    if options.resume is not None:
        key = None if options.trust_store else options.key
        state = read_state(options.resume, subject, key)
    run = _Run(framework, sampler, options, subject)
    if state is None:
        state = run.selected()
    try:
        return run.evaluated(state, told)
    except SamplerError as error:
        error.partial = run.answer(state, "failed")
        run.keep(state)
        raise


@dataclass
class _Run:
    framework: Framework
    sampler: Sampler
    options: Options
    subject: Subject

    @cached_property
    def world(self) -> World:
        """What databases are drawn."""
        return world_of(self.framework, self.options.samples)

    def selected(self) -> State:
        """Choose on samples of their own what is evaluated."""
        world, samples = self.world, self.options.samples
        pairs, secrets = pairs_in(self.framework, world), list(world.secrets.values())
        used = min(samples // _SELECTED, _MOST_SELECTED)
        if used < 2 * world.units or used < 8:
            least = _SELECTED * max(2 * world.units, 8)
            raise ModelError(f"expected at least {least}, found {samples}", "samples")
        again = len(pairs) > _MANY_PAIRS and used >= 4 * world.units
        units = range(world.units)
        shares = _shares(secrets, units, used // (4 if again else 2))
        both = alike([each for half in (0, 1) for each in self._sampled(units, shares, half)])
        drawn = 2 * sum(shares)
        halves = both[: len(units)], both[len(units) :]
        found = candidates(secrets, pairs, halves, samples - drawn)
        best = found[0]
        if again:
            fresh = self._fresh(found, used // 2)
            drawn += sum(each.count for each in fresh.values())
            best = confirmed(found, fresh, samples - drawn)
        return State(best.chosen, drawn, Tallies.of(len(best.events), samples - drawn))

    def _fresh(self, found: Sequence[Candidate], samples: int) -> dict[int, Outputs]:
        """Sample what candidates are about once more."""
        secrets = [each for candidate in found for each in candidate.pair]
        units = sorted({unit for each in secrets for unit in each.law})
        drawn = self._sampled(units, _shares(secrets, units, samples), 2)
        return dict(zip(units, alike(drawn)))

    def _sampled(self, units: Sequence[int], shares: Sequence[int], part: int) -> list[Outputs]:
        """Return outputs of units, so many of each."""
        seed, world = (self.options.seed, 0, part), self.world
        words = Words((*seed, 0))
        asked = [world.asked(unit, share, words) for unit, share in zip(units, shares)]
        return same_kind(sampled(self.sampler, asked, seed), [world.named(unit) for unit in units])

    def evaluated(self, state: State, told: Told) -> Estimate:
        """Draw samples in blocks, and bet on the coins of calls with an event."""
        if isinstance(self.sampler, Command):
            self.sampler.numbers = not isinstance(state.chosen.events[0], LabelEvent)
        keys = [(state.chosen.prior, name) for name in state.chosen.pair]
        until, risk = self.options.samples - state.selected, 1 - self.options.confidence
        block, last = min(self.world.block(keys), self.sampler.most), 0
        try:
            while (done := state.tallies.samples) < until:
                if self._violated(state):
                    return self.answer(state, "violated")
                size = min(block, until - done, max(_FIRST, done))
                state.tallies.add(self._counted(state, keys, size, done))
                state.tallies.bound(state.chosen.seen, risk)
                self.keep(state)
                if done + size >= min(until, 2 * last):
                    last = done + size
                    told(self.answer(state, "going on"))
        except KeyboardInterrupt:
            self.keep(state)
            return self.answer(state, "interrupted")
        return self.answer(state, "violated" if self._violated(state) else "samples")

    def _violated(self, state: State) -> bool:
        best, level = state.tallies.best, self.options.level
        if best is None or level is None:
            return False
        near = state.tallies.nats_approx > float(level.enclosure().lower) - _NEAR
        return near and level.compare(best.ratio) > 0

    def _counted(self, state: State, keys: Sequence[Key], size: int, done: int) -> Counts:
        """Toss a coin for so many calls, and count how often events happen with either side."""
        seed = (self.options.seed, 1, done)
        words = Words((*seed, 0))
        first = heads(size, words)
        calls = first, size - first
        asked = [self.world.drawn(key, count, words) for key, count in zip(keys, calls)]
        seen = []
        for outputs in sampled(self.sampler, asked, seed):
            try:
                seen.append(tuple(event.count(outputs) for event in state.chosen.events))
            except ModelError as error:
                raise SamplerError(error.what, "sampler") from None
        return Counts(calls, (seen[0], seen[1]))

    def keep(self, state: State) -> None:
        """Write the run into its file, if it has one."""
        if self.options.resume is not None:
            write_state(self.options.resume, self.subject, state, self.options.key)

    def answer(self, state: State, stopped: str) -> Estimate:
        """Return what is known now."""
        best, chosen, options = state.tallies.best, state.chosen, self.options
        witness = None
        if best is not None and best.ratio > 1:
            witness = EventWitness(chosen.prior, chosen.pair, chosen.events[best.event], best)
        return Estimate(
            Fraction(1) if witness is None else witness.evidence.ratio,
            options.confidence,
            state.samples,
            options.seed,
            self.sampler.seeded,
            witness,
            options.level,
            stopped,
            len(chosen.events),
            state.tallies.drift,
        )


def _shares(secrets: Sequence[Secret], units: Sequence[int], samples: int) -> list[int]:
    """Return how often each unit is sampled: in proportion to the largest probability that it has
    given a secret, and at least once.
    """
    need = dict.fromkeys(units, 0.0)
    for each in secrets:
        for unit, weight in each.law.items():
            need[unit] = max(need[unit], weight)
    total, spare = sum(need.values()), samples - len(units)
    return [1 + int(spare * need[unit] / total) for unit in units]
