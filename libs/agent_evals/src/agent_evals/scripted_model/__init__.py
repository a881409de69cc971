"""A well-behaved model by script: it works from the prompt alone and is asked over HTTP like any other."""
