"""The influence curve a*(b) of a framework: `framework` first, `point` is what it answers.

`chains` goes along records by the gaps to both sides (`sides`), `networks` searches separators,
`forests` shares hidden records out among the subtrees of many bits, `classes` takes the supremum
over boxes; `published` has the closed form.
"""
