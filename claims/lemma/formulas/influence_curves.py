"""Influence of one record of a chain of two values on another, massny2025: a and b are the chances
to change, c is a/b or b/a, powers of lam = 1 - a - b are letters.
"""

from pufferproof.claims.lemma.formulas import lemma

lemma(
    "lemma.prop1-slopes",
    "massny2025.prop1-convex-pos",
    "v*(c/(c*v + 1) + 1/(1 - v)) - w*(c/(c*w + 1) + 1/(1 - w)) = (v - w)*(c/((c*v + 1)*(c*w + 1)) "
    "+ 1/((1 - v)*(1 - w)))",
    "Take the difference quotient of the first derivative of i_c, as a function of v = lam^D.",
)

lemma(
    "lemma.prop1-second-derivative",
    "massny2025.prop1-convex-pos",
    "L*v*(L*(c/(1 + c*v) + 1/(1 - v)) + L*v*(1/(1 - v)**2 - c**2/(1 + c*v)**2)) = L**2*v*(c/(1 + "
    "c*v)**2 + 1/(1 - v)**2)",
    "Give the second derivative of i_c in D, L = log lam and v = lam^D: it is positive.",
)

lemma(
    "lemma.prop1-18",
    "massny2025.prop1-convex-neg",
    "((1 + c*u)/(1 - u))/((1 + d*u)/(1 - c*(d*u))) = ((1 + c*u)/(1 + d*u))*((1 - c*d*u)/(1 - u))",
    "Rewrite the drop between distances D and D + 1 for even D as two quotients, equation (18).",
)

lemma(
    "lemma.prop1-19",
    "massny2025.prop1-convex-neg",
    "((1 + u)/(1 - c*u))/((1 + c*(d*u))/(1 - d*u)) = ((1 + u)/(1 + c*d*u))*((1 - d*u)/(1 - c*u))",
    "Rewrite the drop between distances D and D + 1 for odd D as two quotients, equation (19).",
)

lemma(
    "lemma.prop1-quotient",
    "massny2025.prop1-convex-neg",
    "(A*u + 1)/(B*u + 1) - (A*w + 1)/(B*w + 1) = (A - B)*(u - w)/((B*u + 1)*(B*w + 1))",
    "Take the difference of one such quotient at two distances: it falls in u for A < B.",
)

lemma(
    "lemma.prop1-falls",
    "massny2025.prop1-decreasing-repaired",
    "(u + 1)*(1 - m*u) > (1 - c*u)*(1 + c*m*u)",
    "Compare influences at D and D + 1 for odd D, multiplied by the denominators, m = -lam and u "
    "= m^D.",
    given="0 < m < 1, c >= 1, u > 0",
)

lemma(
    "lemma.prop1-falls-even",
    "massny2025.prop1-decreasing-repaired",
    "(c*u + 1)*(1 - c*m*u) > (1 - u)*(1 + m*u)",
    "Compare influences at D and D + 1 for even D, multiplied by the denominators, m = -lam and u "
    "= m^D.",
    given="c*m < 1, c >= 1, 0 < u < m",
)

lemma(
    "lemma.prop1-cd",
    "massny2025.prop1-cd",
    "b*(a + b - 1) < a",
    "Bound |lam| = a + b - 1: b |lam| < a, so that no denominator vanishes.",
    given="a > 0, a <= b, b < 1",
)

lemma(
    "lemma.redaction-count",
    "massny2025.redaction-count",
    "large + (Q*b + a*medium)/(a + b) = large + medium - b*(medium - Q)/(a + b)",
    "Count the expected redactions in two ways, Q the sum of the constants q of M.",
)

lemma(
    "lemma.reversible-stay",
    "massny2025.reversible",
    "((b/(a + b))*(1 - a))/((b/(a + b))*(1 - a) + (a/(a + b))*b) = 1 - a",
    "Turn one step round by Bayes' rule: a stationary chain of two values stays as often "
    "backwards.",
)

lemma(
    "lemma.next-influence",
    "massny2025.x-next-influence",
    "c*(v + 1)*(1 - m*v) - (c - v)*(c*m*v + 1) = v*(c + 1)*(1 - c*m)",
    "Factor the difference of the next influence of one value and that of the other, by the "
    "denominators, for odd D.",
)

lemma(
    "lemma.next-influence-even",
    "massny2025.x-next-influence",
    "(c + v)*(1 - c*m*v) - c*(1 - v)*(m*v + 1) = v*(c + 1)*(1 - c*m)",
    "Factor the difference of the next influence of one value and that of the other, by the "
    "denominators, for even D.",
)

lemma(
    "lemma.closer-leaks-less",
    "massny2025.thm2-shape",
    "(c*s*u + 1)*(c*t*u + 1) <= (c*u + 1)*(c*s*t*u + 1)",
    "Compare two pairs of distances of one sum, as numerators: the closer pair leaks less.",
    given="c >= 0, u >= 0, s <= 1, t <= 1",
)

lemma(
    "lemma.closer-leaks-less-below",
    "massny2025.thm2-shape",
    "(1 - u)*(1 - s*t*u) <= (1 - s*u)*(1 - t*u)",
    "Compare two pairs of distances of one sum, as denominators.",
    given="u >= 0, s <= 1, t <= 1",
)

lemma(
    "lemma.up-set-derivative",
    "massny2025.x-feasible-up-set",
    "C*F*(A*C*q + B*D) - A*C*(C*F*q + D*G) = C*D*(B*F - A*G)",
    "Give the derivative in q of the ratio of two likelihoods, times the square of the second.",
)

lemma(
    "lemma.up-set-determinant",
    "massny2025.x-feasible-up-set",
    "(A*x*(1 - a) + B*b)*(F*a*x + G*(1 - b)) - (A*a*x + B*(1 - b))*(F*x*(1 - a) + G*b) = x*(A*G - "
    "B*F)*(1 - a - b)",
    "Multiply determinants along a chain of two values, x the weight of * at the record.",
)

lemma(
    "lemma.ex1-least-q",
    "massny2025.ex1-q",
    "(1/2 - exp(x)/4)/(3*exp(x)/4 - 1/2) > 11923/100000",
    "Enclose the least q_2 of Example 1 from below, at epsilon = 1/2.",
    given="x = 1/2",
)

lemma(
    "lemma.ex1-least-q-above",
    "massny2025.ex1-q",
    "(1/2 - exp(x)/4)/(3*exp(x)/4 - 1/2) < 477/4000",
    "Enclose the least q_2 of Example 1 from above, at epsilon = 1/2.",
    given="x = 1/2",
)

lemma(
    "lemma.fig4-below",
    "massny2025.fig4",
    "log(19120/12261)/2 - x/2 > log(1514829/2000000)",
    "Enclose the constant of the relaxation in Figure 4 from below, in logarithms.",
    given="x = 1",
)

lemma(
    "lemma.fig4-above",
    "massny2025.fig4",
    "log(19120/12261)/2 - x/2 < log(1514831/2000000)",
    "Enclose the constant of the relaxation in Figure 4 from above, in logarithms.",
    given="x = 1",
)

lemma(
    "lemma.fig4-slopes",
    "massny2025.qconst-observed",
    "x > 2*log(9881/9520) - log(19120/12261)",
    "Compare the slopes of two records in M for all budgets at which M has two records.",
    given="1/2 <= x <= 13/10",
)
