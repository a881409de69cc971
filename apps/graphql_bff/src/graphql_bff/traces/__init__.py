"""What runs did."""
