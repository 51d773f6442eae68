"""The composition rate of a mechanism, and the necessary condition for composition (NfC) at a
claimed level.

The leakage L_k of k independent runs of one mechanism grows like k times its *composition rate*

    rate = lim L_k / k = max over (mu, nu) and x in supp mu of value(x, supp nu),

where (mu, nu) are the laws of the database given two secrets, and value is that of the matrix game
of `lp/rates/games.py`. NfC at level epsilon asks for value <= epsilon in every game: one beta with
log P(w|x) <= epsilon + sum_y beta_y log P(w|y) for all outputs, for several mechanisms the same
beta, each at its own level. Where it fails, `counterexamples/breaking_runs.py` finds runs that
exceed it. Source: bai2026, Theorem 5.1 (necessity); the rest is ours.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from pufferproof.lp.exact.weights import Weights, sign_of_logs
from pufferproof.lp.rates.games import GAP, Game, Games, Key, Play, played, sharpen
from pufferproof.lp.rates.games import RESTS_ON as GAMES_REST_ON
from pufferproof.models.channel import Channel
from pufferproof.models.errors import CertificateError, ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable, listed
from pufferproof.models.interface.tabular import Entry, Tabular, infinite_if_none
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.enclosures import INFINITE, Enclosure, enclose
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import JsonObject, brief, rounded, text_of
from pufferproof.verify.certificates.writing import Inputs, level_json, statement
from pufferproof.verify.decision import Decision, united
from pufferproof.verify.leakage.ratio import nothing_to_check

# Whether the value of a matrix game of log-likelihoods, levels subtracted, is at most 0: bounds first, then exact
# signs.
#
# A single database that keeps the levels is tried first, as in differential privacy, with ties decided exactly. Where
# the bounds of the optimal weights leave 0 between them, the sign of every sum is decided by powers of integers or by
# enclosures: a tie with rational weights is found, one with irrational weights cannot be, and is undecided.

AT_LEVEL_RESTS_ON = ("worst.nfc-is-rate", "worst.game-value")


def decided(games: Games, x: int, against: tuple[int, ...], play: Play | None = None) -> tuple[Decision, Game]:
    """Decide whether the value of a game, levels subtracted, is at most 0: bounds first, then
    exact signs. What its players learned, if they did, spares a linear program.
    """
    if (beta := _single(games, x, against)) is not None:
        return Decision.HOLDS, Game(x, against, None, None, Weights.at(0), beta)
    if play is not None and (below := play.below(0.0)) is not None:
        return Decision.HOLDS, Game(x, against, None, below[0], Weights.at(0), below[1])
    game = games.solve(x, against)
    for _ in range(2):
        if game.lower is None or game.lower > 0:
            return Decision.FAILS, game
        if game.upper is not None and game.upper <= 0:
            return Decision.HOLDS, game
        if game.beta is not None and _keeps(games, x, game.beta):
            return Decision.HOLDS, game
        if _exceeds(games, x, against, game.alpha):
            return Decision.FAILS, game
        game = sharpen(games, game)
    return Decision.UNDECIDED, game


def _single(games: Games, x: int, against: Sequence[int]) -> Weights | None:
    """Return all weight on one database that keeps the levels, if there is one."""
    import numpy as np

    allowed = games.remaining(x, against)
    if not allowed:
        return None
    own = games.positive[x]
    most = (games.logs[x] - games.shift - games.logs[allowed])[:, own].max(axis=1)
    for j in np.argsort(most, kind="stable").tolist():
        if most[j] > games.error:
            break
        if most[j] < -games.error or _keeps(games, x, Weights.at(allowed[j])):
            return Weights.at(allowed[j])
    return None


def _keeps(games: Games, x: int, beta: Weights) -> bool:
    """Say whether it is certain that sum_y beta_y payoff(w, y) <= 0 for every output."""
    for w in games.positive[x].nonzero()[0].tolist():
        terms = [(n, games.ratio(x, y, w)) for y, n in zip(beta.places, beta.numerators)]
        sign = _sign(games, terms, {w: beta.denominator})
        if sign is None or sign > 0:
            return False
    return True


def _exceeds(games: Games, x: int, against: Sequence[int], alpha: Weights) -> bool:
    """Say whether it is certain that sum_w alpha_w payoff(w, y) > 0 for every database."""
    times = dict(zip(alpha.places, alpha.numerators))
    for y in against:
        if games.positive[y, list(times)].all():
            terms = [(n, games.ratio(x, y, w)) for w, n in times.items()]
            if _sign(games, terms, times) != 1:
                return False
    return True


def _sign(games: Games, terms: list[tuple[int, Fraction]], times: dict[int, int]) -> int | None:
    """Return the sign of the terms less `times` the levels of outputs."""
    ratios = [(-n, games.levels[w].ratio or Fraction(1)) for w, n in times.items()]
    nats = sum((n * (games.levels[w].nats or Fraction(0)) for w, n in times.items()), Fraction(0))
    return sign_of_logs([*terms, *ratios], -nats)


RESTS_ON = ("worst.rate", "worst.rate-upper", "worst.rate-lower", "worst.nfc-is-rate", "worst.rate-mixtures")
RATES_REST_ON = united(RESTS_ON, GAMES_REST_ON)
_NONE: frozenset[int] = frozenset()
# the prior of the first secret's law, and of the second's: different ones only for mixtures
Priors = tuple[str, str]


@dataclass(frozen=True)
class Case:
    """The games of one ordered pair under one prior (or two, for mixtures): every database of
    `support` against `against`.
    """

    priors: Priors
    pair: Pair
    support: tuple[int, ...]
    against: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class Place(Readable):
    """Where a game stands: prior (two names for a limit of mixtures), pair, database."""

    priors: Priors
    pair: Pair
    database: str

    def as_json(self) -> JsonObject:
        """Return `{"prior", "pair", "database"}`, the prior a list for a limit of mixtures."""
        same = self.priors[0] == self.priors[1]
        prior = self.priors[0] if same else list(self.priors)
        return {"prior": prior, "pair": list(self.pair), "database": self.database}

    def __str__(self) -> str:
        (above, below), (first, second) = self.pair, self.priors
        prior = f"prior {first!r}" if first == second else f"mixtures of the priors {first!r}, {second!r}"
        return f"at database {self.database!r} of {above!r} against {below!r}, {prior}"


@dataclass(frozen=True, repr=False)
class Rate(Readable, Tabular):
    """The composition rate of a mechanism between `lower` and `upper` nats a run, both None when
    infinite.

    `exact` is (q, d) when the rate is exactly log(q) / d. `alpha` says in which proportions outputs
    reach the lower bound at `place`; `betas` has for every game a beta that keeps it at the upper
    bound, the same one where it serves several games.
    """

    _named, _axis = ("above", "below", "database"), "nats a run"

    framework: Framework = field(repr=False)
    mechanism: Channel = field(repr=False)
    lower: Fraction | None
    upper: Fraction | None
    exact: tuple[Fraction, int] | None
    place: Place
    alpha: dict[str, Fraction]
    beta: dict[str, Fraction] | None
    betas: tuple[tuple[str, dict[str, Fraction]], ...] = field(repr=False)
    games: Games = field(repr=False)

    @property
    def infinite(self) -> bool:
        """Whether some number of runs leaks everything."""
        return self.upper is None

    def enclosure(self) -> Enclosure:
        """Return the rate in nats a run."""
        return INFINITE if self.lower is None or self.upper is None else enclose(self.lower, self.upper)

    def as_json(self) -> dict[str, str]:
        """Return `{"lower", "upper"}` as decimal text, rounded outward."""
        return self.enclosure().as_json()

    @cached_property
    def table(self) -> list[tuple[Place, Game]]:
        """Every prior, ordered pair and database with its game."""
        names = self.framework.databases
        return [
            (Place(case.priors, case.pair, names[x]), self.games.solve(x, case.against))
            for case in cases(self.framework)
            for x in case.support
        ]

    def entries(self) -> list[Entry]:
        """Return a row for every prior, ordered pair and database: the nats a run of its game."""
        return [
            {
                "prior": ", ".join(dict.fromkeys(place.priors)),
                "above": place.pair[0],
                "below": place.pair[1],
                "database": place.database,
                "lower": infinite_if_none(game.lower),
                "upper": infinite_if_none(game.upper),
            }
            for place, game in self.table
        ]

    def __str__(self) -> str:
        if self.lower is None or self.upper is None:
            return f"infinite rate: enough runs leak everything, {self.place}"
        ends = self.enclosure()
        value = f"{rounded(ends.lower, 7)} to {rounded(ends.upper, 7)} nats"
        if self.exact is not None:
            q, d = self.exact
            value = f"log({brief(q)}){f'/{d}' * (d > 1)} ≈ {rounded(ends.lower, 7)} nats"
        outputs = listed([output for output, weight in self.alpha.items() if weight])
        return f"rate {value} a run, by outputs {outputs} {self.place}"


@dataclass(frozen=True, repr=False)
class NfC(Readable):
    """Whether NfC holds for mechanisms at their levels.

    HOLDS: `betas` has a beta for every game. FAILS: at `place`, `alpha` (by mechanism and output)
    exceeds the levels against every database of the other secret. UNDECIDED: at `place` the value
    less the levels is between `lower` <= 0 and `upper`.
    """

    framework: Framework = field(repr=False)
    mechanisms: tuple[Channel, ...] = field(repr=False)
    levels: tuple[Level, ...]
    answer: Decision
    betas: tuple[tuple[str, dict[str, Fraction]], ...] = field(default=(), repr=False)
    place: Place | None = None
    alpha: tuple[tuple[int, str, Fraction], ...] = ()
    lower: Fraction | None = None
    upper: Fraction | None = None
    supports: str = "prior"

    def as_json(self) -> JsonObject:
        """Return answer, levels, and where it fails or is undecided."""
        answer: JsonObject = {"answer": self.answer.name, "levels": [str(level) for level in self.levels]}
        if self.place is not None:
            answer["place"] = self.place.as_json()
        if self.answer is Decision.FAILS:
            answer["alpha"] = [
                {"mechanism": i, "output": output, "weight": text_of(weight)} for i, output, weight in self.alpha
            ]
        if self.answer is Decision.UNDECIDED and self.lower is not None and self.upper is not None:
            answer["excess"] = enclose(self.lower, self.upper).as_json()
        return answer

    def __str__(self) -> str:
        place = "" if self.place is None else f", {self.place}"
        return f"NfC {self.answer.name} at {listed([str(level) for level in self.levels], quote=False)}{place}"


def composition_rate(framework: Framework, mechanism: Channel) -> Rate:
    """Return the composition rate of a mechanism with both certificates: lim (leakage of k runs) /
    k, in nats.

    L_k is at most k rate + log(1 / smallest positive nu_y) (worst.rate-upper), and at least k value
    - log(1 / mu_x) wherever k alpha is integral (worst.rate-lower).

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> rate = composition_rate(framework, Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"]))
    >>> rate.exact, rate.place.database, rate.alpha
    ((Fraction(3, 1), 1), 'a', {'u': Fraction(1, 1)})

    Bounds are at most 1e-9 apart relative to the rate (far less when it is the logarithm of a
    rational).

    Raises `ModelError` unless the mechanism fits the framework and there is something to check.
    """
    framework = check_type(framework, Framework, "framework")
    mechanism = check_type(mechanism, Channel, "mechanism")
    games = Games([mechanism.aligned(framework.databases, framework.support)])
    by_game = _first_cases(framework)
    if not by_game:
        raise nothing_to_check()
    bounded = _bounded(games, list(by_game))
    if (infinite := next((game for game in bounded if game.infinite), None)) is not None:
        case = by_game[infinite.database, infinite.against]
        return _rate(framework, mechanism, games, case, infinite, [])
    narrowed = _narrowed(games, bounded)
    lower = max(game.lower or Fraction(0) for game in narrowed)
    top = next(game for game in narrowed if game.lower == lower)
    case = by_game[top.database, top.against]
    return _rate(framework, mechanism, games, case, top, narrowed)


def check_nfc(
    framework: Framework,
    mechanisms: Channel | Sequence[Channel],
    levels: LevelLike | Sequence[LevelLike],
    supports: str = "prior",
) -> NfC:
    """Decide NfC for one mechanism at a level, or for several, each at its own, with the same beta.

    Args:
        mechanisms: one channel or several.
        levels: one level or one per mechanism (`Level`, text or nats).
        supports: `"prior"` compares the supports of the two secrets under each prior; `"union"`
            those of all priors together, the paper's statement without its priors (neither implies
            the other).

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> response = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    >>> [check_nfc(framework, response, level).answer.name for level in ("log(3)", "1.09")]
    ['HOLDS', 'FAILS']

    Raises `ModelError` as `composition_rate`, and unless there is one level per mechanism.
    """
    framework = check_type(framework, Framework, "framework")
    mechanisms = check_type(mechanisms, Channel | Sequence[Channel], "mechanisms")
    supports = check_type(supports, str, "supports")
    channels = [mechanisms] if isinstance(mechanisms, Channel) else list(mechanisms)
    chosen = Level.coerce_all(levels, "levels", or_one=True)
    if len(chosen) != len(channels) or not channels:
        raise ModelError(f"expected one level per mechanism, found {len(chosen)} for {len(channels)}", "levels")
    nfc = NfC(framework, tuple(channels), chosen, Decision.HOLDS, supports=supports)
    games = Games([channel.aligned(framework.databases, framework.support) for channel in channels], chosen)
    betas, doubt = _Betas(), None
    by_game = _first_cases(framework, supports)
    plays = played(games, list(by_game))
    for (x, against), case in by_game.items():
        if betas.serve(x, against):
            continue
        answer, game = decided(games, x, against, plays.get((x, against)))
        place = Place(case.priors, case.pair, framework.databases[x])
        if answer is Decision.FAILS:
            return replace(nfc, answer=answer, place=place, alpha=_by_output(games, channels, game.alpha))
        if answer is Decision.UNDECIDED:
            doubt = doubt or replace(nfc, answer=answer, place=place, lower=game.lower, upper=game.upper)
        elif game.beta is not None:
            betas.add(x, game.beta)
    if doubt is None and not betas:
        raise nothing_to_check()
    return doubt or replace(nfc, betas=betas.named(framework))


def cases(framework: Framework, supports: str = "prior") -> Iterator[Case]:
    """Yield what has to be compared: pairs of laws by their supports, in file order.

    Mixtures of priors (closure "convex"), worst.rate-mixtures: the games are those of (mu_k, nu_k),
    and of (mu_k, nu_l) for priors k, l with k(s) > 0 and l(s') > 0, but k(s') = 0 or l(s) = 0: such
    mixtures come as near as one likes to these laws. Where all four are positive a mixture is worth
    a constant more than its parts.
    """
    if supports not in ("prior", "union"):
        raise ModelError(f'expected "prior" or "union", found "{supports}"', "supports")
    names = list(framework.priors)
    laws = {name: frozenset(framework.laws[name].support) for name in names}
    members_of = {
        (name, secret): tuple(x for x in members if x in laws[name])
        for name in names
        for secret, members in framework.secrets.items()
    }
    for first in names:
        for second in names if framework.closure == "convex" else [first]:
            for pair in framework.pairs:
                for s, t in framework.orders(pair):
                    support, against = members_of[first, s], members_of[second, t]
                    mixed = first == second or not (members_of[first, t] and members_of[second, s])
                    if not support or not against or not mixed:
                        continue
                    if supports == "union":
                        support, against = _union(framework, laws, s), _union(framework, laws, t)
                    yield Case((first, second), (s, t), support, against)


def _first_cases(framework: Framework, supports: str = "prior") -> dict[Key, Case]:
    """Return every game with the first of the cases that it belongs to."""
    first: dict[Key, Case] = {}
    for case in cases(framework, supports):
        for x in case.support:
            first.setdefault((x, case.against), case)
    return first


def _union(framework: Framework, laws: dict[str, frozenset[int]], secret: str) -> tuple[int, ...]:
    return tuple(x for x in framework.secrets[secret] if any(x in law for law in laws.values()))


def _bounded(games: Games, keys: list[Key]) -> list[Game]:
    """Return the games with their bounds, from above alone where they cannot decide the rate, up to
    one that is infinite.

    Those that both players' learning leaves highest are solved first: the others are mostly below.
    """
    plays = played(games, keys)
    bounded: dict[Key, Game] = {}
    floor = Fraction(0)
    for x, against in sorted(keys, key=lambda key: -min(plays[key].upper) if key in plays else 0):
        play = plays.get((x, against))
        below = None if play is None else play.below(float(floor))
        if below is None:
            game = games.bounded(x, against, floor)
        else:
            game = Game(x, against, None, below[0], Weights((), (), 1), below[1])
        bounded[x, against] = game
        if game.infinite:
            break
        if game.lower is not None:
            floor = max(floor, game.lower)
    return [bounded[key] for key in keys if key in bounded]


def _narrowed(games: Games, top_games: list[Game]) -> list[Game]:
    """Sharpen the games that decide how far apart the largest lower and upper bounds are."""
    narrowed = list(top_games)
    lower = max(game.lower or Fraction(0) for game in narrowed)
    for i, game in enumerate(narrowed):
        if (game.upper or 0) >= lower and (exact := games.exact(game)) is not None:
            narrowed[i] = exact
    above = [i for i, game in enumerate(narrowed) if (game.upper or 0) > lower]
    for i in sorted(above, key=lambda i: -(narrowed[i].upper or Fraction(0))):
        lower = max(lower, narrowed[i].lower or Fraction(0))
        if (narrowed[i].upper or 0) <= lower * (1 + GAP):
            break
        narrowed[i] = sharpen(games, narrowed[i])
        lower = max(lower, narrowed[i].lower or Fraction(0))
    return narrowed


def _rate(framework: Framework, mechanism: Channel, games: Games, case: Case, top: Game, top_games: list[Game]) -> Rate:
    names = framework.databases
    upper = max((game.upper or Fraction(0) for game in top_games), default=None)
    above = [game for game in top_games if (game.upper or 0) > (top.lower or 0)]
    exact = top.exact if top.exact is not None and all(_not_above(game, top.exact) for game in above) else None
    kept = _Betas()
    for game in top_games:
        if game.beta is not None and not kept.serve(game.database, game.against):
            kept.add(game.database, game.beta)
    beta = None if top.beta is None else {names[y]: weight for y, weight in top.beta.fractions().items()}
    alpha = {mechanism.outputs[w]: weight for w, weight in top.alpha.fractions().items()}
    place = Place(case.priors, case.pair, names[top.database])
    return Rate(framework, mechanism, top.lower, upper, exact, place, alpha, beta, kept.named(framework), games)


def _not_above(game: Game, exact: tuple[Fraction, int]) -> bool:
    """Say whether a game's value is known to be at most log(q) / d."""
    if game.exact is None:
        return False
    return game.exact[0] ** exact[1] <= exact[0] ** game.exact[1]


