"""A memory for Python programs, with the standard library alone.

ENGRAM_URL=http://127.0.0.1:8000 ENGRAM_TOKEN=... python3 engram_memory.py
"""

import json
import os
import urllib.error
import urllib.request
import uuid

TIMEOUT_S = 30
TRIES = 3


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
                if error.code < 500 or tries_left == 0:
                    raise RuntimeError(f"{error.code}: {json.load(error)['detail']}") from None
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                if tries_left == 0:
                    raise
        raise AssertionError("unreachable")

    def run(self, session_id, message):
        return self.call("/v1/run", {"session_id": session_id, "message": message})

    def store(self, session_id, response):
        return self.call("/v1/store", {"session_id": session_id, "response": response})


if __name__ == "__main__":
    engram = Engram(os.environ["ENGRAM_URL"], os.environ.get("ENGRAM_TOKEN"))
    engram.run("python", "Where do we fly in May?")
    engram.store("python", "To Lisbon, with the children.")
    print(engram.run("python", "Where do we fly in May?")["context"])
