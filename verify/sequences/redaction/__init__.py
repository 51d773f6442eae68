"""What redaction of a chain leaks, exactly and in linear time: `leakage` first, then `joint`."""
