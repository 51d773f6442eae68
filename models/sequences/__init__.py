"""Records in a row, too many to list: `places` and `chain` first, then `local` and `redaction`."""
