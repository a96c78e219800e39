"""Tamis inside other packages: a few lines for each, and none of them imported by the rest of Tamis.

langchain     a document loader
llama_index   a reader, also for the files of SimpleDirectoryReader
haystack      a converter, as a component of pipelines
scrapy        an item pipeline
tables        columns for Hugging Face datasets, pandas and Polars
engines       datatrove, Daft, Spark
pieces        texts with metadata, which the first three are made from
rows          rows as ``tamis run`` writes them, which the others are made from

Each needs the package that it adapts to: an extra of that name, but for the engines, where it is the caller's.
"""
