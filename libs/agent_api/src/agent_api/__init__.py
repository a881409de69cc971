"""Generated gRPC messages and the only hand-written client of them."""
