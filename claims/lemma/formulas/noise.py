"""Levels of noise: masses of outputs, exponents of Gaussian noise, odds of segments."""

from pufferproof.claims.lemma.formulas import lemma

lemma(
    "lemma.mixture-before",
    "noise.mixture",
    "E*rho*(phi*rho - rise) + E*(rho*rise - bend) = E*(phi*rho**2 - bend)",
    "Differentiate E (rho phi - phi') before the value, E = e^(rho (x - n)).",
)

lemma(
    "lemma.mixture-behind",
    "noise.mixture",
    "E*rho*(phi*rho + rise) - E*(bend + rho*rise) = E*(phi*rho**2 - bend)",
    "Differentiate -E (rho phi + phi') behind the value, E = e^(-rho (x - n)).",
)

lemma(
    "lemma.delta-root",
    "noise.delta-step",
    "(x**2 + y**2) - (x**2*t/(t*x/y) + (y**2/t)*(t*x/y)) = (x - y)**2",
    "Evaluate the integral from its root on: the value of delta is a square.",
)

lemma(
    "lemma.line-one-more",
    "noise.gaussian-line",
    "P*tau**2 - 2*Q*tau + S + (y - d*tau)**2/v = S + y**2/v + tau**2*(P + d**2/v) - 2*tau*(Q + "
    "d*y/v)",
    "Add one coordinate to the exponent of correlated Gaussian outputs.",
)

lemma(
    "lemma.line-square",
    "noise.gaussian-line",
    "P*tau**2 - 2*Q*tau + S = P*(tau - Q/P)**2 + S - Q**2/P",
    "Complete the square: all outputs act as one output Q/P of the query.",
)

lemma(
    "lemma.segments-odds",
    "noise.segments",
    "h0*(l0*r1 - l1*r0) + l0*(h1*r0 - h0*r1) = r0*(h1*l0 - h0*l1)",
    "Write odds between two ends as a sum of both ends.",
)

lemma(
    "lemma.segments-images",
    "noise.segments",
    "(G00*l0 + G01*l1)*(G10*r0 + G11*r1) - (G00*r0 + G01*r1)*(G10*l0 + G11*l1) = (G00*G11 - "
    "G01*G10)*(l0*r1 - l1*r0)",
    "Multiply a determinant: the images of two odds keep or turn round their order.",
)

lemma(
    "lemma.gaussian-number",
    "normal.gaussian-values",
    "A*(r1 - p*x)**2 + 2*B*(r1 - p*x)*(r2 - q*x) + C*(r2 - q*x)**2 = A*r1**2 + 2*B*r1*r2 + "
    "C*r2**2 + x**2*(A*p**2 + 2*B*p*q + C*q**2) - 2*x*(p*(A*r1 + B*r2) + q*(B*r1 + C*r2))",
    "Expand the exponent of two correlated outputs: x meets them in one number.",
)

lemma(
    "lemma.gaussian-divergence",
    "normal.gaussian-values",
    "s*(z - D)**2 + z**2*(1 - s) = (z - s*D)**2 - D**2*s*(s - 1)",
    "Complete the square in the exponent of p^s q^(1 - s) for normal laws with the means D and 0.",
)

lemma(
    "lemma.two-priors",
    "worst.two-priors",
    "q*x1*x2 + y1*y2*(1 - q) = q*(1 - q)*(x1 - y1)*(x2 - y2) + (q*x1 + y1*(1 - q))*(q*x2 + y2*(1 "
    "- q))",
    "Split the mean of a product into the product of the means and a covariance.",
)
