#!/usr/bin/env python3
"""The conformance vectors of wbin, and a second implementation to judge them.

    make.py                   write the vector files beside this script
    make.py --check           fail if the files on disk are not what would be written
    make.py --spec SPEC.md    check every hex example and the canonical table of the specification, and that
                              every rule has a vector

The implementation below follows SPEC.md, chapter by chapter, and shares nothing with any other. It is written to be
compared with the text, not to be fast. Cases declare by hand what is expected; the implementation must agree
with every declaration, or the script fails. Only the Python 3 standard library is needed.
"""

import json
import os
import re
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# ---------------------------------------------------------------------------------------------------------------
# The data model (chapter 2). null, bools, ints, strings and bytes are Python's own; a list is a Python list.


class Float:
    """A binary64 datum, kept as its 64 bits."""

    def __init__(self, bits):
        self.bits = bits

    @staticmethod
    def of(number):
        return Float(struct.unpack("<Q", struct.pack("<d", number))[0])

    def number(self):
        return struct.unpack("<d", struct.pack("<Q", self.bits))[0]

    def is_nan(self):
        return self.bits & 0x7FFFFFFFFFFFFFFF > 0x7FF0000000000000


class Map:
    def __init__(self, entries=None):
        self.entries = entries if entries is not None else []


class Ext:
    def __init__(self, kind, payload):
        self.kind = kind
        self.payload = payload


class Some:
    """A wrapper that counts by VAL-9; `some` below never builds another one."""

    def __init__(self, payload):
        self.payload = payload


def some(payload):
    return Some(payload) if payload is None or isinstance(payload, Some) else payload


def is_int(v):
    return isinstance(v, int) and not isinstance(v, bool)


def equal(a, b):
    """Equality by chapter 2: two values are equal exactly if their preferred encodings are."""
    return encode(a) == encode(b)


class Fault(Exception):
    def __init__(self, name, offset):
        super().__init__(f"{name} @{offset}")
        self.name = name
        self.offset = offset


INT_MIN, INT_MAX = -(1 << 127), (1 << 128) - 1
I64_MIN, I64_MAX, U64_MAX = -(1 << 63), (1 << 63) - 1, (1 << 64) - 1
DEPTH = 128
NAN32 = bytes.fromhex("B60000C07F")

# ---------------------------------------------------------------------------------------------------------------
# Encoding (chapters 19 and 20)


def encode_int(n):
    if 0 <= n <= 0x3F:
        return bytes([n])
    if -32 <= n < 0:
        return bytes([n + 256])
    if not INT_MIN <= n <= INT_MAX:
        raise Fault("int-range", None)
    u, short, long = (n, 0xA0, 0xBC) if n >= 0 else (-1 - n, 0xA8, 0xBD)
    size = max(1, (u.bit_length() + 7) // 8)
    if size <= 8:
        return bytes([short + size - 1]) + u.to_bytes(size, "little")
    return bytes([long]) + u.to_bytes(16, "little")


def widen(bits32):
    """binary32 to binary64; a NaN by its bits (FLT-3)."""
    sign, exponent, fraction = bits32 >> 31, bits32 >> 23 & 0xFF, bits32 & 0x7FFFFF
    if exponent == 0xFF:
        return sign << 63 | 0x7FF << 52 | fraction << 29
    return Float.of(struct.unpack("<f", struct.pack("<I", bits32))[0]).bits


def narrow(bits64):
    """The binary32 datum that widens to these bits, or None."""
    sign, exponent, fraction = bits64 >> 63, bits64 >> 52 & 0x7FF, bits64 & ((1 << 52) - 1)
    if exponent == 0x7FF:
        candidate = sign << 31 | 0xFF << 23 | fraction >> 29
    else:
        try:
            candidate = struct.unpack("<I", struct.pack("<f", Float(bits64).number()))[0]
        except OverflowError:
            return None
    return candidate if widen(candidate) == bits64 else None


def short_decimal(f):
    """The bytes of x with the smallest k (FLT-6), or None."""
    if f.bits & 0x7FF0000000000000 == 0x7FF0000000000000:
        return None
    number = f.number()
    for k in range(8):
        product = number * float(10**k)
        if abs(product) > 2.0**45:
            return None
        m = round(product)
        if -(1 << 44) <= m < 1 << 44 and Float.of(float(m) / float(10**k)).bits == f.bits:
            x = m << 3 | k
            size = 1
            while not -(1 << 8 * size - 1) <= x < 1 << 8 * size - 1:
                size += 1
            return x.to_bytes(size, "little", signed=True)
    return None


def encode_float(f):
    decimal, single = short_decimal(f), narrow(f.bits)
    if decimal is not None and len(decimal) <= (3 if single is not None else 6):
        return bytes([0xAF + len(decimal)]) + decimal
    if single is not None:
        return b"\xB6" + single.to_bytes(4, "little")
    return b"\xB7" + f.bits.to_bytes(8, "little")


def head(first, inline, limit, n):
    if n < limit:
        return bytes([inline + n])
    for code, size in enumerate((1, 2, 4, 8)):
        if n < 1 << 8 * size:
            return bytes([first + code]) + n.to_bytes(size, "little")
    raise AssertionError("no length is as long as that")


def encode(v, canonical=False):
    if v is None:
        return b"\xB8"
    if isinstance(v, bool):
        return b"\xBA" if v else b"\xB9"
    if isinstance(v, int):
        return encode_int(v)
    if isinstance(v, Float):
        return NAN32 if canonical and v.is_nan() else encode_float(v)
    if isinstance(v, str):
        raw = v.encode("utf-8")
        return head(0xC0, 0x40, 64, len(raw)) + raw
    if isinstance(v, bytes):
        return head(0xC4, 0, 0, len(v)) + v
    if isinstance(v, list):
        return head(0xC8, 0x80, 16, len(v)) + b"".join(encode(x, canonical) for x in v)
    if isinstance(v, Map):
        pairs = [(encode(k, canonical), encode(x, canonical)) for k, x in v.entries]
        if len({k for k, _ in pairs}) != len(pairs):
            raise Fault("duplicate-key", None)
        if canonical:
            pairs.sort()
        return head(0xCC, 0x90, 16, len(pairs)) + b"".join(k + x for k, x in pairs)
    if isinstance(v, Ext):
        return b"\xBF" + encode_int(v.kind) + encode(v.payload, canonical)
    if isinstance(v, Some):
        return b"\xBB" + encode(v.payload, canonical)
    raise AssertionError(f"not a value: {v!r}")


# ---------------------------------------------------------------------------------------------------------------
# Decoding

# The bits of a packed number, by its width code (COL-8).
WIDTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 40, 48, 56, 64)
# The low bits of the kinds of columns that have no width code there; all others have one.
LOW_BITS = {0: (0,), 1: (0, 1, 2), 2: (0,), 5: (0, 1), 11: (0, 1), 13: (0,), 15: (0,)}
# What a sparse column has in a row without the field.
ABSENT = object()


def may_stand(kind, w, place):
    if place == "entries":
        return 3 <= kind <= 8
    if kind == 1:
        return place == {0: "variant", 1: "field"}[w] if w < 2 else place not in ("variant", "nullable")
    return kind != 14 or place not in ("variant", "nullable")


class Decoder:
    def __init__(self, data, depth=DEPTH, strict=False, valid=True, look_through=False, ceiling=None):
        self.data = data
        self.pos = 0
        self.stop = len(data)  # the end of the input or, inside a plain column, of the column (COL-37)
        # Of the list or map by columns: what its elements weigh, bytes that count besides those from its tag on, or
        # do not (COL-44), and how many columns there were (COL-45).
        self.weight = self.more = self.count = 0
        self.limit = depth
        self.strict = strict
        self.valid = valid  # False: check only that the document is well-formed
        self.look_through = look_through  # True: an untyped reader without `some` (MAP-7)
        self.ceiling = ceiling  # the maximum of a stream reader

    def signature(self):
        data = self.data
        if data[:1] != b"\xDF":
            return
        for i, byte in ((1, 0x57), (2, 0x42)):
            if i >= len(data):
                raise Fault("truncated", 0)
            if data[i] != byte:
                raise Fault("bad-signature", 0)
        if len(data) < 4:
            raise Fault("truncated", 0)
        if data[3] != 1:
            raise Fault("unsupported-version", 0)
        if self.strict:
            raise Fault("not-canonical", 0)
        self.pos = 4

    def left(self):
        return self.stop - self.pos

    def take(self, n, at):
        if self.ceiling is not None and self.pos + n > self.ceiling:
            raise Fault("input-limit", self.ceiling)
        if n > self.left():
            raise Fault("truncated", at)
        self.pos += n
        return self.data[self.pos - n : self.pos]

    def number(self, size, at):
        return int.from_bytes(self.take(size, at), "little")

    def shortest(self, condition, at):
        if self.strict and not condition:
            raise Fault("not-canonical", at)

    def enter(self, depth, at):
        if depth >= self.limit:
            raise Fault("depth-limit", at)

    def value(self, depth):
        at = self.pos
        tag = self.take(1, at)[0]
        if tag <= 0x3F:
            return tag
        if tag <= 0x7F:
            return self.text(tag - 0x40, at)
        if tag <= 0x8F:
            return self.list(tag - 0x80, None, at, depth)
        if tag <= 0x9F:
            return self.map(tag - 0x90, None, at, depth)
        if tag <= 0xAF or tag in (0xBC, 0xBD):
            return self.int(tag, at)
        if tag <= 0xB7:
            return self.float(tag, at)
        if tag == 0xB8:
            return None
        if tag in (0xB9, 0xBA):
            return tag == 0xBA
        if tag == 0xBB:
            self.enter(depth, at)
            if self.left() and self.data[self.pos] not in (0xB8, 0xBB):
                self.shortest(False, at)
            payload = self.value(depth + 1)
            return payload if self.look_through else some(payload)
        if tag == 0xBE:
            raise Fault("unexpected-end", at)
        if tag == 0xBF:
            return self.ext(depth, at)
        if tag <= 0xC3:
            n = self.number(1 << tag - 0xC0, at)
            return self.text(n, at, tag)
        if tag <= 0xC7:
            n = self.number(1 << tag - 0xC4, at)
            raw = self.take(n, at)
            self.shortest(head(0xC4, 0, 0, n)[0] == tag, at)
            return raw
        if tag <= 0xCB:
            return self.list(self.number(1 << tag - 0xC8, at), tag, at, depth)
        if tag <= 0xCF:
            return self.map(self.number(1 << tag - 0xCC, at), tag, at, depth)
        if tag == 0xD0:
            self.enter(depth, at)
            self.shortest(False, at)
            items = []
            while not self.end():
                items.append(self.value(depth + 1))
            return items
        if tag == 0xD1:
            self.enter(depth, at)
            self.shortest(False, at)
            entries, seen = [], set()
            while not self.end():
                self.entry(entries, seen, depth)
            return Map(entries)
        if tag <= 0xD3:
            return self.columns(tag, at, depth)
        if tag <= 0xDE:
            raise Fault("reserved-tag", at)
        if tag == 0xDF:
            raise Fault("bad-signature", at)
        return tag - 256

    def int(self, tag, at):
        if tag == 0xBC:
            n = self.number(16, at)
        elif tag == 0xBD:
            u = self.number(16, at)
            if u >= 1 << 127:
                if self.valid:
                    raise Fault("int-range", at)
                return 0
            n = -1 - u
        elif tag <= 0xA7:
            n = self.number(tag - 0x9F, at)
        else:
            n = -1 - self.number(tag - 0xA7, at)
        self.shortest(encode_int(n)[0] == tag, at)
        return n

    def float(self, tag, at):
        if tag <= 0xB5:
            x = int.from_bytes(self.take(tag - 0xAF, at), "little", signed=True)
            f = Float.of(float(x >> 3) / float(10 ** (x & 7)))
        elif tag == 0xB6:
            f = Float(widen(self.number(4, at)))
        else:
            f = Float(self.number(8, at))
        self.shortest(encode(f, canonical=True) == self.data[at : self.pos], at)
        return f

    def text(self, n, at, tag=None):
        raw = self.take(n, at)
        if tag is not None:
            self.shortest(head(0xC0, 0x40, 64, n)[0] == tag, at)
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            if self.valid:
                raise Fault("invalid-utf8", at) from None
            return ""

    def list(self, n, tag, at, depth):
        self.enter(depth, at)
        if n > self.left():
            raise Fault("truncated", at)
        if tag is not None:
            self.shortest(head(0xC8, 0x80, 16, n)[0] == tag, at)
        return [self.value(depth + 1) for _ in range(n)]

    def map(self, n, tag, at, depth):
        self.enter(depth, at)
        if 2 * n > self.left():
            raise Fault("truncated", at)
        if tag is not None:
            self.shortest(head(0xCC, 0x90, 16, n)[0] == tag, at)
        entries, seen = [], set()
        for _ in range(n):
            self.entry(entries, seen, depth)
        return Map(entries)

    def entry(self, entries, seen, depth):
        at = self.pos
        key = self.value(depth + 1)
        if self.valid:
            encoded = encode(key)
            if self.strict and entries:
                # CAN-8: only the key before counts; its encoding is canonical, or it would not have been read.
                before = encode(entries[-1][0])
                if encoded < before:
                    raise Fault("not-canonical", at)
            if encoded in seen:
                raise Fault("duplicate-key", at)
            seen.add(encoded)
        entries.append((key, self.value(depth + 1)))

    # The column layer (chapter 16). A column of n gives a list of its n elements. While only the form is checked
    # (`valid` is False) nobody looks at them, and they are all null.

    def columns(self, tag, at, depth):
        self.enter(depth, at)
        self.shortest(False, at)
        n = self.header(at, 1, (1 << 64) - 1)
        self.claim(n, at)
        outer = self.weight, self.more, self.count
        self.weight = self.more = self.count = 0
        start = self.pos
        items = self.column(n, depth + 1)
        if tag == 0xD3:
            values = self.column(n, depth + 1)
            self.distinct(items, start)
        self.contents(self.weight <= 312 * (self.pos - at - 1 + self.more), at)
        self.weight, self.more, self.count = outer
        return items if tag == 0xD2 else Map(list(zip(items, values)))

    def header(self, at, low, high):
        """An int in the head of a column (COL-6)."""
        tag = self.take(1, at)[0]
        if tag <= 0x3F:
            n = tag
        elif tag >= 0xE0:
            n = tag - 256
        elif 0xA0 <= tag <= 0xA7:
            n = self.number(tag - 0x9F, at)
        elif 0xA8 <= tag <= 0xAF:
            n = -1 - self.number(tag - 0xA7, at)
        elif tag in (0xBC, 0xBD):
            n = self.number(16, at)
            n = -1 - n if tag == 0xBD else n
        else:
            raise Fault("invalid-column", at)
        if not low <= n <= high:
            raise Fault("invalid-column", at)
        return n

    def claim(self, n, at, unit=8):
        """A count against what remains: 8 elements in a byte, or one (COL-35, COL-36)."""
        if n > unit * self.left():
            raise Fault("truncated", at)

    def contents(self, condition, at, name="invalid-column"):
        """What a valid column has to hold, and one that is only well-formed need not."""
        if self.valid and not condition:
            raise Fault(name, at)

    def packed(self, n, w, at):
        width = WIDTHS[w]
        bits = int.from_bytes(self.take((n * width + 7) // 8, at), "little")
        numbers, mask = [], (1 << width) - 1
        for i in range(n):
            numbers.append(bits >> i * width & mask)
        return numbers, bits >> n * width == 0  # whether the bits that are left over are zero

    def based(self, n, w, at, low=I64_MIN):
        base = self.header(at, low, U64_MAX)
        numbers, clean = self.packed(n, w, at)
        return base, [base + number for number in numbers], clean

    def integers(self, n, w, at):
        base, numbers, clean = self.based(n, w, at)
        self.contents(clean, at)
        low, high = (I64_MIN, I64_MAX) if base < 0 else (0, U64_MAX)
        self.contents(all(low <= x <= high for x in numbers), at)
        return numbers

    def distinct(self, keys, at):
        if self.valid and len({encode(k) for k in keys}) != len(keys):
            raise Fault("duplicate-key", at)

    def column(self, n, level, place=None):
        """A column of n whose elements are at this level. `place`: "field" of a table, "variant" of a union, inside a
        "nullable", "entries" of a dictionary, or None where anything may stand that needs none of these."""
        if n == 0:
            return []
        at = self.pos
        first = self.take(1, at)[0]
        self.count += 1
        if self.count > 4096:
            raise Fault("invalid-column", at)
        kind, w = first >> 4, first & 0xF
        if w not in LOW_BITS.get(kind, range(16)):
            raise Fault("invalid-column", at)
        if not may_stand(kind, w, place) or kind == 4 and n < 2:
            raise Fault("invalid-column", at)
        if kind in (10, 11, 12, 13, 15):
            self.enter(level, at)
        if kind != 14 and (kind != 1 or w != 1) and place != "nullable":
            self.weight += 32 * n
        if kind == 15:
            self.weight += 32 * n
        return getattr(self, f"column_{kind}")(n, w, level, at)

    def column_0(self, n, w, level, at):
        size = self.header(at, n, U64_MAX)
        if size > self.left():
            self.take(size, at)
        self.more += n - size
        end, outer = self.pos + size, self.stop
        if not self.valid:
            self.take(size, at)
            return [None] * n
        self.stop = end
        values = [self.value(level) for _ in range(n)]
        self.contents(self.pos == end, at)
        self.stop = outer
        return values

    def column_1(self, n, w, level, at):
        if w == 0:
            return [None] * n
        bits, clean = self.packed(n, 0, at)
        self.contents(clean, at)
        inner = iter(self.column(sum(bits), level, "nullable" if w == 2 else None))
        return [next(inner) if bit else ABSENT if w == 1 else None for bit in bits]

    def column_2(self, n, w, level, at):
        bits, clean = self.packed(n, 0, at)
        self.contents(clean, at)
        return [bit == 1 for bit in bits]

    def column_3(self, n, w, level, at):
        return self.integers(n, w, at)

    def column_4(self, n, w, level, at):
        values = [self.header(at, I64_MIN, I64_MAX)]
        for difference in self.integers(n - 1, w, at):
            values.append(values[-1] + difference)
            self.contents(difference <= I64_MAX and I64_MIN <= values[-1] <= I64_MAX, at)
        return values

    def column_5(self, n, w, level, at):
        size = 4 if w else 8
        raw = self.take(n * size, at)
        bits = [int.from_bytes(raw[i : i + size], "little") for i in range(0, n * size, size)]
        return [Float(widen(b) if w else b) for b in bits]

    def column_6(self, n, w, level, at):
        k = self.take(1, at)[0]
        if k > 22:
            raise Fault("invalid-column", at)
        numbers = self.integers(n, w, at)
        self.contents(all(abs(m) < 1 << 53 for m in numbers), at)
        return [Float.of(float(m) / float(10**k)) for m in numbers] if self.valid else numbers

    def pieces(self, n, w, at):
        _, sizes, clean = self.based(n, w, at, 0)
        raw = self.take(sum(sizes), at)
        self.contents(clean, at)
        pieces = []
        for size in sizes:
            pieces.append(raw[:size])
            raw = raw[size:]
        return pieces

    def column_7(self, n, w, level, at):
        pieces = self.pieces(n, w, at)
        try:
            return [piece.decode("utf-8") for piece in pieces]
        except UnicodeDecodeError:
            self.contents(False, at, "invalid-utf8")
            return [""] * n

    def column_8(self, n, w, level, at):
        return self.pieces(n, w, at)

    def column_9(self, n, w, level, at):
        m = self.header(at, 1, U64_MAX)
        self.claim(m, at)
        entries = self.column(m, level, "entries")
        indices, clean = self.packed(n, w, at)
        self.contents(clean, at)
        self.contents(all(i < m for i in indices), at)
        if not self.valid:
            return [None] * n
        if isinstance(entries[0], (str, bytes)):
            sizes = [len(e.encode("utf-8") if isinstance(e, str) else e) for e in entries]
            given = sum(sizes[i] for i in indices)
            self.contents(given <= 64 * (self.pos - at), at)
            self.weight += given
        return [entries[i] for i in indices]

    def column_10(self, n, w, level, at):
        sizes, clean = self.packed(n, w, at)
        self.claim(sum(sizes), at)
        self.contents(clean, at)
        items = iter(self.column(sum(sizes), level + 1))
        return [[next(items) for _ in range(size)] for size in sizes]

    def column_11(self, n, w, level, at):
        k = self.header(at, 1, U64_MAX)
        if w == 0:
            self.claim(n * k, at)
            items = iter(self.column(n * k, level + 1))
            return [[next(items) for _ in range(k)] for _ in range(n)]
        self.claim(k, at, 1)
        self.claim(n, at)
        return [list(row) for row in zip(*[self.column(n, level + 1) for _ in range(k)])]

    def column_12(self, n, w, level, at):
        sizes, clean = self.packed(n, w, at)
        self.claim(sum(sizes), at)
        self.contents(clean, at)
        start = self.pos
        keys = iter(self.column(sum(sizes), level + 1))
        keys = [[next(keys) for _ in range(size)] for size in sizes]
        values = iter(self.column(sum(sizes), level + 1))
        for own in keys:
            self.distinct(own, start)
        return [Map([(key, next(values)) for key in own]) for own in keys]

    def column_13(self, n, w, level, at):
        f = self.header(at, 1, U64_MAX)
        self.claim(f, at, 1)
        keys = [self.table_key(at) for _ in range(f)]
        for i, (start, key) in enumerate(keys):
            try:
                keys[i] = key.decode("utf-8")
            except UnicodeDecodeError:
                self.contents(False, start, "invalid-utf8")
            self.contents(keys[i] not in keys[:i], start, "duplicate-key")
        rows = [Map() for _ in range(n)]
        for key in keys:
            for row, value in zip(rows, self.column(n, level + 1, "field")):
                if value is not ABSENT:
                    row.entries.append((key, value))
        return rows

    def table_key(self, at):
        start = self.pos
        tag = self.take(1, at)[0]
        if 0x40 <= tag <= 0x7F:
            size = tag - 0x40
        elif 0xC0 <= tag <= 0xC3:
            size = self.number(1 << tag - 0xC0, at)
        else:
            raise Fault("invalid-column", at)
        if size > 64:
            raise Fault("invalid-column", at)
        return start, self.take(size, at)

    def column_14(self, n, w, level, at):
        m = self.header(at, 2, 16)
        variants, clean = self.packed(n, w, at)
        if any(variant >= m for variant in variants):
            raise Fault("invalid-column", at)
        self.contents(clean, at)
        columns = [iter(self.column(variants.count(i), level, "variant")) for i in range(m)]
        return [next(columns[variant]) for variant in variants]

    def column_15(self, n, w, level, at):
        kind = self.ext_type(at)
        return [Ext(kind, payload) for payload in self.column(n, level + 1)]

    def end(self):
        if self.left() and self.data[self.pos] == 0xBE:
            self.pos += 1
            return True
        if not self.left():
            raise Fault("truncated", self.pos)
        return False

    def ext(self, depth, at):
        start = self.pos
        kind = self.ext_type(start)
        self.enter(depth, at)
        self.shortest(encode_int(kind)[0] == self.data[start], start)
        return Ext(kind, self.value(depth + 1))

    def ext_type(self, at):
        tag = self.take(1, at)[0]
        if tag <= 0x3F:
            return tag
        if 0xA0 <= tag <= 0xA7:
            return self.number(tag - 0x9F, at)
        if tag == 0xBC:
            kind = self.number(16, at)
            if kind < 1 << 64:
                return kind
        raise Fault("ext-type", at)


def decode(data, **options):
    d = Decoder(data, **options)
    d.signature()
    v = d.value(0)
    if d.left():
        raise Fault("trailing-bytes", d.pos)
    return v


def decode_sequence(data):
    """The values, and the fault that ended them or None."""
    d = Decoder(data)
    values = []
    try:
        d.signature()
        if d.pos and not d.left():
            raise Fault("truncated", d.pos)
        while d.left():
            values.append(d.value(0))
    except Fault as fault:
        return values, fault
    return values, None


def canonical_fault(data):
    """The offset of the second of two keys that have one canonical form (CAN-9), or None."""

    class Finder(Decoder):
        def entry(self, entries, seen, depth):
            at = self.pos
            super().entry(entries, seen, depth)
            encoded = encode(entries[-1][0], canonical=True)
            if encoded in (encode(k, canonical=True) for k, _ in entries[:-1]):
                raise Fault("duplicate-key", at)

        def distinct(self, keys, at):
            super().distinct(keys, at)
            if len({encode(k, canonical=True) for k in keys}) != len(keys):
                raise Fault("duplicate-key", at)

    try:
        finder = Finder(data)
        finder.signature()
        finder.value(0)
    except Fault as fault:
        return fault.offset
    return None


# ---------------------------------------------------------------------------------------------------------------
# Diagnostic notation (chapter 22)

ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def diag_float(f):
    if f.is_nan():
        return "nan" if f.bits == 0x7FF8000000000000 else f"f64'{f.bits:016x}'"
    number = f.number()
    if number in (float("inf"), float("-inf")):
        return "inf" if number > 0 else "-inf"
    # repr has the digits and the two thresholds that DIA-4 asks for; only its exponents are written otherwise.
    return re.sub(r"e([+-]?)0*(\d+)$", lambda m: "e" + m[1].replace("+", "") + m[2], repr(number))


def diag_string(s):
    return '"' + "".join(ESCAPES.get(c) or (c if c >= " " else f"\\u{ord(c):04x}") for c in s) + '"'


def diag(v):
    if v is None:
        return "null"
    if isinstance(v, bool):
        return "true" if v else "false"
    if isinstance(v, int):
        return str(v)
    if isinstance(v, Float):
        return diag_float(v)
    if isinstance(v, str):
        return diag_string(v)
    if isinstance(v, bytes):
        return f"h'{v.hex()}'"
    if isinstance(v, list):
        return "[" + ", ".join(map(diag, v)) + "]"
    if isinstance(v, Map):
        return "{" + ", ".join(f"{diag(k)}: {diag(x)}" for k, x in v.entries) + "}"
    if isinstance(v, Ext):
        return f"ext({v.kind}, {diag(v.payload)})"
    return f"some({diag(v.payload)})"


class Refused(Exception):
    """A fault in text; neither name nor offset is fixed."""


class DiagParser:
    NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
    BITS = re.compile(r"f64'([0-9A-Fa-f]{16})'")
    HEX = re.compile(r"h'((?:[0-9A-Fa-f]{2})*)'")
    WORD = re.compile(r"-?[a-z]+")
    SPACE = re.compile(r"(?:[ \t\r\n]|#[^\r\n]*)*")

    def __init__(self, text):
        self.text = text
        self.pos = 0

    def space(self):
        self.pos = self.SPACE.match(self.text, self.pos).end()

    def match(self, pattern):
        m = pattern.match(self.text, self.pos)
        if m:
            self.pos = m.end()
        return m

    def skip(self, token):
        self.space()
        if not self.text.startswith(token, self.pos):
            return False
        self.pos += len(token)
        return True

    def expect(self, token):
        if not self.skip(token):
            raise Refused(f"{token!r} expected at {self.pos}")

    def document(self):
        v = self.value(0)
        self.space()
        if self.pos != len(self.text):
            raise Refused(f"text after the value at {self.pos}")
        return v

    def items(self, close, item):
        found = []
        if self.skip(close):
            return found
        while True:
            found.append(item())
            if self.skip(close):
                return found
            self.expect(",")

    def value(self, depth):
        self.space()
        start = self.text[self.pos : self.pos + 1]
        if start in ("[", "{") or self.text.startswith(("ext", "some"), self.pos):
            if depth >= DEPTH:
                raise Refused("too deep")
        if self.skip("["):
            return self.items("]", lambda: self.value(depth + 1))
        if self.skip("{"):
            seen = set()

            def entry():
                key = self.value(depth + 1)
                if encode(key) in seen:
                    raise Refused("equal keys")
                seen.add(encode(key))
                self.expect(":")
                return key, self.value(depth + 1)

            return Map(self.items("}", entry))
        if start == '"':
            return self.string()
        if m := self.match(self.BITS):
            return Float(int(m[1], 16))
        if m := self.match(self.HEX):
            return bytes.fromhex(m[1])
        if m := self.match(self.NUMBER):
            if self.text[self.pos : self.pos + 1].isalnum() or self.text[self.pos : self.pos + 1] == ".":
                raise Refused("not a number")
            return self.number(m)
        m = self.match(self.WORD)
        word = m[0] if m else ""
        if word in ("null", "true", "false"):
            return {"null": None, "true": True, "false": False}[word]
        if word in ("nan", "inf", "-inf"):
            return Float.of(float(word)) if word != "nan" else Float(0x7FF8000000000000)
        if word == "some":
            self.expect("(")
            v = some(self.value(depth + 1))
            self.expect(")")
            return v
        if word == "ext":
            self.expect("(")
            kind = self.value(depth + 1)
            if not is_int(kind) or not 0 <= kind < 1 << 64:
                raise Refused("no ext type")
            self.expect(",")
            v = Ext(kind, self.value(depth + 1))
            self.expect(")")
            return v
        raise Refused(f"no value at {self.pos}")

    @staticmethod
    def number(m):
        if m[1] or m[2]:
            number = float(m[0])
            if number in (float("inf"), float("-inf")):
                raise Refused("too large")
            return Float.of(number)
        if m[0] == "-0" or not INT_MIN <= int(m[0]) <= INT_MAX:
            raise Refused("no int")
        return int(m[0])

    def string(self):
        try:
            # Python's JSON reader knows the escapes; it is lax with surrogates, which the encoding below is not.
            v, self.pos = json.decoder.scanstring(self.text, self.pos + 1, True)
            v.encode("utf-8")
        except (ValueError, UnicodeEncodeError):
            raise Refused("bad string") from None
        return v


def parse_diag(text):
    return DiagParser(text).document()


# ---------------------------------------------------------------------------------------------------------------
# JSON (chapter 23). The text is read by Python's own reader with its numbers and objects left to the functions here.


class Number(str):
    pass


class Object(list):
    pass


def read_json(text):
    def constant(_):
        raise Refused("no JSON")

    try:
        return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=constant,
                          object_pairs_hook=lambda pairs: Object(pairs))
    except ValueError:
        raise Refused("no JSON") from None


def json_number(text):
    if re.fullmatch(r"-?[0-9]+", text):
        if text == "-0":
            return Float(1 << 63)
        if not INT_MIN <= int(text) <= INT_MAX:
            raise Refused("int out of range")
        return int(text)
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise Refused("too large")
    return Float.of(number)


def build_map(pairs):
    seen = set()
    for key, _ in pairs:
        if encode(key) in seen:
            raise Refused("equal keys")
        seen.add(encode(key))
    return Map(pairs)


def from_json(tree):
    if isinstance(tree, Number):
        return json_number(tree)
    if tree is None or isinstance(tree, bool):
        return tree
    if isinstance(tree, str):
        try:
            tree.encode("utf-8")
        except UnicodeEncodeError:
            raise Refused("a surrogate alone") from None
        return tree
    if isinstance(tree, Object):
        if len(tree) == 1 and tree[0][0].startswith("$wbin:"):
            return json_form(tree[0][0][6:], tree[0][1])
        return build_map([(from_json(k), from_json(v)) for k, v in tree])
    return [from_json(x) for x in tree]


def plain_text(tree):
    if isinstance(tree, Number) or not isinstance(tree, str):
        raise Refused("a string is wanted")
    return tree


def array(tree, n=None):
    if isinstance(tree, Object) or not isinstance(tree, list) or (n is not None and len(tree) != n):
        raise Refused("an array is wanted")
    return tree


def json_form(name, tree):
    if name == "int":
        text = plain_text(tree)
        if not re.fullmatch(r"0|-?[1-9][0-9]*", text) or not INT_MIN <= int(text) <= INT_MAX:
            raise Refused("no int")
        return int(text)
    if name == "float":
        text = plain_text(tree)
        if text == "nan":
            return Float(0x7FF8000000000000)
        if text in ("inf", "-inf"):
            return Float.of(float(text))
        if not re.fullmatch(r"[0-9A-Fa-f]{16}", text):
            raise Refused("no float")
        return Float(int(text, 16))
    if name == "bytes":
        text = plain_text(tree)
        if not re.fullmatch(r"([0-9A-Fa-f]{2})*", text):
            raise Refused("no bytes")
        return bytes.fromhex(text)
    if name == "ext":
        kind, payload = array(tree, 2)
        kind = from_json(kind)
        if not is_int(kind) or not 0 <= kind < 1 << 64:
            raise Refused("no ext type")
        return Ext(kind, from_json(payload))
    if name == "map":
        return build_map([(from_json(k), from_json(v)) for k, v in (array(e, 2) for e in array(tree))])
    raise Refused("no such form")


def to_json(v):
    """The JSON tree, with numbers as Number, so that 1 and 1.0 stay apart."""
    if v is None or isinstance(v, (bool, str)):
        return v
    if is_int(v):
        return Number(v) if -(1 << 63) <= v < 1 << 64 else Object([("$wbin:int", str(v))])
    if isinstance(v, Float):
        text = diag_float(v)
        if text.lstrip("-")[0].isdigit():
            return Number(text)
        return Object([("$wbin:float", text if "'" not in text else text[4:-1])])
    if isinstance(v, bytes):
        return Object([("$wbin:bytes", v.hex())])
    if isinstance(v, list):
        return [to_json(x) for x in v]
    if isinstance(v, Ext):
        return Object([("$wbin:ext", [Number(v.kind), to_json(v.payload)])])
    if isinstance(v, Some):
        return to_json(v.payload)
    build_map([(look_through(k), None) for k, _ in v.entries])
    keys = [look_through(k) for k, _ in v.entries]
    if any(not isinstance(k, str) for k in keys) or (len(keys) == 1 and keys[0].startswith("$wbin:")):
        return Object([("$wbin:map", [[to_json(k), to_json(x)] for k, x in v.entries])])
    return Object([(k, to_json(x)) for k, (_, x) in zip(keys, v.entries)])


def look_through(v):
    if isinstance(v, Some):
        return look_through(v.payload)
    if isinstance(v, list):
        return [look_through(x) for x in v]
    if isinstance(v, Map):
        return build_map([(look_through(k), look_through(x)) for k, x in v.entries])
    if isinstance(v, Ext):
        return Ext(v.kind, look_through(v.payload))
    return v


def same_json(a, b):
    if isinstance(a, Number) and isinstance(b, Number):
        return equal(json_number(a), json_number(b))
    if isinstance(a, Object) and isinstance(b, Object):
        return len(a) == len(b) and all(k == l and same_json(x, y) for (k, x), (l, y) in zip(a, b))
    if type(a) is not type(b):
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same_json, a, b))
    return a == b


