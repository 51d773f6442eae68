"""Worst cases of bits: `quotients` first, then `chain` and `forest`, the recursion along records in
one pass from either end; `worst` is the answer, `endless` a closed form.
"""
