"""What levels per record allow along chains of any alphabet: `stationary` takes the lesser of two
bounds.
"""
