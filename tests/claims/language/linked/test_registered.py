"""Every linked argument of the registry, without one of its facts."""

from tests.claims.judging import rejects

from pufferproof.claims.language.linked import second
from pufferproof.claims.language.linked.plain import plain
from pufferproof.claims.language.linked.program import LinkedProgram
from pufferproof.claims.registry import load_claims
from pufferproof.verify.proof.smt import Answer


def test_a_linked_argument_without_one_of_its_facts_is_refused(monkeypatch):
    monkeypatch.setattr(second, "ask", lambda *_: Answer("z3", "unsat"))
    linked = [
        plain(each.linked)
        for claim in load_claims().values()
        for each in claim.says.values()
        if isinstance(each, LinkedProgram)
    ]
    assert len(linked) > 50
    for data in linked:
        second.read_again(data)
        for fact in data["facts"][:-1]:  # the last one says the conclusion, as another one may
            rest = [each for each in data["facts"] if each is not fact]
            rejects({**data, "facts": rest})