class _Betas:
    """Betas found so far, by database; one serves games that allow all its databases."""

    def __init__(self) -> None:
        self._found: dict[int, list[Weights]] = {}
        self._single: dict[int, set[int]] = {}  # databases that serve alone
        self._several: dict[int, list[Weights]] = {}

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, x: int, beta: Weights) -> None:
        self._found.setdefault(x, []).append(beta)
        if len(beta.places) == 1:
            self._single.setdefault(x, set()).add(beta.places[0])
        else:
            self._several.setdefault(x, []).append(beta)

    def serve(self, x: int, against: Sequence[int]) -> bool:
        if not self._single.get(x, _NONE).isdisjoint(against):
            return True
        others = frozenset(against)
        return any(others.issuperset(beta.places) for beta in self._several.get(x, ()))

    def named(self, framework: Framework) -> tuple[tuple[str, dict[str, Fraction]], ...]:
        names = framework.databases
        return tuple(
            (names[x], {names[y]: weight for y, weight in beta.fractions().items()})
            for x, betas in self._found.items()
            for beta in betas
        )


def _by_output(games: Games, channels: Sequence[Channel], alpha: Weights) -> tuple[tuple[int, str, Fraction], ...]:
    places = [games.outputs[w] for w in alpha.places]
    return tuple((i, channels[i].outputs[w], weight) for (i, w), weight in zip(places, alpha.fractions().values()))


