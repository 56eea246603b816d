#!/usr/bin/env python3
"""Writes seeds and the dictionary from the conformance vectors.

One document for each rule and each verdict, the shortest there is; the typed target also gets the
documents that are about serde. Run it again when the vectors change.
"""

import hashlib
import json
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
VECTORS = HERE.parent / "tests" / "vectors"
LONGEST = 96  # bytes of a seed
# By these targets: see RECORD.md.
FOUND = (
    "91 BB 41 61 01",
    "82 BF 05 90 40",
    "83 81 05 D2 FF 81 06",
    "D2 0A E0 02 00 00 10",
    "83 D2 01 C0 01 00 01 D2 00 01 D0 AF 05",
    "D3 02 00 05 81 81 81 05 BE 20 00",
    "D2 02 C1 09 00 07 81 81 05 81 81 06 07 30 00 00",
    "D3 03 00 04 05 05 41 FF 20 00",
    "D2 01 35 02 09",
)
# The same, of choices that a value is made from.
FOUND_CHOICES = (
    "0102030405060708090a0b0c0d0e0f101118191a1b1c1d1e1f201d22232425262728291213141516172c2f30303030303030"
    "30303030303030302b2d302c2d2e2f303233343536373f393a3b3ccfffffffffffffffff3d3e3f37",
)


def documents():
    """Of every vector that is one document: rules, verdict, bytes."""
    for file in sorted(VECTORS.glob("*.json")):
        content = json.loads(file.read_text("utf-8"))
        for case in content.get("cases", []):
            verdict = case.get("error") or case.get("strict_error") or "accepted"
            for name in ("hex", "bytes", "a", "b"):
                if isinstance(case.get(name), str):
                    yield content["kind"], case.get("rules", []), verdict, bytes.fromhex(case[name])


def records():
    """Maps of the same keys again and again, the last with a key that comes twice."""
    entry = bytes.fromhex("93416101416202426964")
    yield bytes([0x8F]) + (entry + b"\x05") * 15
    yield bytes([0x84]) + (entry + b"\x05") * 3 + bytes.fromhex("93416101416202416103")


def by_hand():
    """Shapes that the types of the typed target want."""
    for digits in (
        "93 42 69 64 05 41 62 06 41 63 C4 02 00 FF",
        "92 41 74 41 42 41 62 41 61",
        "92 41 63 82 05 BB B8 41 74 41 43",
        "91 41 42 91 41 43 82 05 41 61",
        "92 41 61 BF 00 05 41 63 BF 05 BF 02 C4 01 05",
        "93 41 61 41 78 41 62 41 79 42 69 64 80",
        "93 42 69 64 83 05 06 07 41 61 BB BB B8 41 62 82 01 02",
        "83 BB B8 BB BB B8 B8",
        *FOUND,
    ):
        yield bytes.fromhex(digits)


def texts():
    """JSON of the vectors and by hand, and documents, which become JSON."""
    for case in json.loads((VECTORS / "json.json").read_text("utf-8"))["cases"]:
        for text in (case["json"].encode(), bytes.fromhex(case.get("hex", ""))):
            if len(text) <= LONGEST:
                yield text
    for text in (
        '{"a":1,"a":2}',
        '[1e400,-0,-0.0,1E-400,0.1]',
        '[18446744073709551616,-9223372036854775809,340282366920938463463374607431768211456]',
        '"\\ud83d\\ude00\\u0000\\ud800"',
        '{"$wbin:map":[[{"$wbin:ext":[70,{"$wbin:bytes":"00ff"}]},{"$wbin:some":1}]]}',
        "[" * 130 + "]" * 130,
        ' {"a" : [ null,\n\ttrue , "é\\n" ] }\r\n',
    ):
        yield text.encode()


def choices(step, size):
    """Bytes that differ, by a step that is constant."""
    return bytes((index * step + step) % 256 for index in range(size))


