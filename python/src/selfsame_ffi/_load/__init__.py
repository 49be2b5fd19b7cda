"""Finds and loads the runtime, the core and the libraries of Go packages."""
