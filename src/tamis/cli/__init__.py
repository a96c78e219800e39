"""The command line: one file per command, a thin shell around the function of the same name."""
