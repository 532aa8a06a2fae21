"""One exception family. A message says what is wrong, where, and how to mend it."""


class OsceError(Exception):
    """A user's mistake or an outside failure, told in one clear message; the command line prints it and exits with 2."""

    exit_code = 2


class DataError(OsceError):
    """Data that are missing, changed or malformed."""


class ModelError(OsceError):
    """A model that cannot be reached or used at all (wrong address, no key, unknown name)."""


class LedgerError(OsceError):
    """A run folder that cannot be read, written or resumed."""
