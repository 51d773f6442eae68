"""What commands say of audits, in words."""
