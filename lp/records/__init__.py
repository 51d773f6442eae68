"""What levels per record allow along chains of any alphabet. Read `stationary` first; `blocks` and
`couplings` are the two bounds that it takes the lesser of.
"""