def streams(documents):
    """Some documents one after the other, after the three bytes that say how they are delivered."""
    for at in range(0, len(documents), 3):
        parts = b"".join(document for document in documents[at : at + 3] if document[:1] != b"\xDF")
        yield bytes([at % 5, 3 | at % 8, at % 64]) + parts
    yield bytes([1, 1, 60]) + bytes.fromhex("05 DF 57 42 01 85 E0 D2 02 00 33 A0 FF FF AF 00 00 00")  # no signature here
    yield bytes([2, 5, 3]) + bytes.fromhex("01 D0 01 D2 01 E0 02")  # not canonical, and too deep
    yield bytes([2, 2, 3]) + bytes.fromhex("D1 41 FF D1 30 92 00 03 39 D1 BE D1 30 92 00")  # two faults, one of them deep
    for digits in FOUND:
        yield bytes([2, 2, 40]) + bytes.fromhex(digits)
    for option in range(8):
        yield bytes([1, option, 40]) + bytes.fromhex("DF574201 05 D2020033A00102 D00102BE 41FF 06")


def write(target, seeds):
    folder = HERE / "seeds" / target
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for seed in seeds:
        (folder / hashlib.sha1(seed).hexdigest()[:12]).write_bytes(seed)


def dictionary():
    """Tags that begin something, and words that mean something."""
    tags = [0x00, 0x3F, 0x40, 0x41, 0x80, 0x81, 0x82, 0x90, 0x91, 0x92, 0xA0, 0xA7, 0xA8, 0xAF]
    tags += list(range(0xB0, 0xD4)) + [0xDF, 0xE0, 0xFF]
    lines = [f'"\\x{tag:02X}"' for tag in tags]
    heads = ["DF574201", "BC" + "FF" * 16, "BD" + "FF" * 15 + "7F", "B60000C07F", "B7010000000000F87F"]
    heads += ["C001", "C10100", "C201000000", "C30100000000000000", "C401", "C801", "CC01", "CFFFFFFFFFFFFFFFFF"]
    heads += ["BF00", "BF01", "BF02", "BF03", "BBB8", "BBBBB8", "D0BE", "D1BE", "BFA005"]
    lines += ['"' + "".join(f"\\x{byte:02X}" for byte in bytes.fromhex(head)) + '"' for head in heads]
    words = ["a", "b", "c", "t", "id", "name", "A", "B", "C", "D", "E", "Int", "List", "Map", "Ok", "Err"]
    words += ["$wbin::ext", "$wbin:int", "$wbin:bytes", "$wbin:map"]
    lines += [f'"\\x{0x40 + len(word):02X}{word}"' for word in words]
    # JSON
    forms = ["int", "float", "bytes", "ext", "map"]
    lines += [f'"{{\\"$wbin:{form}\\":"' for form in forms]
    lines += ['"null"', '"true"', '"\\\\u00e9"', '"\\\\ud83d\\\\ude00"', '"-0"', '"1e-7"', '"18446744073709551616"']
    (HERE / "wbin.dict").write_text("# Written by seeds.py.\n" + "\n".join(lines) + "\n", "utf-8")


def main():
    chosen, typed = {}, set(by_hand())
    for kind, rules, verdict, document in sorted(documents(), key=lambda case: (len(case[3]), case[3])):
        if len(document) > LONGEST:
            continue
        for rule in rules:
            chosen.setdefault((rule, verdict), document)
        if kind == "serde":
            typed.add(document)
    general = set(chosen.values()) | set(records()) | {bytes.fromhex(digits) for digits in FOUND}
    write("value", general)
    write("differential", general)
    write("typed", typed | set(records()))
    write("canonical", general)
    write("cli-json", set(texts()))
    write("stream", set(streams(sorted(general, key=lambda seed: (len(seed), seed)))))
    # A plan is no document: its seeds are only bytes to choose by.
    made = {choices(step, size) for step, size in ((1, 64), (7, 128), (37, 256), (101, 256))}
    write("structured", made | {bytes.fromhex(digits) for digits in FOUND_CHOICES})
    write("columns", {bytes(8) + bytes([31, shape]) + choices(step, 240) for shape in range(6) for step in (0, 1, 7, 37)})
    dictionary()


if __name__ == "__main__":
    main()
