"""Cards: views in, markup out."""
