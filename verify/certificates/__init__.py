"""Writing certificates that the kernel has accepted: `writing` first."""
