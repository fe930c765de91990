"""A memory for Python programs, with the standard library alone.

ENGRAM_URL=http://127.0.0.1:8000 ENGRAM_TOKEN=... python3 engram_memory.py
"""

import json
import os
import random
import time
import urllib.error
import urllib.request
import uuid

TIMEOUT_S = 30
TRIES = 3
# Longest wait that the service may ask for: a rate limit asks for a minute.
WAIT_MAX_S = 90


class Engram:
    def __init__(self, url, token=None):
        self.url = url.rstrip("/")
        self.headers = {"Content-Type": "application/json"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"

    def call(self, path, body):
        """The answer to a request that may safely be sent again: its key tells the service that it is the same."""
        data = json.dumps({"idempotency_key": str(uuid.uuid4()), **body}).encode()
        for tries_left in reversed(range(TRIES)):
            request = urllib.request.Request(self.url + path, data, self.headers)
            try:
                with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                wait_s = retry_after_s(error.headers)
                if not (error.code == 429 or error.code >= 500) or tries_left == 0 or wait_s > WAIT_MAX_S:
                    raise RuntimeError(f"{error.code}: {detail_of(error)}") from None
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                wait_s = 0
                if tries_left == 0:
                    raise
            # Not all at the same moment as other programs that were refused with this one.
            time.sleep(wait_s + random.uniform(0, 0.5))
        raise AssertionError("unreachable")

    def run(self, session_id, message):
        return self.call("/v1/run", {"session_id": session_id, "message": message})

    def store(self, session_id, response):
        return self.call("/v1/store", {"session_id": session_id, "response": response})


def retry_after_s(headers):
    """Seconds for which the service, or a proxy before it, asks to wait."""
    value = headers.get("Retry-After", "")
    return int(value) if value.isdecimal() else 0


def detail_of(error):
    """What the service said; a proxy before it may answer with something else."""
    try:
        return json.load(error)["detail"]
    except (ValueError, KeyError, TypeError):
        return error.reason


if __name__ == "__main__":
    engram = Engram(os.environ["ENGRAM_URL"], os.environ.get("ENGRAM_TOKEN"))
    engram.run("python", "Where do we fly in May?")
    engram.store("python", "To Lisbon, with the children.")
    print(engram.run("python", "Where do we fly in May?")["context"])
