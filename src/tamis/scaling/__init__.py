"""Scaling: many pages from files of pages, shard by shard, each of them resumable and safe from its records."""
