"""`pufferproof calibrate`: `command` first; `task` is what is asked, `answer` what is said."""
