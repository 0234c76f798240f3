"""`python -m isolde` runs the program."""

import os
import subprocess
import sys

from .errors import MissingBinary
from .program import find

try:
    program = find()
except MissingBinary as missing:
    sys.exit(f"isolde: {missing}")
if os.name == "posix":
    # The program takes the place of Python, so that signals and the exit code are its own.
    os.execv(program, [program, *sys.argv[1:]])
sys.exit(subprocess.call([program, *sys.argv[1:]]))
