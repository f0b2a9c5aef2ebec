"""What the requests made from the document are sent with, and what became of them.

They bring credentials: one of them may revoke the key that it came with, or lower what it may do, so a key that is refused is
replaced. Made-up identifiers meet nothing, so every third request of an operation, the first one too, names records that are
there, and of these every other one has the document's example as its body. `counts.json` has how often each operation was answered with which status."""

import atexit
import base64
import json
import os
import random
import subprocess
import urllib.error
import urllib.request

import schemathesis

PROGRAM, DATA, BASE, SEED = (os.environ["CAMPAIGN_" + name] for name in ("PROGRAM", "DATA", "BASE", "SEED"))
# What the examples of the document refer to by its syncId.
NEEDED = ("scope", "org", "taxonomy", "product", "model")
# After so many requests what is there is looked up again.
LOOKED_UP = 100

keys, counts, found, sent = {}, {}, {}, {}
dice = random.Random(int(SEED))


def made(*words):
    """What the program prints of new credentials that may do everything."""
    words = [PROGRAM, *words, "--name", "campaign", "--permissions", "admin", "--json", "--data-dir", DATA]
    return json.loads(subprocess.run(words, check=True, capture_output=True).stdout)


def asked(method, path, body=None, header=None):
    """The status and the JSON of an answer, beside the requests that are counted."""
    headers = {"Authorization": header or key(), "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE + path, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as refused:
        return refused.code, None


def key():
    """A key that may do everything; a client of the same permissions is made with it."""
    if "key" not in keys or asked("GET", "/v1/key?pageSize=1", header=keys["key"])[0] != 200:
        keys["key"] = "Bearer " + made("key", "create")["key"]
        client = made("client", "create")
        pair = client["client_id"] + ":" + client["client_secret"]
        keys["client"] = "Basic " + base64.b64encode(pair.encode()).decode()
    return keys["key"]


def partner():
    """A token of a partner's own client, for the events that nobody else may send; the partner is made anew where it is gone."""
    if "partner" not in keys or asked("GET", "/3/footprints?limit=1", header=keys["partner"])[0] != 200:
        one = asked("POST", "/v1/partner", {"name": "Campaign", "baseUrl": "https://pact.example.com"})[1] or {}
        client = asked("POST", f"/v1/partner/{one.get('uuid')}/client")[1]
        if client is None:
            return
        pair = client["client_id"] + ":" + client["client_secret"]
        request = urllib.request.Request(
            BASE + "/auth/token",
            data=b"grant_type=client_credentials",
            headers={"Authorization": "Basic " + base64.b64encode(pair.encode()).decode(),
                     "Content-Type": "application/x-www-form-urlencoded"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            keys["partner"] = "Bearer " + json.loads(answer.read())["access_token"]


@schemathesis.auth(refresh_interval=1)
class Credentials:
    """A key, a client's secret where tokens are asked for, or a partner's token where events are sent."""

    def get(self, case, context):
        key()
        partner()
        return dict(keys)

    def set(self, case, data, context):
        kind = "client" if case.operation.path.startswith("/auth/") else "key"
        kind = "partner" if case.operation.path.endswith("/events") and "partner" in data else kind
        case.headers = case.headers or {}
        case.headers["Authorization"] = data[kind]


@schemathesis.serializer("application/x-ndjson")
def rows(_context, value):
    """Rows go out as the text that was made."""
    return value.encode("utf-8", "replace") if isinstance(value, str) else json.dumps(value).encode()


def example(document, path, method):
    """The document's example of a body, with its media type."""
    content = document["paths"][path][method].get("requestBody", {}).get("content", {})
    return next(((media, said["example"]) for media, said in content.items() if "example" in said), None)


def unlike(body):
    """An example's body without what another record has."""
    if not isinstance(body, dict):
        return body
    body = {name: value for name, value in body.items() if name != "syncId"}
    return body | {"name": f"{body['name']} {dice.randrange(10**9)}"} if "name" in body else body


def new(document, path, address=None):
    """Adds the document's example of a collection; the identifier, if it was added."""
    body = unlike(example(document, path, "post")[1])
    if path.endswith("/factor"):
        body["validFrom"] = f"{dice.randrange(1990, 2090)}-{dice.randrange(1, 13):02}-01"
        body["validTo"] = body["validFrom"][:8] + "02"
    status, answer = asked("POST", address or path, body)
    return answer.get("uuid", answer.get("id")) if status == 201 else None


def changed(document):
    """An activity that was another before."""
    one = new(document, "/v1/activity")
    asked("PATCH", f"/v1/activity/{one}", {"description": "Another"})
    return one


def recalculated(document):
    """A recalculation of an activity that had no factor before; where it changed none, one that is not there."""
    product = new(document, "/v1/product")
    unit = (asked("GET", f"/v1/product/{product}")[1] or {}).get("unit")
    activity = {"name": "Late", "startDate": "2025-02-03", "quantity": 1, "unit": unit, "product": {"uuid": product}}
    asked("POST", "/v1/activity", activity)
    factor = {"unit": unit, "upstream": "1", "validFrom": "2000-01-01", "source": "A table"}
    asked("POST", f"/v1/product/{product}/factor", factor)
    done = asked("POST", "/v1/recalculation", {})[1] or {}
    return done.get("uuid") or "00000000-0000-7000-8000-000000000000"


def there(path):
    """Identifiers of some records of a collection, looked up every now and then."""
    if path not in found or found[path][0] == 0:
        answer = asked("GET", path + "?page=1&pageSize=100")[1] or {}
        found[path] = [LOOKED_UP, [one["uuid"] for one in answer.get("data", [])]]
    found[path][0] -= 1
    return found[path][1]


def names(document, method, path):
    """Values for the path that name records: a new one to be removed or corrected, else one that is there."""
    collection, _, rest = path.partition("/{uuid}")
    collection = collection if "post" in document["paths"].get(collection, {}) or rest == "" else path
    is_ended = method == "delete"
    if collection in ("/2/footprints", "/3/footprints"):
        # In the form of PACT, which has other members and no pages.
        listed = (asked("GET", collection)[1] or {}).get("data", [])
        return {"uuid": dice.choice(listed)["id"]} if listed else None
    if collection == "/v1/import":
        asked_rows = urllib.request.Request(
            BASE + "/v1/activity/batch?name=campaign",
            data=example(document, "/v1/activity/batch", "post")[1].encode(),
            headers={"Authorization": key(), "Content-Type": "application/x-ndjson"},
        )
        if is_ended or not there(collection):
            try:
                urllib.request.urlopen(asked_rows, timeout=60).close()
            except urllib.error.HTTPError:
                return None
            found.pop(collection, None)
        all_ = there(collection)
        return {"uuid": all_[0] if is_ended else dice.choice(all_)} if all_ else None
    if collection == "/v1/recalculation":
        return {"uuid": recalculated(document)}
    if rest == "/footprint":
        # One without inputs has no footprint; the demo's are the first.
        has = lambda one: (asked("GET", f"{collection}/{one}/input?pageSize=1")[1] or {}).get("count")
        full = [one for one in there(collection)[:10] if has(one)]
        if full:
            return {"uuid": dice.choice(full)}
    one = None
    if (is_ended and rest == "") or not there(collection) or rest.startswith(("/factor", "/input", "/secret")):
        one = new(document, collection)
    one = one or dice.choice(there(collection) or [None])
    if one is None or "{id}" not in rest:
        return one and {"uuid": one}
    inner = path.partition("/{id}")[0]
    other = new(document, inner, inner.replace("{uuid}", one))
    return other and {"uuid": one, "id": other}


@schemathesis.hook
def before_call(_context, case, _kwargs):
    """Every third request names what is there."""
    document, path, method = case.operation.schema.raw_schema, case.operation.path, case.method.lower()
    if method == "post":
        # The document cannot say that an answer has no body because the request preferred it so; the tests of manners do.
        (case.headers or {}).pop("Prefer", None)
    number = sent[method, path] = sent.get((method, path), -1) + 1
    if number % 3 > 0 or method not in document["paths"].get(path, {}):
        return
    if dice.randrange(LOOKED_UP) == 0 or "needed" not in keys:
        keys["needed"] = True
        for kind in NEEDED:
            asked("POST", "/v1/" + kind, example(document, "/v1/" + kind, "post")[1])
    if "{set}" in path:
        published = ((asked("GET", "/v1/factor")[1] or {}).get("data") or [None])[0]
        case.path_parameters.update({"set": published["set"]["id"], "cell": published["cell"]} if published else {})
    if "{uuid}" in path:
        case.path_parameters.update(names(document, method, path) or {})
    for name in ("If-Match", "Content-Digest", "Accept"):
        case.headers.pop(name, None)
    if number % 6 == 0:
        case.query = {"name": "campaign"} if path.endswith("/batch") else {}
        case.headers.pop("If-None-Match", None)
        case.headers.pop("Idempotency-Key", None)
        said = example(document, path, method)
        if said is not None:
            case.media_type, case.body = said[0], unlike(said[1])
        if path == "/v1/change/blank":
            # The example names a record that is not there.
            case.body["uuid"] = changed(document)


@schemathesis.hook
def after_call(_context, case, response):
    """Counts the answer."""
    of_operation = counts.setdefault(f"{case.method.upper()} {case.operation.path}", {})
    of_operation[str(response.status_code)] = of_operation.get(str(response.status_code), 0) + 1
    if sum(of_operation.values()) % 10 == 0:
        tell()


@atexit.register
def tell():
    """Writes the counts beside the report, now and then too, so that it is seen that requests go on."""
    with open("counts.new", "w", encoding="utf-8") as file:
        json.dump(counts, file, indent=1, sort_keys=True)
    os.replace("counts.new", "counts.json")
