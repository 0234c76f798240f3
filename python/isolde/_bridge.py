"""The program that a tournament starts in place of an engine: it passes lines on to `isolde.arena`.

It runs as a file, without the package, so that it starts quickly and depends on no path.
"""

import os
import select
import socket
import sys


def main(address: str) -> None:
    """Copies standard input to the socket and the socket to standard output, until one of them ends."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(address)
    while True:
        ready, _, _ = select.select([0, connection.fileno()], [], [])
        for source in ready:
            data = os.read(source, 65536)
            if not data:
                return
            if source == 0:
                connection.sendall(data)
            else:
                os.write(1, data)


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except OSError as fault:
        sys.exit(f"isolde.arena: {fault}")
