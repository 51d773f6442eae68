"""The commands about several releases; `compose` first."""
