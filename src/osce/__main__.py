"""`python -m osce`."""

import sys

from osce.cli.main import main

sys.exit(main())
