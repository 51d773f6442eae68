"""The commands about several releases, one file each; `compose` first."""
