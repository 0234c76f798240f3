"""Checks certificates: files that prove who wins. The rules and the format are in certificate.md.
Usage: python3 certificate_checker.py FILE [FILE ...]
The exit code is 0 if all proofs are sound, 1 if one breaks a rule, 2 if a file is not a certificate.
A set of cells is an integer here: bit c stands for cell c. Players are 49 and 50, the codes of 1 and 2."""
import itertools, sys, zlib
from collections import defaultdict
class Unsound(Exception): pass
class Malformed(Exception): pass
UNPLACED = 255  # stands for the cell of a knight that is not placed, as in the file
BIT = [1 << cell for cell in range(256)]  # for every byte; a cell off the board is in none of the sets
def cells_of(cells): return [cell for cell in range(cells.bit_length()) if cells & BIT[cell]]

def check(data):
    if data[:9] != b"IsoProof\1" or len(data) < 16: raise Malformed("this is no certificate of version 1")
    w, h, kind, size = data[9], data[10], chr(data[11]), data[9] * data[10]
    if not (0 < w <= 16 and 0 < h <= 16 and size <= 128): raise Malformed(f"there is no board {w}x{h}")
    if zlib.crc32(data[:-4]) != int.from_bytes(data[-4:], "little"): raise Malformed("the checksum is wrong")
    cells, board, numbers, placements, winners = range(size), BIT[size] - 1, itertools.count(1), [], {}
    lists = defaultdict(list)  # of lemmas (need, stop, number); the front is the end of the Python list
    reach = {c: sum(BIT[d] for d in cells if abs((c % w - d % w) * (c // w - d // w)) == 2) for c in cells}
    split = {c: [((), reach[c])] for c in cells}  # for each mask: the cells of N(c) with bit 1, the others
    for c, d in itertools.product(cells, cells):  # after the masks without the bit of d come those with it
        if reach[c] & BIT[d]: split[c] += [(ones + (d,), others ^ BIT[d]) for ones, others in split[c]]
    reach[UNPLACED] = board  # so a placement is a move like any other
    take = (unread := iter(data[12:-4])).__next__  # reads a byte; raises StopIteration after the last one
    def number(length): return int.from_bytes([take() for _ in range(length)], "little")
    def fail(reason, cell=None, lemma=0, error=Unsound):
        place = f"lemma {lemma}, " * (lemma > 0) + f"byte {len(data) - 5 - unread.__length_hint__()}: "
        raise error(place + reason + ("" if cell is None else f" ({chr(97 + cell % w)}{cell // w + 1})"))
    def symmetry(pairs=(), kept=0):  # it must take the first of each pair to the second, a set to itself
        s = take()
        if s > 7 or s > 3 and w != h: fail(f"the board has no symmetry {s}", error=Malformed)
        xs, ys = range(w)[::-1 if s & 1 else 1], range(h)[::-1 if s & 2 else 1]
        image = [ys[x] * w + xs[y] if s & 4 else ys[y] * w + xs[x] for y in range(h) for x in range(w)]
        image += range(size, 256)  # UNPLACED goes to UNPLACED
        if any(image[c] != d for c, d in pairs): fail(f"the symmetry {s} does not fit the knights")
        for c in [c for c in cells_of(kept) if not kept & BIT[image[c]]]: fail("its image is missing", c)
        return image

    def lemma(h, p, hunter_wins, depth):
        known, code = lists[h << 8 | p << 1 | hunter_wins], take()
        if code >= 128 + len(known): fail(f"the list has no lemma for the code {code}")
        found = known.pop(127 - code) if code >= 128 else new_lemma(code, h, p, hunter_wins, depth)
        known.append(found)
        if len(known) > 128: del known[0]
        return found
    def new_lemma(code, h, p, hunter_wins, depth):
        this, knights = next(numbers), BIT[h] | BIT[p]
        need, table = (BIT[code], split[p]) if hunter_wins else (0, split[h])
        if 2 * depth > size: fail("too many lemmas in one another", None, this)
        if need & ~reach[h] or code and not need: fail("the code is neither 0 nor a move", code, this)
        if (mask := take()) >= len(table): fail("the mask has too many bits", None, this)
        answered, stop = table[mask][0], table[mask][1] & ~need  # a reply to t is impossible, not stopped
        if hunter_wins and code in answered: fail("the prey cannot move there", code, this)
        for cell in answered:
            t, u = (code, cell) if hunter_wins else (cell, take())
            if t == u or not BIT[u] & reach[p]: fail("the prey cannot move there", u, this)
            after = lemma(t, u, hunter_wins, depth + 1)
            need, stop = need | after[0] | (0 if hunter_wins else BIT[u]), stop | after[1]
        if need & knights: fail("a knight's cell is in need", cells_of(need & knights)[0], this)
        return need, stop & ~knights, this

    def prove(tag, mine, theirs, free, mover_wins):  # mine is the knight of the player to move
        if tag not in b"lfwam": fail(f"there is no tag {tag}", error=Malformed)
        if tag in (b"am" if mover_wins else b"w"): fail("this rule is for the other player to move")
        if tag in b"lf":
            if tag in b"f": lists.clear()
            odd = sum(divmod(mine, w) + divmod(theirs, w)) % 2
            if odd or UNPLACED in (mine, theirs): fail("the knights are not on one colour")
            need, stop, used = lemma(mine, theirs, mover_wins, 1)
            for c in cells_of(need & ~free | stop & free): fail("the position is not covered", c, used)
        elif tag in b"m":
            live, todo = 0, [mine, theirs]
            while todo:
                new = free & reach[todo.pop()] & ~live
                live, todo = live | new, todo + cells_of(new)
            s = symmetry([(mine, theirs)], live)
            for c in [c for c in cells if s[s[c]] != c or s[c] == c and live & BIT[c]]: fail("no mirror", c)
        for cell in cells_of(free & reach[mine]) if tag in b"a" else [take()] if tag in b"w" else []:
            if not free & reach[mine] & BIT[cell]: fail("the winner cannot move there", cell)
            after = take()
            if tag in b"w" or after not in b"i":
                prove(after, theirs, cell, free ^ BIT[cell], not mover_wins)
                if mine == theirs and tag in b"a": placements.append(cell)  # both are UNPLACED
            elif symmetry([(mine, mine), (theirs, theirs)], free)[cell] >= cell: fail("no earlier cell", cell)

    def claim(winner, first, second, mover, free):
        turn = b"1" if first == UNPLACED else b"2" if second == UNPLACED else b"12"
        wrong = winner not in b"12" or mover not in turn or (first == second) != (first == UNPLACED)
        if wrong or not {first, second} <= {*reach} or free & (~board | BIT[first] | BIT[second]):
            fail("unknown player or badly formed position", error=Malformed)
        prove(take(), *((first, second) if mover == 49 else (second, first)), free, winner == mover)
        return winner

    if kind == "b": winners[0] = claim(take(), UNPLACED, UNPLACED, 49, board)
    for c, d in itertools.permutations(cells, 2) if kind == "o" else ():
        winner = take()
        s = symmetry() if winner in b"i" else None
        if s and (s[c], s[d]) not in winners: fail("this is no image of an earlier opening", d)
        winners[c, d] = winners[s[c], s[d]] if s else claim(winner, c, d, 49, board ^ BIT[c] ^ BIT[d])
    for n in range(number(4)) if kind == "p" else ():
        first, second, mover, free = take(), take(), take(), number((size + 7) // 8)
        winners[n] = claim(take(), first, second, mover, free)
    if kind not in "bop" or [*unread]: raise Malformed("unknown statement, or bytes after the last claim")
    wins, total = [*winners.values()].count(49), len(winners)
    text = f"the {'first' if wins else 'second'} player wins" + " the position" * (kind == "p")
    if kind == "o": text = f"{total:,} openings, the first player wins {wins:,}"
    if kind == "p" and total != 1: text = f"{total:,} positions, the first player wins {wins:,}"
    text += f". {len(placements)} placements, " if kind == "b" and placements else ". "
    return f"{w}x{h}: {text}{next(numbers) - 1:,} lemmas."

if __name__ == "__main__":
    code = 0 if sys.argv[1:] else print(__doc__, file=sys.stderr) or 2
    for path in sys.argv[1:]:
        try:
            with open(path, "rb") as file: print(f"{path}: {check(file.read())}")
        except (Unsound, Malformed, OSError, UnicodeError, StopIteration) as error:
            code = max(code, 1 if isinstance(error, Unsound) else 2)
            print(f"{path}: {str(error) or 'the file ends too early'}", file=sys.stderr)
    sys.exit(code)
