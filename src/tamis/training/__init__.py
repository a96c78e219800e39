"""From labelled pages to the weights that are shipped; the extra ``train``."""
