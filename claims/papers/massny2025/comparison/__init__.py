"""The comparison of mechanisms: `statement` first, `splits` for budgets of the two sides."""
