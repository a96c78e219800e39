"""The version, written once."""

VERSION = "0.2.0"
