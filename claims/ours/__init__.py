"""Results of our own, one folder per subject; `general` first."""
