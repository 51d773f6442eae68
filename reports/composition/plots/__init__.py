"""Pictures of releases. Read `releases` first, joint leakages; `budgets` draws worst cases, and
levels of conditions that compose.
"""
