"""PostgreSQL: tables, engines, hot statements and shared reads."""
