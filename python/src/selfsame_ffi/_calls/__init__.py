"""Calls from Python into native code: their batches, their await, and the words of their errors."""
