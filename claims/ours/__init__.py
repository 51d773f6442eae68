"""Results of our own, one folder per subject, beside the laws of `general`. Read `worst` first."""
