"""The setting: chain, leakage, utility. Read `statement` first."""
