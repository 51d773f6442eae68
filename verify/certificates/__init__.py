"""Writing certificates that the kernel has accepted: `writing` first. `formal` holds the record of
the theorems that Coq checked, and `export` writes certificates for Coq.
"""
