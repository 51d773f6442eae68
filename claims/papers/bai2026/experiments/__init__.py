"""Section 7 and appendix D: data, metrics, mechanisms and printed tables. Read `tables` first."""
