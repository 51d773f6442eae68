"""The Wasserstein mechanism. Read `statement` first."""
