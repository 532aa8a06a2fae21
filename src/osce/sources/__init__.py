"""Getting data: hub files, URLs, local folders; sha256 locks; table readers."""

from osce.sources import settings
from osce.sources.find import Found, obtain
from osce.sources.readers import Unpack, open_rows, read_json
from osce.sources.rows import KEY, VALUE, Row, RowFault, Rows
from osce.sources.upstream import Hub, Upstream, Url, github, hub_parquet

__all__ = [
    "KEY",
    "VALUE",
    "Found",
    "Hub",
    "Row",
    "RowFault",
    "Rows",
    "Unpack",
    "Upstream",
    "Url",
    "github",
    "hub_parquet",
    "obtain",
    "open_rows",
    "read_json",
    "settings",
]
