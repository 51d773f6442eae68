"""What is known of the versions of libraries (`versions`), and libraries of which only plain noise
is read (`tumult`, `additive`).
"""
