"""What levels per record allow along Markov chains of any alphabet: the walk by signs, bounds that
are passed along, and mechanisms that leak much.
"""
