"""Which priors hold all groups of recorded data. Read `kinds` first."""
