"""Internal gRPC service that answers questions."""
