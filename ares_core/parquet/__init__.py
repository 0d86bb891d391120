"""Parquet files, decoded in a short-lived process with a memory limit, because a few bytes may unpack to gigabytes."""

from ares_core.parquet.client import Footer, ParquetFile, open_parquet

__all__ = ["Footer", "ParquetFile", "open_parquet"]
