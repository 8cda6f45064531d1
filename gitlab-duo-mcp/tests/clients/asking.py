"""Runs a server behind a client that cannot be told which revision of the protocol to ask for.

Arguments: the revision to ask for (`any` for whatever the client asks for), a file for what was agreed, the server's
command. Every line goes on unchanged, but for the revision in the client's `initialize`. The file gets the revision
of the server's answer to it or, where there is no handshake, the one that the client names with a request that the
server answers with a result.
"""

import json
import pathlib
import subprocess
import sys
import threading

NAMED = "io.modelcontextprotocol/protocolVersion"

revision, agreed, *command = sys.argv[1:]
server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
asked = {}


def message(line):
    try:
        read = json.loads(line)
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}


def from_client(line):
    request = message(line)
    parameters = request.get("params") or {}
    if request.get("method") == "initialize":
        if revision != "any":
            parameters["protocolVersion"] = revision
            line = json.dumps(request).encode() + b"\n"
        asked[request.get("id")] = None
    elif NAMED in (parameters.get("_meta") or {}):
        asked[request.get("id")] = parameters["_meta"][NAMED]
    return line


def from_server(line):
    answer = message(line)
    if answer.get("id") in asked and "result" in answer:
        named = asked.pop(answer["id"])
        pathlib.Path(agreed).write_text(named or answer["result"]["protocolVersion"])


def to_client():
    for line in server.stdout:
        from_server(line)
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()


answers = threading.Thread(target=to_client)
answers.start()
for line in sys.stdin.buffer:
    server.stdin.write(from_client(line))
    server.stdin.flush()
server.stdin.close()
answers.join()
sys.exit(server.wait())
