#!/usr/bin/env python3
"""Checks what `tonne export` wrote, by docs/ledger.md alone: python3 check_export.py acme.tonne

It needs nothing but Python 3.9 or later. The first line that is wrong is told, and the status is 1.
"""
import base64, collections, datetime, hashlib, json, sys

FORM = 1
KINDS = ["activity", "scope", "org", "taxonomy", "product", "factor", "model", "input", "switch", "footprint",
         "period", "exclusion", "partner", "sharing"]
PARTS = ["items", "postings", "lines"]
ORDER = ["export", "series", "scope", "org", "taxonomy", "product", "factor", "model", "input", "switch", "footprint",
         "period", "exclusion", "partner", "sharing", "activity", "change", "import", "client", "key", "user", "end", "seal"]
VERBS = ["added", "updated", "removed", "blanked"]
MEASURES = {0: "co2e", 1: "market_delta", 2: "biogenic_co2", 3: "co2e_estimated", 4: "co2e_proxy",
            5: "market_instrument", 6: "market_residual", 7: "co2e_measured", 16: "co2_fossil",
            17: "ch4_fossil", 18: "ch4_non_fossil", 19: "n2o", 20: "hfcs", 21: "pfcs", 22: "sf6", 23: "nf3", 24: "ch4",
            33: "ch4_fossil_mass", 34: "ch4_non_fossil_mass", 35: "n2o_mass", 36: "hfcs_mass", 37: "pfcs_mass",
            38: "sf6_mass", 39: "nf3_mass", 40: "ch4_mass"}
MOST_LINES = 4096
NOTHING = bytes(32)


class Wrong(Exception):
    pass


def need(condition, what):
    if not condition:
        raise Wrong(what)


def sha(data):
    return hashlib.sha256(data).digest()


# The canonical form.

