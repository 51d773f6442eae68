"""Normal records that are not truncated, where commands ask about them: `reading` has the files,
`answer` what is audited, `joint` what releases leak together.
"""
