"""Records in a row, too many to list: `framework` first, then `chain`, `local` and `redaction`."""
