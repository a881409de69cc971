"""The two search lanes: names over PostgreSQL, questions over the agent."""
