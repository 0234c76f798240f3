"""Reads the tables that table-format.md describes. Needs Python 3.10 and nothing else."""
import bisect, itertools, mmap, struct, sys, zlib
def code(lengths):  # {codeword as text: symbol}. Filled up to 8 bits, words follow each other
    order = sorted((length, symbol) for symbol, length in enumerate(lengths) if length)
    starts = itertools.accumulate((256 >> length for length, _ in order), initial=0)
    return {f"{start:08b}"[:length]: symbol for (length, symbol), start in zip(order, starts)}
def decode(words, bits):  # takes one codeword from an iterator of bits
    return next(words[word] for word in itertools.accumulate(bits) if word in words)
def position(key):  # [mover, other, free cells]: room is made for the lower knight, then the higher
    mover, other, free = key >> 136, key >> 128 & 255, key & (1 << 128) - 1
    for cell in sorted((mover, other)): free += free >> cell << cell
    return [mover, other, free]
class Table:
    def __init__(self, path):
        with open(path, "rb") as f: data = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
        (start, self.kind, w, h, v, g, self.count, codes_at, codes_size, self.blocks, self.keys,
         keys_size, codes_crc, crc) = struct.unpack("<10s3BxHH14xQ16x3Q8x2Q4xI12xI", data[:128])
        self.data, codes = data, data[codes_at:codes_at + codes_size]
        if (start != b"isolde\x1a\n\1\0" or crc != zlib.crc32(data[:124])
                or len(data) != self.keys + keys_size + 16 or codes_crc != zlib.crc32(codes)):
            raise ValueError("not a table of version 1, or damaged")
        self.gap_code, self.free_bytes = code(codes[:g]), (w * h - 2 + 7) // 8
        self.value_codes = [code(codes[i:i + v]) for i in range(g, len(codes), v)]
        cells = [(x, y) for y in range(h) for x in range(w)]
        self.steps = [[b * w + a for a, b in cells if abs((a-x) * (b-y)) == 2] for x, y in cells]
        orders = [cells, [(y, x) for x, y in cells]] if w == h else [cells]
        self.symmetries = [[abs(b - y) * w + abs(a - x) for x, y in order]  # the image of each cell
                           for order in orders for a in (0, w - 1) for b in (0, h - 1)]
    def number(self, at, size):
        return int.from_bytes(self.data[at:at + size], "little")
    def key(self, i):  # of block i, with 128 bits for the free cells
        at = self.keys + i * (self.free_bytes + 2)
        return self.number(at, self.free_bytes) | self.number(at + self.free_bytes, 2) << 128
    def block(self, i):  # yields its entries: mover, other, free cells, value
        key, block = self.key(i), self.number(self.blocks + 32 * i, 32)
        words = block >> 16 << 16 | key << 256 | (i + 1 < self.count and self.key(i + 1)) << 416
        total = sum(n * (words >> 32 * (n - 1) & 0xffffffff) for n in range(1, 19))
        if total % 65521 != block & 0xffff: raise ValueError(f"block {i} is damaged")
        bits, value = f"{block:0256b}", -1  # bit 255 first; the first value has the last code
        gaps, values = iter(bits[255 - 24::-1]), iter(bits)
        for n in range(block >> 16 & 255):
            if n:
                c = decode(self.gap_code, gaps)
                key += (1 << c) + sum(int(next(gaps)) << k for k in range(c))
            value = decode(self.value_codes[value], values)
            yield *position(key), value
    def look_up(self, mover, other, free):  # plies; or 0 or ("wins", cell); None if absent
        live = knights = {mover, other}
        for _ in self.steps: live = live | {c for k in live for c in self.steps[k] if free >> c & 1}
        *wanted, symmetry = min((s[mover], s[other], sum(1 << s[c] for c in live - knights), s)
                                for s in self.symmetries)
        i = bisect.bisect(range(self.count), wanted, 1, key=lambda i: position(self.key(i))) - 1
        value = next((value for *found, value in self.block(i) if found == wanted), None)
        if not value or self.kind == 1: return value
        return "wins", symmetry.index(self.steps[wanted[0]][value - 1])
    def entries(self): return (entry for i in range(self.count) for entry in self.block(i))
if __name__ == "__main__":
    table, asked = Table(sys.argv[1]), [int(text) for text in sys.argv[2:]]
    for line in [[table.look_up(*asked)]] if asked else table.entries():
        print(*("absent" if item is None else item for item in line), sep=",")
