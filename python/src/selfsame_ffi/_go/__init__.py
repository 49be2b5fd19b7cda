"""Values of Go packages in Python: containers, enums, iterators, records, files and errors."""
