"""What readings say, as text: programs with what they are true of, objects, linked arguments and
formulas.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from pufferproof.claims.language.linked.plain import plain
from pufferproof.claims.language.linked.program import LinkedProgram
from pufferproof.claims.language.linked.said import as_object
from pufferproof.claims.language.statements import Draws, Instance, Statement, sources
from pufferproof.claims.language.statements.statement import Said
from pufferproof.claims.registry import Claim
from pufferproof.claims.run.texts import digest, lines, short, text_of
from pufferproof.claims.vocabulary.proposition import Program

SEEDS = 8
"""With so many seeds a usual and a hard instance is drawn; so many edges are asked about."""


def said(claim: Claim) -> Iterator[str]:
    """Yield the lines of what a claim's readings say, in order."""
    for name in claim.order:
        formula, statement = claim.formulas.get(name), claim.says.get(name)
        yield f"says {name}".rstrip()
        if statement is None:
            yield from lines("formula", text_of(formula), "  ")
        elif isinstance(statement, LinkedProgram):
            yield from _linked(statement)
        elif isinstance(statement, Program):
            yield from _object(statement)
        else:
            yield from _program(statement)
        if statement is not None:
            yield from asked(statement)


def _linked(statement: LinkedProgram) -> Iterator[str]:
    """Yield the words of a linked argument, its letters, definitions and facts."""
    argument, made = statement.linked, as_object(statement.linked)
    yield from lines("words", made.words, "  ")
    yield from _listed("index", argument.indices)
    if made.listed is not None:
        for letter in made.listed.letters:
            yield f"  letter {' | '.join(letter)}"
        for definition in made.listed.definitions:
            yield f"  definition {' | '.join(definition)}"
        for fact in made.listed.facts:
            yield f"  fact {' | '.join(fact)}"
    yield from _listed("near", {str(x): text_of(each) for x, each in argument.near.items()})
    yield from _listed("spare", argument.spare)
    yield f"  as plain data: {digest([json.dumps(plain(argument))])}"


def _object(statement: Program) -> Iterator[str]:
    """Yield the words of an object, what it is for Coq, and its near misses."""
    proposition = statement.said
    texts = {
        "words": proposition.words,
        "LaTeX": proposition.tex,
        "Coq": proposition.coq,
        "name": proposition.name,
        "sets": proposition.types,
        "decidable": proposition.decidable,
        "meanings": "\n".join(proposition.meanings),
    }
    for name, text in texts.items():
        yield from lines(name, text, "  ")
    for each in proposition.letters:
        yield f"  letter {each.name} | {each.shown} | {each.kind}"
    yield from _listed("survivor", proposition.survivors)
    yield from (f"  near miss {words}" for words in proposition.near_misses())
    yield from _program(statement)


def _program(statement: Statement) -> Iterator[str]:
    """Yield what a program says of itself."""
    yield from lines("drawn", statement.drawn, "  ")
    yield from (f"  given {words}" for words in statement.given)
    for words, change in statement.too_strong.items():
        yield f"  too strong {words}: {short(text_of(change))}"
    yield from (f"  too weak {words}" for words in statement.too_weak)
    for name, some in (("edges", statement.edges), ("broken", statement.broken)):
        if some:
            yield f"  {name}: {len(some)}, {digest(map(text_of, some))}"
    if statement.degenerate is not None:
        yield f"  degenerate: {short(text_of(statement.degenerate))}"
    yield from lines("always", statement.always, "  ")
    yield from lines("computed", ", ".join(statement.computed), "  ")


def _listed(name: str, texts: Mapping[str, str]) -> Iterator[str]:
    yield from (f"  {name} {key}: {text}" for key, text in texts.items())


def asked(statement: Statement) -> Iterator[str]:
    """Yield what is true of some instances: of hypotheses, conclusion and near misses 1, 0, or `!`
    where asking raises.
    """
    misses = {**statement.near_misses(), **statement.survivors()}
    for place, instance in _instances(statement):
        if instance is None:
            yield f"  {place}: !"
            continue
        known: Said = {}
        given = [_truth(statement.asked, each, instance, known) for each in statement.given.values()]
        then = _truth(statement.concludes, instance, known)
        missed = [_truth(each, instance, known) for each in misses.values()]
        said = f"given {''.join(given)} then {then} misses {''.join(missed)}"
        yield f"  {place} {digest([text_of(instance)])}: {said}"


def _instances(statement: Statement) -> Iterator[tuple[str, Instance | None]]:
    """Yield instances with their places: drawn ones, usual and hard, edges and broken ones."""
    for seed in range(SEEDS):
        for kind in ("usual", "hard"):
            draws = Draws(sources.generator(str(seed)), hard=kind == "hard")
            yield f"{kind} {seed}", _drawn(statement, draws)
    for name, some in (("edge", statement.edges), ("broken", statement.broken)):
        for number, each in enumerate(islice(some, SEEDS)):
            yield f"{name} {number}", each


def _drawn(statement: Statement, draws: Draws) -> Instance | None:
    try:
        return statement.family(draws)
    except Exception:  # what a program does is written down, whatever it is
        return None


def _truth(asked: Callable[..., Any], *about: object) -> str:
    """Return what is said of an instance: one that breaks a hypothesis may have no meaning."""
    try:
        return str(int(asked(*about)))
    except Exception:  # what a program does is written down, whatever it is
        return "!"
