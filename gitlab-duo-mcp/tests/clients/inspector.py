"""One conversation through the command line of the official Inspector, in both generations of the protocol.

Arguments: the Inspector's command, the server's binary. Each call runs the server anew.
`GITLAB_URL` and `GITLAB_TOKEN` name a fake GitLab whose clock runs fast.
"""

import json
import os
import subprocess
import sys
import time

PROJECT = "example-group/backend"
MOST_LOOKS = 40
CALL_SECONDS = 60

inspector, binary = sys.argv[1:3]


def check(condition, what):
    if not condition:
        raise SystemExit(f"failed: {what}")


def inspect(era, method, *arguments, codes=(0,)):
    environment = [part for name in ("GITLAB_URL", "GITLAB_TOKEN") for part in ("-e", f"{name}={os.environ[name]}")]
    command = [inspector, "--cli", binary, *environment, "--method", method, "--protocol-era", era, *arguments]
    run = subprocess.run(command, capture_output=True, text=True, timeout=CALL_SECONDS)
    check(run.returncode in codes, f"{method} {arguments} ends with {run.returncode}: {run.stdout}{run.stderr}")
    return json.loads(run.stdout), run.stderr


def call(era, tool, codes=(0,), **arguments):
    pairs = [f"{name}={json.dumps(value) if isinstance(value, bool) else value}" for name, value in arguments.items()]
    result, _ = inspect(era, "tools/call", "--tool-name", tool, "--tool-arg", *pairs, codes=codes)
    return result.get("result", result)["structuredContent"]


def until(era, workflow_id, wanted):
    for _ in range(MOST_LOOKS):
        session = call(era, "browse_duo_sessions", action="get", workflow_id=workflow_id)
        if wanted(session):
            return session
        time.sleep(0.2)
    raise SystemExit(f"failed: session {workflow_id} never came so far: {session}")


def conversation(era):
    # It ends with another code than 0 when a schema has a fault that makes some client refuse it.
    listing, _ = inspect(era, "tools/list", "--strict")
    tools = listing.get("result", listing)["tools"]
    check([tool["name"] for tool in tools] == ["browse_duo_sessions", "manage_duo_session"], "the two tools are listed")

    offer = call(era, "browse_duo_sessions", action="agents_and_flows", project_id=PROJECT, item_type="flow")
    check(any(item["flow"] == "developer/v1" for item in offer["items"]), "developer/v1 is offered")
    goal = f"Repair the unit tests (inspector, {era})"
    started = call(era, "manage_duo_session", action="start", project_id=PROJECT, flow="developer/v1", goal=goal)
    workflow_id = started["workflow_id"]
    waiting = until(era, workflow_id, lambda s: (s["pending_input"] or {}).get("can_send") is True)
    check(waiting["pending_input"]["kind"] == "input", "it asks a question")
    call(era, "manage_duo_session", action="send_input", workflow_id=workflow_id, human_approval=False, human_message="Only invoices")
    done = until(era, workflow_id, lambda s: s["terminal"] is True)
    check(done["status"] == "finished" and done["created"]["merge_requests"]["items"], "it finishes with a merge request")
    print(f"the Inspector in the {era} era: the whole story")


for era in ("legacy", "modern"):
    conversation(era)
