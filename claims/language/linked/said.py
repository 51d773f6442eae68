"""A linked statement as what is said of an object: its words, its LaTeX, and its argument for a
page.
"""

from pufferproof.claims.language import wording
from pufferproof.claims.language.linked import words
from pufferproof.claims.language.linked.argument import Linked
from pufferproof.claims.language.linked.made import Copy, Extreme, Fact
from pufferproof.claims.language.objects import AsObject, Listed

NOT_IN_COQ = "Coq has no proof of it: engines discharged a linked argument"


def as_object(argument: Linked) -> AsObject:
    """Return what is said of a linked argument."""
    return AsObject(
        words.lets(argument),
        words.hypotheses(argument),
        words.conclusion(argument),
        "",
        None,
        NOT_IN_COQ,
        argument.spare,
        words.definitions(argument),
        listed(argument),
    )


def listed(argument: Linked) -> Listed:
    """Return the letters, the definitions and the facts of an argument in order."""
    made = [x for x, each in argument.definitions.items() if not isinstance(each, Copy)]
    return Listed(
        [(words.latex(argument, each), words.domain_words(each), each.meaning) for each in argument.letters],
        [(words.definition_latex(argument, each), each.meaning) for each in made],
        [
            (each.name, how(argument, each), words.latex(argument, each.formula))
            for each in argument.facts.values()
            if each.rule != "let"
        ],
    )


def how(argument: Linked, fact: Fact) -> str:
    """Say for which values of indices a fact holds, by which rule, and what it uses."""
    its = argument.order(argument.indices_of(fact.formula))
    said = [words.for_every(its)] if its else []
    if fact.uses and fact.rule != "again":
        said.append(f"from {wording.series(list(map(_used, fact.uses)))}")
    return ", ".join([*said, _rule(argument, fact)])


def _rule(argument: Linked, fact: Fact) -> str:
    shown = "" if fact.of is None else words.text(argument, fact.of)
    if fact.rule == "lemma":
        put = [f"{x.name} = {words.text(argument, made)}" for x, made in fact.put.items()]
        return f"by the lemma “{fact.lemma.name}” with {', '.join(put)}"
    if fact.rule == "term":
        made = argument.definitions[fact.of]
        kind = f"the {made.kind} of them" if isinstance(made, Extreme) else "their sum"
        extra = "" if isinstance(made, Extreme) else ", as terms are nonnegative"
        return f"terms beside {shown}, which is {kind}{extra}"
    return {
        "given": "a hypothesis",
        "step": "by engines" if fact.uses else "by engines, from domains alone",
        "along": f"by induction along {fact.over}",
        "exponentials": "exp of a sum and the product of exp of its terms",
        "swap": "one double sum in two orders",
        "attained": f"at a value of {fact.over} at which {shown} is attained",
        "again": f"{_used(fact.uses[0])} at {fact.over}" if fact.uses else "",
    }[fact.rule]


def _used(name: str) -> str:
    if name.startswith("let "):
        return f"the definition of {name.removeprefix('let ')}"
    return f"“{name}”"
