"""Credentials for the requests that are made from the document.

One of them may revoke the key that it came with, or lower what it may do: a key that is refused is replaced."""

import base64
import json
import os
import subprocess
import urllib.error
import urllib.request

import schemathesis

PROGRAM, DATA, BASE = (os.environ["CAMPAIGN_" + name] for name in ("PROGRAM", "DATA", "BASE"))
keys = {}


def made(*words):
    """What the program prints of new credentials that may do everything."""
    words = [PROGRAM, *words, "--name", "campaign", "--permissions", "admin", "--json", "--data-dir", DATA]
    return json.loads(subprocess.run(words, check=True, capture_output=True).stdout)


def is_good(header):
    """Whether it may do what an administrator may."""
    asked = urllib.request.Request(BASE + "/v1/key?pageSize=1", headers={"Authorization": header})
    try:
        urllib.request.urlopen(asked, timeout=30).close()
        return True
    except urllib.error.HTTPError:
        return False


@schemathesis.auth(refresh_interval=1)
class Credentials:
    """A key, or a client's secret where tokens are asked for."""

    def get(self, case, context):
        if "key" not in keys or not is_good(keys["key"]):
            keys["key"] = "Bearer " + made("key", "create")["key"]
            client = made("client", "create")
            pair = client["client_id"] + ":" + client["client_secret"]
            keys["client"] = "Basic " + base64.b64encode(pair.encode()).decode()
        return dict(keys)

    def set(self, case, data, context):
        kind = "client" if case.operation.path.startswith("/auth/") else "key"
        case.headers = case.headers or {}
        case.headers["Authorization"] = data[kind]


@schemathesis.serializer("application/x-ndjson")
def rows(_context, value):
    """Rows go out as the text that was made."""
    return value.encode("utf-8", "replace") if isinstance(value, str) else json.dumps(value).encode()
