"""Models behind Instructor: settings to a client, and one bounded, isolated stage call."""
