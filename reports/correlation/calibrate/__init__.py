"""`pufferproof calibrate`: `command` first; `task` is what is asked, and what is said."""
