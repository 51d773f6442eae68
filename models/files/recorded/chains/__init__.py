"""The chain of recorded data: `counts` has the values in order, their steps and the prior that
these give, `options` says how it is fitted, `document` is the framework file.
"""
