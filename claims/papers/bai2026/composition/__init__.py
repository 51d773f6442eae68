"""Section 5: what linear composition is, and conditions under which releases have it. Read
`definition` first; `instances` evaluates small releases and constraints exactly.
"""
