"""Youju 有据: question answering over your own material, with sources that can be checked."""

__version__ = "0.1.0"
