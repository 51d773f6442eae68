"""Worst cases of columns, each theorem said once."""
