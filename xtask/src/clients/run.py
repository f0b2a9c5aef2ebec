"""Runs the steps with the client that openapi-python-client generated: run.py STEPS BASE KEY, with the client's folder in PYTHONPATH."""

import base64
import glob
import importlib
import inspect
import io
import json
import os
import sys
import typing
import uuid
from decimal import Decimal

import tonne_client
from tonne_client import AuthenticatedClient, Client
from tonne_client.types import File

steps, base, key = json.load(open(sys.argv[1])), sys.argv[2], sys.argv[3]
saved = {}


def filled(value):
    """The value with what was saved in the place of its names."""
    if isinstance(value, str) and value.startswith("$"):
        return saved[value[1:]]
    if isinstance(value, dict):
        return {name: filled(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner) for inner in value]
    return value


def function(name):
    """The module of an operation."""
    (path,) = glob.glob(os.path.join(os.path.dirname(tonne_client.__file__), "api", "*", name + ".py"))
    return importlib.import_module("tonne_client.api." + os.path.basename(os.path.dirname(path)) + "." + name)


def typed(kind, value):
    """The value as the type that the client asks for."""
    if isinstance(value, list):
        (inner,) = [one for one in (typing.get_args(kind) or (kind,)) if one is not type(None)][:1]
        inner = (typing.get_args(inner) or (inner,))[0]
        return [typed(inner, one) for one in value]
    for one in typing.get_args(kind) or (kind,):
        if hasattr(one, "from_dict") and isinstance(value, dict):
            return one.from_dict(value)
        if one is uuid.UUID:
            return uuid.UUID(value)
        if inspect.isclass(one) and issubclass(one, str) and one is not str:
            return one(value)
    return value


def client(who):
    """A client with the credentials of the step."""
    pairs = {"client": ("login", "secret"), "partner": ("partnerLogin", "partnerSecret")}
    if who in pairs:
        login, secret = (saved[name] for name in pairs[who])
        pair = base64.b64encode(f"{login}:{secret}".encode()).decode()
        return Client(base_url=base, headers={"Authorization": "Basic " + pair})
    if who == "partnerToken":
        return AuthenticatedClient(base_url=base, token=saved["partnerToken"])
    return Client(base_url=base) if who == "nobody" else AuthenticatedClient(base_url=base, token=key)


def digits(number):
    """The number with 15 digits."""
    return f"{Decimal(str(number)):.14e}"


for step in steps:
    name, operation = step["do"], function(step["do"]).sync_detailed
    kinds = typing.get_type_hints(operation, vars(sys.modules[operation.__module__]))
    given = {**filled(step.get("path", {})), **filled(step.get("query", {}))}
    if "body" in step:
        given["body"] = filled(step["body"])
    # What Python cannot call so, the client calls by another name: syncId is sync_id, list is list_.
    plain = {known.replace("_", "").lower(): known for known in kinds}
    arguments = {plain[one.replace("_", "").lower()]: value for one, value in given.items()}
    arguments = {one: typed(kinds[one], value) for one, value in arguments.items()}
    if step["media"] == "application/x-ndjson":
        arguments["body"] = File(payload=io.BytesIO(given["body"].encode()))
    answer = operation(client=client(step.get("as", "key")), **arguments)
    assert answer.status_code == step["status"], f"{name}: {answer.status_code} {answer.content[:500]}"
    raw = json.loads(answer.content, parse_float=Decimal) if answer.content[:1] == b"{" else None
    read = answer.parsed.to_dict() if hasattr(answer.parsed, "to_dict") else None
    if raw is not None and step["typed"]:
        assert read is not None and set(raw) == set(read), f"{name}: the client reads other members: {read}"
    for member, value in step.get("expect", {}).items():
        assert raw[member] == value and read[member] == value, f"{name}: {member} is {read[member]}"
    for member, value in step.get("number", {}).items():
        assert digits(read[member]) == digits(value), f"{name}: {member} is {read[member]}"
        assert digits(raw[member]) == digits(value), f"{name}: {member} is {raw[member]}"
    for known, member in step.get("save", {}).items():
        saved[known] = raw[member]
print(len(steps))
