"""What a program is given: `generator` stands in for NumPy's, `draws` are linear forms over
continuous draws, `lazy` numbers are functions of discrete ones, `arrays` hold both.
"""
