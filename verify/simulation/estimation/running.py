"""A lower confidence bound of the leakage of a sampler, by drawing from it.

The leakage is the largest log(P(M in W | s) / P(M in W | s')) over priors, ordered pairs of secrets
and events W. A fourth of the samples selects a prior, a pair and a few events (`selection`). With
these fixed a fair coin chooses the secret of every further call, a database is drawn given it by
the exact law, and passed to the sampler. Among the calls with an event the coins are bet on
(`betting`): the bound holds at any time, also for samplers that change or remember. A lower bound
for listed priors is one for their mixtures.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import key_for
from pufferproof.models.numbers.grammar import confidence_of
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.verify.simulation.draws import WordStream
from pufferproof.verify.simulation.estimation.bets import Claim, ClaimEvidence, claim_of
from pufferproof.verify.simulation.estimation.choosing import (
    Aim,
    EventCandidate,
    PairOfSecrets,
    Record,
    SecretUnderPrior,
    candidates,
    confirmed,
    fixed_json,
    hash_of_bets,
)
from pufferproof.verify.simulation.estimation.outputs import LabelEvent, Outputs, alike
from pufferproof.verify.simulation.estimation.samplers import (
    Bundle,
    Coins,
    Command,
    Function,
    Sampler,
    SamplerError,
    held_back,
    repeats,
    same_kind,
    sampled,
)
from pufferproof.verify.simulation.estimation.state import (
    Estimate,
    EventCounts,
    EventWitness,
    Searched,
    State,
    Subject,
    Tallies,
    hash_of,
    read_state,
    write_state,
)
from pufferproof.verify.simulation.estimation.worlds import Key, World, pairs_in, world_of

_SELECTED, _MOST_SELECTED = 4, 1 << 18  # a fourth of the samples, and at most so many
_SEARCHED = 2  # of very many pairs half of the samples
_MANY_PAIRS, _VERY_MANY_PAIRS = 8, 64  # more, and the best are sampled again, or twice
_FOREMOST, _CONFIRMING = 8, 4
_MOST_SAMPLES = 10**12
_NEAR = 1e-6  # nats between a bound in floats and a level that it may exceed
_FIRST = 1 << 6  # samples of the first block; each is as large as all before, up to a limit
_SELECTING, _EVALUATING, _AGAIN = range(3)  # what a stream of coins is for
_REPEATED, _PART_REPEATED = 1 << 8, 1 << 6  # outputs drawn twice with one seed: at most a 64th
Told = Callable[[Estimate], object]


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
    delta: str | Fraction | float | None = None,
    zcdp: str | Fraction | float | None = None,
    gdp: str | Fraction | float | None = None,
) -> Estimate:
    """Bound the leakage of a sampler from below, with a stated confidence; or its delta at a level,
    its rho of zero-concentrated or its mu of Gaussian differential privacy.

    Args:
        framework: what must be protected: listed, or of long sequences.
        sampler: a function of (database), (database, rng) or (database, size, rng), where
            `database` is a label and `rng` a NumPy generator; the last form returns an array of
            `size` outputs. Outputs are numbers, text, truth values, None, or lists of these.
        epsilon: a level to refute: drawing ends as soon as the bound exceeds it.
        samples: how many outputs are drawn, at most.
        seed: the seed of `rng` alone. Coins and databases are new in every run: the answer has
            their seeds in `coins`.
        confidence: `"95%"`, `"19/20"` or a number; the bound is wrong with probability at most 1
            minus that.
        seconds: how long one call of the sampler may take, in the main thread.
        resume: a file where the run is kept, and from which it goes on if it is there.
        independent_draws: your word that outputs of (database, size, rng) are independent draws of
            a law that the database alone determines: then many are drawn in one call. Without it
            every call has `size` 1.
        trust_store: believe a file of `resume` that another user or machine has kept.
        delta: refute (epsilon, delta), and bound the delta at `epsilon`: the largest
            P(E | s) - e^epsilon P(E | s').
        zcdp: refute rho-zCDP for this rho, and bound it.
        gdp: refute mu-Gaussian differential privacy for this mu, and bound it.

    The bound holds for every sampler that does not see the coins, whatever it remembers: with
    probability at least `confidence`, some call leaked as much about the secret of its database,
    given all that happened before. Levels are pure: a mechanism that is only (epsilon, delta)
    private, such as Gaussian noise, violates each of them, and must be asked with `delta`.

    The answer is never that a level is kept. An interruption (Ctrl-C) returns the bound until then.

    Raises `ModelError` for what does not fit, and `SamplerError`, one of these, where the sampler
    fails; its `partial` is the answer until then.

    >>> from pufferproof import Framework, Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> def noisy(database, size, rng):
    ...     return (database == "a") + rng.laplace(scale=0.5, size=size)
    >>> estimate(framework, noisy, epsilon="1", seed=1).verdict
    <Verdict.VIOLATES: 'VIOLATES'>
    """
    framework = check_type(framework, Framework, "framework")
    sampler = check_type(sampler, Callable[..., object] | type, "sampler")
    samples = check_type(samples, int, "samples")
    seed = check_type(seed, int, "seed")
    confidence = check_type(confidence, str | Fraction | float, "confidence")
    seconds = check_type(seconds, float | None, "seconds")
    resume = check_type(resume, str | None, "resume")
    independent_draws = check_type(independent_draws, bool, "independent_draws")
    trust_store = check_type(trust_store, bool, "trust_store")
    delta = check_type(delta, str | Fraction | float | None, "delta")
    zcdp = check_type(zcdp, str | Fraction | float | None, "zcdp")
    gdp = check_type(gdp, str | Fraction | float | None, "gdp")
    called = Function(sampler, seconds, independent_draws)
    name = f"{getattr(sampler, '__module__', '')}:{getattr(sampler, '__qualname__', 'function')}"
    options = Options.of(epsilon, samples, seed, confidence, resume, trust_store)
    return estimate_with(framework, called, name, options.claiming(delta, zcdp, gdp))


@dataclass(frozen=True)
class Options:
    """How an estimate is made.

    `coins` are those of a run before, to do its bets again, or fixed ones of a test. A bound from
    coins that the sampler may know says nothing, so that no command and no public function has it.
    """

    level: Level | None
    samples: int
    seed: int
    confidence: Fraction
    resume: str | None = None
    trust_store: bool = False
    coins: Coins | None = None
    claim: Claim | None = None
    record: Record | None = None  # to which every call is appended

    def claiming(self, delta: object = None, zcdp: object = None, gdp: object = None) -> "Options":
        """Return these options with a claim. Raises `ModelError` unless it is in its range."""
        return replace(self, claim=claim_of(self.level, delta, zcdp, gdp))

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
            raise ModelError("needs --resume FILE", "--trust-store")
        return cls(level, samples, seed, confidence_of(confidence), resume, trust_store)


def estimate_with(
    framework: Framework, sampler: Sampler, name: str, options: Options, told: Told = lambda answer: None
) -> Estimate:
    """Bound the leakage of a sampler from below; `name` says in files which one it is, and `told`
    hears the bound at every checkpoint.
    """
    grouped = isinstance(sampler, Function) and sampler.grouped
    claim = None if options.claim is None else f"{options.claim.kind} {options.claim}"
    subject = Subject(hash_of(framework), name, options.seed, options.confidence, grouped, claim)
    state = None
    if options.resume is not None:
        key = None if options.trust_store else options.key
        state = read_state(options.resume, subject, key, options.claim)
    coins = options.coins or Coins.new()
    run = _Run(framework, sampler, options, subject, coins)
    if state is None:
        state = run.selected()
    try:
        return run.evaluated(state, told)
    except SamplerError as error:
        error.partial = run.answer(state, "failed")
        raise


@dataclass
class _Run:
    framework: Framework
    sampler: Sampler
    options: Options
    subject: Subject
    coins: Coins

    @cached_property
    def world(self) -> World:
        return world_of(self.framework, self.options.samples)

    def selected(self) -> State:
        """Choose on samples of their own what is evaluated. Of many pairs the best are compared
        again, and then the best of these: luck chooses among many.
        """
        world, samples = self.world, self.options.samples
        pairs, secrets = pairs_in(self.framework, world), list(world.secrets.values())
        many = len(pairs) > _VERY_MANY_PAIRS
        used = min(samples // (_SEARCHED if many else _SELECTED), _MOST_SELECTED)
        if used < 2 * world.units or used < 8:
            least = (_SEARCHED if many else _SELECTED) * max(2 * world.units, 8)
            raise ModelError(f"expected at least {least}, found {samples}", "samples")
        again = len(pairs) > _MANY_PAIRS and used >= 4 * world.units
        aim = Aim(self.options.claim, samples - used)
        found, drawn = self._candidates(secrets, pairs, (used // 2 if again else used, 0), aim)
        best = found[0]
        if again:
            if many:
                foremost = [each.pair for each in found]
                held = list({each.key: each for pair in foremost for each in pair}.values())
                found, more = self._candidates(held, foremost, (used // 4, 2), aim)
                found, drawn = found[:_FOREMOST], drawn + more
            fresh = self._fresh(found, used - drawn)
            drawn += sum(each.count for each in fresh.values())
            best = confirmed(found, fresh, aim)
        seeded, spent = self._repeats()
        drawn += spent
        tallies = Tallies.of(len(best.events), samples - drawn)
        risk = 1 - self.options.confidence
        chosen = best.chosen(self.options.claim, samples - drawn, risk)
        return State(chosen, drawn, tallies, seeded, runs=((0, self.coins),))

    def _candidates(
        self, secrets: Sequence[SecretUnderPrior], pairs: Sequence[PairOfSecrets], drawn: tuple[int, int], aim: Aim
    ) -> tuple[list[EventCandidate], int]:
        """Return the best pairs on samples, and how many these are; `drawn` is about how many, and
        the number of their first half.
        """
        samples, part = drawn
        places = sorted({unit for secret in secrets for unit in secret.law})
        shares = _shares(secrets, places, samples // 2)
        outputs = alike([each for half in (0, 1) for each in self._sampled(places, shares, part + half)])
        halves = (dict(zip(places, outputs[: len(places)])), dict(zip(places, outputs[len(places) :])))
        return candidates(secrets, pairs, halves, aim), 2 * sum(shares)

    def _repeats(self) -> tuple[bool, int]:
        """Return whether a seed determines outputs, and how many were drawn to see it: these are
        used for nothing else. No coin of theirs is bet on, and those of bets are drawn later.
        """
        if not self.sampler.seeded:
            return False, 0
        world, most = self.world, min(_REPEATED, self.options.samples // _PART_REPEATED)
        units, words = range(max(1, min(world.units, most))), WordStream(self.coins.seed(_AGAIN, 0))
        share = max(1, most // len(units))
        held = [each for unit in units for each in world.asked(unit, share, words)]
        drawn = 2 * sum(count for _, count in held)
        return repeats(self.sampler, held, (self.options.seed, _AGAIN)), drawn

    def _fresh(self, found: Sequence[EventCandidate], samples: int) -> dict[int, Outputs]:
        secrets = [each for candidate in found for each in candidate.pair]
        units = sorted({unit for secret in secrets for unit in secret.law})
        drawn = self._sampled(units, _shares(secrets, units, samples), _CONFIRMING)
        return dict(zip(units, alike(drawn)))

    def _sampled(self, units: Sequence[int], shares: Sequence[int], part: int) -> list[Outputs]:
        """Return outputs of units, so many of each."""
        world, words = self.world, WordStream(self.coins.seed(_SELECTING, part, 0))
        asked = [world.asked(unit, share, words) for unit, share in zip(units, shares)]
        coins, seed = self.coins.seed(_SELECTING, part, 1), (self.options.seed, _SELECTING, part)
        record = [] if self.options.record is None else self.options.record.selecting
        outputs = sampled(self.sampler, asked, coins, seed, record)
        return same_kind(outputs, [world.named(unit) for unit in units])

    def evaluated(self, state: State, told: Told) -> Estimate:
        """Draw samples in blocks, and bet on the coins of calls with an event."""
        if isinstance(self.sampler, Command):
            self.sampler.numbers = not isinstance(state.chosen.events[0], LabelEvent)
        keys = [(state.chosen.prior, name) for name in state.chosen.pair]
        until, block = self.options.samples - state.selected, self.world.block(keys)
        block, last, stopped = min(block, self.sampler.most), 0, "samples"
        try:
            while (done := state.tallies.samples) < until:
                if self._violated(state):
                    break
                size = min(block, until - done, max(_FIRST, done))
                self._evaluate(state, keys, size)
                if done + size >= min(until, 2 * last):
                    last = done + size
                    told(self.answer(state, "going on"))
        except KeyboardInterrupt:
            stopped = "interrupted"
        except SamplerError:
            self.keep(state, ended=True)
            raise
        self.keep(state, ended=True)
        if stopped == "samples" and self._violated(state):
            stopped = "violated"
        return self.answer(state, stopped)

    def _violated(self, state: State) -> bool:
        best, level = state.tallies.best, self.options.level
        if isinstance(best, ClaimEvidence):
            near = state.tallies.value_approx > float(best.claim.value) * (1 - _NEAR)
            return near and best.refuted
        if best is None or level is None:
            return False
        near = state.tallies.value_approx > float(level.enclosure().lower) - _NEAR
        return near and level.compare(best.ratio) > 0

    def _evaluate(self, state: State, keys: Sequence[Key], size: int) -> None:
        """Toss a coin for so many calls, and count how often events happen with either side.

        No coin is drawn twice: every start has a secret of its own, and every call a place of its
        own. A block that fails is not left out, as a sampler may fail when it is unlucky:
        outputs that are known count, and calls without one are lost bets (`Tallies`), also in the
        file before the sampler is asked for the first of them.
        """
        if state.runs[-1][1] != self.coins:
            state.runs = (*state.runs, (state.attempts, self.coins))
        state.attempts += 1
        lost, place = state.tallies.lost, (_EVALUATING, state.attempts)
        # a hash of what is fixed before the first call that is bet on
        options, record = self.options, self.options.record
        beside = {} if record is None else record.fixed(self.framework, state.chosen.pair)
        bets = hash_of_bets(fixed_json(state.chosen, options.confidence, options.claim, beside))
        coins = self.coins.tosses(size, bets, state.tallies.samples)
        state.tallies.lost = lost + size  # until an output is known
        self.keep(state)
        words = WordStream(self.coins.seed(*place, 0))
        first = int(coins.sum())
        calls = zip(keys, (first, size - first))
        asked = [self.world.drawn(key, count, words) for key, count in calls]
        bundle = Bundle.of(self.sampler, asked, self.coins.seed(*place, 1), coins)
        with held_back(not self.sampler.call_by_call):
            try:
                bundle.draw((self.options.seed, *place))
            finally:  # outputs that are known count; if they cannot be used, all stay lost
                try:
                    outputs = bundle.outputs()
                    seen = [tuple(event.count(output) for event in state.chosen.events) for output in outputs]
                except SamplerError:
                    raise
                except ModelError as error:
                    raise SamplerError(error.what, "sampler") from None
                left, right = bundle.calls
                state.tallies.add(EventCounts((left, right), (seen[0], seen[1])))
                state.tallies.lost = lost + bundle.unknown
                if self.options.record is not None:
                    self.options.record.betting.append(bundle)
                state.tallies.bound(state.chosen, 1 - self.options.confidence, self.options.claim)

    def keep(self, state: State, ended: bool = False) -> None:
        if self.options.resume is not None:
            write_state(self.options.resume, self.subject, state, self.options.key, ended)

    def answer(self, state: State, stopped: str) -> Estimate:
        best, chosen, options = state.tallies.best, state.chosen, self.options
        near = self.framework.neighbours  # None if pairs were written
        witness, ratio, value = None, Fraction(1), Fraction(0)
        if isinstance(best, ClaimEvidence):
            value = best.value
        elif best is not None:
            ratio = best.ratio
        if best is not None and (ratio > 1 or value > 0):
            witness = EventWitness(chosen.prior, chosen.pair, chosen.events[best.event], best)
        return Estimate(
            ratio,
            options.confidence,
            state.samples,
            options.seed,
            state.seeded,
            witness,
            options.level,
            stopped,
            len(chosen.events),
            state.tallies.drift,
            state.tallies.lost,
            tuple((attempts, coins.secret) for attempts, coins in state.runs),
            options.claim,
            value,
            chosen,
            None if near is None else Searched(near.relation, near.changes, len(self.framework.pairs)),
        )


def _shares(secrets: Sequence[SecretUnderPrior], units: Sequence[int], samples: int) -> list[int]:
    """Return how often each unit is sampled: by its largest probability, at least once."""
    need = dict.fromkeys(units, 0.0)
    for secret in secrets:
        for unit, weight in secret.law.items():
            need[unit] = max(need[unit], weight)
    total, spare = sum(need.values()), samples - len(units)
    return [1 + int(spare * need[unit] / total) for unit in units]
