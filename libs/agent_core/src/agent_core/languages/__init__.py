"""Answers of the rules in other languages: sentence by sentence, after each was checked in English."""

from agent_core.languages.localizing import LANGUAGES, language_code, localized

__all__ = ["LANGUAGES", "language_code", "localized"]
