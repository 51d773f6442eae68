"""Telling people: the command line, the audit report, plots and the pytest plugin."""

if __name__ != "pufferproof.reports":
    raise ImportError('import it as "pufferproof.reports": a bare "reports" would make a second copy of every class')
