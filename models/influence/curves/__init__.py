"""The influence curve a*(b) of a framework: `framework` first, `point` is what it answers;
`chains` goes along records, `listed` tries every set of them.
"""
