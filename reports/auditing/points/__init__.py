"""Normal records that are not truncated, where commands ask about them: `joint` says what an audit
says, and what releases leak together. Their files are read in `any_form`.
"""