# ---------------------------------------------------------------------------------------------------------------
# What a known ext says (EXT-6 to EXT-9)


def known_valid(v):
    p = v.payload
    if v.kind == 0:
        if is_int(p):
            return True
        return (isinstance(p, list) and len(p) == 2 and all(map(is_int, p))
                and 0 <= p[1] <= 999_999_999)
    if v.kind == 1:
        return isinstance(p, bytes) and len(p) == 16
    if v.kind == 2:
        return isinstance(p, bytes)
    return isinstance(p, list) and len(p) == 2 and all(map(is_int, p))


KNOWN = {0: "timestamp", 1: "uuid", 2: "big-integer", 3: "decimal"}

# ---------------------------------------------------------------------------------------------------------------
# Values in the vector files


def typed(v):
    if v is None:
        return {"null": True}
    if isinstance(v, bool):
        return {"bool": v}
    if isinstance(v, int):
        return {"u": str(v)} if v >= 0 else {"i": str(v)}
    if isinstance(v, Float):
        return {"f64": f"{v.bits:016x}"}
    if isinstance(v, str):
        return {"str": v}
    if isinstance(v, bytes):
        return {"bytes": v.hex()}
    if isinstance(v, list):
        return {"list": [typed(x) for x in v]}
    if isinstance(v, Map):
        return {"map": [[typed(k), typed(x)] for k, x in v.entries]}
    if isinstance(v, Ext):
        return {"ext": [str(v.kind), typed(v.payload)]}
    return {"some": typed(v.payload)}


def untyped(t):
    (name, x), = t.items()
    if name == "null":
        return None
    if name in ("u", "i"):
        return int(x)
    if name == "f64":
        return Float(int(x, 16))
    if name == "bytes":
        return bytes.fromhex(x)
    if name == "list":
        return [untyped(i) for i in x]
    if name == "map":
        return Map([(untyped(k), untyped(v)) for k, v in x])
    if name == "ext":
        return Ext(int(x[0]), untyped(x[1]))
    if name == "some":
        return some(untyped(x))
    return x


# ---------------------------------------------------------------------------------------------------------------
# The runner. It says what is wrong with a case, in a list that is empty for a good one. It looks at the case as it stands in
# a file, and at nothing else, just as the runner of a port does.


def outcome(data, **options):
    try:
        return decode(data, **options), None
    except Fault as fault:
        return None, (fault.name, fault.offset)


def run_bytes(c):
    bad = []
    data = bytes.fromhex(c["hex"])
    options = {"depth": c.get("max_depth", DEPTH), "ceiling": c.get("max_input")}
    v, fault = outcome(data, **options)
    _, strict = outcome(data, strict=True, **options)
    _, loose = outcome(data, valid=False, **options)
    if c["result"] in ("invalid", "limit"):
        expected = (c["error"], c["offset"])
        if fault != expected:
            bad.append(f"default reading: {fault or 'accepted'}, expected {expected}")
        if strict is None:
            bad.append("strict reading accepts it")
        if "strict_error" in c and strict != (c["strict_error"], c["strict_offset"]):
            bad.append(f"strict reading: {strict}")
        if (loose is None) != c.get("well_formed", False):
            bad.append(f"well-formedness: {loose or 'accepted'}")
        if (fault is not None) and (fault[0].endswith("-limit")) != (c["result"] == "limit"):
            bad.append("the result does not fit the error")
        return bad
    if fault:
        return [f"default reading: {fault}"]
    if loose:
        bad.append(f"well-formedness: {loose}")
    if "value" in c and not equal(v, untyped(c["value"])):
        bad.append(f"value: {diag(v)}")
    if diag(v) != c["diag"]:
        bad.append(f"diag: {diag(v)}")
    try:
        if not equal(parse_diag(c["diag"]), v):
            bad.append("the diag text does not give the value back")
    except Refused as refused:
        bad.append(f"diag text refused: {refused}")
    preferred = encode(v).hex()
    if preferred != c.get("preferred", c.get("canonical")):
        bad.append(f"preferred encoding: {preferred}")
    if "canonical_error" in c:
        if canonical_fault(data) != c["canonical_error"]["offset"] or c["canonical_error"]["error"] != "duplicate-key":
            bad.append(f"canonical form: fault at {canonical_fault(data)}")
    elif canonical_fault(data) is not None:
        bad.append("there is no canonical form")
    elif encode(v, canonical=True).hex() != c["canonical"]:
        bad.append(f"canonical form: {encode(v, canonical=True).hex()}")
    else:
        form = bytes.fromhex(c["canonical"])
        again, fault = outcome(form, strict=True)
        if fault or encode(again, canonical=True) != form:
            bad.append("the canonical form is not accepted by strict reading")
    if c["result"] == "canonical":
        if strict:
            bad.append(f"strict reading: {strict}")
        if c["canonical"] != c["hex"]:
            bad.append("canonical, but not its own canonical form")
    elif strict != ("not-canonical", c["strict_offset"]):
        bad.append(f"strict reading: {strict or 'accepted'}")
    _, through = outcome(data, look_through=True, **options)
    declared = c.get("look_through_error")
    if through != (declared and (declared["error"], declared["offset"])):
        bad.append(f"reading without `some`: {through or 'accepted'}")
    if "known" in c:
        if c["known"] != {"type": KNOWN.get(v.kind), "valid": known_valid(v)}:
            bad.append("known ext")
    # GEN-3: no strict prefix of a document is a document, and strict reading says so too where the whole is canonical.
    if len(data) <= 300:
        for n in range(len(data)):
            cuts = [outcome(data[:n], **options)[1]]
            if c["result"] == "canonical":
                cuts.append(outcome(data[:n], strict=True, **options)[1])
            if any(cut is None or cut[0] != "truncated" for cut in cuts):
                bad.append(f"the first {n} bytes: {cuts}")
                break
    return bad


def large_bytes(parts):
    return b"".join(bytes.fromhex(h) * n for h, n in parts)


def run_large(c):
    bad = []
    data = large_bytes(c["parts"])
    v, fault = outcome(data)
    _, strict = outcome(data, strict=True)
    if c["result"] in ("invalid", "limit"):
        if fault != (c["error"], c["offset"]):
            bad.append(f"default reading: {fault or 'accepted'}")
        if outcome(data, valid=False)[1] is None:
            bad.append("it is well-formed")
        return bad
    if fault:
        return [f"default reading: {fault}"]
    kind = {str: "str", bytes: "bytes", list: "list", Map: "map"}[type(v)]
    size = len(v.entries) if kind == "map" else len(v.encode("utf-8")) if kind == "str" else len(v)
    if {"kind": kind, "length": size} != c["value"]:
        bad.append(f"value: {kind} of {size}")
    if encode(v, canonical=True) != large_bytes(c["canonical_parts"]):
        bad.append("canonical form")
    expected = None if c["result"] == "canonical" else ("not-canonical", c["strict_offset"])
    if strict != expected:
        bad.append(f"strict reading: {strict or 'accepted'}")
    if c["result"] == "canonical" and large_bytes(c["canonical_parts"]) != data:
        bad.append("canonical, but not its own canonical form")
    return bad


def run_diag(c):
    try:
        v = parse_diag(c["text"])
    except Refused as refused:
        return [] if c.get("error") == "refused" else [f"refused: {refused}"]
    if "error" in c:
        return [f"accepted: {encode(v).hex()}"]
    bad = []
    if encode(v).hex() != c["hex"]:
        bad.append(f"bytes: {encode(v).hex()}")
    back = diag(decode(bytes.fromhex(c["hex"])))
    if back != c.get("printed", c["text"]):
        bad.append(f"printed: {back}")
    return bad


def run_json(c):
    bad = []
    direction = c["direction"]
    if direction in ("both", "from"):
        try:
            v = from_json(read_json(c["json"]))
            if "error" in c:
                bad.append(f"accepted: {encode(v).hex()}")
            elif encode(v).hex() != c["hex"]:
                bad.append(f"bytes: {encode(v).hex()}")
        except Refused as refused:
            if "error" not in c:
                bad.append(f"refused: {refused}")
    if direction in ("both", "to"):
        try:
            tree = to_json(decode(bytes.fromhex(c["hex"])))
            if "error" in c:
                bad.append("accepted")
            elif not same_json(tree, read_json(c["json"])):
                bad.append(f"json: {tree}")
        except Refused as refused:
            if "error" not in c:
                bad.append(f"refused: {refused}")
    return bad


def run_serde(c):
    """Types are the port's affair; what can be judged here is that the bytes are a document with the value shown, and
    preferred where they are what an encoder writes."""
    v, fault = outcome(bytes.fromhex(c["hex"]))
    if fault:
        return [f"default reading: {fault}"]
    bad = []
    if not equal(v, parse_diag(c["diag"])) or diag(v) != c["diag"]:
        bad.append(f"diag: {diag(v)}")
    if c["direction"] == "both" and encode(v).hex() != c["hex"]:
        bad.append("an encoder would write something else")
    if ("error" in c) == ("value" in c):
        bad.append("one of value and error is wanted")
    return bad


def run_equality(c):
    a, b = (decode(bytes.fromhex(c[side])) for side in "ab")
    return [] if equal(a, b) == c["equal"] else [f"equal: {equal(a, b)}"]


def run_sequence(c):
    values, fault = decode_sequence(bytes.fromhex(c["hex"]))
    bad = []
    if [diag(v) for v in values] != c["diags"]:
        bad.append(f"values: {[diag(v) for v in values]}")
    if (fault and (fault.name, fault.offset)) != (("error" in c) and (c["error"], c["offset"]) or None):
        bad.append(f"fault: {fault}")
    return bad


RUN = {"bytes": run_bytes, "large": run_large, "diag": run_diag, "json": run_json, "serde": run_serde,
       "equality": run_equality, "sequence": run_sequence}

# ---------------------------------------------------------------------------------------------------------------
# The cases. Bytes are hex with spaces, and `81*3` stands for 81 81 81.

FILES = {}  # file name → (kind, cases)


def expand(text):
    out = []
    for token in text.split():
        digits, _, times = token.partition("*")
        out.append(digits.lower() * int(times or 1))
    return "".join(out)


def add(file, kind, case):
    FILES.setdefault(file, (kind, []))[1].append(case)


def nesting(tree):
    if isinstance(tree, dict):
        tree = list(tree.values())
    return 1 + max(map(nesting, tree), default=0) if isinstance(tree, list) else 0


class Topic:
    """Cases of kind `bytes` for one file."""

    def __init__(self, file):
        self.file = file

    def _add(self, case, extra):
        if "value" in case and json.dumps(case["value"]).count("}") > 60 and nesting(case["value"]) > 60:
            # Many JSON readers stop at 128 levels; a port should not have to tune its own for this.
            del case["value"]
        case.update({k: (expand(x) if k in ("preferred",) else x) for k, x in extra.items()})
        add(self.file, "bytes", case)

    def ok(self, id, rules, hex, diag_text, **extra):
        """A canonical document."""
        self._add({"id": id, "rules": rules.split(), "hex": expand(hex), "value": typed(parse_diag(diag_text)),
                   "diag": diag_text, "result": "canonical", "canonical": expand(hex)}, extra)

    def non(self, id, rules, hex, diag_text, canonical, at, **extra):
        """A document that is accepted but not canonical; strict reading refuses it at `at`."""
        case = {"id": id, "rules": rules.split(), "hex": expand(hex), "value": typed(parse_diag(diag_text)),
                "diag": diag_text, "result": "noncanonical"}
        if canonical is not None:
            case["canonical"] = expand(canonical)
        case["strict_offset"] = at
        self._add(case, extra)

    def bad(self, id, rules, hex, error, at, **extra):
        """A document that is refused."""
        self._add({"id": id, "rules": rules.split(), "hex": expand(hex), "result": "invalid", "error": error,
                   "offset": at, "well_formed": error in ("invalid-utf8", "int-range", "duplicate-key")}, extra)

    def over(self, id, rules, hex, error, at, **extra):
        """A document that is over a limit."""
        self._add({"id": id, "rules": rules.split(), "hex": expand(hex), "result": "limit", "error": error,
                   "offset": at}, extra)


def declare_documents():
    t = Topic("documents.json")
    t.ok("doc-one-value", "GEN-1 VAL-1", "05", "5")
    t.bad("doc-empty", "GEN-1 ERR-2 ERR-3", "", "truncated", 0)
    t.ok("doc-whole", "GEN-2", "82 81 A0 40 41 61", '[[64], "a"]')
    t.ok("doc-cut-out-list", "GEN-2", "81 A0 40", "[64]", note="bytes 1 to 3 of doc-whole")
    t.ok("doc-cut-out-int", "GEN-2", "A0 40", "64", note="bytes 2 to 3 of doc-whole")
    t.bad("doc-trailing-int", "GEN-4", "05 06", "trailing-bytes", 1)
    t.bad("doc-trailing-after-list", "GEN-4", "81 05 00", "trailing-bytes", 2)
    t.bad("doc-trailing-end", "GEN-4", "05 BE", "trailing-bytes", 1)
    t.bad("doc-trailing-after-signature", "GEN-4 SIG-5", "DF 57 42 01 05 06", "trailing-bytes", 5)
    t.ok("doc-little-endian-int", "GEN-5 INT-3", "A3 01 02 03 04", "67305985")
    t.ok("doc-little-endian-float", "GEN-5 FLT-4", "B7 EF CD AB 89 67 45 23 01", "3.512700564088504e-303")
    t.ok("doc-null", "NUL-1 VAL-1 TAG-1", "B8", "null")
    t.ok("doc-false", "BOO-1 VAL-1 TAG-1", "B9", "false")
    t.ok("doc-true", "BOO-1 VAL-1 TAG-1", "BA", "true")
    t.bad("doc-null-payload", "NUL-1", "B8 00", "trailing-bytes", 1)
    t.bad("doc-true-payload", "BOO-1", "BA 01", "trailing-bytes", 1)
    t.ok("doc-all-kinds", "VAL-1", "8A B8 B9 05 B0 08 41 61 C4 01 00 81 05 91 05 06 BF 05 00 BB B8",
         '[null, false, 5, 1.0, "a", h\'00\', [5], {5: 6}, ext(5, 0), some(null)]')
    t.ok("doc-nested", "GEN-2 PRE-1 CAN-10", "92 42 69 64 A0 7B 44 74 61 67 73 83 41 61 41 62 B8",
         '{"id": 123, "tags": ["a", "b", null]}')
    for tag in range(0xD4, 0xDF):
        t.bad(f"reserved-{tag:02x}", "TAG-2 TAG-1", f"{tag:02X}", "reserved-tag", 0)
    t.bad("reserved-with-bytes-after", "TAG-2", "D4 00 00", "reserved-tag", 0)
    t.bad("reserved-in-list", "TAG-2", "82 00 DE", "reserved-tag", 2)
    t.bad("reserved-as-key", "TAG-2", "91 D5 00", "reserved-tag", 1)
    t.bad("reserved-as-value", "TAG-2", "91 05 D6", "reserved-tag", 2)
    t.bad("reserved-in-open-list", "TAG-2", "D0 00 D7 BE", "reserved-tag", 2)
    t.bad("reserved-in-some", "TAG-2", "BB D8", "reserved-tag", 1)
    t.bad("reserved-in-ext", "TAG-2", "BF 05 D9", "reserved-tag", 2)


def declare_ints():
    t = Topic("ints.json")
    t.ok("int-0", "INT-1 TAG-1", "00", "0")
    t.ok("int-1", "INT-1", "01", "1")
    t.ok("int-63", "INT-1", "3F", "63")
    t.ok("int-minus-1", "INT-2 TAG-1", "FF", "-1")
    t.ok("int-minus-10", "INT-2", "F6", "-10")
    t.ok("int-minus-32", "INT-2", "E0", "-32")
    t.ok("int-64", "INT-3 PRE-1", "A0 40", "64")
    t.ok("int-255", "INT-3", "A0 FF", "255")
    for size in range(2, 9):
        low, high = 1 << 8 * (size - 1), (1 << 8 * size) - 1
        tag = 0xA0 + size - 1
        t.ok(f"int-{size}-bytes-lowest", "INT-3", f"{tag:02X} 00*{size - 1} 01", str(low))
        t.ok(f"int-{size}-bytes-highest", "INT-3", f"{tag:02X} FF*{size}", str(high))
    t.ok("int-i64-max", "INT-3", "A7 FF*7 7F", "9223372036854775807")
    t.ok("int-i64-max-plus-1", "INT-3", "A7 00*7 80", "9223372036854775808")
    t.ok("int-2-to-53-plus-1", "INT-3", "A6 01 00*5 20", "9007199254740993")
    t.ok("int-minus-33", "INT-4 PRE-1", "A8 20", "-33")
    t.ok("int-minus-256", "INT-4", "A8 FF", "-256")
    for size in range(2, 9):
        low, high = 1 << 8 * (size - 1), (1 << 8 * size) - 1
        tag = 0xA8 + size - 1
        t.ok(f"int-neg-{size}-bytes-highest", "INT-4", f"{tag:02X} 00*{size - 1} 01", str(-1 - low))
        t.ok(f"int-neg-{size}-bytes-lowest", "INT-4", f"{tag:02X} FF*{size}", str(-1 - high))
    t.ok("int-i64-min", "INT-4", "AF FF*7 7F", "-9223372036854775808")
    t.ok("int-i64-min-minus-1", "INT-4", "AF 00*7 80", "-9223372036854775809")
    t.ok("int-2-to-64", "INT-5 CAN-2", "BC 00*8 01 00*7", "18446744073709551616")
    t.ok("int-i128-max", "INT-5", "BC FF*15 7F", "170141183460469231731687303715884105727")
    t.ok("int-u128-max", "INT-5 VAL-2", "BC FF*16", "340282366920938463463374607431768211455")
    t.ok("int-minus-2-to-64-minus-1", "INT-6 CAN-2", "BD 00*8 01 00*7", "-18446744073709551617")
    t.ok("int-i128-min", "INT-6 VAL-2", "BD FF*15 7F", "-170141183460469231731687303715884105728")
    t.non("int-long-5", "INT-7 CAN-2 CAN-7", "A0 05", "5", "05", 0)
    t.non("int-long-63", "INT-7 CAN-2", "A0 3F", "63", "3F", 0)
    t.non("int-long-64", "INT-7 CAN-2", "A1 40 00", "64", "A0 40", 0)
    t.non("int-long-255-in-8", "INT-7 CAN-2", "A7 FF 00*7", "255", "A0 FF", 0)
    t.non("int-long-0-in-8", "INT-7 CAN-2", "A7 00*8", "0", "00", 0)
    t.non("int-long-minus-1", "INT-7 CAN-2", "A8 00", "-1", "FF", 0)
    t.non("int-long-minus-32", "INT-7 CAN-2", "A8 1F", "-32", "E0", 0)
    t.non("int-long-minus-33", "INT-7 CAN-2", "AB 20 00*3", "-33", "A8 20", 0)
    t.non("int-long-16-bytes-5", "INT-5 INT-7 CAN-2", "BC 05 00*15", "5", "05", 0)
    t.non("int-long-16-bytes-u64-max", "INT-5 INT-7 CAN-2", "BC FF*8 00*8", "18446744073709551615", "A7 FF*8", 0)
    t.non("int-long-16-bytes-minus-1", "INT-6 INT-7 CAN-2", "BD 00*16", "-1", "FF", 0)
    t.non("int-long-16-bytes-minus-2-to-64", "INT-6 INT-7 CAN-2", "BD FF*8 00*8", "-18446744073709551616",
          "AF FF*8", 0)
    t.non("int-long-in-list", "INT-7 CAN-7", "82 05 A0 05", "[5, 5]", "82 05 05", 2)
    t.bad("int-range-2-to-127", "INT-6 VAL-2", "BD 00*15 80", "int-range", 0)
    t.bad("int-range-highest", "INT-6 VAL-2", "BD FF*16", "int-range", 0)
    t.bad("int-range-in-list", "INT-6 ERR-2 ERR-4", "82 05 BD FF*16", "int-range", 2)
    t.bad("int-range-as-value", "INT-6", "91 41 61 BD FF*16", "int-range", 3)
    t.bad("int-cut-1", "INT-3 ERR-3", "A0", "truncated", 0)
    t.bad("int-cut-4", "INT-3", "A3 01 02 03", "truncated", 0)
    t.bad("int-cut-8", "INT-3", "A7 01*7", "truncated", 0)
    t.bad("int-neg-cut-1", "INT-4", "A8", "truncated", 0)
    t.bad("int-neg-cut-8", "INT-4", "AF 01*7", "truncated", 0)
    t.bad("int-16-cut", "INT-5", "BC 01*15", "truncated", 0)
    t.bad("int-neg-16-cut", "INT-6", "BD 01*15", "truncated", 0)


def declare_floats():
    t = Topic("floats.json")
    t.ok("float-zero", "FLT-1 FLT-2 FLT-6", "B0 00", "0.0")
    t.ok("float-minus-zero", "FLT-2 FLT-3 FLT-6 VAL-3", "B6 00 00 00 80", "-0.0",
         note="no short decimal gives -0.0")
    t.ok("float-1", "FLT-1 FLT-6 VAL-4", "B0 08", "1.0")
    t.ok("float-minus-1", "FLT-1", "B0 F8", "-1.0")
    t.ok("float-1.5", "FLT-1 FLT-2 PRE-1", "B0 79", "1.5")
    t.ok("float-0.1", "FLT-2 FLT-6", "B0 09", "0.1")
    t.ok("float-minus-1.5", "FLT-1 FLT-2", "B0 89", "-1.5")
    t.ok("float-1.5e-6", "FLT-1 FLT-2", "B0 7F", "1.5e-6", note="the largest x of one byte: m = 15, k = 7")
    t.ok("float-minus-16", "FLT-1", "B0 80", "-16.0", note="the smallest x of one byte: m = -16, k = 0")
    t.ok("float-minus-1.6e-6", "FLT-1 FLT-2", "B0 87", "-1.6e-6", note="x >> 3 rounds down: m = -16, k = 7")
    t.ok("float-1e-7", "FLT-2", "B0 0F", "1e-7")
    t.ok("float-15", "FLT-1", "B0 78", "15.0")
    t.ok("float-16", "FLT-1", "B1 80 00", "16.0")
    t.ok("float-12.99", "FLT-1 FLT-2", "B1 9A 28", "12.99")
    t.ok("float-0.3", "FLT-2", "B0 19", "0.3")
    t.ok("float-100", "FLT-1 CAN-3", "B1 20 03", "100.0")
    t.ok("float-4095", "FLT-1", "B1 F8 7F", "4095.0", note="the largest x of two bytes with k = 0")
    t.ok("float-4096", "FLT-1", "B2 00 80 00", "4096.0")
    t.ok("float-1048575", "FLT-1 FLT-6", "B2 F8 FF 7F", "1048575.0", note="the largest x of three bytes with k = 0")
    t.ok("float-1048576", "FLT-6", "B6 00 00 80 49", "1048576.0",
         note="the short decimal takes four bytes, as binary32 does")
    t.ok("float-minus-1048576", "FLT-6", "B2 00 00 80", "-1048576.0")
    t.ok("float-16777217", "FLT-6", "B3 08 00 00 08", "16777217.0", note="not exact in binary32")
    t.ok("float-123456.789", "FLT-1 FLT-2 FLT-6", "B3 AB 68 DE 3A", "123456.789")
    t.ok("float-3.14159265", "FLT-6", "B7 F1 D4 C8 53 FB 21 09 40", "3.14159265",
         note="eight decimals: no short decimal has them")
    t.ok("float-3.1415927", "FLT-6", "B3 BF F3 FA 0E", "3.1415927")
    t.ok("float-five-bytes", "FLT-1", "B4 F9 FF FF FF 7F", "6871947673.5", note="x = 2^39 - 7")
    t.ok("float-largest-decimal", "FLT-1 FLT-2", "B5 FF*5 7F", "1759218.6044415", note="m = 2^44 - 1, k = 7")
    t.ok("float-largest-m", "FLT-1 FLT-6", "B5 F8 FF*4 7F", "17592186044415.0")
    t.ok("float-2-to-44", "FLT-6", "B6 00 00 80 55", "17592186044416.0", note="out of the range of m, exact in binary32")
    t.ok("float-2-to-44-plus-1", "FLT-6", "B7 00 01 00 00 00 00 B0 42", "17592186044417.0")
    t.ok("float-below-minus-2-to-44", "FLT-6", "B7 00 01 00 00 00 00 B0 C2", "-17592186044417.0")
    t.ok("float-pi", "FLT-4 FLT-6", "B7 18 2D 44 54 FB 21 09 40", "3.141592653589793")
    t.ok("float-third", "FLT-4", "B7 55*6 D5 3F", "0.3333333333333333")
    t.ok("float-0.1-plus-0.2", "FLT-4 FLT-6", "B7 34 33*5 D3 3F", "0.30000000000000004",
         note="one unit in the last place above 0.3")
    t.ok("float-1e22", "FLT-4", "B7 " + float_hex(1e22), "1e22")
    t.ok("float-1e300", "FLT-4 DIA-4", "B7 9C 75 00 88 3C E4 37 7E", "1e300")
    t.ok("float-binary64-max", "FLT-4", "B7 FF*6 EF 7F", "1.7976931348623157e308")
    t.ok("float-binary64-smallest-normal", "FLT-4", "B7 00*6 10 00", "2.2250738585072014e-308")
    t.ok("float-binary64-largest-subnormal", "FLT-4", "B7 FF*6 0F 00", "2.225073858507201e-308")
    t.ok("float-binary64-smallest", "FLT-4", "B7 01 00*7", "5e-324")
    t.ok("float-binary32-max", "FLT-3 FLT-6", "B6 FF FF 7F 7F", "3.4028234663852886e38")
    t.ok("float-binary32-smallest-normal", "FLT-3", "B6 00 00 80 00", "1.1754943508222875e-38")
    t.ok("float-binary32-smallest", "FLT-3", "B6 01 00 00 00", "1.401298464324817e-45")
    t.ok("float-binary32-0.1", "FLT-3 FLT-6", "B6 CD CC CC 3D", "0.10000000149011612",
         note="0.1 rounded to binary32 and widened is not 0.1")
    t.ok("float-above-binary32", "FLT-6", "B7 00*4 00 00 F0 47", "3.402823669209385e38", note="2^128")
    t.ok("float-inf", "FLT-3 FLT-6", "B6 00 00 80 7F", "inf")
    t.ok("float-minus-inf", "FLT-3", "B6 00 00 80 FF", "-inf")
    t.ok("float-nan", "FLT-3 CAN-4", "B6 00 00 C0 7F", "nan")
    nan = "B6 00 00 C0 7F"
    t.non("float-nan-negative", "FLT-3 CAN-4 VAL-3", "B6 00 00 C0 FF", "f64'fff8000000000000'", nan, 0,
          preferred="B6 00 00 C0 FF")
    t.non("float-nan-payload-32", "FLT-3 CAN-4 VAL-3", "B6 01 00 C0 7F", "f64'7ff8000020000000'", nan, 0,
          preferred="B6 01 00 C0 7F")
    t.non("float-nan-signalling-32", "FLT-3 CAN-4", "B6 01 00 80 7F", "f64'7ff0000020000000'", nan, 0,
          preferred="B6 01 00 80 7F", note="a NaN is not quieted")
    t.non("float-nan-all-bits-32", "FLT-3 CAN-4", "B6 FF FF FF FF", "f64'ffffffffe0000000'", nan, 0,
          preferred="B6 FF FF FF FF")
    t.non("float-nan-payload-64", "FLT-4 FLT-6 CAN-4 VAL-3", "B7 01 00*5 F8 7F", "f64'7ff8000000000001'", nan, 0,
          preferred="B7 01 00*5 F8 7F")
    t.non("float-nan-signalling-64", "FLT-4 CAN-4", "B7 01 00*5 F0 7F", "f64'7ff0000000000001'", nan, 0,
          preferred="B7 01 00*5 F0 7F")
    t.non("float-nan-in-64", "FLT-5 CAN-3 CAN-4", "B7 00*6 F8 7F", "nan", nan, 0)
    t.non("float-nan-narrow-in-64", "FLT-5 FLT-6 CAN-4", "B7 00*3 20 00 00 F8 7F", "f64'7ff8000020000000'", nan, 0,
          preferred="B6 01 00 C0 7F")
    t.non("float-zero-k-1", "FLT-5 CAN-3", "B0 01", "0.0", "B0 00", 0)
    t.non("float-zero-k-7", "FLT-2 FLT-5 CAN-3", "B0 07", "0.0", "B0 00", 0)
    t.non("float-1-k-1", "FLT-5 CAN-3", "B0 51", "1.0", "B0 08", 0)
    t.non("float-2-k-2", "FLT-5 CAN-3", "B1 42 06", "2.0", "B0 10", 0)
    t.non("float-1.5-long-x", "FLT-5 CAN-3", "B1 79 00", "1.5", "B0 79", 0)
    t.non("float-1.5-longest-x", "FLT-5 CAN-3", "B5 79 00*5", "1.5", "B0 79", 0)
    t.non("float-minus-1.5-longest-x", "FLT-1 FLT-5 CAN-3", "B5 89 FF*5", "-1.5", "B0 89", 0)
    t.non("float-1.5-binary32", "FLT-3 FLT-5 CAN-3", "B6 00 00 C0 3F", "1.5", "B0 79", 0)
    t.non("float-1.5-binary64", "FLT-4 FLT-5 CAN-3", "B7 00*6 F8 3F", "1.5", "B0 79", 0)
    t.non("float-zero-binary32", "FLT-5 CAN-3", "B6 00*4", "0.0", "B0 00", 0)
    t.non("float-zero-binary64", "FLT-5 CAN-3", "B7 00*8", "0.0", "B0 00", 0)
    t.non("float-minus-zero-binary64", "FLT-5 CAN-3", "B7 00*7 80", "-0.0", "B6 00 00 00 80", 0)
    t.non("float-inf-binary64", "FLT-5 CAN-3", "B7 00*6 F0 7F", "inf", "B6 00 00 80 7F", 0)
    t.non("float-1048576-decimal", "FLT-5 FLT-6 CAN-3", "B3 00 00 80 00", "1048576.0", "B6 00 00 80 49", 0,
          note="a short decimal that is as long as binary32 gives way to it")
    t.non("float-minus-2-to-44-decimal", "FLT-1 FLT-5 FLT-6", "B5 00*5 80", "-17592186044416.0", "B6 00 00 80 D5", 0,
          note="the smallest x of six bytes")
    t.non("float-12.99-binary64", "FLT-5 CAN-3", "B7 " + float_hex(12.99), "12.99", "B1 9A 28", 0)
    t.non("float-in-list", "FLT-5 CAN-7", "82 B0 08 B0 51", "[1.0, 1.0]", "82 B0 08 B0 08", 3)
    t.bad("float-cut-decimal-1", "FLT-1", "B0", "truncated", 0)
    t.bad("float-cut-decimal-6", "FLT-1 FLT-2", "B5 01 02 03 04 05", "truncated", 0)
    t.bad("float-cut-32", "FLT-3", "B6 00 00 C0", "truncated", 0)
    t.bad("float-cut-64", "FLT-4", "B7 00*7", "truncated", 0)


