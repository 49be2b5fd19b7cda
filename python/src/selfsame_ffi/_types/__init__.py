"""Native types as Python classes: their reflection data, schemas, members and special methods."""
