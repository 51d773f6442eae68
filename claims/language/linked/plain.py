"""A linked argument as plain data: what is shown, what is kept as evidence, and what the second
reader reads.
"""

from typing import Any

from pufferproof.claims.language.letters import Letter
from pufferproof.claims.language.linked.argument import Lemma, Linked
from pufferproof.claims.language.linked.made import Before, Copy, Extreme, Fact, Fold, Moving

Plain = dict[str, Any]


def plain(argument: Linked) -> Plain:
    """Return letters, definitions and facts in order, every formula as text."""
    return {
        "about": argument.about,
        "indices": dict(argument.indices),
        "letters": {
            each.name: {"meaning": each.meaning, "indices": list(its), "domain": _domain(each)}
            for each, its in argument.letters.items()
        },
        "definitions": [_definition(x, made) for x, made in argument.definitions.items()],
        **({"moving": [_moving(each) for each in argument.movings]} if argument.movings else {}),
        "facts": [_fact(each) for each in argument.facts.values()],
        "then": str(argument.then),
    }


def _domain(letter: Letter) -> list[list[str]]:
    return [[bound.relation, str(bound.number)] for bound in letter.bounds]


def _definition(letter: Letter, made: Any) -> Plain:
    if isinstance(made, Extreme):
        return {"letter": letter.name, "kind": made.kind, "over": made.over, "term": str(made.term)}
    if isinstance(made, Copy):
        return {"letter": letter.name, "kind": "at", "of": made.of.name, "at": made.to}
    if isinstance(made, Before):
        return {"letter": letter.name, "kind": "before", "of": made.of.name}
    if not isinstance(made, Fold):
        return {"letter": letter.name, "kind": "let", "is": str(made)}
    folded = {"over": made.over, "start": str(made.start), "following": str(made.following)}
    term = {} if made.kind == "chain" else {"term": str(made.term)}
    return {"letter": letter.name, "kind": made.kind, **folded, **term}


def _moving(each: Moving) -> Plain:
    letters = {x.name: [y.name for y in images] for x, images in each.letters.items()}
    return {"along": each.along.name, "before": each.before.name, "letters": letters}


def _fact(fact: Fact) -> Plain:
    said: Plain = {"name": fact.name, "rule": fact.rule, "formula": str(fact.formula)}
    if fact.uses:
        said |= {"uses": list(fact.uses)}
    if fact.over:
        said |= {"over": fact.over}
    if fact.of is not None:
        said |= {"of": fact.of.name}
    if fact.lemma is not None:
        put = {each.name: str(made) for each, made in fact.put.items()}
        said |= {"lemma": _lemma(fact.lemma), "put": put}
    return said


def _lemma(lemma: Lemma) -> Plain:
    source = lemma.source if isinstance(lemma.source, str) else plain(lemma.source)
    return {
        "name": lemma.name,
        "letters": {each.name: _domain(each) for each in lemma.letters},
        "given": [str(each) for each in lemma.given.values()],
        "then": str(lemma.then),
        "source": source,
    }
