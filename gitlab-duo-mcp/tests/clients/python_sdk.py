"""One conversation through the official Python SDK, on each surface, in the oldest and the newest revision of the
protocol that it speaks, and in the newest one with a handshake.

Arguments: the server's binary. `GITLAB_URL` and `GITLAB_TOKEN` name a fake GitLab whose clock runs fast.
"""

import json
import os
import pathlib
import sys
import tempfile

import anyio
from mcp import Client, StdioServerParameters, stdio_client
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, KNOWN_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION

PROJECT = "example-group/backend"
SURFACES = json.loads(pathlib.Path(__file__).with_name("surfaces.json").read_text())
# A look every quarter of a second; the fake's clock passes minutes meanwhile.
MOST_LOOKS = 120
PAUSE_SECONDS = 0.25
ASKING = pathlib.Path(__file__).with_name("asking.py")
# The SDK's way to begin, and the revision that it then has to agree on. It asks for its newest one with a handshake;
# an older one is written in between.
REVISIONS = [
    ("legacy", HANDSHAKE_PROTOCOL_VERSIONS[0]),
    ("legacy", LATEST_HANDSHAKE_VERSION),
    ("auto", KNOWN_PROTOCOL_VERSIONS[-1]),
]
# Structured results came with this revision; before it the text carries the JSON.
STRUCTURED = "2025-06-18"


def check(condition, what):
    if not condition:
        raise SystemExit(f"failed: {what}")


async def call(client, step, **arguments):
    """The value of a call, and whether it is an error."""
    tool, fixed = step
    result = await client.call_tool(tool, {**fixed, **arguments})
    text = result.content[0].text
    if client.protocol_version < STRUCTURED:
        check(result.structured_content is None, f"{tool} answers nothing that this revision does not know")
        return json.loads(text), result.is_error
    check(result.structured_content is not None, f"{tool} {arguments} answers structured content: {text}")
    check(len(text) < 8_000 and '{"' not in text, f"the text of {tool} is short and readable: {text[:200]}")
    return result.structured_content, result.is_error


async def until(client, surface, workflow_id, wanted):
    for _ in range(MOST_LOOKS):
        session, _ = await call(client, surface["get"], workflow_id=workflow_id)
        if wanted(session):
            return session
        await anyio.sleep(PAUSE_SECONDS)
    raise SystemExit(f"failed: session {workflow_id} never came so far: {session}")


async def conversation(binary, folder, mode, revision, name, surface):
    agreed = pathlib.Path(folder, f"{revision}-{name}")
    asked = revision if mode == "legacy" else "any"
    arguments = [str(ASKING), asked, str(agreed), binary, "--tools", name]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
    async with Client(stdio_client(server), mode=mode) as client:
        check(client.protocol_version == revision, f"{revision} is agreed, not {client.protocol_version}")
        tools = (await client.list_tools()).tools
        check([tool.name for tool in tools] == surface["tools"], "its tools are listed")
        check(all(tool.input_schema["type"] == "object" for tool in tools), "their schemas are plain objects")

        offer = (await call(client, surface["discover"], project_id=PROJECT))[0]
        flows = {item["flow"]: item for item in offer["items"] if item["flow"]}
        check(flows["developer/v1"]["can_start_session"] is True, "developer/v1 can be started")

        goal = f"Repair the unit tests ({revision}, {name})"
        start = {"project_id": PROJECT, "flow": "developer/v1", "goal": goal}
        plan = (await call(client, surface["start"], dry_run=True, **start))[0]
        check(plan["dry_run"] and "workflow_id" not in plan, "a dry run starts nothing")
        started = (await call(client, surface["start"], **start))[0]
        check(started["status"] == "created" and started["poll_after_seconds"] == 120, f"it is started: {started}")
        again, is_error = await call(client, surface["start"], **start)
        check(is_error and again["error"]["kind"] == "duplicate", "the same start is a duplicate")

        workflow_id = started["workflow_id"]
        waiting = await until(client, surface, workflow_id, lambda s: (s["pending_input"] or {}).get("can_send") is True)
        check(waiting["status"] == "input_required" and waiting["pending_input"]["question"], "it asks a question")
        await call(client, surface["answer"], workflow_id=workflow_id, human_approval=False, human_message="Only invoices")

        done = await until(client, surface, workflow_id, lambda s: s["terminal"] is True)
        check(done["status"] == "finished" and done["answer"], "it finishes with an answer")
        check(done["created"]["merge_requests"]["items"][0]["web_url"].startswith("http"), "the merge request has a link")
        listed = (await call(client, surface["list"], first=5))[0]
        check(workflow_id in [row[surface["id"]] for row in listed["sessions"]], "it is in the list")
        stopped = (await call(client, surface["stop"], workflow_id=workflow_id))[0]
        check(stopped["sent"] is False, "stopping what has ended sends nothing")
    check(agreed.read_text() == revision, f"{revision} was spoken, not {agreed.read_text()}")
    print(f"the Python SDK in {revision}, tools {name}: the whole story")


async def main():
    with tempfile.TemporaryDirectory() as folder:
        for mode, revision in REVISIONS:
            for name, surface in SURFACES.items():
                await conversation(sys.argv[1], folder, mode, revision, name, surface)


anyio.run(main)
