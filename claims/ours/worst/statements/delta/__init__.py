"""The delta of several releases: `releases` first, columns, programs and an instance of adaptivity;
`adaptivity` has how much it adds for two databases of each secret.
"""
