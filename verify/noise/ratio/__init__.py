"""The largest likelihood ratio of noisy queries: of `listed` values and `tables`, of `blocks` of a
chain, of many `people`, and `bounds` of what is too large, by a `window` around a record.
"""
