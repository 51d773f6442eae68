"""Events and partitions into finitely many of them: Partitions.v."""

from collections.abc import Collection, Iterable, Iterator
from itertools import product
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS, Rows
from pufferproof.claims.vocabulary.terms import entry

EVENTS = "('O -> bool) -> Prop"
MEASURES = "'D -> ('O -> bool) -> R"
PAIRS = "Pufferfish.secret 'D -> Pufferfish.secret 'D -> Prop"
PRIORS = "('D -> R) -> Prop"
Event = frozenset[int]
Sides = Iterator[tuple[object, object]]


def _closed(events: Collection[Event], size: int) -> Iterator[bool]:
    """Yield whether the empty set is an event, and the complement of each event."""
    yield frozenset() in events
    yield from (frozenset(range(size)) - e in events for e in events)


def _of_events(M: Rows, events: Iterable[Event]) -> Rows:
    return [[sum((row[o] for o in e), ZERO) for e in events] for row in M]


def partitions(cells: int, outputs: int) -> Iterator[list[Event]]:
    """Yield every partition of outputs into as many cells, which may be empty."""
    for places in product(range(cells), repeat=outputs):
        yield [frozenset(o for o, place in enumerate(places) if place == w) for w in range(cells)]


def _keeps_events(ratio: Fraction, M: Rows, events: Any, pairs: Any, priors: Any) -> Sides:
    yield from KEEPS.value(ratio, _of_events(M, events), pairs, priors)


def _keeps_cells(size: int, ratio: Fraction, M: Rows, events: Collection[Event], pairs: Any, priors: Any) -> Sides:
    for cells in partitions(size, len(M[0])):
        if all(cell in events for cell in cells):
            yield from KEEPS.value(ratio, _of_events(M, cells), pairs, priors)


CLOSED = entry(
    "closed under complement",
    takes=(EVENTS, "Type"),
    words="[0] contains the empty set and the complement in [1] of each of its members",
    tex=r"\emptyset \in [0] \wedge \forall e \in [0]:\ [1] \setminus e \in [0]",
    coq="[0] (fun _ : [1] => false) /\\ forall e_, [0] e_ -> [0] (fun o_ => negb (e_ o_))",
    value=_closed,
    precedence=200,
    relation="truth",
)
KEEPS_EVENTS = entry(
    "keeps for events",
    takes=("R", MEASURES, EVENTS, PAIRS, PRIORS),
    words="[1] keeps [0] for [3] under [4], for every event in [2]",
    tex=r"\forall e \in [2], p \in [4], (s, t) \in [3]:\ P_p([1] \in e \mid s) \le [0]\, "
    r"P_p([1] \in e \mid t)",
    coq="Pufferfish.pufferfish [0] (fun x_ (e_ : {e_ | [2] e_}) => [1] x_ (proj1_sig e_)) [3] [4]",
    value=_keeps_events,
    relation="<=",
    meaning="That M keeps R for Q under Theta for every event in E means that P_p(M in e | s) <= R "
    "P_p(M in e | t) for every e in E, every p in Theta and every pair (s, t) in Q with P_p(s) > 0 "
    "and P_p(t) > 0, where M(x, e) is the probability of e on x.",
)
KEEPS_CELLS = entry(
    "keeps for partitions",
    takes=("Type", "R", MEASURES, EVENTS, PAIRS, PRIORS),
    words="for every partition of the outputs into events of [3], one for each member of [0], the "
    "mechanism that shows in which event the output lies keeps [1] for [4] under [5]",
    tex=r"\forall c : [0] \to [3] \text{ a partition},\ p \in [5], (s, t) \in [4], w:\ "
    r"P_p([2] \in c_w \mid s) \le [1]\, P_p([2] \in c_w \mid t)",
    coq="forall c_ : [0] -> _, Partitions.partition c_ -> (forall w_, [3] (c_ w_)) -> "
    "Pufferfish.pufferfish [1] (fun x_ w_ => [2] x_ (c_ w_)) [4] [5]",
    value=_keeps_cells,
    precedence=200,
    relation="<=",
)
