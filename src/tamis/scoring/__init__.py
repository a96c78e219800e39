"""What methods are made of: signals over a page, clustering of numbers, and page classifiers."""