# Certificates of composition rates and of NfC, as the kernel checks them (see CERTIFICATES.md).

Betas = tuple[tuple[str, dict[str, Fraction]], ...]


def rate_certificate(rate: Rate, inputs: Inputs) -> JsonObject:
    """Return the certificate of a rate: a beta for every game, an alpha, and both bounds."""
    alpha = [_weights(rate.alpha)]
    claim = {**_bounds(rate), **rate.place.as_json(), "alpha": alpha, "betas": _betas(rate.betas)}
    return statement("rate", claim, rate.framework, [rate.mechanism], inputs)


def nfc_certificate(nfc: NfC, inputs: Inputs) -> dict[str, object]:
    """Return the certificate of NfC at levels, or of its failure.

    Raises `CertificateError` unless it was decided, for supports prior by prior.
    """
    levels = [level_json(level) for level in nfc.levels]
    if nfc.supports != "prior":
        raise CertificateError("certificates of NfC compare supports prior by prior")
    if nfc.answer is Decision.HOLDS:
        claim = {"levels": levels, "betas": _betas(nfc.betas)}
        return statement("nfc", claim, nfc.framework, nfc.mechanisms, inputs)
    if nfc.answer is Decision.UNDECIDED or nfc.place is None:
        raise CertificateError("NfC is undecided at this level: there is nothing to certify")
    alpha: list[dict[str, Fraction]] = [{} for _ in nfc.mechanisms]
    for i, output, weight in nfc.alpha:
        alpha[i][output] = weight
    claim = {"levels": levels, **nfc.place.as_json(), "alpha": [_weights(part) for part in alpha]}
    return statement("nfc-violation", claim, nfc.framework, nfc.mechanisms, inputs)


def _bounds(rate: Rate) -> dict[str, object]:
    if rate.lower is None or rate.upper is None:
        return {"lower": "inf", "upper": "inf"}
    if rate.exact is not None and rate.exact[1] == 1:
        bound = level_json(Level.log(rate.exact[0]))
        return {"lower": bound, "upper": bound}
    shown = rate.as_json()
    return {"lower": {"nats": shown["lower"]}, "upper": {"nats": shown["upper"]}}


def _betas(betas: Betas) -> list[dict[str, object]]:
    return [{"database": database, "beta": _weights(beta)} for database, beta in betas]


def _weights(weights: dict[str, Fraction]) -> dict[str, str]:
    return {name: text_of(weight) for name, weight in weights.items()}
