"""The influence curve a*(b) of a framework: `framework` first, which shares hidden records out among the subtrees of
many bits; `point` is what it answers.

`chains` goes along records by the gaps to both sides, and has the published closed form; `networks` searches
separators, `classes` takes the supremum over boxes.
"""
