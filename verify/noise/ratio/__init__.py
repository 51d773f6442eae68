"""The largest likelihood ratio of noisy queries: of `listed` values and `partial` tables, of `blocks` of a chain, and
`bounds` of what is too large, by a `window` around a record.
"""
