"""PostgreSQL and Qdrant storage: tables, hot reads, vector stores."""
