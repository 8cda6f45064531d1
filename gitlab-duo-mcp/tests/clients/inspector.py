"""One conversation through the command line of the official Inspector, in the oldest and the newest revision of the
protocol that it speaks.

Arguments: the Inspector's command, the server's binary. Each call runs the server anew.
`GITLAB_URL` and `GITLAB_TOKEN` name a fake GitLab whose clock runs fast.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

SURFACES = json.loads(pathlib.Path(__file__).with_name("surfaces.json").read_text())
PROJECT = "example-group/backend"
MOST_LOOKS = 40
CALL_SECONDS = 60
ASKING = pathlib.Path(__file__).with_name("asking.py")
# How the Inspector begins, and the revision that it then has to agree on. It asks for its newest one with a
# handshake; the oldest is written in between.
REVISIONS = {"2024-11-05": "legacy", "2026-07-28": "modern"}
# Structured results came with this revision; before it the text carries the JSON.
STRUCTURED = "2025-06-18"

inspector, binary = sys.argv[1:3]


def check(condition, what):
    if not condition:
        raise SystemExit(f"failed: {what}")


def command(revision, name, agreed, method, *arguments):
    environment = [part for key in ("GITLAB_URL", "GITLAB_TOKEN") for part in ("-e", f"{key}={os.environ[key]}")]
    environment += ["-e", f"GITLAB_DUO_TOOLS={name}"]
    era = REVISIONS[revision]
    asked = revision if era == "legacy" else "any"
    server = [sys.executable, str(ASKING), asked, str(agreed), binary]
    return [inspector, "--cli", *server, *environment, "--method", method, "--protocol-era", era, *arguments]


def inspect(revision, name, method, *arguments, codes=(0,)):
    with tempfile.TemporaryDirectory() as folder:
        agreed = pathlib.Path(folder, "agreed")
        line = command(revision, name, agreed, method, *arguments)
        run = subprocess.run(line, capture_output=True, text=True, timeout=CALL_SECONDS)
        check(run.returncode in codes, f"{method} {arguments} ends with {run.returncode}: {run.stdout}{run.stderr}")
        check(agreed.read_text() == revision, f"{revision} is agreed, not {agreed.read_text()}")
    result = json.loads(run.stdout)
    return result.get("result", result), run.stderr


def tool_call(name, step, given):
    tool, fixed = SURFACES[name][step]
    pairs = [f"{key}={json.dumps(value) if isinstance(value, bool) else value}" for key, value in {**fixed, **given}.items()]
    return tool, ["--tool-name", tool, "--tool-arg", *pairs]


def call(revision, name, step, codes=(0,), **arguments):
    tool, given = tool_call(name, step, arguments)
    result, _ = inspect(revision, name, "tools/call", *given, codes=codes)
    check(("structuredContent" in result) == (revision >= STRUCTURED), f"{tool} answers in the form of {revision}")
    return result["structuredContent"] if revision >= STRUCTURED else json.loads(result["content"][0]["text"])


def start(revision, name, goal):
    """The id of a new session. The new generation of the Inspector follows a start as a task, looking again when it is
    told to, which is minutes: it is left as soon as the session is there, which goes on without it."""
    arguments = {"project_id": PROJECT, "flow": "developer/v1", "goal": goal}
    if REVISIONS[revision] == "legacy":
        return call(revision, name, "start", **arguments)["workflow_id"]
    _, given = tool_call(name, "start", arguments)
    with tempfile.TemporaryDirectory() as folder:
        line = command(revision, name, pathlib.Path(folder, "agreed"), "tools/call", *given)
        following = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(MOST_LOOKS):
                rows = call(revision, name, "list", project_id=PROJECT)["sessions"]
                found = [row[SURFACES[name]["id"]] for row in rows if row["goal"] == goal]
                if found:
                    return found[0]
            raise SystemExit(f"failed: the session of {goal!r} is not listed")
        finally:
            following.terminate()
            following.wait()


def until(revision, name, workflow_id, wanted):
    for _ in range(MOST_LOOKS):
        session = call(revision, name, "get", workflow_id=workflow_id)
        if wanted(session):
            return session
        time.sleep(0.2)
    raise SystemExit(f"failed: session {workflow_id} never came so far: {session}")


def conversation(revision, name):
    # It ends with another code than 0 when a schema has a fault that makes some client refuse it.
    listing, notes = inspect(revision, name, "tools/list", "--strict")
    check([tool["name"] for tool in listing["tools"]] == SURFACES[name]["tools"], "its tools are listed")
    check("carries no validation keyword" not in notes, f"every property has a type: {notes}")

    offer = call(revision, name, "discover", project_id=PROJECT, item_type="flow")
    check(any(item["flow"] == "developer/v1" for item in offer["items"]), "developer/v1 is offered")
    goal = f"Repair the unit tests (inspector, {revision}, {name})"
    workflow_id = start(revision, name, goal)
    waiting = until(revision, name, workflow_id, lambda s: (s["pending_input"] or {}).get("can_send") is True)
    check(waiting["pending_input"]["kind"] == "input", "it asks a question")
    call(revision, name, "answer", workflow_id=workflow_id, human_approval=False, human_message="Only invoices")
    done = until(revision, name, workflow_id, lambda s: s["terminal"] is True)
    check(done["status"] == "finished" and done["created"]["merge_requests"]["items"], "it finishes with a merge request")
    print(f"the Inspector in {revision}, tools {name}: the whole story")


for revision in REVISIONS:
    for name in SURFACES:
        conversation(revision, name)
