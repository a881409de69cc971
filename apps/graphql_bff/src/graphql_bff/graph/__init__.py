"""The catalogue's graph, described and asked through the agent."""
