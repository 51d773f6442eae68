"""Worst cases of bits: `quotients` first, then `chain`, the recursion along records in one pass
from either end; `worst` has forests and the answer, `endless` a closed form.
"""
