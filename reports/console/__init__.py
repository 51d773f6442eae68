"""What every command shares: `options` first, then `outputs`, which writes files, and `telling`,
which prints the answer; `lazy` imports a command when it is run.
"""
