"""A lower confidence bound of the leakage of a sampler, by drawing from it.

The leakage is the largest log(P(M in W | s) / P(M in W | s')) over priors, ordered pairs of secrets
and events W. A fourth of the samples selects a prior, a pair and a few events (`selection`). With
these fixed, databases are drawn given either secret, by the exact law, and passed to the sampler:
events are counted among independent runs (`tallies`), at times that are fixed before (`plan`).
The lower bound for a list of priors is one for their mixtures.

Bounds of probabilities per database, combined, would be wider: m databases would share the risk.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.signatures import checked
from pufferproof.models.numbers.grammar import confidence_of
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.verify.leakage.ratio import scope
from pufferproof.verify.simulation.draws import Words
from pufferproof.verify.simulation.estimation.answer import Estimate, EventWitness
from pufferproof.verify.simulation.estimation.cells import Secret
from pufferproof.verify.simulation.estimation.databases import Conditional
from pufferproof.verify.simulation.estimation.events import LabelEvent
from pufferproof.verify.simulation.estimation.outputs import Outputs, alike
from pufferproof.verify.simulation.estimation.plan import Checkpoint, checkpoints
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
from pufferproof.verify.simulation.estimation.tallies import Tallies

_SELECTED, _MOST_SELECTED = 4, 1 << 18  # a fourth of the samples, and at most so many
_BLOCK, _PER_DATABASE, _MOST_BLOCK = 1 << 17, 1 << 8, 1 << 20  # outputs that are held at once
_MANY_PAIRS = 8  # more, and the best of them are sampled again
_MOST_SAMPLES = 10**12
Told = Callable[[Estimate], Any]


@checked
def estimate(
    framework: Framework,
    sampler: Callable[..., Any],
    epsilon: LevelLike | None = None,
    samples: int = 100_000,
    seed: int = 0,
    confidence: str | Fraction | float = "95%",
    seconds: float | None = None,
    resume: str | None = None,
) -> Estimate:
    """Bound the leakage of a sampler from below, with a stated confidence.

    Args:
        framework: what must be protected; its databases are listed.
        sampler: a function of (database), (database, rng) or (database, size, rng), where
            `database` is a label and `rng` a NumPy generator; the last form returns `size` outputs
            at once. Outputs are numbers, text, truth values, None, or lists of these.
        epsilon: a level to refute: drawing ends as soon as the bound exceeds it.
        samples: how many outputs are drawn, at most.
        confidence: `"95%"`, `"19/20"` or a number; the bound is wrong with probability at most 1
            minus that.
        seconds: how long one call of the sampler may take, in the main thread.
        resume: a file where the run is kept, and from which it goes on if it is there.

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
    called = Function(sampler, seconds)
    name = f"{getattr(sampler, '__module__', '')}:{getattr(sampler, '__qualname__', 'function')}"
    return estimate_with(
        framework, called, name, Options.of(epsilon, samples, seed, confidence, resume)
    )


