"""Arguments and what they prove: `argument` first, then `implication`; `formulas` refuses what decides nothing."""
