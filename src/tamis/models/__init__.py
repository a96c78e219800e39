"""What shipped models have in common: files that are checked when they are read, and ensembles of trees."""
