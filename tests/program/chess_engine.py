"""The client library `chess.engine` (PyPI package `chess`) drives the engine: handshake, options, ping.

The first argument is the path of isolde.
"""

import sys

import chess.engine

with chess.engine.SimpleEngine.popen_uci([sys.argv[1], "engine"]) as engine:
    assert engine.id["name"].startswith("Isolde "), engine.id
    assert set(engine.options) == {"Hash", "Threads", "Move Overhead", "Ponder", "Tables", "UCI_Variant"}, engine.options
    assert engine.options["UCI_Variant"].default == "joust"
    engine.configure({"Hash": 64, "Threads": 2, "Move Overhead": 20})
    for wrong in ({"Hash": 1}, {"Contempt": 3}):
        try:
            engine.configure(wrong)
        except chess.engine.EngineError:
            continue
        raise AssertionError(f"{wrong} was accepted")
    engine.ping()
print("driven by chess.engine")
