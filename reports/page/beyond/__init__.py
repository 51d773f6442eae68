"""What the report has beyond single audits: `many_releases` first; `laboratory` has the worst that
any mechanism could do.
"""
