"""Software-defined assets for studies of how well language models do software work."""

__version__ = "0.1.0"
