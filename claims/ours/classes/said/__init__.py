"""Statement objects about classes of priors."""
