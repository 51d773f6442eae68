"""The forms of a prior in a framework file: tables, chains, networks and normal laws."""
