"""One conversation through the official Python SDK, on each surface and in each generation of the protocol that it speaks.

Arguments: the server's binary. `GITLAB_URL` and `GITLAB_TOKEN` name a fake GitLab whose clock runs fast.
"""

import json
import os
import pathlib
import sys

import anyio
from mcp import Client, StdioServerParameters, stdio_client

PROJECT = "example-group/backend"
SURFACES = json.loads(pathlib.Path(__file__).with_name("surfaces.json").read_text())
# A look every quarter of a second; the fake's clock passes minutes meanwhile.
MOST_LOOKS = 120
PAUSE_SECONDS = 0.25


def check(condition, what):
    if not condition:
        raise SystemExit(f"failed: {what}")


async def call(client, step, **arguments):
    tool, fixed = step
    result = await client.call_tool(tool, {**fixed, **arguments})
    text = result.content[0].text
    check(result.structured_content is not None, f"{tool} {arguments} answers structured content: {text}")
    check(len(text) < 8_000 and not text.startswith("{"), f"the text of {tool} is short and readable: {text[:200]}")
    return result


async def until(client, surface, workflow_id, wanted):
    for _ in range(MOST_LOOKS):
        session = (await call(client, surface["get"], workflow_id=workflow_id)).structured_content
        if wanted(session):
            return session
        await anyio.sleep(PAUSE_SECONDS)
    raise SystemExit(f"failed: session {workflow_id} never came so far: {session}")


async def conversation(binary, mode, name, surface):
    server = StdioServerParameters(command=binary, args=["--tools", name], env=dict(os.environ))
    async with Client(stdio_client(server), mode=mode) as client:
        tools = (await client.list_tools()).tools
        check([tool.name for tool in tools] == surface["tools"], "its tools are listed")
        check(all(tool.input_schema["type"] == "object" for tool in tools), "their schemas are plain objects")

        offer = (await call(client, surface["discover"], project_id=PROJECT)).structured_content
        flows = {item["flow"]: item for item in offer["items"] if item["flow"]}
        check(flows["developer/v1"]["can_start_session"] is True, "developer/v1 can be started")

        goal = f"Repair the unit tests ({mode}, {name})"
        start = {"project_id": PROJECT, "flow": "developer/v1", "goal": goal}
        plan = (await call(client, surface["start"], dry_run=True, **start)).structured_content
        check(plan["dry_run"] and "workflow_id" not in plan, "a dry run starts nothing")
        started = (await call(client, surface["start"], **start)).structured_content
        check(started["status"] == "created" and started["poll_after_seconds"] == 120, f"it is started: {started}")
        again = await call(client, surface["start"], **start)
        check(again.is_error and again.structured_content["error"]["kind"] == "duplicate", "the same start is a duplicate")

        workflow_id = started["workflow_id"]
        waiting = await until(client, surface, workflow_id, lambda s: (s["pending_input"] or {}).get("can_send") is True)
        check(waiting["status"] == "input_required" and waiting["pending_input"]["question"], "it asks a question")
        await call(client, surface["answer"], workflow_id=workflow_id, human_approval=False, human_message="Only invoices")

        done = await until(client, surface, workflow_id, lambda s: s["terminal"] is True)
        check(done["status"] == "finished" and done["answer"], "it finishes with an answer")
        check(done["created"]["merge_requests"]["items"][0]["web_url"].startswith("http"), "the merge request has a link")
        listed = (await call(client, surface["list"], first=5)).structured_content
        check(workflow_id in [row[surface["id"]] for row in listed["sessions"]], "it is in the list")
        stopped = (await call(client, surface["stop"], workflow_id=workflow_id)).structured_content
        check(stopped["sent"] is False, "stopping what has ended sends nothing")
    print(f"the Python SDK in mode {mode}, tools {name}: the whole story")


async def main():
    for mode in ("legacy", "auto"):
        for name, surface in SURFACES.items():
            await conversation(sys.argv[1], mode, name, surface)


anyio.run(main)
