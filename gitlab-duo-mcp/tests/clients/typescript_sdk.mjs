// One conversation through the official TypeScript SDK, on each surface, in the newest and the oldest revision it speaks.
//
// Arguments: the folder that it is installed in, the server's binary. `GITLAB_URL` and `GITLAB_TOKEN` name a fake GitLab
// whose clock runs fast.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

const PROJECT = "example-group/backend";
const MOST_LOOKS = 120;
const PAUSE_MILLISECONDS = 250;

const [home, binary] = process.argv.slice(2);
const sdk = (path) => import(pathToFileURL(join(home, "node_modules/@modelcontextprotocol/sdk/dist/esm", path)));
const { Client } = await sdk("client/index.js");
const { StdioClientTransport } = await sdk("client/stdio.js");
const types = await sdk("types.js");
const surfaces = JSON.parse(readFileSync(new URL("surfaces.json", import.meta.url), "utf8"));
const newest = types.LATEST_PROTOCOL_VERSION;
const oldest = [...types.SUPPORTED_PROTOCOL_VERSIONS].sort().find((version) => version >= "2024-11-05");

function check(condition, what) {
  if (!condition) {
    console.error(`failed: ${what}`);
    process.exit(1);
  }
}

// The SDK asks for its newest revision; here a transport rewrites what it asks for.
class Asking extends StdioClientTransport {
  constructor(options, version) {
    super(options);
    this.version = version;
  }
  send(message) {
    if (message.method === "initialize") message.params.protocolVersion = this.version;
    return super.send(message);
  }
  setProtocolVersion(version) {
    this.agreed = version;
  }
}

async function conversation(version, name) {
  const surface = surfaces[name];
  const env = { ...process.env };
  const transport = new Asking({ command: binary, args: ["--tools", name], env }, version);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  check(transport.agreed === version, `${version} is agreed, not ${transport.agreed}`);
  const { tools } = await client.listTools();
  check(JSON.stringify(tools.map((tool) => tool.name)) === JSON.stringify(surface.tools), "its tools are listed");

  // The SDK checks each structured result against its schema; an old revision has only JSON in the text.
  const call = async (step, given) => {
    const [tool, fixed] = surface[step];
    const result = await client.callTool({ name: tool, arguments: { ...fixed, ...given } });
    check(version < "2025-06-18" || result.structuredContent, `${tool} answers structured content`);
    return { isError: result.isError, value: result.structuredContent ?? JSON.parse(result.content[0].text) };
  };
  const until = async (workflow_id, wanted) => {
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      const { value } = await call("get", { workflow_id });
      if (wanted(value)) return value;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
    }
    check(false, `session ${workflow_id} never came so far`);
  };

  const offer = (await call("discover", { project_id: PROJECT })).value;
  check(offer.items.some((item) => item.flow === "developer/v1" && item.can_start_session), "developer/v1 can be started");
  const start = { project_id: PROJECT, flow: "developer/v1", goal: `Repair the unit tests (TypeScript, ${version}, ${name})` };
  const { workflow_id } = (await call("start", start)).value;
  const again = await call("start", start);
  check(again.isError && again.value.error.kind === "duplicate", "the same start is a duplicate");
  await until(workflow_id, (session) => session.pending_input?.can_send === true);
  await call("answer", { workflow_id, human_approval: false, human_message: "Only invoices" });
  const done = await until(workflow_id, (session) => session.terminal === true);
  check(done.status === "finished" && done.created.merge_requests.items.length > 0, "it finishes with a merge request");
  const listed = (await call("list", { first: 5 })).value;
  check(listed.sessions.some((row) => row[surface.id] === workflow_id), "it is in the list");
  check((await call("stop", { workflow_id })).value.sent === false, "stopping what has ended sends nothing");
  await client.close();
  console.log(`the TypeScript SDK in ${version}, tools ${name}: the whole story`);
}

for (const version of [newest, oldest]) {
  for (const name of Object.keys(surfaces)) await conversation(version, name);
}
