"""Names of readings and scopes that many claims on this paper share."""

PRINTED = "as printed"
ALL = "all parameters"
