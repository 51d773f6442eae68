"""Laws of built-in queries of records that are not listed: `laws` first, then `chain` and
`networks`, which make polynomials of what `packing` counts. Several segments together are in
`blocks`. Bounds under `classes` of chains, of any mechanism with levels per record.
"""
