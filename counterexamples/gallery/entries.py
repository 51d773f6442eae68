"""The counterexamples of the gallery: frameworks, the smallest mechanisms that break them, and what
else is certified.

Mechanisms that collapse are the minimum of `shrink`, all its stages proved, so that any version of
any solver gives the same. `all_entries` reads them from `finds`; `derived_entries` finds them
again, for `build`, and for a test that compares both.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from pathlib import Path

from pufferproof.counterexamples.collapse.search import Collapse, search_collapse
from pufferproof.counterexamples.shrink import STAGES, shrink_collapse
from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.cones.separation import Implied, Supports, Target, targets
from pufferproof.models.channel import Channel
from pufferproof.models.errors import SolverError
from pufferproof.models.files.mechanisms import channel_of
from pufferproof.models.files.reading import read_loaded
from pufferproof.models.files.shapes import MechanismFile
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product, Table

FINDS = Path(__file__).parent / "finds"


@dataclass(frozen=True)
class ImpliedInequality:
    """Inequalities u_x <= kappa (sum of u_y) of every column within a budget, as (x, ys)."""

    budget: str
    places: tuple[tuple[int, tuple[int, ...]], ...]
    per_record: str | None = None


@dataclass(frozen=True)
class Entry:
    """One counterexample.

    `mechanisms` are files m1.json, m2.json, ..; `budgets` what each is certified to keep; `joint`
    the releases (positions in `mechanisms`) whose leakage is certified; `nfc`, `breaking` ask for
    those certificates at the budgets; `finite` for implied inequalities. `smallest`: the mechanisms
    are the smallest that collapse within the budgets.
    """

    name: str
    title: str
    shows: str
    framework: Framework
    mechanisms: tuple[Channel, ...] = ()
    budgets: tuple[str, ...] = ()
    joint: tuple[int, ...] = ()
    nfc: bool = False
    breaking: bool = False
    finite: tuple[ImpliedInequality, ...] = field(default=())
    smallest: bool = False


@cache
def all_entries() -> tuple[Entry, ...]:
    """Return every counterexample, in the order of the README."""
    return (
        smallest_pair(),
        two_bits(),
        unequal_bits(),
        three_bits(),
        two_priors(),
        phase_transition(),
        three_runs(),
        singletons(),
        per_record(),
        nfc_fails(),
        nfc_not_enough(),
    )


def derived_entries() -> tuple[Entry, ...]:
    """Return every counterexample, with the smallest mechanisms that collapse found again."""
    return tuple(_derived(entry) if entry.smallest else entry for entry in all_entries())


def smallest_pair() -> Entry:
    """Three databases, budget 0."""
    framework = _pair({"a": "1/2", "b": "1/4", "c": "1/4"})
    return _collapse(
        "smallest-pair",
        "The smallest collapse",
        "There is one pair of secrets, with one prior and three databases. The output of the "
        "mechanism is independent of the secret, so it leaks nothing. Two runs with different "
        "outputs are possible for `a` only and reveal it. With two databases there is no collapse "
        "at any budget because each secret then determines the database. So three databases are "
        "the fewest; two outputs, two runs and denominators of 2 are the fewest and smallest as "
        "well.",
        framework,
        ["log(1)"],
        (0, 0),
    )


def two_bits() -> Entry:
    """Budgets (0, epsilon)."""
    framework = _bits([["1/2", "1/2"]] * 2)
    return _collapse(
        "two-bits",
        "Two fair bits: two budgets of 0 compose, but a budget of 0 and one above 0 do not",
        "Both bits are fair, and both are secret. Mechanisms that leak nothing alone leak nothing "
        "together, however many are released: all their columns have equal entries at 00 and 11, "
        "and at 01 and 10 (`finite-*.json`), and so have products of columns. One mechanism that "
        "leaks nothing (the parity) and one that leaks log(2) together reveal a bit.",
        framework,
        ["log(1)", "log(2)"],
        (0, 1),
        finite=(_each_bounded(framework, "log(1)"),),
    )


def unequal_bits() -> Entry:
    """Budget 0 with a marginal that is not uniform."""
    framework = _bits([["1/2", "1/2"], ["1/3", "2/3"]])
    return _collapse(
        "unequal-bits",
        "Two independent bits, one of them not fair: two budgets of 0 do not compose",
        "The first bit is fair, the second is 0 with probability 1/3, and both are secret. The "
        "mechanism leaks nothing, but two runs of it reveal a bit.",
        framework,
        ["log(1)"],
        (0, 0),
    )


def three_bits() -> Entry:
    """Budgets (0, 0)."""
    framework = _bits([["1/2", "1/2"]] * 3)
    return _collapse(
        "three-bits",
        "Three fair bits collapse at budget 0",
        "All three bits are fair and secret. A mechanism with two outputs leaks nothing: if the "
        "first bit is 0, it says whether the other two are equal; otherwise it tosses a coin. Two "
        "runs with different outputs reveal that the first bit is 1.",
        framework,
        ["log(1)"],
        (0, 0),
    )


def two_priors() -> Entry:
    """Collapse under a finite set of priors."""
    framework = _pair({"a": "1/2", "b": "1/6", "c": "1/3"}, {"a": "1/2", "b": "1/4", "c": "1/4"})
    return _collapse(
        "two-priors",
        "Two priors do not help once the budget is positive",
        "The priors differ in how they divide the second secret. Within log(5/4) a mechanism with "
        "two outputs keeps the promise under both priors, and two runs of it reveal the first "
        "secret. Within a budget of 0 there is no such mechanism because the inequalities in "
        "`finite-*.json` hold.",
        framework,
        ["log(5/4)"],
        (0, 0),
        finite=(_each_bounded(framework, "log(1)"),),
    )


def phase_transition() -> Entry:
    """A budget at the threshold, and just below."""
    framework = _pair({"a": "1/2", "b": "1/10", "c": "2/5"}, {"a": "1/2", "b": "2/5", "c": "1/10"})
    return _collapse(
        "phase-transition",
        "A budget at which collapse starts",
        "One prior divides the second secret 1 : 4 and the other 4 : 1. At log(2) two runs of the "
        "mechanism reveal the first secret, and three outputs are the fewest. No two releases "
        "within a smaller budget reveal it. Just below, at log(1999/1000), no number of releases "
        "ever does: `finite-*.json` certifies inequalities like those of differential privacy, "
        "which follow from the promise alone.",
        framework,
        ["log(2)"],
        (0, 0),
        finite=(_each_bounded(framework, "log(1999/1000)"),),
    )


def three_runs() -> Entry:
    """Pairwise finite, three releases collapse."""
    halves = [{"a": "1/2"} | {x: "1/4" if x == most else "1/8" for x in "bcd"} for most in "bcd"]
    framework = _pair(*halves)
    return _collapse(
        "three-runs",
        "Any two releases leak a bounded amount, but three reveal everything",
        "Each of the three priors favours another database of the second secret. Within log(5/4) "
        "a column that is possible for `a` can exclude one of the three databases, but not two "
        "(`finite-*.json`: u(a) is bounded by any two of them, and each of them by u(a)). So two "
        "releases never exclude all three, but three runs do. Four databases are the fewest "
        "because a collapse that takes three runs needs three databases to exclude.",
        framework,
        ["log(5/4)"],
        (0, 0, 0),
        finite=(
            ImpliedInequality(
                "log(5/4)", (*((0, pair) for pair in ((1, 2), (1, 3), (2, 3))), *((x, (0,)) for x in (1, 2, 3)))
            ),
        ),
    )


def singletons() -> Entry:
    """More secrets restore composition."""
    databases = ["a", "b", "c"]
    prior = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    secrets = {x: [x] for x in databases}
    framework = Framework(databases, secrets, "disjoint", {"theta": prior})
    return Entry(
        "singletons",
        "More secrets can restore composition",
        "The databases and the prior are those of the smallest collapse, but every database is a "
        "secret. Now the promise is differential privacy between any two databases, and leakage "
        "is finite for every number of runs (`finite-*.json`, at log(2)).",
        framework,
        finite=(_each_bounded(framework, "log(2)"),),
    )


def per_record() -> Entry:
    """Differential privacy on top prevents collapse."""
    framework = _bits([["1/2", "1/2"]] * 2)
    return Entry(
        "per-record-dp",
        "Differential privacy per record prevents collapse",
        "Within log(3/2), two releases about two fair bits can reveal everything. If they also "
        "satisfy differential privacy per record at log(2), the entries of a column bound each "
        "other (`finite-*.json`), and joint leakage stays finite.",
        framework,
        finite=(_each_bounded(framework, "log(3/2)", "log(2)"),),
    )


def nfc_fails() -> Entry:
    """From a failure of NfC to runs that break linear composition."""
    framework = _pair({"a": "1/2", "b": "1/4", "c": "1/4"})
    rows = {"a": ["1/2", "1/2"], "b": ["9/10", "1/10"], "c": ["1/10", "9/10"]}
    return Entry(
        "nfc-fails",
        "If the necessary condition for composition fails, some runs break composition",
        "The mechanism leaks nothing, but violates NfC at level 0 (`nfc.json`). The weights of "
        "that violation say which outputs to collect. Two runs are enough to leak more than "
        "nothing (`breaking.json`).",
        framework,
        (Channel.of(rows, ["u", "v"]),),
        ("log(1)",),
        nfc=True,
        breaking=True,
    )


def nfc_not_enough() -> Entry:
    """NfC holds, and two runs leak more than twice the level."""
    framework = Framework(
        ["a", "b", "c", "d"],
        {"s": ["a", "b"], "t": ["c", "d"]},
        [("s", "t")],
        {"theta": Table({"a": "1/5", "b": "1/5", "c": "1/5", "d": "2/5"})},
    )
    rows = {"a": ["1/3", "2/3"], "b": ["1/2", "1/2"], "c": ["1/3", "2/3"], "d": ["2/3", "1/3"]}
    return Entry(
        "nfc-not-enough",
        "The necessary condition for composition is not sufficient",
        "The mechanism leaks log(4/3) and satisfies NfC at that level (`nfc.json`). Two runs leak "
        "log(24/13), which is more than 2 log(4/3) = log(16/9) (`joint.json`). NfC bounds the "
        "leakage per run of many runs, not of few.",
        framework,
        (Channel.of(rows, ["u", "v"]),),
        ("log(4/3)",),
        (0, 0),
        nfc=True,
    )


def implied(framework: Framework, bounded: ImpliedInequality) -> list[tuple[Columns, Supports, Implied]]:
    """Return the inequalities of an entry, with the least kappa. Raises `SolverError` unless
    each holds for some kappa.
    """
    columns = Columns(framework)
    supports = _supports(columns, bounded.budget, bounded.per_record)
    bounds = []
    for x, others in bounded.places:
        inequality = supports.tightest(x, others)
        if inequality is None:
            raise SolverError(f"no inequality bounds database {x} by {others}")
        bounds.append((columns, supports, inequality))
    return bounds


def _supports(columns: Columns, budget: str, per_record: str | None) -> Supports:
    """Return what columns within a rational budget can be zero at."""
    record = None if per_record is None else Level.parse(per_record).ratio
    return Supports(columns.cone(Level.parse(budget).ratio or Fraction(1), record))


def _collapse(
    name: str,
    title: str,
    shows: str,
    framework: Framework,
    budgets: Sequence[str],
    joint: tuple[int, ...],
    finite: tuple[ImpliedInequality, ...] = (),
) -> Entry:
    """Return an entry with the mechanisms that collapse, a file for each budget."""
    files = [FINDS / name / f"m{k + 1}.json" for k in range(len(budgets))]
    kept = tuple(channel_of(read_loaded(file, MechanismFile).value, False) for file in files)
    return Entry(name, title, shows, framework, kept, tuple(budgets), joint, finite=finite, smallest=True)


def _derived(entry: Entry) -> Entry:
    """Return an entry with the smallest mechanisms that collapse, their budgets, and the releases,
    all found without the files.
    """
    collapse = search_collapse(entry.framework, entry.budgets)
    if not isinstance(collapse, Collapse):
        raise SolverError(f"expected a collapse, found {collapse}")
    shrunk = shrink_collapse(collapse, seconds=None)
    if shrunk.proved != STAGES:
        raise SolverError(f"expected a minimum in every stage, found {shrunk.proved}")
    found = shrunk.collapse.mechanisms
    mechanisms = tuple(dict.fromkeys(found))
    budgets = tuple(str(collapse.budgets[found.index(each)]) for each in mechanisms)
    joint = tuple(mechanisms.index(each) for each in found)
    return replace(entry, mechanisms=mechanisms, budgets=budgets, joint=joint)


def _each_bounded(framework: Framework, budget: str, per_record: str | None = None) -> ImpliedInequality:
    """Bound every x in supp mu by the first y in supp nu that does, for every (mu, nu)."""
    columns = Columns(framework)
    supports = _supports(columns, budget, per_record)
    places: dict[tuple[int, tuple[int, ...]], None] = {}
    for target in targets(columns):
        if not any((target.database, (y,)) in places for y in target.needed):
            places[target.database, (_bounding(supports, target),)] = None
    return ImpliedInequality(budget, tuple(places), per_record)


def _bounding(supports: Supports, target: Target) -> int:
    """Return the first database whose entry bounds that of a target."""
    return next(
        y for y in sorted(target.needed) if isinstance(supports.separate(target.database, frozenset([y])), Implied)
    )


def _pair(*priors: dict[str, str]) -> Framework:
    """The secret "X = a" or not, under priors given as tables."""
    named: dict[str, Prior] = {f"theta{i + 1}" if len(priors) > 1 else "theta": Table(p) for i, p in enumerate(priors)}
    databases = list(priors[0])
    return Framework(databases, {"s": databases[:1], "t": databases[1:]}, [("s", "t")], named)


def _bits(rows: Sequence[Sequence[str]]) -> Framework:
    """Independent bits, all secret."""
    count = len(rows)
    secrets = {f"x{i}={v}": (i, v) for i in range(1, count + 1) for v in "01"}
    pairs = [(f"x{i}=0", f"x{i}=1") for i in range(1, count + 1)]
    return Framework.of_records(Records(count, ("0", "1")), secrets, pairs, {"theta": Product(rows)})
