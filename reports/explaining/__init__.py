"""What somebody new asks first: files to start from (`init`), and what a certificate says in words (`check --explain`,
whose sentences stand in `kinds`). `paths` shows how an audited program comes to its outputs.
"""
