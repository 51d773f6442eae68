"""Claims of "Between Close Enough to Reveal and Far Enough to Protect" (Massny, Bitar, Ye and
El Rouayheb, 2025).
"""
