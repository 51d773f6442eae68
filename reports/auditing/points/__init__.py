"""Normal records that are not truncated, where commands ask about them: `reading` has the files,
`joint` what an audit says, and what releases leak together.
"""
