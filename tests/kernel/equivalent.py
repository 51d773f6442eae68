"""Mutants of the kernel that give the same answers, as they then read, with the reason."""

EQUIVALENT: dict[str, list[tuple[str, str]]] = {
    "reading": [("len(text) < 200", "a text of exactly 200 characters is whole with or without its length")],
    "level": [
        ("self.value > settled", "where the two are equal, the enclosure of e^nats decides alike"),
        ("cross < 0", "a cross term of 0 has the square 0, at most a product of two negatives"),
    ],
    "rates": [
        ("low >= 0", "the second time it is asked, one bound is not 0, the other has its sign"),
        ("most < 0", "where the bound is 0, the exact sign of the sum is at most 0 as well"),
        *[("n >= 0", "no coefficient is 0: weights are positive")] * 3,
    ],
    "algebra": [
        ("q <= 0", "0 was answered before"),
        ("q > r.numerator.bit_length()", "where they are equal, the enclosure of e^q decides alike"),
        ("x * r.denominator >= r.numerator * unit", "a bound equal to r decides: e^q is not r"),
    ],
    "designs.redaction": [
        ("a * d > b * c", "where the two are equal, all slopes are moved to one"),
        ("{*output} < {None, *'01*'}", "an output is either nothing but None, or has no None"),
    ],
    "noise.rounding": [
        ("extra < 0", "a number of just so many bits is cut by none"),
        ("one[1] > two[1]", "of two numbers with one exponent either comes first"),
        ("e - f >= 4 * bits + n.bit_length()", "both ways to add bound the sum"),
        ("first <= second", "equal odds are the same; where g turns, a quotient of z is z"),
        ("tops[0] <= tops[1]", "they differ"),
    ],
    "noise.counts": [("by > 0", "a shift by 0 is none")],
    "noise.normal": [
        ("e > 0", "a shift by 0 is none"),
        ("square > 2 * bits", "where they are equal, both ways bound it"),
        ("2 * squares[1] >= 2 * k + 3 << work", "one term more is as well"),
        ("place > n", "at the middle both are a half"),
    ],
    "noise.delta": [
        ("far < FARTHEST", "a limit of what is taken, not of what is true"),
        ("a < 0", "where the larger one is 0, what comes after gives 0"),
        ("a * unit < -b * t", "where they are equal, the closed form is 0"),
        ("b > 0", "where the lesser one is 0, the next comparison holds"),
        ("-b * unit < a * t", "where they are equal, both forms are the same"),
        ("before[0][0] >= 0", "a probability that is not 0 is not rounded to 0"),
        ("now >= 0", "a sign that was shown is not 0"),
        ("now >= 0", "a sign that was shown is not 0"),
        ("under <= 0", "0 times either mass is 0"),
        ("above > 0", "0 times either mass is 0"),
        ("last >= 0", "0 times either decay is 0"),
    ],
    "designs.__init__": [("ratio[0] * worst[1] >= worst[0] * ratio[1]", "equal ratios are the same")],
    "designs.three_r": [
        ("chain.alpha >= chain.beta", "where they are equal, exchanging values changes nothing"),
        ("chain.alpha + chain.beta >= 1", "where it is 1, no record is medium: none has a slope"),
        ("bottom <= top", "no room is left only where every q would have to be 1"),
        ("len(q) <= 2", "a negative eigenvalue leaves at most one medium record, by another rule"),
    ],
}
