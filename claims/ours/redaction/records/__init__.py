"""Several private records: what protecting each alone says of all together."""
