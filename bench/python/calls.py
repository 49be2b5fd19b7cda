"""Prints the time that a call of each public function, method and property takes, beside the published package's.

Usage: calls.py FOLDER_OF_THE_BUILT_EXTENSIONS [PART_OF_A_NAME...]

Both run the same call in turn, in many short samples, of which the quickest tenth counts: another program that gets
the processor at that time slows the others. Names the rows that only one of the packages has, and lists those that take
more than 1.1 of the published package's time.
"""

from __future__ import annotations

import sys

from output import console, pin, record, table
from rich.markup import escape
from rich.progress import track
from table import Peer, measure

PEERS = ("selfsame", "tvm_ffi")
ROUNDS = 60
LIMIT = 1.1


def main() -> None:
    """Prints the table."""
    folder, *parts = sys.argv[1:]
    screen = console()
    pin()
    peers = {name: Peer(name, folder, "call_ops.py") for name in PEERS}
    ours, stock = (peers[name].operations for name in PEERS)
    chosen = [row for row in ours if row in stock and (not parts or any(part in row for part in parts))]
    results = table("Calls: selfsame's time as a share of the published package's", "call", *PEERS, "share")
    figures, over = {}, []
    for row in track(chosen, "measuring", console=screen):
        times = measure(peers, row, ROUNDS)
        own, theirs = (sorted(times[name])[ROUNDS // 10] for name in PEERS)
        share = own / theirs
        figures[row] = {"selfsame": own, "tvm_ffi": theirs, "share": share}
        results.add_row(escape(row), f"{own:.0f} ns", f"{theirs:.0f} ns", f"{share:.2f}")
        if share > LIMIT:
            over.append(f"{row} {share:.2f}")
    for peer in peers.values():
        peer.close()
    screen.print(results)
    for name, lacking in (("selfsame", set(stock) - set(ours)), ("tvm_ffi", set(ours) - set(stock))):
        screen.print(f"not run by {name}: {', '.join(sorted(lacking)) or 'none'}")
    screen.print(f"over {LIMIT}: {', '.join(over) or 'none'}")
    if not parts:
        record("calls", figures)


if __name__ == "__main__":
    main()
