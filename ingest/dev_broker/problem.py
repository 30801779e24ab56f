"""The one error of the development broker."""

from __future__ import annotations


class BrokerError(Exception):
    """The development broker cannot be had or started; the message says why and what to do."""
