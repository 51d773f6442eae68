"""Sections 3 and 4: mechanisms that reveal together what each hides alone. Read `pair` first."""