def written(value):
    """The one text of a value."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{written(name)}:{written(of)}" for name, of in value.items()) + "}"
    if isinstance(value, list):
        need(value, "an empty list is left out")
        return "[" + ",".join(map(written, value)) + "]"
    if isinstance(value, str):
        need("\0" not in value, "no text has U+0000")
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + "".join(f"\\u{ord(c):04x}" if c < " " else c for c in escaped) + '"'
    if isinstance(value, bool):
        return "true" if value else "false"
    need(isinstance(value, int), "a value is neither a text, a list, an object, a flag nor a whole number")
    return str(value)


def members(pairs):
    need(len(dict(pairs)) == len(pairs), "a member stands twice")
    return dict(pairs)


def read(text):
    value = json.loads(text, object_pairs_hook=members)
    need(isinstance(value, dict) and written(value) == text, "not written in the canonical form")
    need(value.get("form") == FORM, f"not of form {FORM}")
    return value


# Packed bytes.

class Packed:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, length):
        need(self.at + length <= len(self.data), "packed bytes end too early")
        self.at += length
        return self.data[self.at - length:self.at]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                need((byte or not shift) and value < 1 << 64, "a varint is too long")
                return value
            shift += 7

    def signed(self, most=24):
        length = self.take(1)[0]
        number = self.take(length)
        value = int.from_bytes(number, "little", signed=True)
        need(length <= most and not (length and length > (value if value >= 0 else ~value).bit_length() // 8 + 1
             or length and not value), "a signed number is too long")
        return value

    def begin(self):
        need(self.take(1)[0] == FORM, f"packed bytes are not of form {FORM}")
        count = self.varint()
        need(count, "a part is empty")
        return range(count)

    def end(self):
        need(self.at == len(self.data), "packed bytes go on behind their end")


def items(data):
    """What was done, the kind, the identifier, the digest left, and of what is gone or blanked: change, digest, text."""
    packed = Packed(data)
    for _ in packed.begin():
        verb, kind = packed.take(1)[0], packed.take(1)[0]
        need(verb < len(VERBS) and kind < len(KINDS), "an item has an unknown verb or kind")
        record, left, gone = packed.take(16), packed.take(32) if verb < 2 else None, None
        if verb == 3:
            gone = (packed.varint(), packed.take(32), None)
        elif verb != 0:
            change, digest, has_text = packed.varint(), packed.take(32), packed.take(1)[0]
            need(has_text < 2, "a flag is neither 0 nor 1")
            gone = (change, digest, packed.take(packed.varint()) if has_text else None)
        yield VERBS[verb], KINDS[kind], record, left, gone
    packed.end()


def cells(data):
    """Day, series, what (a count by its bit, or code and place of a measure's amount) and number."""
    packed, day, series = Packed(data), 0, None
    for _ in packed.begin():
        days = packed.varint()
        given = packed.varint()
        series = given if days or series is None else series + 1 + given
        day += days
        need(series < 1 << 32 and day < datetime.date.max.toordinal(), "there is no such series or day")
        head, before = packed.varint(), -1
        need(head, "a cell is zero")
        for bit in range(4):
            if head >> bit & 1:
                count = packed.signed(8)
                need(count, "a count that is given is zero")
                yield day, series, (-1, bit), count
        for _ in range(head >> 4):
            code = packed.varint()
            need(code in MEASURES and code > before, f"measure {code} is unknown or stands elsewhere")
            before, amounts = code, [packed.signed() for _ in range(3)]
            need(any(amounts), "a measure that is given is zero")
            yield from ((day, series, (code, at), amount) for at, amount in enumerate(amounts))
    packed.end()


def lines(data):
    """How many lines of a file."""
    packed, line = Packed(data), 0
    count = packed.begin().stop
    need(count <= MOST_LINES, f"a part has more than {MOST_LINES} lines")
    for _ in range(count):
        more = packed.varint()
        line += more >> 1 if more % 2 == 0 else -(more + 1 >> 1)
        need(0 <= line < 1 << 64, "there is no such line")
    packed.end()
    return count


# What activities come to.

def scaled(text):
    """An amount times 10^18."""
    sign, digits = (-1, text[1:]) if text[0] == "-" else (1, text)
    whole, _, fraction = digits.partition(".")
    need((whole + fraction).isascii() and (whole + fraction).isdigit() and len(fraction) <= 18, "no amount")
    return sign * int(whole + fraction.ljust(18, "0"))


def day_of(moment):
    return datetime.date.fromisoformat(moment[:10]).toordinal() - 1


def postings_of(activity):
    """The cells of one activity, as `cells` gives them but for the series."""
    start, end = activity["span"]["start"], activity["span"].get("end")
    first = last = day_of(start)
    if end:
        last = day_of(end)
        is_midnight = end[11:19] == "00:00:00" and not end[19:].split("+")[0].split("-")[0].strip(".0Z")
        last = max(first, last - (is_midnight and last > first))
    days = last - first + 1
    parts = [scaled(activity["calculation"][part]) for part in ("upstream", "downstream") if part in activity["calculation"]]
    for bit, day in ((0, first), (1, last)) if parts else ((0, first), (1, last), (2, first), (3, last)):
        yield day, (-1, bit), 1
    amounts = {"co2e": sum(parts), **{name: scaled(text) for name, text in activity.get("measures", {}).items()}}
    for code, name in MEASURES.items():
        amount = amounts.get(name, 0)
        each = abs(amount) // days * (1 if amount >= 0 else -1)
        yield from ((first, (code, 0), amount), (first, (code, 1), each), (last, (code, 1), -each),
                    (last, (code, 2), amount - each * (days - 1)))


class Check:
    def __init__(self):
        self.counts, self.series, self.standing, self.written = {}, {}, {}, {}
        self.blank = collections.Counter()
        self.sums, self.before, self.hash, self.change, self.place = {}, NOTHING, None, None, None
        self.reached, self.tenant, self.number, self.lines = 0, None, 0, {}
        self.newest_import = b""

    def line(self, text):
        self.number += 1
        value = read(text)
        kind = value["kind"]
        sort = "change" if kind in PARTS else kind
        need(sort in ORDER, f"the kind {kind} is unknown")
        place = ORDER.index(sort)
        need(place >= self.reached and (kind == "export" or self.tenant), "the line stands elsewhere")
        if kind not in PARTS:
            self.close()
        self.reached = place
        if kind in KINDS:
            self.record(kind, value, text)
        elif kind in ("client", "key", "user"):
            need(value["content"]["tenant"] == self.tenant and value["version"] == 0, "not a credential of this company")
        elif kind != "seal":
            getattr(self, kind + "_line")(value)
        if kind not in ("export", "end", "seal"):
            self.counts[kind] = self.counts.get(kind, 0) + 1

    def export_line(self, value):
        need(self.tenant is None, "a second header")
        self.tenant = value["tenant"]["id"]

    def add(self, day, series, what, number):
        key = (day, series, what)
        self.sums[key] = self.sums.get(key, 0) + number
        if not self.sums[key]:
            del self.sums[key]

    def record(self, kind, value, text):
        content, key = value["content"], (kind, bytes.fromhex(value["id"].replace("-", "")))
        need(key not in self.written, "a record stands twice")
        self.written[key], self.lines[key] = (value["version"], sha(text.encode())), self.number
        if kind == "activity":
            key = tuple(content.get(tree) for tree in ("scope", "org", "taxonomy"))
            need(key in self.series, "an activity of a series that is not there")
            for day, what, number in postings_of(content):
                self.add(day, self.series[key], what, number)

    def series_line(self, value):
        key = tuple(value.get(tree) for tree in ("scope", "org", "taxonomy"))
        need(value["index"] == len(self.series) and key not in self.series, "a series stands twice or elsewhere")
        self.series[key] = value["index"]

    def change_line(self, value):
        need(value["number"] == self.counts.get("change", 0) + 1, "a change stands elsewhere")
        at = datetime.datetime.fromisoformat(value["at"].replace("Z", "+00:00"))
        epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        millis = (at - epoch) // datetime.timedelta(milliseconds=1)
        self.hash = hashlib.sha256(self.before + value["number"].to_bytes(8, "big") + millis.to_bytes(8, "big", signed=True))
        for word in (value["actor"].encode(), value["cause"].encode()):
            self.hash.update(len(word).to_bytes(8, "big") + word)
        self.change, self.place = value, dict.fromkeys(PARTS, 0)
        self.imported = [0, 0]

    def part(self, value, kind):
        need(self.change and value["change"] == self.change["number"] and value["part"] == self.place[kind],
             "a part stands elsewhere")
        need(not any(self.place[later] for later in PARTS[PARTS.index(kind) + 1:]), f"{kind} stand behind what follows them")
        self.place[kind] += 1
        return base64.b64decode(value[kind], validate=True)

    def items_line(self, value):
        for verb, kind, record, left, gone in items(self.part(value, "items")):
            for word in (verb.encode(), kind.encode()):
                self.hash.update(bytes([len(word)]) + word)
            self.hash.update(record + (left or b"") + (gone[1] if gone else b""))
            if verb == "blanked":
                need(self.blank[kind, record, gone[:2]] > 0, f"a text of {kind} {record.hex()} is said to be blank, and is not")
                self.blank[kind, record, gone[:2]] -= 1
                continue
            if gone and gone[2] is None:
                self.blank[kind, record, gone[:2]] += 1
            need(self.standing.pop((kind, record), None) == (gone and gone[:2]), f"an item does not go on where the {kind} stood")
            if gone and gone[2] is not None:
                need(sha(gone[2]) == gone[1], "a replaced text does not have its digest")
                read(gone[2].decode())
            self.imported[0] += kind == "activity" and left is not None
            if left:
                self.standing[kind, record] = (self.change["number"], left)

    def postings_line(self, value):
        for day, series, what, number in cells(self.part(value, "postings")):
            need(series < len(self.series), f"there is no series {series}")
            self.add(day, series, what, -number)

    def lines_line(self, value):
        self.imported[1] += lines(self.part(value, "lines"))

    def close(self):
        """Ends the change under way."""
        if self.change:
            need(self.imported[1] in (0, self.imported[0]), "a change has other lines of its file than activities")
            need(self.place["items"], "a change has no items")
            self.before, told = self.hash.digest(), self.change["digest"]
            need(self.before.hex() == told, f"change {self.change['number']} does not have the digest that it says")
            self.change = None

    def import_line(self, value):
        content, there = value["content"], self.counts.get("change", 0)
        record = bytes.fromhex(content["id"].replace("-", ""))
        need(len(record) == 16 and record > self.newest_import, "an import stands twice or elsewhere")
        self.newest_import, first, last = record, 1, 0
        if "changes" in content:
            first, last = content["changes"]["first"], content["changes"]["last"]
            need(1 <= first <= last <= there, "an import has changes that are not there")
        need("left" not in content or first <= content["left"]["change"] <= last,
             "what is left of an import is none of its changes")

    def end_line(self, value):
        need(value["lines"] == self.counts and all(value["lines"].values()), "counts other lines than there are")
        need((value["number"], value["digest"]) == (self.counts.get("change", 0), self.before.hex()), "the chain ends elsewhere")
        for kind, record in self.standing.keys() | self.written.keys():
            found = self.written.get((kind, record))
            need(found == self.standing.get((kind, record)), f"{kind} {record.hex()}"
                 + (f" of line {self.lines[kind, record]}" if found else "") + " is not as its newest change left it")
        need(not any(self.blank.values()), "a replaced text is gone, and no change says that it was blanked")
        if self.sums:
            day, series, _ = min(self.sums)
            day = datetime.date.fromordinal(day + 1)
            raise Wrong(f"the postings do not add up to the activities, first on {day} in series {series}")


def check(path):
    """Checks a file; what there is in it."""
    state, before, kind = Check(), hashlib.sha256(), None
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            try:
                need(line.endswith(b"\n"), "the file is cut off")
                need(kind != "seal", "a line stands behind the end")
                text = line[:-1].decode()
                state.line(text)
                kind = json.loads(text)["kind"]
                if kind == "seal":
                    need(json.loads(text)["sha256"] == before.hexdigest(), "the file does not have the digest of its last line")
                before.update(line)
            except (Wrong, ValueError, KeyError, TypeError, IndexError) as error:
                raise Wrong(f"line {number}: {error or type(error).__name__}") from None
    need(kind == "seal", "the file is cut off")
    return state.counts


if __name__ == "__main__":
    try:
        counts = check(sys.argv[1])
    except Wrong as wrong:
        sys.exit(f"{sys.argv[1]}: {wrong}")
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()), "and all of it fits")
