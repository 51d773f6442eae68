"""Names of readings and scopes that many claims on this paper share."""

PRINTED = "as printed"
FINITE = "finite domains and classes, discrete noise-free queries; every output"
ALL = "all parameters"
