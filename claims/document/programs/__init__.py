"""Statements as programs in a document: functions, hypotheses, families of instances, and programs
over them.

    hypothesis ORDER: a >= b :: a >= b

    family two_numbers: Two numbers from -3 to 3, ties and zeros often.
      a = below(7) - 3; b = below(7) - 3
      give: a, b

    program MEANS over two_numbers
      given: ORDER
      holds (factor=1): 2 * factor * a * b <= a ** 2 + b ** 2
      not a factor of 101/100: factor = 101/100
      always: a square is not negative

`blocks.py` reads and writes them, `running.py` compiles them, `names.py` says which names they use.
"""
