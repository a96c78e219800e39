"""``python -m tamis`` is the command ``tamis``."""

import sys

from tamis.cli import main

sys.exit(main())
