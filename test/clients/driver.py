"""Calls the installed client. Reads calls from standard input and writes their results, one JSON text per line."""

import json
import os
import re
import sys
from keyword import iskeyword
from dataclasses import fields, is_dataclass
from datetime import datetime

from creator_data_client import ApiError, CreatorDataClient

options = json.loads(os.environ["CLIENT_OPTIONS"])
seconds = {"timeoutMs": "timeout", "maxRetryWaitMs": "max_retry_wait"}


def arguments(values):
    known = {seconds[name]: values[name] / 1000 for name in seconds if name in values}
    return {**known, **({"max_retries": values["maxRetries"]} if "maxRetries" in values else {})}


client = CreatorDataClient(
    options["baseUrl"],
    options["apiKey"],
    cache={} if options.get("hasCache") else None,
    test_answer=options.get("testAnswer"),
    **arguments(options),
)
last = None


def camel(name):
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


def described(value):
    """Returns the form that the driver of the other client prints."""
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    if is_dataclass(value):
        return members({field.name: getattr(value, field.name) for field in fields(value)})
    return value


def members(values):
    headers = values.pop("headers", None)
    content_type = {} if headers is None else {"contentType": headers["Content-Type"]}
    return {**{camel(name): described(value) for name, value in values.items()}, **content_type}


def call(request):
    global last
    group, name = request["method"].split(".")
    method = getattr(getattr(client, group), re.sub("[A-Z]", lambda match: "_" + match[0].lower(), name))
    previous = {"previous": last} if request.get("usesLast") else {}
    # Parameters with the name of a keyword, such as `not`, end in an underscore.
    parameters = {f"{name}_" if iskeyword(name) else name: value for name, value in request["parameters"].items()}
    result = method(**parameters, **arguments(request), **previous)
    if not hasattr(result, "__next__"):
        last = result
        return {"answer": described(result)}
    return {"items": [item if name.endswith("All") else described(item) for item in result]}


for line in sys.stdin:
    try:
        reply = call(json.loads(line))
    except ApiError as error:
        reply = {"error": {"type": "ApiError", **members(dict(vars(error)))}}
    except Exception as error:
        reply = {"error": {"type": type(error).__name__, "message": str(error)}}
    print(json.dumps(reply), flush=True)