@dataclass(frozen=True)
class Options:
    """How an estimate is made."""

    level: Level | None
    samples: int
    seed: int
    confidence: Fraction
    resume: str | None = None

    @classmethod
    def of(
        cls,
        epsilon: LevelLike | None,
        samples: int,
        seed: int,
        confidence: str | Fraction | float,
        resume: str | None = None,
    ) -> "Options":
        """Read them. Raises `ModelError` unless each is in its range."""
        if not 0 < samples <= _MOST_SAMPLES:
            raise ModelError(f"expected from 1 to {_MOST_SAMPLES}, found {samples}", "samples")
        if not 0 <= seed < 1 << 63:
            raise ModelError(f"expected an integer from 0 to 2^63, found {seed}", "seed")
        level = None if epsilon is None else Level.coerce(epsilon, "epsilon")
        return cls(level, samples, seed, confidence_of(confidence), resume)


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
    subject = Subject(hash_of(framework), name, options.seed, options.confidence)
    state = None if options.resume is None else read_state(options.resume, subject)
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

    def selected(self) -> State:
        """Choose on samples of their own what is evaluated."""
        scope(self.framework, 1)  # something is left to check
        secrets = _secrets(self.framework)
        needed = sorted({x for each in secrets for x in each.law})
        places = {each: place for place, each in enumerate(needed)}
        used = min(self.options.samples // _SELECTED, _MOST_SELECTED)
        if used < 2 * len(places) or used < 8:
            least = _SELECTED * max(2 * len(places), 8)
            raise ModelError(f"expected at least {least}, found {self.options.samples}", "samples")
        known = {(each.prior, each.name): _moved(each, places) for each in secrets}
        pairs = _pairs(self.framework, known)
        again = len(pairs) > _MANY_PAIRS and used >= 4 * len(places)
        shares = _shares(list(known.values()), len(places), used // (4 if again else 2))
        both = alike([each for half in (0, 1) for each in self._sampled(needed, shares, half)])
        halves, drawn = (both[: len(places)], both[len(places) :]), 2 * sum(shares)
        meant = (self.options.samples - drawn) // 2
        found = candidates(list(known.values()), pairs, halves, meant)
        best = found[0]
        if again:
            fresh = self._fresh(found, needed, used // 2)
            drawn += sum(each.count for each in fresh.values())
            best = confirmed(found, fresh, meant)
        meant = (self.options.samples - drawn) // 2
        return State(best.chosen, drawn, meant, Tallies.of(len(best.events)))

    def _fresh(
        self, found: Sequence[Candidate], databases: Sequence[int], samples: int
    ) -> dict[int, Outputs]:
        """Sample the databases that candidates are about once more."""
        secrets = [each for candidate in found for each in candidate.pair]
        used = sorted({place for each in secrets for place in each.law})
        within = {place: new for new, place in enumerate(used)}
        shares = _shares([_moved(each, within) for each in secrets], len(used), samples)
        drawn = self._sampled([databases[place] for place in used], shares, 2)
        return dict(zip(used, alike(drawn)))

    def _sampled(self, places: Iterable[int], shares: Sequence[int], half: int) -> list[Outputs]:
        labels = [self.framework.databases[place] for place in places]
        drawn = self.sampler.draw(list(zip(labels, shares)), (self.options.seed, 0, half))
        return [each for _, each in _same_kind(drawn)]

    def evaluated(self, state: State, told: Told) -> Estimate:
        """Draw samples up to every checkpoint, and bound the leakage there."""
        if isinstance(self.sampler, Command):
            self.sampler.numbers = not isinstance(state.chosen.events[0], LabelEvent)
        laws = [self._law(state, name) for name in state.chosen.pair]
        risk, done = 1 - self.options.confidence, state.tallies.samples
        until = (self.options.samples - state.selected) // 2
        try:
            for checkpoint in checkpoints(state.meant, done, until):
                if self._violated(state):
                    return self.answer(state, "violated")
                self._draw(state, laws, checkpoint)
                state.tallies.bound(risk * checkpoint.share)
                self.keep(state)
                told(self.answer(state, "going on"))
        except KeyboardInterrupt:
            self.keep(state)
            return self.answer(state, "interrupted")
        return self.answer(state, "violated" if self._violated(state) else "samples")

    def _violated(self, state: State) -> bool:
        best, level = state.tallies.best, self.options.level
        return best is not None and level is not None and level.compare(best.ratio) > 0

    def _law(self, state: State, name: str) -> "tuple[list[str], Conditional]":
        law, held = self.framework.laws[state.chosen.prior], self.framework.secrets[name]
        places = [place for place in held if law.weights[place]]
        labels = [self.framework.databases[place] for place in places]
        return labels, Conditional([law.weights[place] for place in places])

    def _draw(
        self, state: State, laws: "Sequence[tuple[list[str], Conditional]]", until: Checkpoint
    ) -> None:
        """Count events in blocks of outputs, each with a seed of its own."""
        block = max(_BLOCK, _PER_DATABASE * max(len(labels) for labels, _ in laws))
        block = min(block, _MOST_BLOCK)
        while (done := state.tallies.samples) < until.samples:
            size = min(block, until.samples - done)
            left, right = (
                self._counted(state, law, size, (self.options.seed, 1 + side, done))
                for side, law in enumerate(laws)
            )
            state.tallies.add(size, left, right)

    def _counted(
        self, state: State, law: "tuple[list[str], Conditional]", size: int, seed: tuple[int, ...]
    ) -> list[int]:
        labels, conditional = law
        counts = conditional.draw(size, Words((*seed, 0))).tolist()
        asked = [(label, count) for label, count in zip(labels, counts) if count]
        seen = [0] * len(state.chosen.events)
        for database, outputs in self.sampler.draw(asked, (*seed, 1)):
            for place, event in enumerate(state.chosen.events):
                try:
                    seen[place] += event.count(outputs)
                except ModelError as error:
                    raise SamplerError(error.what, f'sampler: database "{database}"') from None
        return seen

    def keep(self, state: State) -> None:
        """Write the run into its file, if it has one."""
        if self.options.resume is not None:
            write_state(self.options.resume, self.subject, state)

    def answer(self, state: State, stopped: str) -> Estimate:
        """Return what is known now."""
        best, chosen, options = state.tallies.best, state.chosen, self.options
        witness = None
        if best is not None:
            witness = EventWitness(chosen.prior, chosen.pair, chosen.events[best.event], best)
        return Estimate(
            Fraction(1) if best is None else best.ratio,
            options.confidence,
            state.samples,
            options.seed,
            self.sampler.seeded,
            witness,
            options.level,
            stopped,
            len(chosen.events),
        )


def _secrets(framework: Framework) -> list[Secret]:
    """Return the secrets of positive probability under every prior that are in some pair."""
    named = {name for pair in framework.pairs for name in pair}
    return [
        Secret(prior, name, {x: law.weights[x] / mass for x in held if law.weights[x]})
        for prior, law in framework.laws.items()
        for name, held in framework.secrets.items()
        if name in named and (mass := framework.mass(prior, name))
    ]


def _moved(secret: Secret, places: dict[int, int]) -> Secret:
    return Secret(secret.prior, secret.name, {places[x]: p for x, p in secret.law.items()})


def _shares(secrets: Sequence[Secret], databases: int, samples: int) -> list[int]:
    """Return how often each database is sampled: in proportion to the largest probability that it
    has given a secret, and at least once.
    """
    need = [0.0] * databases
    for each in secrets:
        for place, weight in each.law.items():
            need[place] = max(need[place], weight)
    total, spare = sum(need), samples - databases
    return [1 + int(spare * each / total) for each in need]


def _pairs(
    framework: Framework, known: "dict[tuple[str, str], Secret]"
) -> list[tuple[Secret, Secret]]:
    return [
        (known[prior, left], known[prior, right])
        for prior in framework.laws
        for pair in framework.pairs
        for left, right in framework.orders(pair)
        if (prior, left) in known and (prior, right) in known
    ]


def _same_kind(drawn: Iterator[tuple[str, Outputs]]) -> Iterator[tuple[str, Outputs]]:
    """Pass outputs on. Raises `SamplerError` where those of a database are of another kind."""
    first: tuple[str, str] | None = None
    for database, outputs in drawn:
        kind = outputs.kind
        if first is not None and kind not in (None, first[1]):
            raise SamplerError(
                f'outputs are {kind}, expected {first[1]} as on database "{first[0]}"',
                f'sampler: database "{database}"',
            )
        if first is None and kind is not None:
            first = database, kind
        yield database, outputs
