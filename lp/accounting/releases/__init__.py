"""What planned releases of windows of records leak together.

`plan` reads a plan, `windows` its tables and programs, `schedule` has the answer: all together,
each `alone`, the `least` factor on the noise, and the one of several `groups` that leaks most.
"""