def float_hex(number):
    return struct.pack("<d", number).hex(" ").upper()


def declare_strings():
    t = Topic("strings.json")
    a = "a"
    t.ok("str-empty", "STR-1", "40", '""')
    t.ok("str-a", "STR-1 TAG-1", "41 61", '"a"')
    t.ok("str-hello", "STR-1", "45 68 65 6C 6C 6F", '"hello"')
    t.ok("str-2-byte-scalar", "STR-1 STR-2", "42 C3 A9", '"é"', note="the length counts bytes")
    t.ok("str-3-byte-scalar", "STR-3", "43 E2 82 AC", '"€"')
    t.ok("str-4-byte-scalar", "STR-3", "44 F0 9F 98 80", '"😀"')
    t.ok("str-first-2-byte", "STR-3", "42 C2 80", '"\u0080"')
    t.ok("str-last-2-byte", "STR-3", "42 DF BF", '"\u07ff"')
    t.ok("str-first-3-byte", "STR-3", "43 E0 A0 80", '"\u0800"')
    t.ok("str-last-before-surrogates", "STR-3", "43 ED 9F BF", '"\ud7ff"')
    t.ok("str-first-after-surrogates", "STR-3", "43 EE 80 80", '"\ue000"')
    t.ok("str-ffff", "STR-3", "43 EF BF BF", '"\uffff"', note="a noncharacter is a scalar value")
    t.ok("str-first-4-byte", "STR-3", "44 F0 90 80 80", '"\U00010000"')
    t.ok("str-10ffff", "STR-3", "44 F4 8F BF BF", '"\U0010ffff"')
    t.ok("str-nul", "STR-4", "41 00", '"\\u0000"')
    t.ok("str-nul-inside", "STR-4", "43 61 00 62", '"a\\u0000b"')
    t.ok("str-bom", "STR-4", "43 EF BB BF", '"\ufeff"')
    t.ok("str-bom-before-text", "STR-4", "44 EF BB BF 61", '"\ufeffa"')
    t.ok("str-decomposed", "STR-4 VAL-5", "43 65 CC 81", '"e\u0301"', note="not normalized to U+00E9")
    t.ok("str-escapes", "STR-4 DIA-6", "47 22 5C 08 0C 0A 0D 09", '"\\"\\\\\\b\\f\\n\\r\\t"')
    t.ok("str-63", "STR-1 PRE-1", "7F 61*63", '"' + a * 63 + '"')
    t.ok("str-64", "STR-2 PRE-1", "C0 40 61*64", '"' + a * 64 + '"')
    t.ok("str-255", "STR-2", "C0 FF 61*255", '"' + a * 255 + '"')
    t.ok("str-256", "STR-2", "C1 00 01 61*256", '"' + a * 256 + '"')
    t.non("str-long-empty", "STR-5 CAN-2", "C0 00", '""', "40", 0)
    t.non("str-long-1", "STR-5 CAN-2 CAN-7", "C0 01 61", '"a"', "41 61", 0)
    t.non("str-long-2", "STR-2 STR-5", "C1 01 00 61", '"a"', "41 61", 0)
    t.non("str-long-4", "STR-2 STR-5", "C2 01 00*3 61", '"a"', "41 61", 0)
    t.non("str-long-8", "STR-2 STR-5", "C3 01 00*7 61", '"a"', "41 61", 0)
    t.non("str-long-63", "STR-5 CAN-2", "C0 3F 61*63", '"' + a * 63 + '"', "7F 61*63", 0)
    t.non("str-long-64", "STR-5 CAN-2", "C1 40 00 61*64", '"' + a * 64 + '"', "C0 40 61*64", 0)
    t.non("str-long-in-list", "STR-5 CAN-7", "82 41 61 C0 01 61", '["a", "a"]', "82 41 61 41 61", 3)
    utf8 = {
        "lone-continuation": "41 80", "ff": "41 FF", "fe": "41 FE", "overlong-2": "42 C0 80", "overlong-2-last": "42 C1 BF",
        "overlong-3": "43 E0 9F BF", "overlong-4": "44 F0 8F BF BF", "surrogate-high": "43 ED A0 80",
        "surrogate-low": "43 ED BF BF", "surrogate-pair": "46 ED A0 BD ED B8 80", "above-10ffff": "44 F4 90 80 80",
        "five-bytes": "45 F8 88 80 80 80", "cut-2": "41 C3", "cut-3": "42 E2 82", "cut-4": "43 F0 9F 98",
        "bad-continuation": "42 C3 28", "in-the-middle": "43 61 FF 62",
    }
    for name, hex in utf8.items():
        t.bad(f"str-utf8-{name}", "STR-3", hex, "invalid-utf8", 0)
    t.bad("str-utf8-last-byte", "STR-3 ERR-2", "C0 40 61*63 C3", "invalid-utf8", 0,
          note="the offset is that of the tag, not of the bad byte")
    t.bad("str-utf8-in-list", "STR-3 ERR-2 ERR-4", "82 41 61 41 FF", "invalid-utf8", 3)
    t.bad("str-utf8-as-key", "STR-3", "91 41 FF 00", "invalid-utf8", 1)
    t.bad("str-utf8-long-head", "STR-3 CAN-8", "C0 01 FF", "invalid-utf8", 0,
          strict_error="not-canonical", strict_offset=0, note="strict reading: the head comes before the contents")
    t.bad("str-utf8-strict", "STR-3 CAN-8", "41 FF", "invalid-utf8", 0, strict_error="invalid-utf8", strict_offset=0)
    t.bad("str-cut-inline", "STR-1 STR-6", "42 61", "truncated", 0)
    t.bad("str-cut-inline-63", "STR-1 STR-6", "7F 61*62", "truncated", 0)
    t.bad("str-cut-head", "STR-2", "C0", "truncated", 0)
    t.bad("str-cut-head-8", "STR-2", "C3 01 00*6", "truncated", 0)
    t.bad("str-cut-payload", "STR-2 STR-6", "C0 40 61*63", "truncated", 0)
    t.bad("str-huge", "STR-6", "C3 FF*8 61", "truncated", 0)
    t.bad("str-huge-sign", "STR-6", "C3 00*7 80 61", "truncated", 0)
    t.bad("str-huge-in-list", "STR-6 ERR-3", "81 C2 FF*4", "truncated", 1)


def declare_bytes():
    t = Topic("bytes.json")
    t.ok("bytes-empty", "BYT-1", "C4 00", "h''")
    t.ok("bytes-1", "BYT-1", "C4 01 00", "h'00'")
    t.ok("bytes-2", "BYT-1", "C4 02 00 FF", "h'00ff'")
    t.ok("bytes-not-text", "BYT-1 VAL-5", "C4 01 61", "h'61'")
    t.ok("bytes-not-utf8", "BYT-1", "C4 02 C3 28", "h'c328'")
    t.ok("bytes-255", "BYT-1 PRE-1", "C4 FF AB*255", "h'" + "ab" * 255 + "'")
    t.ok("bytes-256", "BYT-1 PRE-1", "C5 00 01 AB*256", "h'" + "ab" * 256 + "'")
    t.non("bytes-long-2", "BYT-2 CAN-2", "C5 01 00 AB", "h'ab'", "C4 01 AB", 0)
    t.non("bytes-long-4", "BYT-2 CAN-2", "C6 00*4", "h''", "C4 00", 0)
    t.non("bytes-long-8", "BYT-2 CAN-2", "C7 01 00*7 AB", "h'ab'", "C4 01 AB", 0)
    t.non("bytes-long-255", "BYT-2 CAN-2", "C5 FF 00 AB*255", "h'" + "ab" * 255 + "'", "C4 FF AB*255", 0)
    t.bad("bytes-cut-head", "BYT-1", "C4", "truncated", 0)
    t.bad("bytes-cut-head-4", "BYT-1", "C6 01 00 00", "truncated", 0)
    t.bad("bytes-cut", "BYT-1 BYT-3", "C4 02 00", "truncated", 0)
    t.bad("bytes-huge", "BYT-3 LIM-3", "C7 FF*8 00", "truncated", 0)
    t.bad("bytes-huge-4", "BYT-3 LIM-3", "C6 FF FF FF 7F 00", "truncated", 0)
    t.bad("bytes-huge-in-map", "BYT-3 ERR-3", "91 41 61 C5 FF FF", "truncated", 3)


def declare_lists():
    t = Topic("lists.json")
    zeros = lambda n: "[" + ", ".join(["0"] * n) + "]"
    t.ok("list-empty", "LST-1", "80", "[]")
    t.ok("list-one", "LST-1", "81 05", "[5]")
    t.ok("list-mixed", "LST-1 VAL-6", "83 01 41 61 B8", '[1, "a", null]')
    t.ok("list-nested", "LST-1", "81 81 80", "[[[]]]")
    t.ok("list-of-lists", "LST-1", "82 82 01 02 81 03", "[[1, 2], [3]]")
    t.ok("list-15", "LST-1 PRE-1", "8F 00*15", zeros(15))
    t.ok("list-16", "LST-2 PRE-1", "C8 10 00*16", zeros(16))
    t.ok("list-255", "LST-2", "C8 FF 00*255", zeros(255))
    t.ok("list-256", "LST-2", "C9 00 01 00*256", zeros(256))
    t.non("list-long-empty", "LST-4 CAN-2", "C8 00", "[]", "80", 0)
    t.non("list-long-1", "LST-4 CAN-2 CAN-7", "C8 01 05", "[5]", "81 05", 0)
    t.non("list-long-2", "LST-2 LST-4", "C9 01 00 05", "[5]", "81 05", 0)
    t.non("list-long-4", "LST-2 LST-4", "CA 00*4", "[]", "80", 0)
    t.non("list-long-8", "LST-2 LST-4", "CB 01 00*7 05", "[5]", "81 05", 0)
    t.non("list-long-15", "LST-4 CAN-2", "C8 0F 00*15", zeros(15), "8F 00*15", 0)
    t.non("list-long-16", "LST-4 CAN-2", "C9 10 00 00*16", zeros(16), "C8 10 00*16", 0)
    t.non("list-long-inside", "LST-4 CAN-7", "82 05 C8 00", "[5, []]", "82 05 80", 2)
    t.non("list-long-and-long-item", "LST-4 CAN-8", "C8 01 A0 05", "[5]", "81 05", 0,
          note="the head comes before the contents")
    t.bad("list-cut-none", "LST-1 LST-3", "81", "truncated", 0)
    t.bad("list-cut-one-of-two", "LST-1 LST-3 ERR-3", "82 05", "truncated", 0, note="the count is refused")
    t.bad("list-cut-last-missing", "LST-3 ERR-3", "82 A0 05", "truncated", 3, note="the count passes, an item is missing")
    t.bad("list-cut-in-item", "LST-1 ERR-3", "82 05 A1 05", "truncated", 2)
    t.bad("list-cut-inner", "LST-3 ERR-3", "81 81", "truncated", 1)
    t.bad("list-cut-head", "LST-2", "C9 05", "truncated", 0)
    t.bad("list-cut-head-none", "LST-2", "C8", "truncated", 0)
    t.bad("list-huge", "LST-3 LIM-3", "CB FF*8 05", "truncated", 0)
    t.bad("list-huge-sign", "LST-3 LIM-3", "CB 00*7 80 05", "truncated", 0)
    t.bad("list-huge-4", "LST-3 LIM-3", "CA FF*4 05", "truncated", 0)
    t.bad("list-huge-by-one", "LST-3", "C8 03 05 05", "truncated", 0)
    t.bad("list-huge-inner", "LST-3", "81 CB FF*8", "truncated", 1)


def declare_maps():
    t = Topic("maps.json")
    pairs = lambda n: ("{" + ", ".join(f"{i}: 0" for i in range(n)) + "}", " ".join(f"{i:02X} 00" for i in range(n)))
    t.ok("map-empty", "MAP-1", "90", "{}")
    t.ok("map-one", "MAP-1", "91 41 61 01", '{"a": 1}')
    t.ok("map-two", "MAP-1 CAN-5", "92 41 61 01 41 62 02", '{"a": 1, "b": 2}')
    t.ok("map-15", "MAP-1 PRE-1", "9F " + pairs(15)[1], pairs(15)[0])
    t.ok("map-16", "MAP-2 PRE-1", "CC 10 " + pairs(16)[1], pairs(16)[0])
    t.ok("map-nested", "MAP-1", "91 41 61 91 41 62 90", '{"a": {"b": {}}}')
    t.ok("map-key-null", "MAP-4", "91 B8 00", "{null: 0}")
    t.ok("map-key-bool", "MAP-4", "92 B9 00 BA 01", "{false: 0, true: 1}")
    t.ok("map-key-int", "MAP-4 VAL-7", "92 05 00 FF 01", "{5: 0, -1: 1}")
    t.ok("map-key-float", "MAP-4", "91 B0 79 00", "{1.5: 0}")
    t.ok("map-key-nan", "MAP-4 CAN-4", "91 B6 00 00 C0 7F 00", "{nan: 0}")
    t.ok("map-key-bytes", "MAP-4", "91 C4 01 61 00", "{h'61': 0}")
    t.ok("map-key-list", "MAP-4", "91 82 01 02 90", "{[1, 2]: {}}")
    t.ok("map-key-map", "MAP-4", "91 91 01 02 03", "{{1: 2}: 3}")
    t.ok("map-key-ext", "MAP-4", "91 BF 05 01 00", "{ext(5, 1): 0}")
    t.ok("map-key-some-null", "MAP-4 MAP-6", "91 BB B8 00", "{some(null): 0}")
    t.ok("map-keys-int-and-float", "MAP-6 VAL-4", "92 01 B9 B0 08 BA", "{1: false, 1.0: true}")
    t.ok("map-keys-text-and-bytes", "MAP-6 VAL-5", "92 41 61 00 C4 01 61 01", '{"a": 0, h\'61\': 1}')
    t.ok("map-keys-two-zeros", "MAP-6 VAL-3", "92 B0 00 00 B6 00 00 00 80 01", "{0.0: 0, -0.0: 1}")
    t.ok("map-keys-null-and-some", "MAP-6 MAP-7 VAL-9", "92 B8 00 BB B8 01", "{null: 0, some(null): 1}",
         look_through_error={"error": "duplicate-key", "offset": 3})
    t.ok("map-keys-some-nested", "MAP-6 MAP-7", "92 BB B8 00 BB BB B8 01", "{some(null): 0, some(some(null)): 1}",
         look_through_error={"error": "duplicate-key", "offset": 4})
    t.ok("map-keys-some-inside", "MAP-7", "92 81 B8 00 81 BB B8 01", "{[null]: 0, [some(null)]: 1}",
         look_through_error={"error": "duplicate-key", "offset": 4})
    t.ok("map-equal-values", "MAP-6", "92 01 05 02 05", "{1: 5, 2: 5}", note="only keys have to differ")
    t.ok("map-same-key-in-two-maps", "MAP-6", "82 91 01 00 91 01 00", "[{1: 0}, {1: 0}]")
    t.ok("map-key-normalization", "MAP-6 VAL-5", "92 42 C3 A9 00 43 65 CC 81 01", '{"é": 0, "e\u0301": 1}')
    t.non("map-order-kept", "MAP-4 CAN-5 CAN-7 VAL-7", "92 41 62 01 41 61 02", '{"b": 1, "a": 2}',
          "92 41 61 02 41 62 01", 4, preferred="92 41 62 01 41 61 02")
    t.non("map-long-1", "MAP-8 CAN-2", "CC 01 41 61 01", '{"a": 1}', "91 41 61 01", 0)
    t.non("map-long-2", "MAP-2 MAP-8", "CD 01 00 41 61 01", '{"a": 1}', "91 41 61 01", 0)
    t.non("map-long-4", "MAP-2 MAP-8", "CE 00*4", "{}", "90", 0)
    t.non("map-long-8", "MAP-2 MAP-8", "CF 01 00*7 05 06", "{5: 6}", "91 05 06", 0)
    t.non("map-long-15", "MAP-8 CAN-2", "CC 0F " + pairs(15)[1], pairs(15)[0], "9F " + pairs(15)[1], 0)
    t.non("map-long-key", "INT-7 CAN-7", "91 A0 05 00", "{5: 0}", "91 05 00", 1)
    t.non("map-long-value", "INT-7 CAN-7", "91 05 A0 05", "{5: 5}", "91 05 05", 2)
    t.bad("map-duplicate-int", "MAP-5", "92 01 02 01 03", "duplicate-key", 3)
    t.bad("map-duplicate-text", "MAP-5", "92 41 61 01 41 61 02", "duplicate-key", 4)
    t.bad("map-duplicate-same-value", "MAP-5", "92 01 02 01 02", "duplicate-key", 3)
    t.bad("map-duplicate-apart", "MAP-5", "93 01 00 02 00 01 00", "duplicate-key", 5)
    t.bad("map-duplicate-int-widths", "MAP-5 MAP-6", "92 05 00 A0 05 00", "duplicate-key", 3)
    t.bad("map-duplicate-int-neg-widths", "MAP-5 MAP-6", "92 FF 00 A8 00 00", "duplicate-key", 3)
    t.bad("map-duplicate-text-widths", "MAP-5 MAP-6", "92 41 61 00 C0 01 61 00", "duplicate-key", 4)
    t.bad("map-duplicate-float-forms", "MAP-5 MAP-6", "92 B0 79 00 B6 00 00 C0 3F 00", "duplicate-key", 4)
    t.bad("map-duplicate-nan", "MAP-5 MAP-6 VAL-3", "92 B6 00 00 C0 7F 00 B7 00*6 F8 7F 00", "duplicate-key", 7,
          note="a NaN equals itself")
    t.bad("map-duplicate-null", "MAP-5", "92 B8 00 B8 01", "duplicate-key", 3)
    t.bad("map-duplicate-list", "MAP-5", "92 81 01 00 81 01 00", "duplicate-key", 4)
    t.bad("map-duplicate-list-forms", "MAP-5 MAP-6", "92 81 01 00 D0 01 BE 00", "duplicate-key", 4)
    t.bad("map-duplicate-map", "MAP-5", "92 91 01 02 00 91 01 02 00", "duplicate-key", 5)
    t.bad("map-duplicate-ext", "MAP-5", "92 BF 05 01 00 BF A0 05 01 00", "duplicate-key", 5)
    t.bad("map-duplicate-some-int", "MAP-5 MAP-6 VAL-9", "92 05 00 BB 05 00", "duplicate-key", 3,
          note="some(5) is 5")
    t.bad("map-duplicate-some-null", "MAP-5", "92 BB B8 00 BB B8 00", "duplicate-key", 4)
    t.bad("map-duplicate-in-key", "MAP-5", "91 92 01 00 01 00 05", "duplicate-key", 4)
    t.bad("map-duplicate-inner", "MAP-5 ERR-2 ERR-4", "82 05 92 01 00 01 00", "duplicate-key", 5)
    t.bad("map-duplicate-among-17", "MAP-5 MAP-2", "CC 11 " + pairs(16)[1] + " 07 00", "duplicate-key", 34)
    t.bad("map-cut-no-entry", "MAP-1 MAP-3", "91", "truncated", 0)
    t.bad("map-cut-half-entry", "MAP-1 MAP-3", "91 05", "truncated", 0)
    t.bad("map-cut-count", "MAP-3 ERR-3", "92 01 02 03", "truncated", 0)
    t.bad("map-cut-value-missing", "MAP-3 ERR-3", "91 A0 05", "truncated", 3)
    t.bad("map-cut-in-key", "MAP-1 ERR-3", "91 A1 05", "truncated", 1)
    t.bad("map-cut-in-value", "MAP-1 ERR-3", "91 05 43 61", "truncated", 2)
    t.bad("map-cut-head", "MAP-2", "CD 01", "truncated", 0)
    t.bad("map-huge", "MAP-3 LIM-3", "CF FF*8 05 06", "truncated", 0)
    t.bad("map-huge-doubled-is-0", "MAP-3 LIM-3", "CF 00*7 80 05 06", "truncated", 0, note="twice the count is 2^64")
    t.bad("map-huge-doubled-is-2", "MAP-3 LIM-3", "CF 01 00*6 80 05 06", "truncated", 0,
          note="twice the count is 2^64 + 2")
    t.bad("map-huge-4", "MAP-3", "CE FF FF FF 7F 05 06", "truncated", 0)
    t.bad("map-huge-4-sign", "MAP-3", "CE 00 00 00 80 05 06", "truncated", 0)


def declare_open():
    t = Topic("open.json")
    t.non("open-list-empty", "OPN-1 OPN-4 CAN-1 CAN-7", "D0 BE", "[]", "80", 0)
    t.non("open-list", "OPN-1 OPN-4 CAN-1", "D0 01 02 BE", "[1, 2]", "82 01 02", 0)
    t.non("open-map-empty", "OPN-2 OPN-4 CAN-1", "D1 BE", "{}", "90", 0)
    t.non("open-map", "OPN-2 OPN-4 CAN-1", "D1 41 61 01 BE", '{"a": 1}', "91 41 61 01", 0)
    t.non("open-map-unsorted", "OPN-2", "D1 02 00 01 00 BE", "{2: 0, 1: 0}", "92 01 00 02 00", 0,
          preferred="92 02 00 01 00")
    t.non("open-nested", "OPN-1 OPN-2", "D0 D0 BE D1 BE BE", "[[], {}]", "82 80 90", 0)
    t.non("open-list-in-list", "OPN-1 CAN-7", "82 05 D0 01 BE", "[5, [1]]", "82 05 81 01", 2)
    t.non("open-list-of-lists", "OPN-1", "D0 81 05 80 BE", "[[5], []]", "82 81 05 80", 0)
    t.non("open-map-value-open", "OPN-2", "D1 05 D0 BE BE", "{5: []}", "91 05 80", 0)
    t.non("open-map-key-open", "OPN-2", "D1 D0 BE 05 BE", "{[]: 5}", "91 80 05", 0)
    t.non("open-list-be-as-data", "OPN-1", "D0 A0 BE C4 01 BE BE", "[190, h'be']", "82 A0 BE C4 01 BE", 0,
          note="BE inside a payload ends nothing")
    t.non("open-16-items", "OPN-4 CAN-1", "D0 05*16 BE", "[" + ", ".join(["5"] * 16) + "]", "C8 10 05*16", 0)
    t.non("open-in-ext", "OPN-1", "BF 05 D0 BE", "ext(5, [])", "BF 05 80", 2)
    t.non("open-long-item", "OPN-4 CAN-8", "D0 A0 05 BE", "[5]", "81 05", 0, note="the D0 comes first")
    t.bad("open-list-no-end", "OPN-1 ERR-3", "D0", "truncated", 1)
    t.bad("open-list-no-end-item", "OPN-1", "D0 01", "truncated", 2)
    t.bad("open-list-cut-item", "OPN-1 ERR-3", "D0 A1 01", "truncated", 1)
    t.bad("open-map-no-end", "OPN-2", "D1", "truncated", 1)
    t.bad("open-map-no-value", "OPN-2", "D1 01", "truncated", 2)
    t.bad("open-map-no-end-entry", "OPN-2", "D1 01 02", "truncated", 3)
    t.bad("open-inner-end-only", "OPN-1", "D0 D0 BE", "truncated", 3)
    t.bad("open-end-alone", "OPN-3", "BE", "unexpected-end", 0)
    t.bad("open-end-in-list", "OPN-3", "81 BE", "unexpected-end", 1)
    t.bad("open-end-as-key", "OPN-3", "91 BE 00", "unexpected-end", 1)
    t.bad("open-end-as-value", "OPN-3", "91 05 BE", "unexpected-end", 2)
    t.bad("open-end-for-value", "OPN-3 OPN-2", "D1 01 BE", "unexpected-end", 2)
    t.bad("open-end-in-counted-in-open", "OPN-3", "D0 81 BE BE", "unexpected-end", 2)
    t.bad("open-end-in-some", "OPN-3 SOM-1", "BB BE", "unexpected-end", 1)
    t.bad("open-end-in-some-in-open", "OPN-3 SOM-1", "D0 BB BE BE", "unexpected-end", 2)
    t.bad("open-end-in-ext", "OPN-3 EXT-1", "BF 05 BE", "unexpected-end", 2)
    t.bad("open-two-ends", "GEN-4", "D0 BE BE", "trailing-bytes", 2)
    t.bad("open-map-duplicate", "OPN-2 MAP-5", "D1 01 00 01 00 BE", "duplicate-key", 3)


def declare_some():
    t = Topic("some.json")
    t.ok("some-null", "SOM-1 SOM-2 CAN-6 VAL-9", "BB B8", "some(null)")
    t.ok("some-some-null", "SOM-1 SOM-2 CAN-6 VAL-9", "BB BB B8", "some(some(null))")
    t.ok("some-list", "SOM-1 SOM-2", "82 B8 BB B8", "[null, some(null)]")
    t.ok("some-in-map", "SOM-2", "91 41 61 BB B8", '{"a": some(null)}')
    t.ok("some-in-ext", "SOM-2", "BF 05 BB B8", "ext(5, some(null))")
    t.non("some-int", "SOM-2 SOM-3 SOM-4 CAN-6 CAN-7 DIA-9", "BB 05", "5", "05", 0)
    t.non("some-some-int", "SOM-3 CAN-6 VAL-9", "BB BB 05", "5", "05", 1,
          note="the inner BB ought not to be there; without it the outer one falls too")
    t.non("some-true", "SOM-3 CAN-6", "BB BA", "true", "BA", 0)
    t.non("some-text", "SOM-3 CAN-6", "BB 41 61", '"a"', "41 61", 0)
    t.non("some-list-of-null", "SOM-3 CAN-6", "BB 81 B8", "[null]", "81 B8", 0)
    t.non("some-open", "SOM-3 CAN-8", "BB D0 BE", "[]", "80", 0)
    t.non("some-ext", "SOM-3", "BB BF 05 00", "ext(5, 0)", "BF 05 00", 0)
    t.non("some-in-list", "SOM-3 CAN-7", "82 05 BB 05", "[5, 5]", "82 05 05", 2)
    t.non("some-as-key", "SOM-3", "91 BB 05 00", "{5: 0}", "91 05 00", 1)
    t.non("some-between", "SOM-3 VAL-9", "BB 81 BB B8", "[some(null)]", "81 BB B8", 0)
    t.bad("some-nothing", "SOM-1 ERR-3", "BB", "truncated", 1)
    t.bad("some-some-nothing", "SOM-1", "BB BB", "truncated", 2)
    t.bad("some-cut-payload", "SOM-1", "BB A0", "truncated", 1)


