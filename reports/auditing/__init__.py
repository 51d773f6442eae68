"""What `audit` does with files whose databases are not listed: `any_form` first."""
