"""What levels per record tell, each theorem said once."""
