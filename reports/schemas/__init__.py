"""The shapes of JSON answers, one class each, in `objects`."""
