"""The commands `audit`, `check` and `schema`: `audit` first, then `words`; `any_form` takes all files."""
