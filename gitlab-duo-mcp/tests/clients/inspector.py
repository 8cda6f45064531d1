"""One conversation through the command line of the official Inspector, in both generations of the protocol.

Arguments: the Inspector's command, the server's binary. Each call runs the server anew.
`GITLAB_URL` and `GITLAB_TOKEN` name a fake GitLab whose clock runs fast.
"""

import json
import os
import pathlib
import subprocess
import sys
import time

SURFACES = json.loads(pathlib.Path(__file__).with_name("surfaces.json").read_text())
PROJECT = "example-group/backend"
MOST_LOOKS = 40
CALL_SECONDS = 60

inspector, binary = sys.argv[1:3]


def check(condition, what):
    if not condition:
        raise SystemExit(f"failed: {what}")


def inspect(era, name, method, *arguments, codes=(0,)):
    environment = [part for key in ("GITLAB_URL", "GITLAB_TOKEN") for part in ("-e", f"{key}={os.environ[key]}")]
    environment += ["-e", f"GITLAB_DUO_TOOLS={name}"]
    command = [inspector, "--cli", binary, *environment, "--method", method, "--protocol-era", era, *arguments]
    run = subprocess.run(command, capture_output=True, text=True, timeout=CALL_SECONDS)
    check(run.returncode in codes, f"{method} {arguments} ends with {run.returncode}: {run.stdout}{run.stderr}")
    return json.loads(run.stdout), run.stderr


def call(era, name, step, codes=(0,), **arguments):
    tool, fixed = SURFACES[name][step]
    given = {**fixed, **arguments}
    pairs = [f"{key}={json.dumps(value) if isinstance(value, bool) else value}" for key, value in given.items()]
    result, _ = inspect(era, name, "tools/call", "--tool-name", tool, "--tool-arg", *pairs, codes=codes)
    return result.get("result", result)["structuredContent"]


def until(era, name, workflow_id, wanted):
    for _ in range(MOST_LOOKS):
        session = call(era, name, "get", workflow_id=workflow_id)
        if wanted(session):
            return session
        time.sleep(0.2)
    raise SystemExit(f"failed: session {workflow_id} never came so far: {session}")


def conversation(era, name):
    # It ends with another code than 0 when a schema has a fault that makes some client refuse it.
    listing, notes = inspect(era, name, "tools/list", "--strict")
    tools = listing.get("result", listing)["tools"]
    check([tool["name"] for tool in tools] == SURFACES[name]["tools"], "its tools are listed")
    check("carries no validation keyword" not in notes, f"every property has a type: {notes}")

    offer = call(era, name, "discover", project_id=PROJECT, item_type="flow")
    check(any(item["flow"] == "developer/v1" for item in offer["items"]), "developer/v1 is offered")
    goal = f"Repair the unit tests (inspector, {era}, {name})"
    started = call(era, name, "start", project_id=PROJECT, flow="developer/v1", goal=goal)
    workflow_id = started["workflow_id"]
    waiting = until(era, name, workflow_id, lambda s: (s["pending_input"] or {}).get("can_send") is True)
    check(waiting["pending_input"]["kind"] == "input", "it asks a question")
    call(era, name, "answer", workflow_id=workflow_id, human_approval=False, human_message="Only invoices")
    done = until(era, name, workflow_id, lambda s: s["terminal"] is True)
    check(done["status"] == "finished" and done["created"]["merge_requests"]["items"], "it finishes with a merge request")
    print(f"the Inspector in the {era} era, tools {name}: the whole story")


for era in ("legacy", "modern"):
    for name in SURFACES:
        conversation(era, name)
