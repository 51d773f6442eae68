"""A linked statement as what is said of an object: its words and its LaTeX."""

from pufferproof.claims.language.linked import words
from pufferproof.claims.language.linked.argument import Linked
from pufferproof.claims.language.objects import AsObject

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
    )
