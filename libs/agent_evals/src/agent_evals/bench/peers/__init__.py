"""What the product is measured against; each module looks for its package when it is used."""
