"""Benchmarks: what the engine promises, measured side by side and written to docs/benchmarks.md."""
