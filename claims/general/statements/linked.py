"""That a level of group privacy is reached, as a linked argument, and letters of what is shown."""

from sympy import And, Eq

from pufferproof.claims.language import at_least, letter, letters
from pufferproof.claims.language.linked import Linked

R = letter("R", "e to the level", at_least(1))
T = letter("T", "e to k levels, k the number of changes")
s, t = letters("s t", "the probability of the report of a bit that is the bit, and of the other")
S, U = letters("S U", "the probability of a report of k bits that is right in all, and in none")

A = letter("A", "e to the influence", at_least(0))
p = letter("p", "P(x_L = l, x_H = h | s)", at_least(0))
q = letter("q", "P(x_L = l, x_H = g | s')", at_least(0))
m = letter("m", "P(w | x) of the table with x_L = l and x_H = h", at_least(0))
n = letter("n", "P(w | x) of the table with x_L = l and x_H = g", at_least(0))
P, Q = letters("P Q", "the probability of x_L = l given the secret")
X, Y = letters("X Y", "the probability of x_L = l and w given the secret")
V, W = letters("V W", "P(w | s) and P(w | s')")
RECORDS = {
    "l": "the values of the records L that are shown",
    "h": "the values of the hidden records H, given s",
    "g": "the values of the hidden records H, given s'",
}


def _attained() -> Linked:
    one = Linked("randomised response", {"j": "the bits"}, {R: ""})
    one.let(s, R / (R + 1))
    one.let(t, 1 / (R + 1))
    one.product(S, "j", s)
    one.product(U, "j", t)
    one.product(T, "j", R)
    one.step("one bit", And(Eq(s, R * t), Eq(s + t, 1)), "let s", "let t")
    one.along("all bits", "j", Eq(S, T * U), "one bit")
    then = And(Eq(S, T * U), Eq(s, R * t), Eq(s + t, 1))
    return one.conclude("attained", then, "all bits", "one bit")


ATTAINED = _attained()