def declare_ext():
    t = Topic("ext.json")
    known = lambda name, ok: {"known": {"type": name, "valid": ok}}
    t.ok("ext-5", "EXT-1 EXT-4 EXT-10", "BF 05 01", "ext(5, 1)")
    t.ok("ext-4", "EXT-4 EXT-10", "BF 04 B8", "ext(4, null)")
    t.ok("ext-63", "EXT-4 EXT-10", "BF 3F 80", "ext(63, [])")
    t.ok("ext-64", "EXT-1 EXT-10", "BF A0 40 41 61", 'ext(64, "a")')
    t.ok("ext-1000", "EXT-1 EXT-4", "BF A1 E8 03 90", "ext(1000, {})")
    t.ok("ext-highest", "EXT-2 VAL-8", "BF A7 FF*8 B8", "ext(18446744073709551615, null)")
    t.ok("ext-nested", "EXT-1", "BF 05 BF 06 07", "ext(5, ext(6, 7))")
    t.ok("ext-in-list", "EXT-1", "82 BF 05 01 02", "[ext(5, 1), 2]")
    t.ok("ext-payload-map", "EXT-1", "BF 05 91 41 61 01", 'ext(5, {"a": 1})')
    t.non("ext-long-type", "EXT-3 CAN-2 CAN-7", "BF A0 05 00", "ext(5, 0)", "BF 05 00", 1)
    t.non("ext-long-type-8", "EXT-3 CAN-2", "BF A7 40 00*7 00", "ext(64, 0)", "BF A0 40 00", 1)
    t.non("ext-long-type-16", "EXT-3 EXT-1 CAN-2", "BF BC 05 00*15 00", "ext(5, 0)", "BF 05 00", 1)
    t.non("ext-highest-type-16", "EXT-2 EXT-3", "BF BC FF*8 00*8 B8", "ext(18446744073709551615, null)", "BF A7 FF*8 B8", 1)
    t.non("ext-long-type-and-payload", "EXT-3 CAN-8", "BF A0 05 A0 05", "ext(5, 5)", "BF 05 05", 1)
    t.non("ext-long-payload", "EXT-1 CAN-7", "BF 05 A0 05", "ext(5, 5)", "BF 05 05", 2)
    for name, byte in {"null": "B8", "true": "BA", "negative": "FF", "negative-long": "A8", "negative-16": "BD", "text": "41",
                       "float": "B0", "list": "80", "map": "90", "some": "BB", "end": "BE", "ext": "BF", "bytes": "C4",
                       "open": "D0", "column": "D2", "reserved": "D4", "signature": "DF"}.items():
        t.bad(f"ext-type-{name}", "EXT-2", f"BF {byte} 00 00", "ext-type", 1)
    t.bad("ext-type-2-to-64", "EXT-2 VAL-8", "BF BC 00*8 01 00*7 00", "ext-type", 1)
    t.bad("ext-type-u128-max", "EXT-2", "BF BC FF*16 00", "ext-type", 1)
    t.bad("ext-type-in-list", "EXT-2 ERR-2", "82 05 BF B8 00", "ext-type", 3)
    t.bad("ext-nothing", "EXT-2 ERR-3", "BF", "truncated", 1)
    t.bad("ext-cut-type", "EXT-1 ERR-3", "BF A1 05", "truncated", 1)
    t.bad("ext-no-payload", "EXT-1 ERR-3", "BF 05", "truncated", 2)
    t.bad("ext-cut-payload", "EXT-1", "BF 05 42 61", "truncated", 2)
    t.ok("ext-timestamp", "EXT-6", "BF 00 A3 00 F1 53 65", "ext(0, 1700000000)", **known("timestamp", True))
    t.ok("ext-timestamp-epoch", "EXT-6", "BF 00 00", "ext(0, 0)", **known("timestamp", True))
    t.ok("ext-timestamp-before-epoch", "EXT-6", "BF 00 FF", "ext(0, -1)", **known("timestamp", True))
    t.ok("ext-timestamp-nanos", "EXT-6", "BF 00 82 00 01", "ext(0, [0, 1])", **known("timestamp", True))
    t.ok("ext-timestamp-minus-half", "EXT-6", "BF 00 82 FF A3 00 65 CD 1D", "ext(0, [-1, 500000000])",
         note="half a second before the epoch", **known("timestamp", True))
    t.ok("ext-timestamp-last-nano", "EXT-6", "BF 00 82 01 A3 FF C9 9A 3B", "ext(0, [1, 999999999])",
         **known("timestamp", True))
    t.ok("ext-timestamp-zero-nanos", "EXT-6", "BF 00 82 05 00", "ext(0, [5, 0])",
         note="read, but an encoder writes ext(0, 5)", **known("timestamp", True))
    t.ok("ext-timestamp-too-many-nanos", "EXT-5 EXT-6", "BF 00 82 01 A3 00 CA 9A 3B", "ext(0, [1, 1000000000])",
         **known("timestamp", False))
    t.ok("ext-timestamp-negative-nanos", "EXT-5 EXT-6", "BF 00 82 01 FF", "ext(0, [1, -1])", **known("timestamp", False))
    t.ok("ext-timestamp-text", "EXT-5 EXT-6", "BF 00 41 61", 'ext(0, "a")', **known("timestamp", False))
    t.ok("ext-timestamp-float", "EXT-5 EXT-6", "BF 00 B0 79", "ext(0, 1.5)", **known("timestamp", False))
    t.ok("ext-timestamp-one-item", "EXT-5 EXT-6", "BF 00 81 05", "ext(0, [5])", **known("timestamp", False))
    t.ok("ext-timestamp-three-items", "EXT-5 EXT-6", "BF 00 83 05 06 07", "ext(0, [5, 6, 7])", **known("timestamp", False))
    t.ok("ext-uuid", "EXT-7", "BF 01 C4 10 01 8F 6B 5E 0A 00 70 00 80 00*6 01",
         "ext(1, h'018f6b5e0a0070008000000000000001')", **known("uuid", True))
    t.ok("ext-uuid-15", "EXT-5 EXT-7", "BF 01 C4 0F 01*15", "ext(1, h'" + "01" * 15 + "')", **known("uuid", False))
    t.ok("ext-uuid-17", "EXT-5 EXT-7", "BF 01 C4 11 01*17", "ext(1, h'" + "01" * 17 + "')", **known("uuid", False))
    t.ok("ext-uuid-text", "EXT-5 EXT-7", "BF 01 50 61*16", 'ext(1, "' + "a" * 16 + '")', **known("uuid", False))
    t.ok("ext-big-zero", "EXT-8", "BF 02 C4 00", "ext(2, h'')", **known("big-integer", True))
    t.ok("ext-big-minus-1", "EXT-8", "BF 02 C4 01 FF", "ext(2, h'ff')", **known("big-integer", True))
    t.ok("ext-big-2-to-128", "EXT-8", "BF 02 C4 11 00*16 01", "ext(2, h'" + "00" * 16 + "01')",
         **known("big-integer", True))
    t.ok("ext-big-long", "EXT-8", "BF 02 C4 02 05 00", "ext(2, h'0500')", note="five, in more bytes than it needs",
         **known("big-integer", True))
    t.ok("ext-big-int", "EXT-5 EXT-8", "BF 02 05", "ext(2, 5)", **known("big-integer", False))
    t.ok("ext-decimal", "EXT-9", "BF 03 82 A1 13 05 FE", "ext(3, [1299, -2])", **known("decimal", True))
    t.ok("ext-decimal-128", "EXT-9", "BF 03 82 BC FF*16 00", "ext(3, [340282366920938463463374607431768211455, 0])",
         **known("decimal", True))
    t.ok("ext-decimal-float", "EXT-5 EXT-9", "BF 03 82 B0 08 00", "ext(3, [1.0, 0])", **known("decimal", False))
    t.ok("ext-decimal-one-item", "EXT-5 EXT-9", "BF 03 81 01", "ext(3, [1])", **known("decimal", False))


def declare_signature():
    t = Topic("signature.json")
    sig = "DF 57 42 01"
    t.non("sig-int", "SIG-1 CAN-1 CAN-7", f"{sig} 05", "5", "05", 0)
    t.non("sig-map", "SIG-1 CAN-1", f"{sig} 91 41 61 01", '{"a": 1}', "91 41 61 01", 0)
    t.ok("sig-none", "SIG-1", "91 41 61 01", '{"a": 1}')
    t.non("sig-and-long-int", "SIG-1 CAN-8", f"{sig} A0 05", "5", "05", 0)
    t.bad("sig-alone", "SIG-4 SIG-5", sig, "truncated", 4)
    t.bad("sig-cut-1", "SIG-2 GEN-3", "DF", "truncated", 0)
    t.bad("sig-cut-2", "SIG-2 GEN-3", "DF 57", "truncated", 0)
    t.bad("sig-cut-3", "SIG-2 GEN-3", "DF 57 42", "truncated", 0)
    t.bad("sig-second-byte", "SIG-2", "DF 58 42 01 05", "bad-signature", 0)
    t.bad("sig-third-byte", "SIG-2", "DF 57 62 01 05", "bad-signature", 0)
    t.bad("sig-version-0", "SIG-3", "DF 57 42 00 05", "unsupported-version", 0)
    t.bad("sig-version-2", "SIG-3", "DF 57 42 02 05", "unsupported-version", 0)
    t.bad("sig-version-255", "SIG-3", "DF 57 42 FF 05", "unsupported-version", 0)
    t.bad("sig-twice", "SIG-1 SIG-2", f"{sig} {sig} 05", "bad-signature", 4)
    t.bad("sig-in-list", "SIG-2", f"81 {sig} 05", "bad-signature", 1)
    t.bad("sig-as-key", "SIG-2", f"91 {sig} 05 06", "bad-signature", 1)
    t.bad("sig-in-open-list", "SIG-2", f"D0 {sig} 05 BE", "bad-signature", 1)
    t.bad("sig-in-some", "SIG-2", f"BB {sig} 05", "bad-signature", 1)
    t.bad("sig-in-ext", "SIG-2", f"BF 05 {sig} 05", "bad-signature", 2)
    t.bad("sig-offset-reserved", "SIG-5", f"{sig} D4", "reserved-tag", 4)
    t.bad("sig-offset-inside", "SIG-5", f"{sig} 82 05 A1 05", "truncated", 6)
    t.bad("sig-offset-duplicate", "SIG-5", f"{sig} 92 01 00 01 00", "duplicate-key", 7)
    t.bad("sig-end", "SIG-4", f"{sig} BE", "unexpected-end", 4)


# Columns by hand: each function gives the bytes of one column, or of one piece of it. Nothing is chosen here but the
# narrowest width where none is asked for, so a case can put together what no encoder would.


def cat(*parts):
    """Bytes of bytes, of hex digits, and of ints as they are written in the head of a column."""
    return b"".join(p if isinstance(p, bytes) else encode_int(p) if isinstance(p, int) else bytes.fromhex(expand(p)) for p in parts)


def narrowest(numbers):
    return next(w for w, width in enumerate(WIDTHS) if max(numbers, default=0) < 1 << width)


