"""What a program is given: `generator` stands in for NumPy's, `draws` are linear forms over
continuous draws, `lazy` and `counts` become known when they are looked at, `arrays` hold all of them.
"""