def packed(numbers, w):
    bits = sum(number << i * WIDTHS[w] for i, number in enumerate(numbers))
    return bits.to_bytes((len(numbers) * WIDTHS[w] + 7) // 8, "little")


def based(kind, values, w=None, base=None, between=()):
    """A column that has based numbers, with what stands between the kind byte and the base."""
    base = min(values) if base is None else base
    numbers = [v - base for v in values]
    w = narrowest(numbers) if w is None else w
    return cat(bytes([kind << 4 | w]), *between, base, packed(numbers, w))


def counted(kind, counts, w=None, between=()):
    w = narrowest(counts) if w is None else w
    return cat(bytes([kind << 4 | w]), *between, packed(counts, w))


def bitmap(bits):
    return packed([int(bit) for bit in bits], 0)


def c_raw(*parts):
    """A plain column of whatever these are."""
    return cat("00", len(cat(*parts)), *parts)


def c_plain(*texts):
    return c_raw(*(encode(parse_diag(text)) for text in texts))


C_NULL = b"\x10"


def c_sparse(bits, *column):
    return cat("11", bitmap(bits), *column)


def c_nullable(bits, *column):
    return cat("12", bitmap(bits), *column)


def c_bool(bits):
    return cat("20", bitmap(bits))


def c_int(*values, w=None, base=None):
    return based(3, values, w, base)


def c_steps(*values, w=None, base=None):
    return based(4, [b - a for a, b in zip(values, values[1:])], w, base, [values[0]])


def c_floats(*numbers):
    return cat("50", struct.pack(f"<{len(numbers)}d", *numbers))


def c_singles(*numbers):
    return cat("51", struct.pack(f"<{len(numbers)}f", *numbers))


def c_decimal(k, *values, w=None, base=None):
    return based(6, values, w, base, [bytes([k])])


def c_text(*texts, w=None, base=None, kind=7):
    raw = [t.encode("utf-8") if isinstance(t, str) else t for t in texts]
    return based(kind, [len(r) for r in raw], w, base) + b"".join(raw)


def c_bytes(*raw, w=None, base=None):
    return c_text(*raw, w=w, base=base, kind=8)


def c_dict(entries, indices, w=None, m=None):
    w = narrowest(indices) if w is None else w
    return cat(bytes([0x90 | w]), max(indices) + 1 if m is None else m, entries, packed(indices, w))


def c_lists(lengths, *column, w=None):
    return cat(counted(10, lengths, w), *column)


def c_same(k, *column):
    return cat("B0", k, *column)


def c_tuples(*columns):
    return cat("B1", len(columns), *columns)


def c_maps(counts, *columns, w=None):
    return cat(counted(12, counts, w), *columns)


def c_table(*fields):
    """Pairs of a key and a column."""
    return cat("D0", len(fields), *(encode(key) for key, _ in fields), *(column for _, column in fields))


def c_union(variants, *columns, w=None):
    return cat(counted(14, variants, w, [len(columns)]), *columns)


def c_ext(kind, *column):
    return cat("F0", kind, *column)


def by_columns(n, *columns):
    return cat(bytes([0xD1 + len(columns)]), n, *columns)


def declare_columns():
    t = Topic("columns.json")

    def yes(id, rules, hex, text, at=0, **extra):
        """A document that is accepted; its canonical form is plain."""
        v = parse_diag(text)
        canonical, preferred = (encode(v, canonical=c).hex() for c in (True, False))
        if preferred != canonical:
            extra["preferred"] = preferred
        t.non(id, rules, cat(hex).hex(), text, canonical, at, **extra)

    def no(id, rules, hex, error, at, **extra):
        t.bad(id, rules, cat(hex).hex(), error, at, **extra)

    def bad(id, rules, hex, at, **extra):
        """What has no end that could be found."""
        no(id, rules, hex, "invalid-column", at, **extra)

    def cut(id, rules, hex, at, **extra):
        no(id, rules, hex, "truncated", at, **extra)

    def unfit(id, rules, hex, at, error="invalid-column", **extra):
        """What can be skipped, and is not valid."""
        no(id, rules, hex, error, at, well_formed=True, **extra)

    # Lists and maps by columns
    yes("col-list", "COL-1 COL-4 COL-17 CAN-1", "D2 03 30 00 05", "[1, 0, 1]")
    yes("col-list-one", "COL-1 LIM-1", "D2 01 30 05 00", "[5]")
    yes("col-map", "COL-2 COL-4 CAN-1", "D3 02 70 01 00 61 62 30 01 02", '{"a": 1, "b": 2}')
    yes("col-map-order", "COL-2", "D3 02 70 01 00 62 61 30 01 02", '{"b": 1, "a": 2}', note="the order of the entries is kept")
    yes("col-map-one", "COL-2", "D3 01 30 05 00 20 01", "{5: true}")
    yes("col-count-long", "COL-3 COL-6", "D2 A0 01 30 05 00", "[5]")
    yes("col-count-16", "COL-3 COL-6", "D2 BC 01 00*15 30 05 00", "[5]")
    yes("col-map-count-long", "COL-3 COL-6", "D3 A1 01 00 20 01 20 00", "{true: false}")
    cut("col-list-alone", "COL-3", "D2", 0)
    cut("col-map-alone", "COL-3", "D3", 0)
    cut("col-count-cut", "COL-3 COL-6", "D2 A1 01", 0)
    bad("col-count-0", "COL-3", "D2 00", 0, strict_error="not-canonical", strict_offset=0)
    bad("col-count-0-column", "COL-3", "D2 00 30 05 00", 0)
    bad("col-map-count-0", "COL-3", "D3 00", 0)
    bad("col-count-0-long", "COL-3", "D2 A0 00 20 01", 0)
    bad("col-count-negative", "COL-3", "D2 FF 20 01", 0)
    bad("col-count-negative-long", "COL-3", "D2 A8 20 20 01", 0)
    bad("col-count-text", "COL-3", "D2 41 61 20 01", 0)
    bad("col-count-null", "COL-3", "D2 B8 20 01", 0)
    bad("col-count-float", "COL-3", "D2 B0 08 20 01", 0)
    bad("col-count-some", "COL-3 COL-6", "D2 BB 01 20 01", 0, note="a wrapper is no int here")
    bad("col-count-columns", "COL-3", "D2 D2 01 20 01", 0)
    bad("col-count-2-64", "COL-3", "D2 BC 00*8 01 00*7 20 01", 0)
    bad("col-count-out-of-range", "COL-3 COL-6", "D2 BD 00*15 80 20 01", 0, note="not int-range: it is no value")
    bad("col-map-count-negative", "COL-3", "D3 E0 20 01 20 01", 0)
    cut("col-column-missing", "COL-38", "D2 01", 0, note="one element needs a byte, and none remains")
    cut("col-values-missing", "COL-38 COL-2 COL-5", "D3 01 30 05 00", 5)
    cut("col-keys-cut", "COL-38 COL-2", "D3 01 30 05", 2)
    yes("col-in-list", "COL-1 GEN-2", "82 05 D2 01 30 07 00", "[5, [7]]", 2)
    yes("col-in-map", "COL-2 GEN-2", "91 41 61 D3 01 20 01 30 07 00", '{"a": {true: 7}}', 3)
    yes("col-as-key", "COL-1", "91 D2 01 20 01 00", "{[true]: 0}", 1)
    yes("col-in-ext", "COL-1", "BF 05 D2 01 20 01", "ext(5, [true])", 2)
    yes("col-in-some", "COL-1 SOM-3", "BB D2 01 20 01", "[true]")
    yes("col-in-open", "COL-1 OPN-1", "D0 D2 01 20 01 BE", "[[true]]")
    yes("col-signed", "COL-1 SIG-1", "DF 57 42 01 D2 01 20 01", "[true]")
    yes("col-two", "COL-1 COL-2", "82 D2 01 20 01 D3 01 20 01 20 00", "[[true], {true: false}]", 1)
    no("col-trailing", "COL-1 GEN-4", "D2 01 20 01 00", "trailing-bytes", 4)
    bad("col-in-list-count-0", "COL-3", "82 05 D2 00", 2)
    no("col-key-equal-to-plain", "COL-1 MAP-6", "92 81 BA 00 D2 01 20 01 00", "duplicate-key", 4)
    unfit("col-map-twice", "COL-43 COL-2 MAP-5", "D3 02 30 05 00 20 03", 2, "duplicate-key")
    unfit("col-map-twice-text", "COL-43 COL-2", "D3 03 70 01 00 61 62 61 20 07", 2, "duplicate-key")
    unfit("col-map-twice-forms", "COL-43 MAP-6", "D3 02 00 03 05 A0 05 20 03", 2, "duplicate-key")
    unfit("col-map-twice-apart", "COL-43", by_columns(3, c_nullable("010", c_int(1)), c_bool("000")), 2, "duplicate-key",
          note="null, 1, null")
    yes("col-map-zeros", "COL-2 MAP-6", by_columns(3, c_floats(0.0, -0.0, 1.0), c_int(1, 2, 3)), "{0.0: 1, -0.0: 2, 1.0: 3}",
        note="other keys, though not to every language")
    yes("col-map-some", "COL-43 MAP-7", "D3 02 00 03 B8 BB B8 20 02", "{null: false, some(null): true}",
        look_through_error={"error": "duplicate-key", "offset": 2})
    t.non("col-map-two-nans", "COL-43 CAN-9", by_columns(2, cat("51 00 00 C0 7F 00 00 C0 FF"), c_bool("10")).hex(),
          "{nan: true, f64'fff8000000000000': false}", None, 0, canonical_error={"error": "duplicate-key", "offset": 2},
          preferred="92 B6 00 00 C0 7F BA B6 00 00 C0 FF B9")
    yes("col-map-keys-any", "COL-2 MAP-4",
        by_columns(4, c_union([0, 1, 2, 3], C_NULL, c_int(7), c_text("a"), c_lists([1], c_int(1))), c_int(0, 1, 2, 3)),
        '{null: 0, 7: 1, "a": 2, [1]: 3}')

    # Kind bytes that are none
    for name, rule, kind, rest, lows in (("plain", 12, "0", "01 05", (1, 15)), ("null", 13, "1", "01 20 01", (3, 15)),
                                         ("bool", 16, "2", "01", (1, 15)), ("float", 19, "5", "00*8", (2, 15)),
                                         ("same", 26, "B", "01 20 01", (2, 15)), ("table", 29, "D", "01 41 61 20 01", (1, 15)),
                                         ("ext", 32, "F", "05 20 01", (1, 15))):
        for low in lows:
            bad(f"col-{name}-low-{low}", f"COL-7 COL-{rule}", f"D2 01 {kind}{low:X} {rest}", 2)

    # Numbers: every width, with the lowest and the highest number, and base in each sign
    for w, width in enumerate(WIDTHS):
        top = (1 << width) - 1
        yes(f"col-int-width-{width}", "COL-8 COL-10 COL-17", by_columns(3, c_int(0, top, 1, w=w, base=0)), f"[0, {top}, 1]")
        low = -(1 << width - 1)
        yes(f"col-int-width-{width}-negative", "COL-8 COL-10", by_columns(2, c_int(low, top + low, w=w, base=low)), f"[{low}, {top + low}]")
    yes("col-int-12-bits", "COL-8", "D2 03 38 00 01 C0 AB FF 0F", "[1, 2748, 4095]", note="a number across two bytes")
    yes("col-int-9-bits", "COL-8", "D2 09 30 00 01 01", "[1, 0, 0, 0, 0, 0, 0, 0, 1]", note="9 numbers of 1 bit are 2 bytes")
    yes("col-int-wide", "COL-8", "D2 02 36 A1 E8 03 00 02", "[1000, 1002]", note="wider than it needs to be")
    yes("col-int-base-long", "COL-6 COL-10", "D2 02 30 A3 05 00 00 00 02", "[5, 6]")
    yes("col-int-base-16-bytes", "COL-6 COL-10", "D2 01 30 BD 04 00*15 01", "[-4]")
    yes("col-int-base-max", "COL-10", by_columns(1, c_int(U64_MAX)), f"[{U64_MAX}]")
    yes("col-int-base-min", "COL-10", by_columns(2, c_int(I64_MIN, I64_MAX)), f"[{I64_MIN}, {I64_MAX}]")
    unfit("col-int-above-u64", "COL-10", "D2 02 30 A7 FF*8 02", 2)
    unfit("col-int-above-i64", "COL-10", "D2 01 3F FF 01 00*6 80", 2,
          note="-1 and 2^63 + 1: with a base below zero the range is that of i64")
    yes("col-int-to-i64-max", "COL-10", "D2 01 3F FF 00*7 80", f"[{I64_MAX}]")
    unfit("col-int-min-above", "COL-10", "D2 01 3F FB FF*8", 2)
    bad("col-int-base-below", "COL-10 COL-6", "D2 01 30 AF 00*7 80 00", 2)
    bad("col-int-base-2-64", "COL-10 COL-6", "D2 01 30 BC 00*8 01 00*7 00", 2)
    bad("col-int-base-out-of-range", "COL-10 COL-6", "D2 01 30 BD 00*15 80 00", 2)
    bad("col-int-base-text", "COL-10 COL-6", "D2 01 30 40 00", 2)
    bad("col-int-base-float", "COL-10 COL-6", "D2 01 30 B0 08 00", 2)
    bad("col-int-base-some", "COL-6", "D2 01 30 BB 05 00", 2)
    unfit("col-int-unused", "COL-9", "D2 03 30 00 0D", 2)
    unfit("col-int-unused-high", "COL-9", "D2 01 30 00 80", 2)
    unfit("col-int-unused-12", "COL-9", "D2 03 38 00 01 C0 AB FF 1F", 2)
    cut("col-int-base-missing", "COL-38", "D2 01 30", 2)
    cut("col-int-base-cut", "COL-38", "D2 01 30 A1 05", 2)
    cut("col-int-packed-missing", "COL-38 COL-17", "D2 01 30 05", 2)
    cut("col-int-packed-cut", "COL-38", "D2 03 38 00 01 C0 AB FF", 2)

    # Kind 0
    yes("col-plain", "COL-12", "D2 03 00 04 05 41 61 B8", '[5, "a", null]')
    yes("col-plain-one", "COL-12", "D2 01 00 01 B8", "[null]")
    yes("col-plain-size-long", "COL-12 COL-6", "D2 01 00 A1 02 00 A0 05", "[5]")
    yes("col-plain-all", "COL-12", by_columns(9, c_plain(
        "null", "some(null)", "340282366920938463463374607431768211455", "1.5", "h'00ff'", "[1, [2]]", '{"a": {}}', "ext(64, [])", "true")),
        "[null, some(null), 340282366920938463463374607431768211455, 1.5, h'00ff', [1, [2]], {\"a\": {}}, ext(64, []), true]")
    yes("col-plain-open", "COL-12 OPN-1", "D2 02 00 05 D0 01 BE D1 BE", "[[1], {}]")
    yes("col-plain-in-plain", "COL-12 COL-37", "D2 01 00 05 D2 01 00 01 B8", "[[null]]")
    yes("col-plain-columns-deep", "COL-12 COL-37 COL-34",
        by_columns(2, c_raw(by_columns(2, c_raw("05", by_columns(3, c_bool("101")))), "B8")), "[[5, [true, false, true]], null]", note="columns in a plain column in columns in a plain column")
    bad("col-plain-below", "COL-12", "D2 02 00 01 05", 2, note="2 values in 1 byte")
    bad("col-plain-zero", "COL-12", "D2 01 00 00", 2)
    bad("col-plain-negative", "COL-12", "D2 01 00 FF 05", 2)
    bad("col-plain-size-text", "COL-12", "D2 01 00 41 61", 2)
    cut("col-plain-size-missing", "COL-38 COL-12", "D2 01 00", 2)
    cut("col-plain-above", "COL-38 COL-12", "D2 01 00 02 05", 2)
    cut("col-plain-huge", "COL-38", "D2 01 00 A7 FF*8 05", 2)
    unfit("col-plain-left-over", "COL-12 COL-42", "D2 01 00 02 05 06", 2)
    unfit("col-plain-left-over-end", "COL-12", "D2 01 00 02 05 BE", 2)
    unfit("col-plain-value-past", "COL-37 COL-42", "82 D2 02 00 03 05 A1 01 00", 6, "truncated",
          note="a byte of the int is outside of the column")
    unfit("col-plain-value-missing", "COL-37", "82 D2 02 00 02 A0 05 00", 7, "truncated")
    unfit("col-plain-text-past", "COL-37", "82 D2 01 00 02 42 61 05", 5, "truncated")
    unfit("col-plain-list-past", "COL-37 LST-3", "82 D2 01 00 02 82 05 06", 5, "truncated", note="two items, and one byte of the column remains")
    unfit("col-plain-columns-claim", "COL-37 COL-35", "82 D2 01 00 03 D2 09 20 FF", 5, "truncated", note="9 elements and one byte of the column")
    unfit("col-plain-columns-cut", "COL-37 COL-38", "82 D2 01 00 03 D2 08 20 FF", 7, "truncated")
    unfit("col-plain-reserved", "COL-42 TAG-2", "D2 02 00 02 05 D4", 5, "reserved-tag", note="skipping passes over the bytes of the column")
    unfit("col-plain-end", "COL-42 OPN-3", "D2 02 00 02 05 BE", 5, "unexpected-end")
    unfit("col-plain-signature", "COL-42 SIG-2", "D2 01 00 05 DF 57 42 01 05", 4, "bad-signature")
    unfit("col-plain-utf8", "COL-42 STR-3", "D2 02 00 03 05 41 FF", 5, "invalid-utf8")
    unfit("col-plain-duplicate", "COL-42 MAP-5", "D2 01 00 05 92 05 00 05 00", 7, "duplicate-key")
    unfit("col-plain-invalid-column", "COL-42 COL-39", "D2 01 00 04 D2 01 10 00", 6)
    utf8 = "invalid-utf8"  # where it is anywhere, whatever column the plain one is in
    unfit("col-plain-in-nullable-utf8", "COL-39", "D2 03 12 05 00 03 05 41 FF", 7, utf8, note="in a nullable column")
    unfit("col-plain-in-union-utf8", "COL-39", "D2 03 E0 02 06 20 01 00 03 05 41 FF", 10, utf8, note="in a union")
    unfit("col-plain-in-sparse-utf8", "COL-39", "D2 03 D0 01 41 61 11 06 00 03 05 41 FF", 11, utf8, note="in a field that rows may lack")
    unfit("col-plain-count-0", "COL-42 COL-3", "D2 01 00 02 D2 00", 4)

    # Kind 1
    bad("col-null-alone", "COL-13 COL-33", "D2 01 10", 2)
    bad("col-null-field", "COL-13 COL-33", "D2 01 D0 01 41 61 10", 6)
    bad("col-null-items", "COL-13 COL-33", "D2 01 A0 01 10", 4)
    bad("col-sparse-alone", "COL-14 COL-33", "D2 01 11 01 20 01", 2)
    bad("col-sparse-items", "COL-14 COL-33", "D2 01 A0 01 11 01 20 01", 4)
    bad("col-sparse-tuple", "COL-14 COL-33 COL-27", "D2 01 B1 01 11 01 20 01", 4)
    bad("col-sparse-key", "COL-14 COL-33", "D3 01 11 01 20 01 20 01", 2)
    yes("col-nullable", "COL-15 COL-11", by_columns(4, c_nullable("1010", c_int(5, 7))), "[5, null, 7, null]")
    yes("col-nullable-none", "COL-15 COL-5", "D2 03 12 00", "[null, null, null]", note="a column of nothing takes no bytes")
    yes("col-nullable-all", "COL-15", by_columns(2, c_nullable("11", c_text("a", ""))), '["a", ""]')
    yes("col-nullable-9", "COL-15 COL-11", by_columns(9, c_nullable("100000001", c_bool("10"))),
        "[true, null, null, null, null, null, null, null, false]")
    yes("col-nullable-plain", "COL-15 COL-12", by_columns(2, c_nullable("01", c_plain("null"))), "[null, null]",
        note="a null that is written is a null as well")
    yes("col-nullable-table", "COL-15 COL-29", by_columns(3, c_nullable("011", c_table(("a", c_int(1, 2))))), '[null, {"a": 1}, {"a": 2}]')
    bad("col-nullable-nullable", "COL-15 COL-33", "D2 01 12 01 12 01 20 01", 4)
    bad("col-nullable-null", "COL-15 COL-33", "D2 01 12 01 10", 4)
    bad("col-nullable-sparse", "COL-15 COL-33", "D2 01 12 01 11 01 20 01", 4)
    bad("col-nullable-union", "COL-15 COL-33", "D2 01 12 01 E0 02 00 20 01", 4)
    unfit("col-nullable-unused", "COL-9 COL-15", "D2 01 12 03 20 01", 2)
    cut("col-nullable-bitmap-cut", "COL-38 COL-15", "D2 09 12 FF", 2)
    cut("col-nullable-column-missing", "COL-38 COL-15", "D2 01 12 01", 4)

    # Kind 2
    yes("col-bool", "COL-9 COL-16 COL-11", "D2 03 20 05", "[true, false, true]")
    yes("col-bool-8", "COL-16", "D2 08 20 81", "[true, false, false, false, false, false, false, true]")
    yes("col-bool-9", "COL-16", "D2 09 20 00 01", "[false, false, false, false, false, false, false, false, true]")
    unfit("col-bool-unused", "COL-9 COL-16", "D2 03 20 0D", 2)
    cut("col-bool-cut", "COL-38 COL-16", "D2 09 20 00", 2)
    cut("col-bool-missing", "COL-38 COL-16", "D2 01 20", 2)

    # Kind 4
    yes("col-steps", "COL-18", "D2 04 40 A1 E8 03 01 05", "[1000, 1002, 1003, 1005]")
    yes("col-steps-two", "COL-18", "D2 02 40 05 FF 00", "[5, 4]")
    yes("col-steps-down-and-up", "COL-18", by_columns(4, c_steps(10, 0, 7, -20)), "[10, 0, 7, -20]")
    yes("col-steps-most", "COL-18", by_columns(2, c_steps(I64_MIN, -1)), f"[{I64_MIN}, -1]", note="the largest step, 2^63-1")
    yes("col-steps-least", "COL-18", by_columns(2, c_steps(0, I64_MIN)), f"[0, {I64_MIN}]", note="the smallest step, -2^63")
    yes("col-steps-both-ends", "COL-18", by_columns(3, c_steps(I64_MAX, 0, I64_MAX, w=15)), f"[{I64_MAX}, 0, {I64_MAX}]")
    bad("col-steps-one", "COL-18", "D2 01 40 05", 2)
    bad("col-steps-one-full", "COL-18", "D2 01 40 05 00", 2)
    bad("col-steps-first-text", "COL-18", "D2 02 40 41 61 00 00", 2)
    bad("col-steps-first-above", "COL-18", "D2 02 40 A7 00*7 80 00 00", 2)
    bad("col-steps-first-below", "COL-18", "D2 02 40 AF 00*7 80 00 00", 2)
    bad("col-steps-base-2-64", "COL-18 COL-10", "D2 02 40 00 BC 00*8 01 00*7 00", 2)
    unfit("col-steps-step-above", "COL-18", "D2 02 40 FF A7 00*7 80 00", 2, note="a step of 2^63")
    unfit("col-steps-over", "COL-18", "D2 02 40 A7 FF*7 7F 01 00", 2)
    unfit("col-steps-under", "COL-18", "D2 02 40 AF FF*7 7F FF 00", 2)
    unfit("col-steps-over-between", "COL-18", by_columns(3, cat("4F", I64_MAX, -1, "02 00*7 00*8")), 2, note="it comes back, but was out of range")
    unfit("col-steps-unused", "COL-9 COL-18", "D2 02 40 05 01 02", 2)
    cut("col-steps-first-missing", "COL-38 COL-18", "D2 02 40", 2)
    cut("col-steps-base-missing", "COL-38 COL-18", "D2 02 40 05", 2)
    cut("col-steps-packed-missing", "COL-38 COL-18", "D2 02 40 05 01", 2)

    # Kinds 5 and 6
    yes("col-float64", "COL-19", by_columns(3, c_floats(0.1, -0.0, 3.141592653589793)), "[0.1, -0.0, 3.141592653589793]")
    yes("col-float32", "COL-19", by_columns(2, c_singles(1.5, -0.0)), "[1.5, -0.0]")
    yes("col-float64-special", "COL-19 FLT-4", "D2 03 50 00*6 F0 7F 00*6 F0 FF 01 00*5 F8 FF", "[inf, -inf, f64'fff8000000000001']")
    yes("col-float32-signalling", "COL-19 FLT-3", "D2 01 51 01 00 80 7F", "[f64'7ff0000020000000']", note="widened by its bits")
    cut("col-float64-cut", "COL-38 COL-19", "D2 02 50 00*15", 2)
    cut("col-float32-cut", "COL-38 COL-19", "D2 02 51 00*7", 2)
    yes("col-decimal", "COL-20", by_columns(3, c_decimal(2, 1299, 5, 100)), "[12.99, 0.05, 1.0]")
    yes("col-decimal-bytes", "COL-20", "D2 03 61 01 0A 38", "[1.0, 1.2, 1.3]")
    yes("col-decimal-k-0", "COL-20", by_columns(2, c_decimal(0, 0, -3)), "[0.0, -3.0]")
    yes("col-decimal-k-22", "COL-20", by_columns(2, c_decimal(22, 1, 9007199254740991)), "[1e-22, 9.007199254740991e-7]")
    yes("col-decimal-limits", "COL-20", by_columns(2, c_decimal(0, -9007199254740991, 9007199254740991)),
        "[-9007199254740991.0, 9007199254740991.0]")
    bad("col-decimal-k-23", "COL-20", "D2 01 60 17 00 00", 2)
    bad("col-decimal-k-255", "COL-20", "D2 01 60 FF 00 00", 2, note="one byte, not an int")
    unfit("col-decimal-m-above", "COL-20", by_columns(1, c_decimal(0, 1 << 53)), 2)
    unfit("col-decimal-m-below", "COL-20", by_columns(1, c_decimal(0, -(1 << 53))), 2)
    unfit("col-decimal-unused", "COL-9 COL-20", "D2 01 60 00 05 02", 2)
    bad("col-decimal-base-text", "COL-10 COL-20", "D2 01 60 00 41 61 00", 2)
    cut("col-decimal-k-missing", "COL-38 COL-20", "D2 01 60", 2)
    cut("col-decimal-base-missing", "COL-38 COL-20", "D2 01 60 01", 2)
    cut("col-decimal-packed-missing", "COL-38 COL-20", "D2 01 60 01 05", 2)

    # Kinds 7 and 8
    yes("col-text", "COL-21", "D2 03 71 00 06 61 61 61", '["aa", "a", ""]')
    yes("col-text-many-bytes", "COL-21", by_columns(3, c_text("é", "😀", "\x00")), '["é", "😀", "\\u0000"]')
    yes("col-text-empty", "COL-21", "D2 02 70 00 00", '["", ""]')
    yes("col-text-base", "COL-21 COL-10", by_columns(2, c_text("abcdefgh", "abcdefghi")), '["abcdefgh", "abcdefghi"]')
    yes("col-text-width-64", "COL-21 COL-8", by_columns(1, c_text("a", w=15, base=0)), '["a"]')
    unfit("col-text-split-scalar", "COL-21 COL-39", "D2 02 70 01 00 C3 A9", 2, "invalid-utf8", note="text as a whole, but no two strings")
    unfit("col-text-utf8", "COL-21", "D2 02 70 01 00 61 FF", 2, "invalid-utf8")
    unfit("col-text-surrogate", "COL-21 STR-3", "D2 01 70 03 00 ED A0 80", 2, "invalid-utf8")
    bad("col-text-base-negative", "COL-21", "D2 01 70 FF 01", 2)
    bad("col-text-base-2-64", "COL-21", "D2 01 70 BC 00*8 01 00*7 00", 2)
    bad("col-text-base-null", "COL-21", "D2 01 70 B8 00", 2)
    unfit("col-text-unused", "COL-9 COL-21", "D2 01 70 01 02 61", 2)
    cut("col-text-missing", "COL-38 COL-21", "D2 02 70 01 00 61", 2)
    cut("col-text-sum-above", "COL-38 COL-21", "D2 01 7F 01 FF*8 61", 2, note="a length of 2^64 is only too long")
    cut("col-text-sum-2-64", "COL-38 COL-21", "D2 02 7F 00 FF*8 01 00*7 61", 2, note="the sum is 2^64; it must not wrap around")
    cut("col-text-packed-missing", "COL-38 COL-21", "D2 01 70 01", 2)
    cut("col-text-base-missing", "COL-38 COL-21", "D2 01 70", 2)
    yes("col-bytes", "COL-22", by_columns(3, c_bytes(b"\x00\xFF", b"", b"a")), "[h'00ff', h'', h'61']")
    yes("col-bytes-fixed", "COL-22", by_columns(2, c_bytes(bytes(16), b"\xC3" * 16)), f"[h'{'00' * 16}', h'{'c3' * 16}']",
        note="what is no text is bytes as well")
    bad("col-bytes-base-negative", "COL-22", "D2 01 80 E0 00", 2)
    cut("col-bytes-missing", "COL-38 COL-22", "D2 02 80 01 00 61", 2)
    unfit("col-bytes-unused", "COL-9 COL-22", "D2 01 80 01 80 61", 2)

    # Kind 9
    yes("col-dict", "COL-23", "D2 04 90 02 70 01 00 61 62 06", '["a", "b", "b", "a"]')
    yes("col-dict-one-entry", "COL-23", by_columns(9, c_dict(c_text("x"), [0] * 9)), '["x", "x", "x", "x", "x", "x", "x", "x", "x"]')
    yes("col-dict-ints", "COL-23", by_columns(3, c_dict(c_int(-5, 1000), [1, 0, 1])), "[1000, -5, 1000]")
    yes("col-dict-steps", "COL-23", by_columns(3, c_dict(c_steps(10, 20), [1, 0, 1])), "[20, 10, 20]")
    yes("col-dict-floats", "COL-23", by_columns(3, c_dict(c_floats(0.1, 2.5), [1, 0, 1])), "[2.5, 0.1, 2.5]")
    yes("col-dict-decimals", "COL-23", by_columns(3, c_dict(c_decimal(1, 1, 25), [1, 0, 1])), "[2.5, 0.1, 2.5]")
    yes("col-dict-bytes", "COL-23", by_columns(3, c_dict(c_bytes(b"", b"\xFF"), [1, 0, 1])), "[h'ff', h'', h'ff']")
    yes("col-dict-unused-and-equal", "COL-23", by_columns(2, c_dict(c_text("a", "a", "b"), [1, 0], m=3)), '["a", "a"]',
        note="entries may be equal, and not used")
    yes("col-dict-three", "COL-23", by_columns(5, c_dict(c_text("a", "b", "c"), [2, 1, 0, 1, 2])), '["c", "b", "a", "b", "c"]')
    yes("col-dict-64-times", "COL-24", by_columns(100, c_dict(c_text("a" * 32), [0] * 100)), "[" + ", ".join(['"' + "a" * 32 + '"'] * 100) + "]",
        note="3200 bytes of text from 50: the most that is allowed")
    unfit("col-dict-above-64-times", "COL-24", by_columns(101, c_dict(c_text("a" * 32), [0] * 101)), 3)
    unfit("col-dict-bytes-above-64-times", "COL-24", by_columns(101, c_dict(c_bytes(b"a" * 32), [0] * 101)), 3)
    yes("col-dict-ints-many", "COL-24", by_columns(200, c_dict(c_int(U64_MAX), [0] * 200)), "[" + ", ".join([str(U64_MAX)] * 200) + "]",
        note="the bound is for text and bytes")
    unfit("col-dict-index", "COL-23", "D2 02 91 02 70 01 00 61 62 08", 2, note="the index 2 of 2 entries")
    unfit("col-dict-index-one", "COL-23", "D2 02 90 01 30 05 00 02", 2)
    unfit("col-dict-unused-bits", "COL-9 COL-23", "D2 01 90 01 30 05 00 02", 2)
    bad("col-dict-0", "COL-23", "D2 01 90 00 00", 2)
    bad("col-dict-count-negative", "COL-23 COL-6", "D2 01 90 FF 30 05 00 00", 2)
    bad("col-dict-of-bool", "COL-23 COL-33", "D2 01 90 01 20 01 00", 4)
    bad("col-dict-of-plain", "COL-23 COL-33", "D2 01 90 01 00 01 B8 00", 4)
    bad("col-dict-of-null", "COL-23 COL-33", "D2 01 90 01 10 00", 4)
    bad("col-dict-of-nullable", "COL-23 COL-33", "D2 01 90 01 12 01 20 01 00", 4)
    bad("col-dict-of-dict", "COL-23 COL-33", "D2 01 90 01 90 01 30 05 00 00 00", 4)
    bad("col-dict-of-lists", "COL-23 COL-33", "D2 01 90 01 A0 00 00", 4)
    bad("col-dict-of-table", "COL-23 COL-33", "D2 01 90 01 D0 01 41 61 20 01 00", 4)
    bad("col-dict-of-union", "COL-23 COL-33", "D2 01 90 01 E0 02 00 20 01 00", 4)
    bad("col-dict-of-ext", "COL-23 COL-33", "D2 01 90 01 F0 05 20 01 00", 4)
    bad("col-dict-of-one-step", "COL-23 COL-18", "D2 01 90 01 40 05 00", 4)
    unfit("col-dict-entry-utf8", "COL-23 COL-39", "D2 01 90 01 70 01 00 FF 00", 4, "invalid-utf8")
    cut("col-dict-claim", "COL-35 COL-23", "D2 01 90 19 70 00 00", 2, note="25 entries in 3 bytes")
    cut("col-dict-claim-fits", "COL-35 COL-38", "D2 01 90 18 70 00 00", 4, note="24 entries in 3 bytes could be, but these are cut off")
    cut("col-dict-claim-huge", "COL-35", "D2 01 90 A7 FF*8 70 01 00 61 00", 2)
    cut("col-dict-indices-missing", "COL-38 COL-23", "D2 01 90 01 30 05 00", 2)
    cut("col-dict-entries-missing", "COL-38 COL-23", "D2 01 90 01", 2)

    # Kind 10
    yes("col-lists", "COL-25", by_columns(3, c_lists([2, 0, 1], c_int(1, 2, 3))), "[[1, 2], [], [3]]")
    yes("col-lists-bytes", "COL-25", "D2 03 A1 12 30 01 02", "[[1, 2], [], [1]]")
    yes("col-lists-empty", "COL-25 COL-5", "D2 03 A0 00", "[[], [], []]")
    yes("col-lists-of-lists", "COL-25 COL-34", by_columns(2, c_lists([2, 1], c_lists([1, 0, 2], c_bool("101")))), "[[[true], []], [[false, true]]]")
    yes("col-lists-of-text", "COL-25", by_columns(2, c_lists([1, 2], c_text("a", "b", "c"))), '[["a"], ["b", "c"]]')
    cut("col-lists-claim", "COL-35 COL-25", "D2 01 A6 09 20", 2, note="9 items in one byte")
    cut("col-lists-claim-fits", "COL-35 COL-38", "D2 01 A6 08 20", 4)
    cut("col-lists-claim-sum", "COL-35", "D2 02 AF FF*8 01 00*7 20 01", 2, note="2^64 items; the sum must not wrap around")
    cut("col-lists-packed-cut", "COL-38 COL-25", "D2 02 A6 01", 2)
    cut("col-lists-items-missing", "COL-38 COL-25", "D2 01 A0 01", 2)
    unfit("col-lists-unused", "COL-9 COL-25", "D2 02 A0 05 20 01", 2)

    # Kind 11
    yes("col-same", "COL-26", by_columns(3, c_same(2, c_int(1, 2, 3, 4, 5, 6))), "[[1, 2], [3, 4], [5, 6]]")
    yes("col-same-one", "COL-26", "D2 02 B0 01 20 01", "[[true], [false]]")
    bad("col-same-0", "COL-26", "D2 01 B0 00", 2)
    bad("col-same-negative", "COL-26 COL-6", "D2 01 B0 FE 20 01", 2)
    bad("col-same-text", "COL-26 COL-6", "D2 01 B0 40 20 01", 2)
    cut("col-same-claim", "COL-35 COL-26", "D2 03 B0 03 20", 2, note="9 items in one byte")
    cut("col-same-claim-fits", "COL-35 COL-38", "D2 02 B0 04 20", 4)
    cut("col-same-claim-product", "COL-35", "D2 02 B0 A7 00*7 80 20 01", 2, note="2 times 2^63; the product must not wrap around")
    cut("col-same-missing", "COL-38 COL-26", "D2 01 B0", 2)
    yes("col-tuples", "COL-27 COL-36", by_columns(3, c_tuples(c_text("a", "b", "c"), c_int(1, 2, 3), c_bool("100"))),
        '[["a", 1, true], ["b", 2, false], ["c", 3, false]]')
    yes("col-tuples-one", "COL-27", "D2 02 B1 01 20 02", "[[false], [true]]")
    bad("col-tuples-0", "COL-27", "D2 01 B1 00", 2)
    bad("col-tuples-negative", "COL-27 COL-6", "D2 01 B1 E0 20 01", 2)
    cut("col-tuples-claim", "COL-36 COL-27", "D2 01 B1 03 20 01", 2, note="3 columns in 2 bytes")
    cut("col-tuples-claim-huge", "COL-36", "D2 01 B1 A7 FF*8 20 01", 2)
    cut("col-tuples-column-missing", "COL-38 COL-27", "D2 01 B1 02 20 01", 6)
    cut("col-tuples-claim-n", "COL-35 COL-27", "D2 0F B1 01 20", 2, note="15 elements in one byte")

    # Kind 12
    yes("col-maps", "COL-28", by_columns(3, c_maps([2, 0, 1], c_text("a", "b", "a"), c_int(1, 2, 3))), '[{"a": 1, "b": 2}, {}, {"a": 3}]',
        note="a key again in another map")
    yes("col-maps-empty", "COL-28 COL-5", "D2 02 C0 00", "[{}, {}]")
    yes("col-maps-int-keys", "COL-28 MAP-4", by_columns(2, c_maps([1, 2], c_int(5, 5, 6), c_nullable("101", c_bool("11")))),
        "[{5: true}, {5: null, 6: true}]")
    unfit("col-maps-twice", "COL-28 COL-43", by_columns(2, c_maps([1, 2], c_int(5, 6, 6), c_bool("111"))), 4, "duplicate-key")
    unfit("col-maps-twice-plain", "COL-28 COL-43", by_columns(1, c_maps([2], c_raw("05 A0 05"), c_bool("11"))), 4, "duplicate-key")
    cut("col-maps-claim", "COL-35 COL-28", "D2 01 C6 09 20", 2)
    cut("col-maps-claim-fits", "COL-35 COL-38", "D2 01 C6 08 20", 4)
    cut("col-maps-values-missing", "COL-38 COL-28", "D2 01 C0 01 30 05 00", 7)
    unfit("col-maps-unused", "COL-9 COL-28", "D2 01 C0 02", 2)

    # Kind 13
    yes("col-table", "COL-29", by_columns(2, c_table(("id", c_int(7, 8)), ("ok", c_bool("10")))), '[{"id": 7, "ok": true}, {"id": 8, "ok": false}]')
    yes("col-table-bytes", "COL-29", "D2 02 D0 01 41 61 30 01 02", '[{"a": 1}, {"a": 2}]')
    yes("col-table-sparse", "COL-29 COL-14", by_columns(3, c_table(("a", c_sparse("101", c_int(1, 2))), ("b", c_bool("111")))),
        '[{"a": 1, "b": true}, {"b": true}, {"a": 2, "b": true}]')
    yes("col-table-sparse-none", "COL-14 COL-5", by_columns(2, c_table(("a", c_sparse("00")))), "[{}, {}]", note="rows without a field are empty maps")
    yes("col-table-sparse-nullable", "COL-14 COL-15", by_columns(4, c_table(("a", c_sparse("1101", c_nullable("101", c_int(5, 6)))))),
        '[{"a": 5}, {"a": null}, {}, {"a": 6}]')
    yes("col-table-sparse-union", "COL-14 COL-31", by_columns(4, c_table(("a", c_sparse("0111", c_union([1, 0, 1], C_NULL, c_text("x", "y")))))),
        '[{}, {"a": "x"}, {"a": null}, {"a": "y"}]')
    yes("col-table-key-empty", "COL-30", "D2 01 D0 01 40 20 01", '[{"": true}]')
    yes("col-table-key-long-head", "COL-30", "D2 01 D0 02 C0 01 61 C3 01 00*7 62 20 01 20 00", '[{"a": true, "b": false}]')
    yes("col-table-key-64", "COL-30", "D2 01 D0 01 C0 40 61*64 20 01", '[{"' + "a" * 64 + '": true}]')
    yes("col-table-nested", "COL-29 COL-34", by_columns(2, c_table(("a", c_table(("b", c_int(1, 2)), ("c", c_bool("01")))))),
        '[{"a": {"b": 1, "c": false}}, {"a": {"b": 2, "c": true}}]')
    bad("col-table-0", "COL-29", "D2 01 D0 00", 2)
    bad("col-table-count-negative", "COL-29 COL-6", "D2 01 D0 FF 41 61 20 01", 2)
    bad("col-table-key-int", "COL-30", "D2 01 D0 01 05 20 01", 2)
    bad("col-table-key-bytes", "COL-30", "D2 01 D0 01 C4 01 61 20 01", 2)
    bad("col-table-key-some", "COL-30", "D2 01 D0 01 BB 41 61 20 01", 2)
    bad("col-table-key-65", "COL-30", "D2 01 D0 01 C0 41 61*65 20 01", 2)
    bad("col-table-key-huge", "COL-30", "D2 01 D0 01 C3 FF*8 61 20 01", 2, note="its length is above 64, whatever remains")
    unfit("col-table-key-twice", "COL-30 COL-39", "D2 01 D0 02 41 61 41 61 20 01 20 01", 6, "duplicate-key")
    unfit("col-table-key-twice-forms", "COL-30 MAP-6", "D2 01 D0 03 41 61 41 62 C0 01 61 20 01 20 01 20 01", 8, "duplicate-key")
    unfit("col-table-key-twice-sparse", "COL-30", by_columns(2, c_table(("a", c_sparse("10", c_bool("1"))), ("a", c_sparse("01", c_bool("1"))))), 6,
          "duplicate-key", note="though no row has both")
    unfit("col-table-key-utf8", "COL-30 COL-39", "D2 01 D0 02 41 61 41 FF 20 01 20 01", 6, "invalid-utf8")
    cut("col-table-claim", "COL-36 COL-29", "D2 01 D0 05 41 61 41 62", 2, note="5 fields in 4 bytes")
    cut("col-table-claim-fits", "COL-36 COL-38", "D2 01 D0 04 41 61 41 62", 2)
    cut("col-table-key-missing", "COL-38 COL-30", "D2 01 D0 01", 2)
    cut("col-table-key-cut", "COL-38 COL-30", "D2 01 D0 01 42 61", 2)
    cut("col-table-key-head-cut", "COL-38 COL-30", "D2 01 D0 01 C1 01", 2)
    cut("col-table-field-missing", "COL-38 COL-29", "D2 01 D0 02 41 61 41 62 20 01", 10)
    unfit("col-sparse-unused", "COL-9 COL-14", "D2 01 D0 01 41 61 11 03 20 01", 6)
    bad("col-sparse-sparse", "COL-14 COL-33", "D2 01 D0 01 41 61 11 01 11 01 20 01", 8)
    bad("col-sparse-null", "COL-13 COL-33", "D2 01 D0 01 41 61 11 01 10", 8)
    cut("col-sparse-bitmap-missing", "COL-38 COL-14", "D2 01 D0 01 41 61 11", 6)
    cut("col-sparse-column-missing", "COL-38 COL-14", "D2 01 D0 01 41 61 11 01", 8)

    # Kind 14
    yes("col-union", "COL-31", by_columns(4, c_union([0, 1, 1, 0], c_int(1, 2), c_text("a", "b"))), '[1, "a", "b", 2]')
    yes("col-union-null", "COL-31 COL-13", "D2 03 E0 02 05 20 00 10", "[null, false, null]")
    yes("col-union-nulls-only", "COL-31 COL-13 COL-5", "D2 0A E0 02 00 00 10", "[" + ", ".join(["null"] * 10) + "]",
        note="the other variant has no elements, and no bytes")
    yes("col-union-16", "COL-31", by_columns(16, c_union(range(16), *[c_int(i) for i in range(15)], C_NULL)),
        "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, null]")
    yes("col-union-wide", "COL-31 COL-8", by_columns(2, c_union([1, 0], c_int(1), c_int(2), w=15)), "[2, 1]")
    yes("col-union-two-tables", "COL-31 COL-29", by_columns(3, c_union([0, 1, 0], c_table(("a", c_int(1, 3)), ("b", c_bool("11"))),
                                                                      c_table(("b", c_bool("0")), ("a", c_int(2))))),
        '[{"a": 1, "b": true}, {"b": false, "a": 2}, {"a": 3, "b": true}]', note="rows with another order of keys")
    bad("col-union-1", "COL-31", "D2 01 E0 01 00 20 01", 2)
    bad("col-union-0", "COL-31", "D2 01 E0 00 00", 2)
    bad("col-union-17", "COL-31", "D2 01 E0 11 00 20 01", 2)
    bad("col-union-count-text", "COL-31 COL-6", "D2 01 E0 40 00 20 01", 2)
    bad("col-union-variant", "COL-31 COL-42", "D2 02 E1 02 08 20 01", 2, note="the variant 2 of 2: where its column would stand cannot be known")
    bad("col-union-union", "COL-31 COL-33", "D2 01 E0 02 00 E0 02 00 20 01", 5)
    bad("col-union-nullable", "COL-31 COL-33", "D2 01 E0 02 00 12 01 20 01", 5)
    bad("col-union-sparse", "COL-31 COL-33", "D2 01 E0 02 00 11 01 20 01", 5)
    unfit("col-union-unused", "COL-9 COL-31", "D2 01 E0 02 02 20 01", 2)
    cut("col-union-packed-missing", "COL-38 COL-31", "D2 01 E0 02", 2)
    cut("col-union-second-missing", "COL-38 COL-31", "D2 02 E0 02 02 20 01", 7)

    # Kind 15
    yes("col-ext", "COL-32", by_columns(2, c_ext(5, c_int(1, 2))), "[ext(5, 1), ext(5, 2)]")
    yes("col-ext-timestamps", "COL-32 EXT-6", by_columns(3, c_ext(0, c_steps(1700000000, 1700000060, 1700000120))),
        "[ext(0, 1700000000), ext(0, 1700000060), ext(0, 1700000120)]")
    yes("col-ext-uuid", "COL-32 EXT-7", by_columns(1, c_ext(1, c_bytes(bytes(16)))), f"[ext(1, h'{'00' * 16}')]")
    yes("col-ext-type-long", "COL-32", "D2 01 F0 BC 05 00*15 20 01", "[ext(5, true)]")
    yes("col-ext-type-max", "COL-32", "D2 01 F0 A7 FF*8 20 01", f"[ext({U64_MAX}, true)]")
    yes("col-ext-nullable", "COL-32 COL-15", by_columns(3, c_nullable("101", c_ext(64, c_nullable("01", c_text("a"))))),
        '[ext(64, null), null, ext(64, "a")]')
    yes("col-ext-ext", "COL-32 COL-34", by_columns(1, c_ext(5, c_ext(6, c_bool("1")))), "[ext(5, ext(6, true))]")
    no("col-ext-type-negative", "COL-32", "D2 01 F0 FF 20 01", "ext-type", 2)
    no("col-ext-type-text", "COL-32", "D2 01 F0 41 61 20 01", "ext-type", 2)
    no("col-ext-type-2-64", "COL-32", "D2 01 F0 BC 00*8 01 00*7 20 01", "ext-type", 2)
    cut("col-ext-type-missing", "COL-38 COL-32", "D2 01 F0", 2)
    cut("col-ext-type-cut", "COL-38 COL-32", "D2 01 F0 A1 05", 2)
    cut("col-ext-payload-missing", "COL-38 COL-32", "D2 01 F0 05", 4)

    # Kinds in kinds
    yes("col-nest-table-list-table", "COL-33 COL-34", by_columns(2, c_table(
        ("id", c_int(1, 2)), ("tags", c_lists([2, 1], c_table(("k", c_text("a", "b", "c")), ("v", c_sparse("110", c_int(5, 6)))))))),
        '[{"id": 1, "tags": [{"k": "a", "v": 5}, {"k": "b", "v": 6}]}, {"id": 2, "tags": [{"k": "c"}]}]')
    yes("col-nest-union-table-list", "COL-33", by_columns(4, c_union([0, 1, 2, 1], c_table(("a", c_lists([1], c_int(5)))), c_lists([0, 2], c_text("x", "y")),
                                                                     C_NULL)), '[{"a": [5]}, [], null, ["x", "y"]]')
    yes("col-nest-dict-in-maps", "COL-33 COL-28", by_columns(2, c_maps([2, 2], c_dict(c_text("lang", "text"), [0, 1, 1, 0]),
                                                                       c_dict(c_text("de", "en"), [0, 1, 1, 0]))),
        '[{"lang": "de", "text": "en"}, {"text": "en", "lang": "de"}]')
    yes("col-nest-lists-of-maps-of-tuples", "COL-33", by_columns(2, c_lists([1, 1], c_maps([1, 1], c_text("a", "b"), c_tuples(c_int(1, 2), c_singles(0.5, 1.5))))),
        '[[{"a": [1, 0.5]}], [{"b": [2, 1.5]}]]')
    yes("col-nest-map-of-tables", "COL-2 COL-29", by_columns(2, c_text("a", "b"), c_table(("x", c_int(1, 2)), ("y", c_same(2, c_decimal(1, 5, 10, 15, 20))))),
        '{"a": {"x": 1, "y": [0.5, 1.0]}, "b": {"x": 2, "y": [1.5, 2.0]}}')
    yes("col-nest-sparse-nullable-lists-nullable", "COL-14 COL-15 COL-25", by_columns(3, c_table(
        ("a", c_sparse("110", c_nullable("10", c_lists([2], c_nullable("01", c_bool("1")))))), ("b", c_int(1, 2, 3)))),
        '[{"a": [null, true], "b": 1}, {"a": null, "b": 2}, {"b": 3}]')
    yes("col-nest-plain-in-table", "COL-12 COL-29", by_columns(2, c_table(("a", c_plain("{}", "[1]")), ("b", c_int(1, 2)))),
        '[{"a": {}, "b": 1}, {"a": [1], "b": 2}]')
    yes("col-nest-ext-table-dict", "COL-32 COL-29 COL-23", by_columns(3, c_ext(64, c_table(("u", c_dict(c_text("kg", "m"), [0, 1, 0])), ("n", c_int(1, 2, 3))))),
        '[ext(64, {"u": "kg", "n": 1}), ext(64, {"u": "m", "n": 2}), ext(64, {"u": "kg", "n": 3})]')
    yes("col-nest-columns-in-plain-in-table", "COL-37", by_columns(1, c_table(("a", c_raw(by_columns(3, c_int(1, 0, 1, base=0)))))),
        '[{"a": [1, 0, 1]}]')
    unfit("col-nest-fault-deep", "COL-39", by_columns(1, c_table(("a", c_lists([1], c_table(("b", cat("20 03"))))))), 12)
    cut("col-nest-cut-deep", "COL-38", by_columns(1, c_table(("a", c_lists([1], c_table(("b", cat("20"))))))), 12)

    # Levels
    yes("col-depth-scalars", "COL-34 LIM-1", "D2 01 20 01", "[true]", max_depth=1)
    t.over("col-depth-0", "COL-34 LIM-1", "D2 01 20 01", "depth-limit", 0, max_depth=0)
    t.over("col-depth-0-map", "COL-34", "D3 01 20 01 20 01", "depth-limit", 0, max_depth=0)
    for name, column, text in (("lists", "A0 01 20 01", "[[true]]"), ("lists-empty", "A0 00", "[[]]"), ("same", "B0 01 20 01", "[[true]]"),
                               ("tuples", "B1 01 20 01", "[[true]]"), ("maps", "C0 00", "[{}]"), ("table", "D0 01 41 61 20 01", '[{"a": true}]'),
                               ("ext", "F0 05 20 01", "[ext(5, true)]")):
        yes(f"col-depth-{name}", "COL-34", "D2 01 " + column, text, max_depth=2)
        t.over(f"col-depth-{name}-over", "COL-34", "D2 01 " + column, "depth-limit", 2, max_depth=1)
    yes("col-depth-no-level", "COL-34", by_columns(3, c_union([0, 1, 1], c_dict(c_text("a"), [0]), c_bool("10"))), '["a", true, false]', max_depth=1)
    yes("col-depth-nullable", "COL-34", by_columns(1, c_nullable("1", c_lists([0]))), "[[]]", max_depth=2)
    t.over("col-depth-nullable-over", "COL-34", "D2 01 12 01 A0 00", "depth-limit", 4, max_depth=1)
    yes("col-depth-plain", "COL-34 COL-12", "D2 01 00 01 80", "[[]]", max_depth=2)
    t.over("col-depth-plain-over", "COL-34 COL-12", "D2 01 00 01 80", "depth-limit", 4, max_depth=1, well_formed=True)
    yes("col-depth-plain-in-lists", "COL-34", "D2 01 A0 01 00 01 90", "[[{}]]", max_depth=3)
    t.over("col-depth-plain-in-lists-over", "COL-34", "D2 01 A0 01 00 01 90", "depth-limit", 6, max_depth=2, well_formed=True)
    t.over("col-depth-before-count", "COL-34 COL-40", "81 D2 00", "depth-limit", 1, max_depth=1, strict_error="depth-limit", strict_offset=1,
           note="the count is refused as well, later")
    t.over("col-depth-before-header", "COL-34 COL-40", "D2 01 B0 00", "depth-limit", 2, max_depth=1)
    t.over("col-depth-after-place", "COL-40", "D2 01 A0 01 20 01", "depth-limit", 2, max_depth=1, strict_error="not-canonical", strict_offset=0)
    bad("col-place-before-depth", "COL-40", "D2 01 BF 00", 2, max_depth=1)
    yes("col-depth-128", "COL-34 LIM-1", "D2 01 " + "A0 01 " * 127 + "20 01", "[" * 128 + "true" + "]" * 128)
    t.over("col-depth-129", "COL-34 LIM-1 LIM-6", "D2 01 " + "A0 01 " * 128 + "20 01", "depth-limit", 256)
    yes("col-depth-128-plain", "COL-34 LIM-1", "81*127 D2 01 20 01", "[" * 128 + "true" + "]" * 128, 127)
    t.over("col-depth-129-plain", "COL-34 LIM-1", "81*128 D2 01 20 01", "depth-limit", 128)

    # Claims
    for name, head in (("plain", "00"), ("dict", "90"), ("same", "B0"), ("tuples", "B1"), ("table", "D0"), ("union", "E0")):
        bad(f"col-{name}-count-2-64", "COL-6", f"D2 01 {head} BC 00*8 01 00*7 20 01", 2, note="no claim, but out of the range of counts")
    cut("col-claim", "COL-35 LIM-3", "D2 09 20", 0, note="9 elements in one byte")
    cut("col-claim-fits", "COL-35 COL-38", "D2 08 20", 2, note="8 elements in one byte could be, but their bits are cut off")
    cut("col-claim-map", "COL-35 LIM-3", "D3 09 20", 0)
    cut("col-claim-huge", "COL-35 LIM-3", "D2 A7 FF*8 20 01", 0)
    cut("col-claim-2-61", "COL-35", "D2 A7 00*7 20 20 01", 0, note="8 times what remains must not wrap around")
    cut("col-claim-in-list", "COL-35", "81 D2 A0 40 20 00*6", 1)
    cut("col-claim-steps", "COL-38 COL-35", "D2 10 40 00 00", 2, note="16 elements in 3 bytes could be")
    t.over("col-input-over", "LIM-4 COL-1", by_columns(40, c_int(*[0] * 40)).hex(), "input-limit", 6, max_input=6)

    # How many elements there may be: what they weigh, and what the bytes bear
    def stack(n, inner, layers, layer="B0 01"):
        return by_columns(n, cat(f"{layer} " * layers, inner))

    def in_lists(items, layers):
        return "[" + ", ".join("[" * layers + item + "]" * layers for item in items) + "]"

    def weighed(id, rules, document, text, weight, size=None):
        """Accepted if its bytes bear it, all of them or as many as `size` says, but for the tag."""
        bear = 312 * ((len(document) if size is None else size) - 1)
        note = f"it weighs {weight}, and its bytes bear {bear}"
        assert (weight > bear) == id.endswith("-over"), (id, weight, bear)
        if weight <= bear:
            yes(f"col-elements-{id}", f"COL-44 {rules}", document, text, note=note)
        else:
            unfit(f"col-elements-{id}", f"COL-44 {rules}", document, 0, note=note)

    def first(condition):
        return next(k for k in range(1, 100) if condition(k))

    def most(name, rules, items, elements, column, less=0):
        """As many lists of one around each of these items as may be, and one more. The column has so many elements, and
        so many bytes of it bear nothing."""
        n = len(items)
        weight, size = lambda k: 32 * (n * k + elements), lambda k: len(stack(n, column, k)) - less
        layers = first(lambda k: weight(k) > 312 * (size(k) - 1))
        for k, id in (layers - 1, name), (layers, f"{name}-over"):
            weighed(id, rules, stack(n, column, k), in_lists(items, k), weight(k), size(k))

    on, off, mixed = "1" * 32, "0" * 32, "01" * 16
    most("bools", "COL-16", ["true"] * 32, 32, c_bool(on))
    most("lists", "COL-25", ["[]"] * 32, 32, c_lists([0] * 32))
    most("maps", "COL-28", ["{}"] * 32, 32, c_maps([0] * 32))
    most("table", "COL-29", ['{"a": true, "b": true}'] * 32, 96, c_table(("a", c_bool(on)), ("b", c_bool(on))))
    most("nullable-nulls", "COL-15", ["null"] * 32, 32, c_nullable(off))
    most("nullable", "COL-15", ["true"] * 32, 32, c_nullable(on, c_bool(on)))
    most("nullable-some", "COL-15", ["null", "true"] * 16, 32, c_nullable(mixed, c_bool("1" * 16)))
    most("nullable-ext", "COL-15 COL-32", ["ext(5, true)"] * 32, 96, c_nullable(on, cat("F0 05", c_bool(on))))
    most("nullable-lists", "COL-15 COL-26", ["[true]"] * 32, 64, c_nullable(on, c_same(1, c_bool(on))))
    most("nullable-dict", "COL-15 COL-23", ["5"] * 32, 48, c_nullable(on, c_dict(c_int(*[5] * 16), [0] * 32, m=16)))
    most("nullable-plain", "COL-15 COL-12", ['"a"'] * 40, 40, c_nullable("1" * 40, c_raw("41 61 " * 40)), 40)
    most("sparse-absent", "COL-14", ["{}"] * 32, 32, c_table(("a", c_sparse(off))))
    most("sparse", "COL-14", ['{"a": true}'] * 32, 64, c_table(("a", c_sparse(on, c_bool(on)))))
    most("nulls", "COL-13 COL-31", ["null"] * 32, 32, c_union([0] * 32, C_NULL, b""))
    most("union", "COL-31", ["true", "5"] * 16, 32, c_union([0, 1] * 16, c_bool("1" * 16), c_int(*[5] * 16)))
    most("union-nulls", "COL-13 COL-31", ["null", "true"] * 16, 32, c_union([0, 1] * 16, C_NULL, c_bool("1" * 16)))
    most("dict", "COL-23", ["5"] * 32, 48, c_dict(c_int(*[5] * 16), [0] * 32, m=16))
    most("plain", "COL-12", ["5"] * 40, 40, c_raw("05*40"))
    most("plain-long", "COL-12", ['"aaaa"'] * 40, 40, c_raw("44 61 61 61 61 " * 40), 160)
    for n, id in (26, "exactly"), (27, "exactly-over"):
        weighed(id, "COL-16", stack(n, c_bool("1" * n), 5), in_lists(["true"] * n, 5), 32 * 6 * n)
    for name, rules, layer, opening, closing, n, weight in (("tuples", "COL-27", "B1 01", "[", "]", 29, 1),
                                                            ("ext", "COL-32", "F0 05", "ext(5, ", ")", 13, 2),
                                                            ("table-one", "COL-29", "D0 01 40", '{"": ', "}", 39, 1)):
        for n, id in (n, name), (n + 1, f"{name}-over"):
            text = "[" + ", ".join([opening * 3 + "true" + closing * 3] * n) + "]"
            weighed(id, rules, stack(n, c_bool("1" * n), 3, layer), text, 32 * (3 * weight + 1) * n)
    def map_of(k):
        return by_columns(40, c_int(*range(40)), cat("B0 01 " * k, c_bool("1" * 40)))

    layers = first(lambda k: 32 * 40 * (k + 2) > 312 * (len(map_of(k)) - 1))
    for k, id in (layers - 1, "map"), (layers, "map-over"):
        text = "{" + ", ".join(f"{key}: {'[' * k}true{']' * k}" for key in range(40)) + "}"
        weighed(id, "COL-2", map_of(k), text, 32 * 40 * (k + 2))

    # The text that a dictionary gives out: so many of 24 elements have it, and the others none.
    def texts(name, rules, column, entries, size, inside=lambda column: column):
        def document(k, some):
            return stack(24, inside(c_dict(column, [0] * some + [1] * (24 - some))), k)

        def weight(k, some):
            return 32 * (24 * k + 24 + 2) + size * some

        def bears(k, some):
            return weight(k, some) <= 312 * (len(document(k, some)) - 1)

        k = first(lambda k: bears(k, 1) and not bears(k, 24))
        least = first(lambda some: not bears(k, some + 1))
        for some, id in (least, name), (least + 1, f"{name}-over"):
            text = in_lists([entries[0]] * some + [entries[1]] * (24 - some), k)
            weighed(id, f"COL-24 {rules}", document(k, some), text, weight(k, some))
        return k

    texts("text", "COL-21", c_text("aaaaaa", ""), ('"aaaaaa"', '""'), 6)
    k = texts("text-wide", "COL-21", c_text("ééé", ""), ('"ééé"', '""'), 6)
    texts("text-bytes", "COL-22", c_bytes(b"\xC3\xA9" * 3, b""), ("h'c3a9c3a9c3a9'", "h''"), 6)
    texts("text-nullable", "COL-15", c_text("aaaaaa", ""), ('"aaaaaa"', '""'), 6, lambda column: c_nullable("1" * 24, column))
    weighed("text-unused", "COL-24 COL-21", stack(24, c_dict(c_text("ééé", ""), [1] * 24), k), in_lists(['""'] * 24, k), 32 * (24 * k + 24 + 2))

    # Columns in a plain column are counted for themselves, and what stands around columns does not count.
    most("plain-columns", "COL-12", ['["a"]'] * 40, 40, c_raw("D2 01 00 02 41 61 " * 40), 200)
    full, over = (stack(n, c_bool("1" * n), 5) for n in (26, 27))
    yes("col-elements-plain-full", "COL-44 COL-12", by_columns(1, c_raw(full)), f"[{in_lists(['true'] * 26, 5)}]")
    unfit("col-elements-plain-inside-over", "COL-44 COL-12", by_columns(1, c_raw(over)), 4)
    unfit("col-elements-around-over", "COL-44", cat("82", over, "05"), 1)
    unfit("col-elements-bools-4-over", "COL-44 COL-29", by_columns(1600, c_table(*((key, c_bool("0" * 1600)) for key in "abcd"))), 0,
          note="four fields, however long their keys were, have too many rows in the end")
    unfit("col-elements-other-fault", "COL-44 COL-41", by_columns(39, c_tuples(cat("20 FF*5"), cat("B0 01 " * 9, c_bool("1" * 39)))), 4,
          note="there are too many elements, too")

    # How many columns there may be; large.json has more of this.
    unfit("col-columns-plain-over", "COL-45 COL-12", by_columns(1, c_raw("D2 01 B1 A1 00 10", "20 00 " * 4096)), 12 + 2 * 4095)

    # Order of checks, and several faults at a distance
    bad("col-order-low-bits-first", "COL-40", "D2 01 2F", 2, note="its bits are missing, too")
    bad("col-order-header-first", "COL-40", "D2 01 60 17", 2, note="the base is missing, too")
    cut("col-order-present-first", "COL-40", "D2 02 70 01 04 61", 2, note="an unused bit is set, too")
    unfit("col-order-first-column", "COL-41", "D2 02 B1 02 20 04 20 08", 4, note="the second column has a fault, too")

    # What strict reading says
    bad("col-strict", "CAN-7 COL-3", "81 D2 00", 1, strict_error="not-canonical", strict_offset=1)
    cut("col-strict-cut", "CAN-8 COL-3", "D2", 0, strict_error="not-canonical", strict_offset=0)
    yes("col-strict-after", "CAN-8", "82 A0 05 D2 01 20 01", "[5, [true]]", 1)
    yes("col-canonical-nan", "CAN-4 COL-19", "D2 01 50 01 00*5 F8 7F", "[f64'7ff8000000000001']")
    yes("col-canonical-order", "CAN-5 COL-29", by_columns(1, c_table(("b", c_int(1)), ("a", c_int(2)))), '[{"b": 1, "a": 2}]')

    # Every strict prefix of some tables: from which length on, and the offset.
    def cuts(name, document, spans):
        spans.append((len(document), None))
        for (first, at), (last, _) in zip(spans, spans[1:]):
            for n in range(first, last):
                cut(f"col-cut-{name}-{n}", "COL-38 GEN-3", document[:n], at)

    # D2 02 | D0 03 41 61 41 62 41 63 | 30 05 02 | 11 01 70 02 00 78 79 | A0 01 60 01 0F 00
    table = by_columns(2, c_table(("a", c_int(5, 6)), ("b", c_sparse("10", c_text("xy"))), ("c", c_lists([1, 0], c_decimal(1, 15)))))
    yes("col-cut-table", "COL-38 GEN-3", table, '[{"a": 5, "b": "xy", "c": [1.5]}, {"a": 6, "c": []}]')
    cuts("table", table, [(0, 0), (3, 2), (10, 10), (13, 13), (15, 15), (20, 20), (23, 22)])
    # D3 02 | 90 02 70 01 01 61 62 63 02 | E0 02 01 | 00 03 82 01 02 | F0 A0 40 51 00 00 00 3F
    map = by_columns(2, c_dict(c_text("ab", "c"), [0, 1]), c_union([1, 0], c_plain("[1, 2]"), c_ext(64, c_singles(0.5))))
    yes("col-cut-map", "COL-38 GEN-3", map, '{"ab": ext(64, 0.5), "c": [1, 2]}')
    cuts("map", map, [(0, 0), (3, 2), (5, 4), (10, 2), (11, 11), (14, 14), (19, 19), (22, 22)])


def declare_errors():
    t = Topic("errors.json")
    t.bad("err-truncated", "ERR-1 ERR-3", "A0", "truncated", 0)
    t.bad("err-reserved-tag", "ERR-1 ERR-2", "81 D4", "reserved-tag", 1)
    t.bad("err-invalid-column", "ERR-1", "81 D2 01 10", "invalid-column", 3)
    t.bad("err-unexpected-end", "ERR-1", "82 00 BE", "unexpected-end", 2)
    t.bad("err-bad-signature", "ERR-1", "81 DF", "bad-signature", 1)
    t.bad("err-unsupported-version", "ERR-1", "DF 57 42 09 05", "unsupported-version", 0)
    t.bad("err-ext-type", "ERR-1", "81 BF 40 00", "ext-type", 2)
    t.bad("err-trailing-bytes", "ERR-1", "80 80", "trailing-bytes", 1)
    t.bad("err-invalid-utf8", "ERR-1", "91 05 41 80", "invalid-utf8", 2)
    t.bad("err-int-range", "ERR-1", "81 BD 00*15 80", "int-range", 1)
    t.bad("err-duplicate-key", "ERR-1", "92 40 00 40 00", "duplicate-key", 3)
    t.ok("err-none", "ERR-4 ERR-5", "84 41 61 A0 40 90 BF 05 00", '["a", 64, {}, ext(5, 0)]')
    t.bad("err-skipped-utf8", "ERR-4", "81 41 FF", "invalid-utf8", 1, note="well-formed: it can be skipped")
    t.bad("err-skipped-duplicate", "ERR-4", "81 92 05 00 05 00", "duplicate-key", 4, note="well-formed: it can be skipped")
    t.bad("err-after-good-items", "ERR-5", "83 01 02 D4", "reserved-tag", 3)
    t.bad("err-deep-offset", "ERR-2 ERR-3", "81 91 41 61 82 05 A1 05", "truncated", 6)
    t.bad("err-value-missing-deep", "ERR-3", "82 91 05 A0 06", "truncated", 5)
    t.bad("err-map-value-cut-length", "ERR-3", "91 05 C1 01", "truncated", 2)
    t.bad("err-inner-count", "ERR-3", "82 05 82 05", "truncated", 2)
    t.bad("err-inner-map-count", "ERR-3", "82 05 91 05", "truncated", 2)


def declare_limits():
    t = Topic("limits.json")
    nested = lambda n, inner: "[" * n + inner + "]" * n
    t.ok("depth-128-lists", "LIM-1", "81*127 80", nested(127, "[]"))
    t.ok("depth-128-lists-scalar", "LIM-1", "81*128 00", nested(128, "0"))
    t.over("depth-129-lists", "LIM-1 LIM-6", "81*128 80", "depth-limit", 128)
    t.ok("depth-128-maps", "LIM-1", "91*127 90 00*127", "{" * 128 + "}" + ": 0}" * 127,
         note="each map is the key of the next")
    t.over("depth-129-maps", "LIM-1", "91*128 90 00*128", "depth-limit", 128)
    t.ok("depth-128-map-values", "LIM-1", "91 00 " * 127 + "90", "{0: " * 127 + "{}" + "}" * 127)
    t.over("depth-129-map-values", "LIM-1", "91 00 " * 128 + "90", "depth-limit", 256)
    t.ok("depth-128-ext", "LIM-1", "BF 05 " * 128 + "00", "ext(5, " * 128 + "0" + ")" * 128)
    t.over("depth-129-ext", "LIM-1", "BF 05 " * 129 + "00", "depth-limit", 256)
    t.ok("depth-128-some", "LIM-1", "BB*128 B8", "some(" * 128 + "null" + ")" * 128)
    t.over("depth-129-some", "LIM-1", "BB*129 B8", "depth-limit", 128)
    t.non("depth-128-some-int", "LIM-1", "BB*128 05", "5", "05", 127, note="a wrapper without a meaning counts as well")
    t.over("depth-129-some-int", "LIM-1", "BB*129 05", "depth-limit", 128)
    t.non("depth-128-open", "LIM-1", "D0*128 BE*128", nested(128, ""), "81*127 80", 0)
    t.over("depth-129-open", "LIM-1", "D0*129 BE*129", "depth-limit", 128)
    t.over("depth-129-open-map", "LIM-1", "81*128 D1 BE", "depth-limit", 128)
    t.over("depth-129-after-good", "LIM-1 LIM-6", "82 05 " + "81*127 80", "depth-limit", 129)
    t.ok("depth-mixed-128", "LIM-1", "81 91 00 BF 05 " * 42 + "81 80",
         "[{0: ext(5, " * 42 + "[[]]" + ")}]" * 42)
    t.over("depth-before-count", "LIM-2", "81*129", "depth-limit", 128,
           note="the count of the last list is refused as well, later")
    t.bad("depth-head-first", "LIM-2", "81*128 C8", "truncated", 128, note="the head has to be complete")
    t.over("depth-long-head", "LIM-2 CAN-8", "81*128 C8 00", "depth-limit", 128,
           strict_error="depth-limit", strict_offset=128)
    t.ok("depth-0-scalar", "LIM-1", "05", "5", max_depth=0)
    t.over("depth-0-list", "LIM-1", "80", "depth-limit", 0, max_depth=0)
    t.ok("depth-2", "LIM-1 LIM-5", "81 80", "[[]]", max_depth=2)
    t.over("depth-2-over", "LIM-1 LIM-5", "81 81 80", "depth-limit", 2, max_depth=2,
           note="an encoder with this limit refuses [[[]]] too")
    t.ok("depth-siblings", "LIM-1", "83 80 80 80", "[[], [], []]", max_depth=2)
    t.bad("claim-list", "LIM-3", "CA 00 00 00 40 00*16", "truncated", 0)
    t.bad("claim-map", "LIM-3", "CE 00 00 00 40 00*16", "truncated", 0)
    t.bad("claim-str", "LIM-3", "C2 00 00 00 40 61*16", "truncated", 0)
    t.ok("claim-exact", "LIM-3", "83 00 00 00", "[0, 0, 0]")
    t.ok("input-exact", "LIM-4", "45 68 65 6C 6C 6F", '"hello"', max_input=6)
    t.over("input-over", "LIM-4", "45 68 65 6C 6C 6F", "input-limit", 5, max_input=5)
    t.over("input-over-in-list", "LIM-4", "83 01 02 03", "input-limit", 3, max_input=3)


def declare_canonical():
    t = Topic("canonical.json")
    t.ok("can-sorted-by-bytes", "CAN-5", "93 05 00 41 61 01 FF 02", '{5: 0, "a": 1, -1: 2}',
         note="-1 is FF: bytes are compared, not numbers")
    t.ok("can-sorted-by-length-byte", "CAN-5", "92 41 62 00 42 61 61 01", '{"b": 0, "aa": 1}', note="41 62 is before 42 61 61")
    t.ok("can-sorted-ints", "CAN-5", "93 0A 00 A0 64 00 A1 00 01 00", "{10: 0, 100: 0, 256: 0}")
    t.ok("can-sorted-little-endian", "CAN-5", "92 A1 00 02 00 A1 FF 01 00", "{512: 0, 511: 0}",
         note="A1 00 02 is before A1 FF 01")
    t.ok("can-high-bytes-unsigned", "CAN-5", "92 41 7F 00 42 C3 A9 00", '{"\x7f": 0, "é": 0}')
    t.non("can-unsorted-ints", "CAN-5 CAN-7", "92 02 00 01 00", "{2: 0, 1: 0}", "92 01 00 02 00", 3,
          preferred="92 02 00 01 00")
    t.non("can-unsorted-last", "CAN-5 CAN-7", "93 01 00 03 00 02 00", "{1: 0, 3: 0, 2: 0}", "93 01 00 02 00 03 00", 5,
          preferred="93 01 00 03 00 02 00")
    t.non("can-unsorted-as-numbers", "CAN-5", "92 FF 00 00 00", "{-1: 0, 0: 0}", "92 00 00 FF 00", 3,
          preferred="92 FF 00 00 00")
    t.non("can-unsorted-inner", "CAN-5 CAN-7", "81 92 02 00 01 00", "[{2: 0, 1: 0}]", "81 92 01 00 02 00", 4,
          preferred="81 92 02 00 01 00")
    t.non("can-unsorted-map-as-key", "CAN-5 CAN-8", "91 92 02 00 01 00 05", "{{2: 0, 1: 0}: 5}", "91 92 01 00 02 00 05", 4,
          preferred="91 92 02 00 01 00 05")
    t.non("can-order-changes-with-key-form", "CAN-5 CAN-7", "92 06 00 A0 05 00", "{6: 0, 5: 0}", "92 05 00 06 00", 3,
          preferred="92 06 00 05 00", note="keys are compared in their canonical form")
    t.non("can-key-before-value", "CAN-8", "92 02 A0 05 01 00", "{2: 5, 1: 0}", "92 01 00 02 05", 2,
          preferred="92 02 05 01 00", note="the value of the first key comes before the second key")
    t.non("can-order-before-value", "CAN-8", "92 02 00 01 A0 05", "{2: 0, 1: 5}", "92 01 05 02 00", 3,
          preferred="92 02 00 01 05", note="a key out of order is reported before its value is read")
    t.non("can-head-before-keys", "CAN-8", "CC 02 02 00 01 00", "{2: 0, 1: 0}", "92 01 00 02 00", 0,
          preferred="92 02 00 01 00")
    t.non("can-two-nans", "CAN-9", "92 B6 00 00 C0 7F 00 B6 00 00 C0 FF 00", "{nan: 0, f64'fff8000000000000': 0}", None, 7,
          preferred="92 B6 00 00 C0 7F 00 B6 00 00 C0 FF 00", canonical_error={"error": "duplicate-key", "offset": 7})
    t.non("can-two-orders", "CAN-9 VAL-7", "92 92 01 00 02 00 05 92 02 00 01 00 06", "{{1: 0, 2: 0}: 5, {2: 0, 1: 0}: 6}", None, 10,
          preferred="92 92 01 00 02 00 05 92 02 00 01 00 06", canonical_error={"error": "duplicate-key", "offset": 7},
          note="two different keys, and one canonical form")
    t.ok("can-idempotent", "CAN-10 PRE-2", "93 05 B0 79 41 61 BB B8 FF 80", '{5: 1.5, "a": some(null), -1: []}')
    t.non("can-everything", "CAN-1 CAN-2 CAN-3 CAN-4 CAN-5 CAN-6",
          "DF 57 42 01 D1 C0 01 62 D0 A0 05 B7 00*6 F8 3F BE 41 61 BB B6 01 00 C0 7F BE",
          "{\"b\": [5, 1.5], \"a\": f64'7ff8000020000000'}", "92 41 61 B6 00 00 C0 7F 41 62 82 05 B0 79", 0,
          preferred="92 41 62 82 05 B0 79 41 61 B6 01 00 C0 7F")
    t.non("can-preferred-is-not-canonical", "PRE-1 PRE-2", "92 41 62 00 41 61 B6 00 00 C0 FF",
          "{\"b\": 0, \"a\": f64'fff8000000000000'}", "92 41 61 B6 00 00 C0 7F 41 62 00", 4,
          preferred="92 41 62 00 41 61 B6 00 00 C0 FF")
    t.bad("can-duplicate-in-order", "CAN-8 MAP-5", "92 01 00 01 00", "duplicate-key", 3,
          strict_error="duplicate-key", strict_offset=3)
    t.bad("can-duplicate-long-form", "CAN-8", "92 05 00 A0 05 00", "duplicate-key", 3,
          strict_error="not-canonical", strict_offset=3)
    t.bad("can-duplicate-before-value", "CAN-8", "92 01 00 01 A0 05", "duplicate-key", 3,
          strict_error="duplicate-key", strict_offset=3)
    t.bad("can-duplicate-apart", "CAN-8", "93 01 00 02 00 01 00", "duplicate-key", 5,
          strict_error="not-canonical", strict_offset=5, note="01 is smaller than 02, the key before it")
    t.bad("can-count-before-head", "CAN-8", "C8 02 05", "truncated", 0, strict_error="truncated", strict_offset=0)
    t.bad("can-cut-before-head", "CAN-8", "C0 02 61", "truncated", 0, strict_error="truncated", strict_offset=0)
    t.bad("can-front-to-back", "CAN-8", "82 A0 05 D4", "reserved-tag", 3, strict_error="not-canonical", strict_offset=1)


def declare_large():
    def large(id, rules, parts, **rest):
        case = {"id": id, "rules": rules.split(), "parts": [[expand(h), n] for h, n in parts]}
        if "canonical_parts" in rest:
            rest["canonical_parts"] = [[expand(h), n] for h, n in rest["canonical_parts"]]
        elif rest["result"] == "canonical":
            rest["canonical_parts"] = case["parts"]
        add("large.json", "large", case | rest)

    for name, rules, tag, kind in (("str", "STR-2", 0xC0, "str"), ("bytes", "BYT-1", 0xC4, "bytes"), ("list", "LST-2", 0xC8, "list")):
        unit = "05" if kind == "list" else "61"
        t1, t2, t3 = (f"{tag + i:02X}" for i in (1, 2, 3))
        large(f"large-{name}-65535", rules, [(f"{t1} FF FF", 1), (unit, 65535)], value={"kind": kind, "length": 65535},
              result="canonical")
        large(f"large-{name}-65536", rules, [(f"{t2} 00 00 01 00", 1), (unit, 65536)], value={"kind": kind, "length": 65536},
              result="canonical")
        large(f"large-{name}-65536-in-8", f"{rules} CAN-2", [(f"{t3} 00 00 01 00 00 00 00 00", 1), (unit, 65536)],
              value={"kind": kind, "length": 65536}, result="noncanonical", strict_offset=0,
              canonical_parts=[(f"{t2} 00 00 01 00", 1), (unit, 65536)])
        large(f"large-{name}-one-short", f"{rules} LIM-3", [(f"{t2} 00 00 01 00", 1), (unit, 65535)], result="invalid",
              error="truncated", offset=0)
    large("large-str-scalar-at-64k", "STR-3", [("C2 01 00 01 00", 1), ("61", 65535), ("C3 A9", 1)],
          value={"kind": "str", "length": 65537}, result="canonical")
    large("large-list-open", "OPN-1 OPN-4", [("D0", 1), ("05", 65536), ("BE", 1)], value={"kind": "list", "length": 65536},
          result="noncanonical", strict_offset=0, canonical_parts=[("CA 00 00 01 00", 1), ("05", 65536)])
    large("large-col-bools", "COL-1 COL-16", [("D2 A2 00 00 01 20", 1), ("00", 8192)], value={"kind": "list", "length": 65536},
          result="noncanonical", strict_offset=0, canonical_parts=[("CA 00 00 01 00", 1), ("B9", 65536)])
    large("large-col-nulls", "COL-13 COL-31 COL-35", [("D2 A2 00 00 01 E0 02", 1), ("00", 8192), ("10", 1)],
          value={"kind": "list", "length": 65536}, result="noncanonical", strict_offset=0,
          canonical_parts=[("CA 00 00 01 00", 1), ("B8", 65536)], note="nulls need no bits but those of their variant")
    large("large-col-text", "COL-21", [("D2 A1 10 27 70 01", 1), ("00", 1250), ("61", 10000)],
          value={"kind": "list", "length": 10000}, result="noncanonical", strict_offset=0,
          canonical_parts=[("C9 10 27", 1), ("41 61", 10000)])
    large("large-col-plain", "COL-12", [("D2 A1 10 27 00 A1 10 27", 1), ("05", 10000)], value={"kind": "list", "length": 10000},
          result="noncanonical", strict_offset=0, canonical_parts=[("C9 10 27", 1), ("05", 10000)])
    large("large-col-one-short", "COL-16 COL-38", [("D2 A2 00 00 01 20", 1), ("00", 8191)], result="invalid", error="truncated", offset=5)
    large("large-col-claim", "COL-35 LIM-3", [("D2 A3 00 00 00 40 20", 1), ("00", 8192)], result="invalid", error="truncated", offset=0)
    large("large-col-bools-5", "COL-44 COL-29", [("D2 A1 40 1F D0 05 40 41 61 41 62 41 63 41 64", 1), *[("20", 1), ("00", 1000)] * 5],
          value={"kind": "list", "length": 8000}, result="noncanonical", strict_offset=0,
          canonical_parts=[("C9 40 1F", 1), ("95 40 B9 41 61 B9 41 62 B9 41 63 B9 41 64 B9", 8000)], note="a table of five bool fields may be of any length")

    # 4,096 columns, and one more: a row of bools and of these, `count` columns each, the last of which begins `last` bytes
    # before the end.
    le = lambda n: n.to_bytes(2, "little").hex()
    for name, rules, column, count, last, value in (
        ("bools", "COL-16", "20 00", 1, 2, "B9"), ("plain", "COL-12", "00 01 05", 1, 3, "05"), ("nullable", "COL-15", "12 01 20 00", 2, 2, "B9"),
        ("sparse", "COL-14 COL-29", "D0 01 41 61 11 00", 2, 2, "90"), ("table", "COL-14 COL-29", "D0 01 41 61 11 01 20 00", 3, 2, "91 41 61 B9"),
        ("union", "COL-31", "E0 02 00 20 00", 2, 2, "B9"), ("nulls", "COL-13", "E0 02 01 10", 2, 1, "B8"), ("dict", "COL-23", "90 01 30 05 00 00", 2, 4, "05"),
        ("lists", "COL-25", "A0 01 20 00", 2, 2, "81 B9"), ("same", "COL-26", "B0 01 20 00", 2, 2, "81 B9"), ("tuples", "COL-27", "B1 01 20 00", 2, 2, "81 B9"),
        ("maps", "COL-28", "C0 01 30 05 00 20 00", 3, 2, "91 05 B9"), ("ext", "COL-32", "F0 05 20 00", 2, 2, "BF 05 B9"),
    ):
        times = 4095 // count
        bools = 4095 - times * count
        row = lambda bools: [(f"D2 01 B1 A1 {le(bools + times)}", 1), ("20 00", bools), (column, times)]
        large(f"large-columns-{name}", f"COL-45 {rules}", row(bools), value={"kind": "list", "length": 1}, result="noncanonical", strict_offset=0,
              canonical_parts=[(f"81 C9 {le(bools + times)}", 1), ("B9", bools), (value, times)])
        large(f"large-columns-{name}-over", f"COL-45 {rules}", row(bools + 1), result="invalid", error="invalid-column",
              offset=6 + 2 * (bools + 1) + len(cat(column)) * times - last)
    large("large-columns-map", "COL-45 COL-2", [("D3 01 30 05 00 B1 A1 FE 0F", 1), ("20 00", 4094)], value={"kind": "map", "length": 1},
          result="noncanonical", strict_offset=0, canonical_parts=[("91 05 C9 FE 0F", 1), ("B9", 4094)])
    large("large-columns-map-over", "COL-45 COL-2", [("D3 01 30 05 00 B1 A1 FF 0F", 1), ("20 00", 4095)], result="invalid", error="invalid-column",
          offset=9 + 2 * 4094)
    large("large-columns-in-plain", "COL-45 COL-12", [("D2 01 B1 A1 FF 0F", 1), ("20 00", 4094), ("00 A1 04 20 D2 01 B1 A1 FF 0F", 1), ("20 00", 4095)],
          value={"kind": "list", "length": 1}, result="noncanonical", strict_offset=0,
          canonical_parts=[("81 C9 FF 0F", 1), ("B9", 4094), ("81 C9 FF 0F", 1), ("B9", 4095)], note="columns in a plain column are counted for themselves")
    large("large-columns-after-plain", "COL-45 COL-12", [("D2 01 B1 A1 00 10 00 A1 04 20 D2 01 B1 A1 FF 0F", 1), ("20 00", 8190)], result="invalid",
          error="invalid-column", offset=16 + 2 * 8189)
    large("large-columns-two", "COL-45", [("82", 1), *[("D2 01 B1 A1 FF 0F", 1), ("20 00", 4095)] * 2], value={"kind": "list", "length": 2},
          result="noncanonical", strict_offset=1, canonical_parts=[("82", 1), *[("81 C9 FF 0F", 1), ("B9", 4095)] * 2])
    large("large-columns-none-left", "COL-45 COL-38 COL-40", [("D2 01 B1 A1 00 10", 1), ("20 00", 4095)], result="invalid", error="truncated", offset=8196,
          note="the column that would be too many has no byte")
    large("large-columns-kind", "COL-45 COL-40", [("D2 01 B1 A1 00 10", 1), ("20 00", 4095), ("20", 1)], result="invalid", error="invalid-column", offset=8196,
          note="its bits are missing, too")
    for bools, error in (3968, "depth-limit"), (3969, "invalid-column"):
        large(f"large-columns-deep-{bools}", "COL-45 COL-40 COL-34", [("D2 01", 1), ("B0 01", 126), (f"B1 A1 {le(bools + 1)}", 1), ("20 00", bools), ("A0", 1)],
              result="limit" if error == "depth-limit" else "invalid", error=error, offset=258 + 2 * bools)
    large("large-col-depth", "COL-34 LIM-6", [("D2 01", 1), ("A0 01", 100000), ("20 01", 1)], result="limit", error="depth-limit", offset=256)
    large("large-depth", "LIM-1 LIM-6", [("81", 100000), ("05", 1)], result="limit", error="depth-limit", offset=128)
    large("large-depth-open", "LIM-1 LIM-6", [("D0", 100000), ("BE", 100000)], result="limit", error="depth-limit", offset=128)
    large("large-depth-some", "LIM-1 LIM-6", [("BB", 100000), ("B8", 1)], result="limit", error="depth-limit", offset=128)


def declare_equality():
    def eq(id, rules, a, b, same):
        add("equality.json", "equality", {"id": id, "rules": rules.split(), "a": expand(a), "b": expand(b), "equal": same})

    eq("eq-null", "VAL-1", "B8", "B8", True)
    eq("eq-null-false", "VAL-1", "B8", "B9", False)
    eq("eq-false-zero", "VAL-1", "B9", "00", False)
    eq("eq-null-empty-text", "VAL-1", "B8", "40", False)
    eq("eq-int-widths", "VAL-2", "05", "A7 05 00*7", True)
    eq("eq-int-16", "VAL-2", "FF", "BD 00*16", True)
    eq("eq-int-sign", "VAL-2", "05", "FB", False)
    eq("eq-u64-max-minus-1", "VAL-2 INT-4", "A7 FF*8", "FF", False)
    eq("eq-float-forms", "VAL-3", "B0 79", "B7 00*6 F8 3F", True)
    eq("eq-zeros", "VAL-3", "B0 00", "B6 00 00 00 80", False)
    eq("eq-nan-itself", "VAL-3", "B6 00 00 C0 7F", "B7 00*6 F8 7F", True)
    eq("eq-nan-payloads", "VAL-3", "B6 00 00 C0 7F", "B6 01 00 C0 7F", False)
    eq("eq-int-float", "VAL-4", "01", "B0 08", False)
    eq("eq-text-bytes", "VAL-5", "41 61", "C4 01 61", False)
    eq("eq-text-normalization", "VAL-5", "42 C3 A9", "43 65 CC 81", False)
    eq("eq-text-heads", "VAL-5", "41 61", "C3 01 00*7 61", True)
    eq("eq-list", "VAL-6", "82 01 02", "D0 01 02 BE", True)
    eq("eq-list-order", "VAL-6", "82 01 02", "82 02 01", False)
    eq("eq-list-prefix", "VAL-6", "82 01 02", "83 01 02 03", False)
    eq("eq-list-map", "VAL-6", "80", "90", False)
    eq("eq-list-bytes", "VAL-5 VAL-6", "81 05", "C4 01 05", False)
    eq("eq-map", "VAL-7", "91 05 06", "D1 05 06 BE", True)
    eq("eq-map-order", "VAL-7", "92 01 00 02 00", "92 02 00 01 00", False)
    eq("eq-map-value", "VAL-7", "91 05 06", "91 05 07", False)
    eq("eq-ext", "VAL-8", "BF 05 00", "BF A0 05 A0 00", True)
    eq("eq-ext-type", "VAL-8", "BF 05 00", "BF 06 00", False)
    eq("eq-ext-payload", "VAL-8", "BF 05 00", "BF 05 01", False)
    eq("eq-ext-plain", "VAL-8", "BF 00 05", "05", False)
    eq("eq-some-null", "VAL-9", "BB B8", "B8", False)
    eq("eq-some-some-null", "VAL-9", "BB BB B8", "BB B8", False)
    eq("eq-some-int", "VAL-9", "BB 05", "05", True)
    eq("eq-some-some-int", "VAL-9", "BB BB 05", "05", True)
    eq("eq-some-list", "VAL-9", "BB 81 B8", "81 B8", True)
    eq("eq-some-false", "VAL-9", "BB B9", "B9", True)
    eq("eq-some-inside", "VAL-9", "81 BB B8", "81 B8", False)
    eq("eq-signature", "SIG-1", "DF 57 42 01 05", "05", True)
    eq("eq-col-list", "COL-1 COL-4 VAL-6", "D2 03 30 00 05", "83 01 00 01", True)
    eq("eq-col-list-order", "COL-1 VAL-6", "D2 02 20 01", "82 B9 BA", False)
    eq("eq-col-map", "COL-2 COL-4 VAL-7", "D3 02 70 01 00 61 62 30 01 02", "92 41 61 01 41 62 02", True)
    eq("eq-col-map-order", "COL-2 VAL-7", "D3 02 70 01 00 62 61 30 01 02", "92 41 61 02 41 62 01", False)
    eq("eq-col-list-map", "COL-1 COL-2", "D2 02 30 00 02", "D3 01 30 00 00 30 01 00", False)
    eq("eq-col-steps-other", "COL-17 COL-18", "D2 03 41 05 01 01", "D2 03 32 05 50 00", False)
    eq("eq-col-steps", "COL-17 COL-18", "D2 03 40 05 01 02", cat("D2 03", c_int(5, 6, 8)).hex(), True)
    eq("eq-col-dict", "COL-21 COL-23", "D2 03 90 02 70 01 00 61 62 02", cat("D2 03", c_text("a", "b", "a")).hex(), True)
    eq("eq-col-int-float", "COL-17 COL-19 VAL-4", "D2 01 30 05 00", cat("D2 01", c_singles(5.0)).hex(), False)
    eq("eq-col-decimal-float", "COL-19 COL-20", cat("D2 02", c_decimal(1, 15, -7)).hex(), cat("D2 02", c_floats(1.5, -0.7)).hex(), True)
    eq("eq-col-text-bytes", "COL-21 COL-22 VAL-5", "D2 01 70 01 00 61", "D2 01 80 01 00 61", False)
    eq("eq-col-nullable-union", "COL-15 COL-31", "D2 02 12 01 20 01", "D2 02 E0 02 02 20 01 10", True)
    eq("eq-col-table-maps", "COL-28 COL-29", cat("D2 01", c_table(("a", c_int(1)))).hex(), cat("D2 01", c_maps([1], c_text("a"), c_int(1))).hex(), True)
    eq("eq-col-table-sparse-null", "COL-14 COL-15", cat("D2 02", c_table(("a", c_sparse("10", c_int(1))))).hex(),
       cat("D2 02", c_table(("a", c_nullable("10", c_int(1))))).hex(), False)
    eq("eq-col-lists-same", "COL-25 COL-26", cat("D2 02", c_lists([2, 2], c_int(1, 2, 3, 4))).hex(), cat("D2 02", c_same(2, c_int(1, 2, 3, 4))).hex(), True)
    eq("eq-col-same-tuples", "COL-26 COL-27", cat("D2 02", c_same(2, c_int(1, 2, 3, 4))).hex(), cat("D2 02", c_tuples(c_int(1, 3), c_int(2, 4))).hex(), True)
    eq("eq-col-nan-itself", "COL-19 VAL-3", "D2 01 51 00 00 C0 7F", "D2 01 50 00*6 F8 7F", True)


def declare_sequences():
    def seq(id, rules, hex, diags, error=None, offset=None):
        case = {"id": id, "rules": rules.split(), "hex": expand(hex), "diags": diags}
        if error:
            case |= {"error": error, "offset": offset}
        add("sequences.json", "sequence", case)

    seq("seq-none", "GEN-6", "", [])
    seq("seq-one", "GEN-6", "05", ["5"])
    seq("seq-three", "GEN-6", "05 41 61 80", ["5", '"a"', "[]"])
    seq("seq-open", "GEN-6 OPN-1", "D0 BE D1 BE", ["[]", "{}"])
    seq("seq-signature", "GEN-6 SIG-1", "DF 57 42 01 05 06", ["5", "6"])
    seq("seq-signature-only", "GEN-6 SIG-4", "DF 57 42 01", [], "truncated", 4)
    seq("seq-cut", "GEN-6", "05 A1 05", ["5"], "truncated", 1)
    seq("seq-cut-list", "GEN-6", "05 06 82 A0 05", ["5", "6"], "truncated", 5)
    seq("seq-signature-later", "GEN-6 SIG-1 SIG-2", "05 DF 57 42 01 06", ["5"], "bad-signature", 1)
    seq("seq-two-signatures", "GEN-6 SIG-2", "DF 57 42 01 05 DF 57 42 01 06", ["5"], "bad-signature", 5)
    seq("seq-end", "GEN-6 OPN-3", "05 BE", ["5"], "unexpected-end", 1)
    seq("seq-reserved", "GEN-6 TAG-2", "05 D4 06", ["5"], "reserved-tag", 1)
    seq("seq-columns", "GEN-6 COL-1 COL-2", "D2 02 20 01 05 D3 01 20 01 30 07 00", ["[true, false]", "5", "{true: 7}"])
    seq("seq-columns-signature", "GEN-6 COL-1 SIG-1", "DF 57 42 01 D2 01 20 01 D2 01 20 00", ["[true]", "[false]"])
    seq("seq-columns-cut", "GEN-6 COL-38", "D2 01 20 01 D2 01 30 05", ["[true]"], "truncated", 6)
    seq("seq-columns-bad", "GEN-6 COL-33", "05 D2 01 10 06", ["5"], "invalid-column", 3)


def declare_diag():
    def both(id, rules, text, hex):
        add("diag.json", "diag", {"id": id, "rules": rules.split(), "text": text, "hex": expand(hex)})

    def read(id, rules, text, hex, printed):
        add("diag.json", "diag", {"id": id, "rules": rules.split(), "text": text, "hex": expand(hex), "printed": printed})

    def no(id, rules, text):
        add("diag.json", "diag", {"id": id, "rules": rules.split(), "text": text, "error": "refused"})

    both("diag-null", "DIA-1", "null", "B8")
    both("diag-list", "DIA-1 DIA-8", "[1, 2]", "82 01 02")
    both("diag-map", "DIA-1 DIA-8", '{"a": 1, 5: 2}', "92 41 61 01 05 02")
    both("diag-empty", "DIA-8", "[[], {}, h'', \"\"]", "84 80 90 C4 00 40")
    both("diag-ext", "DIA-1 DIA-8", "ext(5, [])", "BF 05 80")
    read("diag-space", "DIA-1", " [ 1\t,\r\n2 ] ", "82 01 02", "[1, 2]")
    read("diag-no-space", "DIA-1", '{"a":1,5:2}', "92 41 61 01 05 02", '{"a": 1, 5: 2}')
    read("diag-ext-space", "DIA-1", "ext ( 5 , some ( null ) )", "BF 05 BB B8", "ext(5, some(null))")
    read("diag-comment", "DIA-1", "# first\n[1, # one\n 2] # last", "82 01 02", "[1, 2]")
    no("diag-nothing", "DIA-1", "")
    no("diag-comment-only", "DIA-1", "# 1")
    no("diag-two-values", "DIA-1", "1 2")
    no("diag-trailing-comma-list", "DIA-1", "[1,]")
    no("diag-trailing-comma-map", "DIA-1", "{1: 2,}")
    no("diag-open-list", "DIA-1", "[1")
    no("diag-no-colon", "DIA-1", "{1 2}")
    no("diag-upper-case", "DIA-1", "NULL")
    no("diag-unknown-word", "DIA-1", "nil")
    no("diag-ext-one-argument", "DIA-1", "ext(5)")
    no("diag-some-nothing", "DIA-1", "some()")
    both("diag-int", "DIA-2 DIA-3", "1", "01")
    both("diag-float", "DIA-2 DIA-4", "1.0", "B0 08")
    read("diag-float-exponent", "DIA-2 DIA-4", "1e0", "B0 08", "1.0")
    read("diag-float-upper-exponent", "DIA-1 DIA-2", "15E-1", "B0 79", "1.5")
    read("diag-float-plus-exponent", "DIA-1 DIA-2", "1.5e+00", "B0 79", "1.5")
    no("diag-minus-zero-int", "DIA-2", "-0")
    no("diag-leading-zero", "DIA-1 DIA-3", "05")
    no("diag-plus", "DIA-1", "+5")
    no("diag-point-alone", "DIA-1", "1.")
    no("diag-point-first", "DIA-1", ".5")
    no("diag-hex-number", "DIA-1", "0x10")
    both("diag-int-negative", "DIA-3", "-5", "FB")
    both("diag-int-largest", "DIA-3 DIA-10", "340282366920938463463374607431768211455", "BC FF*16")
    both("diag-int-lowest", "DIA-3 DIA-10", "-170141183460469231731687303715884105728", "BD FF*15 7F")
    no("diag-int-too-large", "DIA-10", "340282366920938463463374607431768211456")
    no("diag-int-too-low", "DIA-10", "-170141183460469231731687303715884105729")
    both("diag-float-zero", "DIA-4", "0.0", "B0 00")
    both("diag-float-minus-zero", "DIA-4", "-0.0", "B6 00 00 00 80")
    both("diag-float-small-plain", "DIA-4", "0.0001", "B0 0C")
    both("diag-float-small-exponent", "DIA-4", "1e-5", "B0 0D")
    both("diag-float-small-digits", "DIA-4", "9.9e-5", "B1 1E 03")
    both("diag-float-large-plain", "DIA-4", "9999999999999998.0", "B7 " + float_hex(9999999999999998.0))
    both("diag-float-large-exponent", "DIA-4", "1e16", "B7 " + float_hex(1e16))
    both("diag-float-large-digits", "DIA-4", "1.2345e19", "B7 " + float_hex(1.2345e19))
    both("diag-float-1e15", "DIA-4", "1000000000000000.0", "B7 " + float_hex(1e15))
    both("diag-float-integral", "DIA-4", "123456.75", "B6 60 20 F1 47")
    both("diag-float-shortest", "DIA-4", "0.3", "B0 19")
    both("diag-float-not-0.3", "DIA-4", "0.30000000000000004", "B7 34 33*5 D3 3F")
    both("diag-float-smallest", "DIA-4", "5e-324", "B7 01 00*7")
    both("diag-float-2-to-minus-20", "DIA-4", "9.5367431640625e-7", "B6 00 00 80 35")
    both("diag-float-largest", "DIA-4", "1.7976931348623157e308", "B7 FF*6 EF 7F")
    read("diag-float-long", "DIA-4", "0.1000000000000000055511151231257827", "B0 09", "0.1")
    read("diag-float-underflow", "DIA-4", "1e-400", "B0 00", "0.0")
    both("diag-nan", "DIA-5", "nan", "B6 00 00 C0 7F")
    both("diag-nan-bits", "DIA-5", "f64'7ff8000000000001'", "B7 01 00*5 F8 7F")
    both("diag-nan-negative", "DIA-5", "f64'fff8000000000000'", "B6 00 00 C0 FF")
    read("diag-bits-nan", "DIA-5", "f64'7FF8000000000000'", "B6 00 00 C0 7F", "nan")
    read("diag-bits-1.5", "DIA-5", "f64'3ff8000000000000'", "B0 79", "1.5")
    both("diag-inf", "DIA-5", "[inf, -inf]", "82 B6 00 00 80 7F B6 00 00 80 FF")
    no("diag-overflow", "DIA-5", "1e309")
    no("diag-minus-nan", "DIA-1 DIA-5", "-nan")
    no("diag-bits-short", "DIA-1 DIA-5", "f64'7ff8'")
    both("diag-string-escapes", "DIA-6", '"\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f"', "49 22 5C 08 0C 0A 0D 09 00 1F")
    both("diag-string-verbatim", "DIA-6", '"/\x7fé\u2028😀"', "4B 2F 7F C3 A9 E2 80 A8 F0 9F 98 80")
    read("diag-string-read-escapes", "DIA-6", '"\\/\\u00E9\\ud83d\\uDE00"', "47 2F C3 A9 F0 9F 98 80", '"/é😀"')
    no("diag-string-surrogate", "DIA-6", '"\\ud83d"')
    no("diag-string-low-surrogate", "DIA-6", '"\\ude00a"')
    no("diag-string-control", "DIA-1 DIA-6", '"\n"')
    no("diag-string-escape", "DIA-1 DIA-6", '"\\x41"')
    no("diag-string-open", "DIA-1", '"a')
    no("diag-string-quotes", "DIA-1", "'a'")
    both("diag-bytes", "DIA-7", "h'00ff'", "C4 02 00 FF")
    read("diag-bytes-upper", "DIA-7", "h'00FF'", "C4 02 00 FF", "h'00ff'")
    no("diag-bytes-odd", "DIA-7", "h'00f'")
    no("diag-bytes-space", "DIA-7", "h'00 ff'")
    both("diag-some", "DIA-9", "some(null)", "BB B8")
    both("diag-some-some", "DIA-9", "[some(some(null))]", "81 BB BB B8")
    read("diag-some-int", "DIA-9 DIA-10", "some(5)", "05", "5")
    read("diag-some-some-int", "DIA-9 DIA-10", "some(some(5))", "05", "5")
    both("diag-preferred-order", "DIA-10 PRE-2", '{"b": 1, "a": 2}', "92 41 62 01 41 61 02")
    no("diag-equal-keys", "DIA-10", "{1: 2, 1: 3}")
    no("diag-equal-keys-some", "DIA-10", "{5: 0, some(5): 0}")
    both("diag-ext-largest", "DIA-10", "ext(18446744073709551615, 0)", "BF A7 FF*8 00")
    no("diag-ext-too-large", "DIA-10", "ext(18446744073709551616, 0)")
    no("diag-ext-negative", "DIA-10", "ext(-1, 0)")
    no("diag-ext-text", "DIA-1", 'ext("a", 0)')
    no("diag-deep", "DIA-10 LIM-5", "[" * 129 + "]" * 129)


def declare_json():
    def case(direction, id, rules, text, hex=None, **extra):
        c = {"id": id, "rules": rules.split(), "json": text}
        if hex is not None:
            c["hex"] = expand(hex)
        add("json.json", "json", c | {"direction": direction} | extra)

    both = lambda *a, **k: case("both", *a, **k)
    read = lambda *a, **k: case("from", *a, **k)
    write = lambda *a, **k: case("to", *a, **k)
    no = lambda id, rules, text, **k: case("from", id, rules, text, error="refused", **k)

    both("json-null", "JSN-1", "null", "B8")
    both("json-bools", "JSN-1", "[true, false]", "82 BA B9")
    both("json-string", "JSN-1", '"é"', "42 C3 A9")
    both("json-array", "JSN-1", "[1, [2], {}]", "83 01 81 02 90")
    both("json-object-order", "JSN-1 JSN-7", '{"b": 1, "a": 2}', "92 41 62 01 41 61 02")
    read("json-escapes", "JSN-1", '"\\u00e9\\ud83d\\ude00"', "46 C3 A9 F0 9F 98 80")
    no("json-repeated-name", "JSN-1", '{"a": 1, "a": 2}', needs="repeated-names")
    no("json-surrogate", "JSN-1", '"\\ud83d"')
    both("json-int", "JSN-2 JSN-3", "5", "05")
    both("json-float", "JSN-2 JSN-4", "5.0", "B0 28")
    both("json-float-1.5", "JSN-2 JSN-4", "1.5", "B0 79")
    read("json-float-exponent", "JSN-2", "5e0", "B0 28")
    read("json-float-upper-exponent", "JSN-2", "15E-1", "B0 79")
    both("json-minus-zero-float", "JSN-2 JSN-4", "-0.0", "B6 00 00 00 80")
    read("json-minus-zero-int", "JSN-2", "-0", "B6 00 00 00 80")
    both("json-0.1", "JSN-2 JSN-4", "0.1", "B0 09")
    both("json-1e300", "JSN-2 JSN-4", "1e300", "B7 9C 75 00 88 3C E4 37 7E")
    both("json-large-float", "JSN-4", "1e22", "B7 " + float_hex(1e22))
    both("json-smallest-float", "JSN-2 JSN-4", "5e-324", "B7 01 00*7")
    no("json-float-overflow", "JSN-2", "1e999")
    both("json-u64-max", "JSN-2 JSN-3", "18446744073709551615", "A7 FF*8")
    both("json-i64-min", "JSN-2 JSN-3", "-9223372036854775808", "AF FF*7 7F")
    read("json-2-to-64-number", "JSN-2", "18446744073709551616", "BC 00*8 01 00*7", needs="exact-ints")
    no("json-too-large", "JSN-2", "340282366920938463463374607431768211456", needs="exact-ints")
    no("json-too-low", "JSN-2", "-170141183460469231731687303715884105729", needs="exact-ints")
    both("json-2-to-64", "JSN-3", '{"$wbin:int": "18446744073709551616"}', "BC 00*8 01 00*7")
    both("json-u128-max", "JSN-3", '{"$wbin:int": "340282366920938463463374607431768211455"}', "BC FF*16")
    both("json-below-i64-min", "JSN-3", '{"$wbin:int": "-9223372036854775809"}', "AF 00*7 80")
    both("json-i128-min", "JSN-3", '{"$wbin:int": "-170141183460469231731687303715884105728"}', "BD FF*15 7F")
    read("json-int-form-small", "JSN-9", '{"$wbin:int": "5"}', "05")
    read("json-int-form-zero", "JSN-9", '{"$wbin:int": "0"}', "00")
    no("json-int-form-too-large", "JSN-9", '{"$wbin:int": "340282366920938463463374607431768211456"}')
    no("json-int-form-leading-zero", "JSN-9", '{"$wbin:int": "05"}')
    no("json-int-form-minus-zero", "JSN-9", '{"$wbin:int": "-0"}')
    no("json-int-form-plus", "JSN-9", '{"$wbin:int": "+5"}')
    no("json-int-form-float", "JSN-9", '{"$wbin:int": "1.0"}')
    no("json-int-form-number", "JSN-9", '{"$wbin:int": 5}')
    no("json-int-form-empty", "JSN-9", '{"$wbin:int": ""}')
    both("json-nan", "JSN-4", '{"$wbin:float": "nan"}', "B6 00 00 C0 7F")
    both("json-inf", "JSN-4", '{"$wbin:float": "inf"}', "B6 00 00 80 7F")
    both("json-minus-inf", "JSN-4", '{"$wbin:float": "-inf"}', "B6 00 00 80 FF")
    both("json-nan-bits", "JSN-4", '{"$wbin:float": "7ff8000000000001"}', "B7 01 00*5 F8 7F")
    read("json-nan-bits-upper", "JSN-9", '{"$wbin:float": "7FF8000000000001"}', "B7 01 00*5 F8 7F")
    read("json-float-form-finite", "JSN-9", '{"$wbin:float": "3ff8000000000000"}', "B0 79")
    no("json-float-form-number", "JSN-9", '{"$wbin:float": 1.5}')
    no("json-float-form-decimal", "JSN-9", '{"$wbin:float": "1.5"}')
    no("json-float-form-short", "JSN-9", '{"$wbin:float": "7ff8"}')
    no("json-float-form-name", "JSN-9", '{"$wbin:float": "NaN"}')
    both("json-bytes", "JSN-5", '{"$wbin:bytes": "00ff"}', "C4 02 00 FF")
    both("json-bytes-empty", "JSN-5", '{"$wbin:bytes": ""}', "C4 00")
    read("json-bytes-upper", "JSN-5", '{"$wbin:bytes": "00FF"}', "C4 02 00 FF")
    no("json-bytes-odd", "JSN-5 JSN-9", '{"$wbin:bytes": "0"}')
    no("json-bytes-no-hex", "JSN-5 JSN-9", '{"$wbin:bytes": "0g"}')
    both("json-ext", "JSN-6", '{"$wbin:ext": [5, [1]]}', "BF 05 81 01")
    both("json-ext-largest", "JSN-6", '{"$wbin:ext": [18446744073709551615, null]}', "BF A7 FF*8 B8")
    read("json-ext-int-form", "JSN-6", '{"$wbin:ext": [{"$wbin:int": "5"}, 1]}', "BF 05 01")
    both("json-ext-nested", "JSN-6", '{"$wbin:ext": [5, {"$wbin:ext": [6, {"$wbin:bytes": "00"}]}]}', "BF 05 BF 06 C4 01 00")
    no("json-ext-negative", "JSN-6 JSN-9", '{"$wbin:ext": [-1, 0]}')
    no("json-ext-float-type", "JSN-6 JSN-9", '{"$wbin:ext": [5.0, 0]}')
    no("json-ext-no-payload", "JSN-6 JSN-9", '{"$wbin:ext": [5]}')
    both("json-map-int-key", "JSN-7", '{"$wbin:map": [[1, 2]]}', "91 01 02")
    both("json-map-mixed-keys", "JSN-7", '{"$wbin:map": [["a", 0], [1, 2]]}', "92 41 61 00 01 02")
    both("json-map-list-key", "JSN-7", '{"$wbin:map": [[[1], {"$wbin:map": [[null, 0]]}]]}', "91 81 01 91 B8 00")
    both("json-map-reserved-name", "JSN-7", '{"$wbin:map": [["$wbin:x", 1]]}', "91 47 24 77 62 69 6E 3A 78 01")
    both("json-map-prefix-only", "JSN-7", '{"$wbin:map": [["$wbin:", 1]]}', "91 46 24 77 62 69 6E 3A 01")
    both("json-near-prefix", "JSN-7 JSN-9", '{"$wbin": 1}', "91 45 24 77 62 69 6E 01")
    both("json-two-members", "JSN-7 JSN-9", '{"$wbin:int": 1, "a": 2}', "92 49 24 77 62 69 6E 3A 69 6E 74 01 41 61 02")
    both("json-empty-object", "JSN-7", "{}", "90")
    read("json-map-form-text-keys", "JSN-9", '{"$wbin:map": [["a", 1]]}', "91 41 61 01")
    read("json-map-form-empty", "JSN-9", '{"$wbin:map": []}', "90")
    no("json-map-form-equal-keys", "JSN-9", '{"$wbin:map": [[1, 2], [1, 3]]}')
    no("json-map-form-short-entry", "JSN-9", '{"$wbin:map": [[1]]}')
    no("json-map-form-object", "JSN-9", '{"$wbin:map": {"a": 1}}')
    write("json-some", "JSN-8", "null", "BB B8")
    write("json-some-in-list", "JSN-8", "[null, null]", "82 B8 BB B8")
    write("json-some-as-key", "JSN-8", '{"$wbin:map": [[null, 0]]}', "91 BB B8 00")
    case("to", "json-some-equal-keys", "JSN-8 MAP-7", "", "92 B8 00 BB B8 01", error="refused")
    no("json-unknown-form", "JSN-9", '{"$wbin:x": 1}')
    no("json-prefix-form", "JSN-9", '{"$wbin:": 1}')
    both("json-nested-forms", "JSN-4 JSN-5", '{"a": [{"$wbin:bytes": "00"}, {"$wbin:float": "inf"}]}',
         "91 41 61 82 C4 01 00 B6 00 00 80 7F")
    table = c_table(("id", c_int(1, 2)), ("price", c_decimal(2, 1299, 5)), ("note", c_sparse("10", c_text("new"))))
    write("json-columns-table", "JSN-7 COL-29", '[{"id": 1, "price": 12.99, "note": "new"}, {"id": 2, "price": 0.05}]', by_columns(2, table).hex())
    write("json-columns-map", "JSN-7 COL-2", '{"b": true, "a": false}', by_columns(2, c_text("b", "a"), c_bool("10")).hex())
    write("json-columns-int-keys", "JSN-7 COL-28", '[{"$wbin:map": [[1, 2]]}, {}]', by_columns(2, c_maps([1, 0], c_int(1), c_int(2))).hex())
    write("json-columns-floats", "JSN-4 COL-19", '[1.0, -0.0, {"$wbin:float": "inf"}]', by_columns(3, c_floats(1.0, -0.0, float("inf"))).hex())
    write("json-columns-bytes", "JSN-5 COL-22", '[{"$wbin:bytes": "00ff"}, null]', by_columns(2, c_nullable("10", c_bytes(b"\x00\xFF"))).hex())
    write("json-columns-ext", "JSN-6 COL-32", '[{"$wbin:ext": [5, "a"]}]', by_columns(1, c_ext(5, c_text("a"))).hex())
    case("to", "json-columns-some-keys", "JSN-8 COL-2", "null", "D3 02 00 03 B8 BB B8 20 02", error="refused")


def declare_serde():
    def case(direction, id, rules, type, hex, text, value=None, error=None):
        c = {"id": id, "rules": rules.split(), "type": type, "hex": expand(hex), "diag": text, "direction": direction}
        if error:
            c["error"] = error
        else:
            c["value"] = value
        add("serde.json", "serde", c)

    both = lambda *a: case("both", *a)
    read = lambda *a: case("read", *a)
    no = lambda id, rules, type, hex, text, error: case("read", id, rules, type, hex, text, error=error)

    both("serde-bool", "SRD-1", "bool", "BA", "true", "true")
    both("serde-i8", "SRD-1", "i8", "A8 7F", "-128", "-128")
    both("serde-i16", "SRD-1", "i16", "A9 FF 7F", "-32768", "-32768")
    both("serde-i32", "SRD-1", "i32", "A3 FF FF FF 7F", "2147483647", "2147483647")
    both("serde-i64", "SRD-1", "i64", "AF FF*7 7F", "-9223372036854775808", "-9223372036854775808")
    both("serde-i128", "SRD-1 SRD-9", "i128", "BD FF*15 7F", "-170141183460469231731687303715884105728",
         "-170141183460469231731687303715884105728")
    both("serde-u8", "SRD-1", "u8", "A0 FF", "255", "255")
    both("serde-u16", "SRD-1", "u16", "A1 FF FF", "65535", "65535")
    both("serde-u32", "SRD-1", "u32", "A3 FF*4", "4294967295", "4294967295")
    both("serde-u64", "SRD-1", "u64", "A7 FF*8", "18446744073709551615", "18446744073709551615")
    both("serde-u128", "SRD-1 SRD-9", "u128", "BC FF*16", "340282366920938463463374607431768211455",
         "340282366920938463463374607431768211455")
    both("serde-i128-small", "SRD-9", "i128", "05", "5", "5")
    both("serde-u128-64-bits", "SRD-9", "u128", "A7 FF*8", "18446744073709551615", "18446744073709551615")
    both("serde-f32", "SRD-1 SRD-6", "f32", "B6 CD CC CC 3D", "0.10000000149011612", "0.1")
    read("serde-f32-rounded", "SRD-6", "f32", "B0 09", "0.1", "0.1")
    both("serde-f32-short", "SRD-1", "f32", "B0 79", "1.5", "1.5")
    both("serde-f64", "SRD-1", "f64", "B0 09", "0.1", "0.1")
    both("serde-f64-minus-zero", "SRD-1", "f64", "B6 00 00 00 80", "-0.0", "-0.0")
    both("serde-f64-nan", "SRD-1", "f64", "B6 00 00 C0 7F", "nan", "NaN")
    both("serde-char", "SRD-1", "char", "44 F0 9F 98 80", '"😀"', "'😀'")
    no("serde-char-two", "SRD-1", "char", "42 61 62", '"ab"', "invalid-value")
    no("serde-char-none", "SRD-1", "char", "40", '""', "invalid-value")
    both("serde-string", "SRD-1", "String", "41 61", '"a"', '"a"')
    both("serde-bytes", "SRD-1", "bytes", "C4 02 00 FF", "h'00ff'", "[0, 255]")
    read("serde-bytes-from-list", "SRD-5", "bytes", "82 00 A0 FF", "[0, 255]", "[0, 255]")
    both("serde-vec-u8", "SRD-5", "Vec<u8>", "82 00 A0 FF", "[0, 255]", "[0, 255]")
    read("serde-vec-u8-from-bytes", "SRD-5", "Vec<u8>", "C4 02 00 FF", "h'00ff'", "[0, 255]")
    no("serde-vec-u8-range", "SRD-5 SRD-6", "Vec<u8>", "81 A1 00 01", "[256]", "invalid-value")
    both("serde-option-none", "SRD-1 SRD-4", "Option<u8>", "B8", "null", "None")
    both("serde-option-some", "SRD-1 SRD-4", "Option<u8>", "05", "5", "Some(5)")
    read("serde-option-some-wrapped", "SRD-4 SOM-4", "Option<u8>", "BB 05", "5", "Some(5)")
    both("serde-option-some-unit", "SRD-4 SOM-2", "Option<()>", "BB B8", "some(null)", "Some(())")
    both("serde-option-none-unit", "SRD-4", "Option<()>", "B8", "null", "None")
    both("serde-option-option-none", "SRD-4", "Option<Option<u8>>", "B8", "null", "None")
    both("serde-option-option-some-none", "SRD-4 SOM-2", "Option<Option<u8>>", "BB B8", "some(null)", "Some(None)")
    both("serde-option-option-some-some", "SRD-4", "Option<Option<u8>>", "05", "5", "Some(Some(5))")
    read("serde-option-option-wrapped", "SRD-4 SOM-4", "Option<Option<u8>>", "BB BB 05", "5", "Some(Some(5))")
    both("serde-option-3", "SRD-4", "Option<Option<Option<u8>>>", "BB BB B8", "some(some(null))", "Some(Some(None))")
    both("serde-option-unit-struct", "SRD-4", "Option<Unit>", "BB B8", "some(null)", "Some(Unit)")
    read("serde-some-looked-through", "SOM-4", "u8", "BB 05", "5", "5")
    read("serde-some-null-unit", "SOM-4", "()", "BB B8", "some(null)", "()")
    both("serde-unit", "SRD-1", "()", "B8", "null", "()")
    both("serde-unit-struct", "SRD-1", "Unit", "B8", "null", "Unit")
    both("serde-unit-variant", "SRD-1 SRD-3", "Shape", "45 45 6D 70 74 79", '"Empty"', "Empty")
    read("serde-unit-variant-map", "SRD-3", "Shape", "91 45 45 6D 70 74 79 B8", '{"Empty": null}', "Empty")
    both("serde-newtype-struct", "SRD-1", "Newtype", "05", "5", "Newtype(5)")
    both("serde-newtype-variant", "SRD-1 SRD-3", "Shape", "91 46 43 69 72 63 6C 65 05", '{"Circle": 5}', "Circle(5)")
    both("serde-seq", "SRD-1", "Vec<bool>", "82 BA B9", "[true, false]", "[true, false]")
    read("serde-seq-open", "SRD-1 OPN-4", "Vec<bool>", "D0 BA B9 BE", "[true, false]", "[true, false]")
    both("serde-tuple", "SRD-1", "(u8, bool)", "82 05 BA", "[5, true]", "(5, true)")
    both("serde-tuple-struct", "SRD-1", "Pair", "82 05 BA", "[5, true]", "Pair(5, true)")
    both("serde-tuple-variant", "SRD-1 SRD-3", "Shape", "91 44 4C 69 6E 65 82 01 02", '{"Line": [1, 2]}', "Line(1, 2)")
    both("serde-map", "SRD-1", "BTreeMap<String, u8>", "92 41 61 01 41 62 02", '{"a": 1, "b": 2}', '{"a": 1, "b": 2}')
    both("serde-map-int-keys", "SRD-1", "BTreeMap<u8, bool>", "92 01 BA 02 B9", "{1: true, 2: false}", "{1: true, 2: false}")
    both("serde-struct", "SRD-1", "Point", "92 41 78 01 41 79 FE", '{"x": 1, "y": -2}', "Point { x: 1, y: -2 }")
    read("serde-struct-reordered", "SRD-1", "Point", "92 41 79 FE 41 78 01", '{"y": -2, "x": 1}', "Point { x: 1, y: -2 }")
    read("serde-struct-unknown-field", "SRD-8", "Point", "93 41 78 01 41 7A 81 B8 41 79 FE", '{"x": 1, "z": [null], "y": -2}',
         "Point { x: 1, y: -2 }")
    no("serde-struct-missing-field", "SRD-8", "Point", "91 41 78 01", '{"x": 1}', "missing-field")
    no("serde-struct-int-key", "SRD-2", "Point", "92 00 01 01 FE", "{0: 1, 1: -2}", "invalid-type")
    both("serde-struct-variant", "SRD-1 SRD-3", "Shape", "91 44 52 65 63 74 92 41 77 01 41 68 02", '{"Rect": {"w": 1, "h": 2}}',
         "Rect { w: 1, h: 2 }")
    no("serde-enum-unknown", "SRD-3", "Shape", "41 58", '"X"', "unknown-variant")
    no("serde-enum-index", "SRD-2", "Shape", "00", "0", "invalid-type")
    no("serde-enum-two-entries", "SRD-3", "Shape", "92 46 43 69 72 63 6C 65 05 45 45 6D 70 74 79 B8", '{"Circle": 5, "Empty": null}',
       "invalid-length")
    read("serde-int-to-f64", "SRD-6", "f64", "05", "5", "5.0")
    read("serde-int-to-f64-2-to-53", "SRD-6", "f64", "A6 00*6 20", "9007199254740992", "9007199254740992.0")
    no("serde-int-to-f64-inexact", "SRD-6", "f64", "A6 01 00*5 20", "9007199254740993", "invalid-value")
    read("serde-int-to-f32", "SRD-6", "f32", "A3 00 00 00 01", "16777216", "16777216.0")
    no("serde-int-to-f32-inexact", "SRD-6", "f32", "A3 01 00 00 01", "16777217", "invalid-value")
    no("serde-float-to-int", "SRD-6", "u8", "B0 28", "5.0", "invalid-type")
    no("serde-u8-range", "SRD-6", "u8", "A1 00 01", "256", "invalid-value")
    no("serde-u8-negative", "SRD-6", "u8", "FF", "-1", "invalid-value")
    no("serde-i64-range", "SRD-6", "i64", "A7 00*7 80", "9223372036854775808", "invalid-value")
    no("serde-bool-int", "SRD-1", "bool", "01", "1", "invalid-type")
    no("serde-tuple-too-long", "SRD-7", "(u8, bool)", "83 05 BA 00", "[5, true, 0]", "invalid-length")
    no("serde-tuple-too-short", "SRD-7", "(u8, bool)", "81 05", "[5]", "invalid-length")
    read("serde-any-u64", "SRD-9", "any", "A7 FF*8", "18446744073709551615", "18446744073709551615")
    read("serde-any-ext", "SRD-10", "any", "BF 05 01", "ext(5, 1)", '{"$wbin::ext":[5,1]}')
    read("serde-any-ext-in-list", "SRD-10", "any", "81 BF A0 40 41 61", '[ext(64, "a")]', '[{"$wbin::ext":[64,"a"]}]')
    both("serde-duration", "SRD-11", "Duration", "05", "5", "5s")
    both("serde-duration-nanos", "SRD-11", "Duration", "82 01 A3 00 65 CD 1D", "[1, 500000000]", "1.5s")
    both("serde-duration-zero", "SRD-11", "Duration", "00", "0", "0ns")
    no("serde-duration-negative", "SRD-11", "Duration", "FF", "-1", "invalid-value")
    no("serde-duration-nanos-range", "SRD-11", "Duration", "82 01 A3 00 CA 9A 3B", "[1, 1000000000]", "invalid-value")
    columns = lambda n, *c: by_columns(n, *c).hex()
    read("serde-columns-vec-u8", "SRD-1 COL-1", "Vec<u8>", columns(3, c_int(1, 2, 255)), "[1, 2, 255]", "[1, 2, 255]")
    read("serde-columns-vec-bool", "SRD-1 COL-16", "Vec<bool>", columns(3, c_bool("101")), "[true, false, true]", "[true, false, true]")
    read("serde-columns-bytes", "SRD-5 COL-1", "bytes", columns(3, c_steps(1, 2, 255)), "[1, 2, 255]", "[1, 2, 255]")
    read("serde-columns-tuple", "SRD-1 COL-31", "(u8, bool)", columns(2, c_union([0, 1], c_int(5), c_bool("1"))), "[5, true]", "(5, true)")
    read("serde-columns-map", "SRD-1 COL-2", "BTreeMap<String, u8>", columns(2, c_text("b", "a"), c_int(1, 2)), '{"b": 1, "a": 2}',
         '{"a": 2, "b": 1}')
    read("serde-columns-map-u8", "SRD-1 COL-2", "BTreeMap<u8, bool>", columns(2, c_int(7, 5), c_bool("10")), "{7: true, 5: false}",
         "{5: false, 7: true}")
    read("serde-columns-struct", "SRD-1 SRD-8 COL-2", "Point", columns(3, c_text("y", "z", "x"), c_int(-1, 0, 5)), '{"y": -1, "z": 0, "x": 5}',
         "Point { x: 5, y: -1 }")
    read("serde-columns-pair", "SRD-1 COL-12", "Pair", columns(2, c_plain("5", "true")), "[5, true]", "Pair(5, true)")
    read("serde-columns-variant", "SRD-3 COL-2", "Shape", columns(1, c_text("Rect"), c_table(("h", c_int(2)), ("w", c_int(1)))),
         '{"Rect": {"h": 2, "w": 1}}', "Rect { w: 1, h: 2 }")
    read("serde-columns-newtype-variant", "SRD-3 COL-2", "Shape", columns(1, c_text("Circle"), c_int(5)), '{"Circle": 5}', "Circle(5)")
    read("serde-columns-any", "SRD-9 COL-29", "any", columns(2, c_table(("a", c_int(1, 2)), ("b", c_nullable("10", c_text("x"))))),
         '[{"a": 1, "b": "x"}, {"a": 2, "b": null}]', '[{"a":1,"b":"x"},{"a":2,"b":null}]')
    no("serde-columns-range", "SRD-6 COL-17", "Vec<u8>", columns(2, c_int(1, 256)), "[1, 256]", "invalid-value")
    no("serde-columns-type", "SRD-1 COL-21", "Vec<bool>", columns(2, c_text("a", "b")), '["a", "b"]', "invalid-type")
    no("serde-columns-too-long", "SRD-7 COL-1", "(u8, bool)", columns(3, c_union([0, 1, 1], c_int(5), c_bool("11"))), "[5, true, true]",
       "invalid-length")
    no("serde-columns-missing-field", "SRD-8 COL-2", "Point", columns(1, c_text("x"), c_int(1)), '{"x": 1}', "missing-field")


def declare_all():
    FILES.clear()
    declare_documents()
    declare_ints()
    declare_floats()
    declare_strings()
    declare_bytes()
    declare_lists()
    declare_maps()
    declare_open()
    declare_some()
    declare_ext()
    declare_signature()
    declare_columns()
    declare_errors()
    declare_limits()
    declare_canonical()
    declare_large()
    declare_equality()
    declare_sequences()
    declare_diag()
    declare_json()
    declare_serde()


# ---------------------------------------------------------------------------------------------------------------
# Cases that are wrong on purpose: a runner that passes one of them does not look.


def selftests():
    by_id = {c["id"]: c for _, cases in FILES.values() for c in cases}
    out = {}

    def wrong(kind, id, what, remove=(), **changes):
        c = {k: v for k, v in json.loads(json.dumps(by_id[id])).items() if k not in remove} | changes
        c["id"] = f"wrong-{what}"
        c["note"] = f"wrong on purpose: {what.replace('-', ' ')}"
        out.setdefault(f"{kind}.json", (kind, []))[1].append(c)

    b = "bytes"
    wrong(b, "int-64", "value", value={"u": "65"})
    wrong(b, "int-minus-1", "value-sign", value={"u": "1"})
    wrong(b, "float-1", "value-int-for-float", value={"u": "1"})
    wrong(b, "float-minus-zero", "value-sign-of-zero", value={"f64": "0000000000000000"})
    wrong(b, "float-nan-payload-32", "value-nan-payload", value={"f64": "7ff8000000000000"})
    wrong(b, "str-a", "value-bytes-for-text", value={"bytes": "61"})
    wrong(b, "map-two", "value-order-of-entries",
          value={"map": [[{"str": "b"}, {"u": "2"}], [{"str": "a"}, {"u": "1"}]]})
    wrong(b, "list-one", "value-too-long", value={"list": [{"u": "5"}, {"u": "5"}]})
    wrong(b, "some-null", "value-some-for-null", value={"null": True})
    wrong(b, "ext-5", "value-ext-type", value={"ext": ["6", {"u": "1"}]})
    wrong(b, "int-255", "diag", diag="256")
    wrong(b, "float-1", "diag-float-as-int", diag="1")
    wrong(b, "int-long-5", "canonical-form", canonical="06")
    wrong(b, "int-long-5", "claimed-canonical", remove=("strict_offset",), result="canonical", canonical="a005")
    wrong(b, "int-63", "claimed-noncanonical", result="noncanonical", strict_offset=0)
    wrong(b, "int-long-in-list", "strict-offset", strict_offset=0)
    wrong(b, "map-order-kept", "preferred-encoding", preferred="92416102416201")
    wrong(b, "can-two-nans", "canonical-error-offset", canonical_error={"error": "duplicate-key", "offset": 0})
    wrong(b, "int-cut-1", "error-name", error="reserved-tag")
    wrong(b, "list-cut-in-item", "error-offset", offset=0)
    wrong(b, "str-utf8-ff", "well-formedness", well_formed=False)
    wrong(b, "int-cut-4", "well-formedness-of-truncated", well_formed=True)
    wrong(b, "str-utf8-long-head", "strict-error", strict_error="invalid-utf8")
    wrong(b, "doc-trailing-int", "accepted-but-declared-invalid", hex="05")
    wrong(b, "int-0", "refused-but-declared-valid", hex="d4", canonical="d4")
    wrong(b, "depth-129-lists", "limit-offset", offset=0)
    wrong(b, "depth-2", "limit-too-low", max_depth=1)
    wrong(b, "depth-2-over", "limit-too-high", max_depth=3)
    wrong(b, "map-keys-null-and-some", "look-through-offset", look_through_error={"error": "duplicate-key", "offset": 0})
    wrong(b, "ext-uuid", "known-type-validity", known={"type": "uuid", "valid": False})
    wrong(b, "col-int-12-bits", "value-of-a-column", value={"list": [{"u": "1"}, {"u": "2747"}, {"u": "4095"}]})
    wrong(b, "col-table-sparse", "value-absent-as-null", value={"list": [
        {"map": [[{"str": "a"}, {"u": "1"}], [{"str": "b"}, {"bool": True}]]},
        {"map": [[{"str": "a"}, {"null": True}], [{"str": "b"}, {"bool": True}]]},
        {"map": [[{"str": "a"}, {"u": "2"}], [{"str": "b"}, {"bool": True}]]}]})
    wrong(b, "col-list", "columns-declared-canonical", remove=("strict_offset",), result="canonical", canonical="d203300005")
    wrong(b, "col-in-list", "strict-offset-of-columns", strict_offset=0)
    wrong(b, "col-null-alone", "column-error-name", error="reserved-tag")
    wrong(b, "col-null-field", "column-error-offset", offset=2)
    wrong(b, "col-int-unused", "well-formedness-of-unused-bits", well_formed=False)
    wrong(b, "col-union-variant", "well-formedness-of-a-variant", well_formed=True)
    wrong(b, "col-plain-value-past", "well-formedness-of-a-plain-column", well_formed=False)
    wrong(b, "col-claim", "offset-of-a-claim", offset=2)
    wrong(b, "col-table-key-twice", "offset-of-a-key-of-a-table", offset=2)
    wrong(b, "col-depth-table", "level-of-a-table", max_depth=1)
    wrong(b, "col-depth-nullable-over", "level-of-nullable", offset=2)
    wrong("large", "large-col-bools", "large-columns-length", value={"kind": "list", "length": 8192})
    wrong("equality", "eq-col-table-sparse-null", "equality-of-absent-and-null", equal=True)
    wrong("large", "large-str-65536", "large-length", value={"kind": "str", "length": 65535})
    wrong("large", "large-depth", "large-offset", offset=129)
    wrong("large", "large-columns-dict-over", "large-offset-of-a-column", offset=0)
    wrong("equality", "eq-int-float", "equality-int-float", equal=True)
    wrong("equality", "eq-some-int", "equality-some", equal=False)
    wrong("sequence", "seq-three", "sequence-values", diags=["5", '"a"'])
    wrong("sequence", "seq-cut", "sequence-clean-end", remove=("error", "offset"))
    wrong("diag", "diag-float", "diag-bytes", hex="01")
    wrong("diag", "diag-space", "diag-printed", printed="[1,2]")
    wrong("diag", "diag-list", "diag-declared-refused", remove=("hex",), error="refused")
    wrong("diag", "diag-minus-zero-int", "diag-declared-accepted", remove=("error",), hex="00")
    wrong("json", "json-int", "json-bytes", hex="b028")
    wrong("json", "json-float", "json-float-as-int", json="5")
    wrong("json", "json-unknown-form", "json-declared-accepted", remove=("error",), hex="91472477 62696e3a7801".replace(" ", ""))
    wrong("json", "json-bytes", "json-declared-refused", error="refused")
    wrong("serde", "serde-u8", "serde-value", value="254", diag="254")
    wrong("serde", "serde-struct", "serde-bytes", hex="924178014179fd")
    return out


# ---------------------------------------------------------------------------------------------------------------
# Files


def dump(kind, topic, cases):
    """One case on a line, so that a change shows as the change of a case."""
    lines = ",\n".join("  " + json.dumps(c, ensure_ascii=True) for c in cases)
    return f'{{"format": "wbin-vectors", "spec_version": 1, "topic": "{topic}", "kind": "{kind}", "cases": [\n{lines}\n]}}\n'


def all_files():
    out = {name: dump(kind, name[:-5], cases) for name, (kind, cases) in FILES.items()}
    for name, (kind, cases) in selftests().items():
        out[os.path.join("selftest", name)] = dump(kind, f"selftest/{name[:-5]}", cases)
    return out


def judge():
    """Every case must hold, every wrong one must not."""
    faults = []
    ids = set()
    for name, (kind, cases) in FILES.items():
        for c in cases:
            if c["id"] in ids:
                faults.append(f"{name}: {c['id']}: this id is there twice")
            ids.add(c["id"])
            faults += [f"{name}: {c['id']}: {what}" for what in RUN[kind](c)]
    for name, (kind, cases) in selftests().items():
        for c in cases:
            try:
                found = RUN[kind](c)
            except Fault:
                found = True
            if not found:
                faults.append(f"selftest/{name}: {c['id']}: it passes")
    return faults


# Rules that no bytes can break, and why.
UNBREAKABLE = {
    "VAL-1": "a list of what there is", "GEN-2": "a property of the encoding", "GEN-5": "another order gives another number",
    "INT-1": "no payload", "INT-2": "no payload", "STR-4": "a permission", "STR-5": "a permission", "BYT-2": "a permission",
    "LST-4": "a permission", "MAP-4": "a permission", "MAP-8": "a permission", "OPN-4": "a permission", "INT-7": "a permission",
    "FLT-5": "a permission", "SOM-3": "a permission", "EXT-3": "a permission", "EXT-4": "a permission",
    "SOM-4": "a rule for readers", "EXT-10": "a rule for applications", "PRE-1": "a rule for encoders", "PRE-2": "a rule for encoders",
    "EXT-5": "a permission", "CAN-10": "a property of the form", "COL-4": "a permission", "COL-8": "another width gives other numbers",
    "COL-11": "a name",
}
# Rules that nothing accepted can show, and why.
UNSHOWABLE = {
    "TAG-2": "every reserved tag is an error", "COL-7": "about errors", "COL-39": "about errors", "COL-40": "about errors",
    "COL-41": "about errors", "COL-42": "about errors", "ERR-1": "about errors", "ERR-2": "about errors", "ERR-3": "about errors",
    "LIM-2": "about errors", "LIM-6": "about errors", "STR-6": "about errors", "BYT-3": "about errors", "LST-3": "about errors", "MAP-3": "about errors",
    "SIG-2": "about errors", "SIG-3": "about errors", "SIG-4": "about errors", "OPN-3": "about errors", "MAP-5": "about errors",
    "GEN-3": "every accepted case is cut at every byte", "GEN-4": "about errors", "SIG-5": "about errors",
}


def coverage(labels):
    passes, fails, used = set(), set(), set()
    for kind, cases in FILES.values():
        for c in cases:
            used |= set(c["rules"])
            if kind in ("bytes", "large"):
                good = c["result"] in ("canonical", "noncanonical")
                (passes if good else fails).update(c["rules"])
                if c["result"] == "noncanonical":
                    fails.update(r for r in c["rules"] if r.startswith("CAN-") or r in ("FLT-6", "SOM-2"))
                if c.get("known", {}).get("valid") is False or "look_through_error" in c:
                    fails.update(c["rules"])
            elif kind == "equality":
                (passes if c["equal"] else fails).update(c["rules"])
            else:
                (fails if "error" in c else passes).update(c["rules"])
    faults = [f"{r}: a rule without a vector" for r in labels if r not in used]
    faults += [f"{r}: a vector without a rule" for r in sorted(used - set(labels))]
    for r in labels:
        if r.split("-")[0] in ("DIA", "JSN", "SRD") or r not in used:
            continue
        if r not in passes and r not in UNSHOWABLE:
            faults.append(f"{r}: no vector that passes")
        if r not in fails and r not in UNBREAKABLE:
            faults.append(f"{r}: no vector that fails")
    return faults


def check_spec(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    faults, examples = [], 0
    labels = re.findall(r"^(?:[-*] )?\*\*([A-Z]+-[0-9]+)\*\*", text, re.M)
    if len(set(labels)) != len(labels):
        faults.append("a label is there twice: " + ", ".join(sorted({r for r in labels if labels.count(r) > 1})))
    for r in set(re.findall(r"\b([A-Z]{3}-[0-9]+)\b", text)) - set(labels):
        if not r.startswith(("RFC", "UTF")):
            faults.append(f"{r}: mentioned, but not a rule")
    for block in re.findall(r"^```wbin\n(.*?)^```", text, re.M | re.S):
        for line in block.splitlines():
            m = re.fullmatch(r"((?:[0-9A-F]{2} )*[0-9A-F]{2}) +([=!])  (.*)", line)
            if not m:
                faults.append(f"not an example: {line}")
                continue
            examples += 1
            v, fault = outcome(bytes.fromhex(m[1]))
            if m[2] == "=":
                if fault or diag(v) != m[3] or not equal(parse_diag(m[3]), v):
                    faults.append(f"{line}: {fault or diag(v)}")
            elif not fault or f"{fault[0]} @{fault[1]}" != m[3]:
                faults.append(f"{line}: {fault or diag(v)}")
    rows = re.search(r"^\| Bytes \| Canonical\? \| Default \| Strict \|\n\|[-|]+\|\n((?:\|.*\|\n)+)", text, re.M)
    for row in rows[1].splitlines():
        hex, yes, default, strict = (cell.strip().strip("`") for cell in row.strip("|").split("|"))
        data = bytes.fromhex(hex)
        examples += 1
        found = [(outcome(data, strict=s)[1] or ("accepted",))[0] for s in (False, True)]
        if found != [default, strict] or (yes == "yes") != (found[1] == "accepted"):
            faults.append(f"{row}: {found}")
    tags = re.search(r"^\| Tags \| Name \| Payload \| Value \|\n\|[-|]+\|\n((?:\|.*\|\n)+)", text, re.M)
    seen = []
    for row in tags[1].splitlines():
        first, _, last = row.strip("|").split("|")[0].strip().partition("–")
        seen += range(int(first, 16), int(last or first, 16) + 1)
    if seen != list(range(256)) and sorted(seen) != list(range(256)):
        faults.append("the tag table does not have every tag exactly once")
    faults += coverage(labels)
    groups = {}
    for r in labels:
        groups.setdefault(r.split("-")[0], []).append(int(r.split("-")[1]))
    for group, numbers in groups.items():
        if numbers != list(range(1, len(numbers) + 1)):
            faults.append(f"{group}: the numbers have gaps or are out of order")
    return faults, examples, groups


def main(arguments):
    declare_all()
    faults = judge()
    counts = {name: len(cases) for name, (_, cases) in FILES.items()}
    if arguments[:1] == ["--spec"]:
        found, examples, groups = check_spec(arguments[1])
        faults += found
        print(f"{examples} examples, {sum(map(len, groups.values()))} rules: "
              + ", ".join(f"{g} {len(n)}" for g, n in groups.items()))
    elif arguments == ["--check"]:
        for name, text in all_files().items():
            path = os.path.join(HERE, name)
            if not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
                faults.append(f"{name}: not what make.py writes")
    elif not arguments:
        if not faults:
            os.makedirs(os.path.join(HERE, "selftest"), exist_ok=True)
            for name, text in all_files().items():
                with open(os.path.join(HERE, name), "w", encoding="utf-8") as f:
                    f.write(text)
    else:
        print(__doc__)
        return 2
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{sum(counts.values())} cases: " + ", ".join(f"{n} {c}" for n, c in counts.items()))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    sys.exit(main(sys.argv[1:]))
