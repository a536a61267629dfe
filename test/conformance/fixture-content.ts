import {
  acceptedContent,
  inputRequired,
  ProtocolError,
  ResourceNotFoundError,
  type Server,
} from "@modelcontextprotocol/server";
import { ask } from "./fixture-inputs.ts";
import { png } from "./media.ts";

const resources = [
  { uri: "test://static-text", name: "static text", description: "A text.", mimeType: "text/plain" },
  { uri: "test://static-binary", name: "static binary", description: "A picture.", mimeType: "image/png" },
];
const template = {
  uriTemplate: "test://template/{id}/data",
  name: "template",
  description: "Data by id.",
  mimeType: "application/json",
};
const say = (text: string) => ({ role: "user" as const, content: { type: "text" as const, text } });
const argument = (name: string) => ({ name, description: `Argument ${name}.`, required: true });
const prompts = [
  { name: "test_simple_prompt", description: "A prompt." },
  {
    name: "test_prompt_with_arguments",
    description: "With arguments.",
    arguments: [argument("arg1"), argument("arg2")],
  },
  { name: "test_prompt_with_embedded_resource", description: "With a resource.", arguments: [argument("resourceUri")] },
  { name: "test_prompt_with_image", description: "With a picture." },
  { name: "test_input_required_result_prompt", description: "Asks first." },
];

/** Resources, prompts and completion, which the product itself does not have. */
export function installContent(server: Server): void {
  server.setRequestHandler("resources/list", () => ({ resources }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [template] }));
  server.setRequestHandler("resources/read", ({ params }) => ({ contents: [readResource(params.uri)] }));
  server.setRequestHandler("prompts/list", () => ({ prompts }));
  server.setRequestHandler("prompts/get", ({ params }, { mcpReq }) => {
    if (params.name !== "test_input_required_result_prompt") return getPrompt(params.name, params.arguments ?? {});
    const context = acceptedContent(mcpReq.inputResponses, "user_context")?.context;
    if (typeof context === "string") return { messages: [say(`The context is ${context}.`)] };
    return inputRequired({ inputRequests: { user_context: ask("What context should the prompt use?", "context") } });
  });
  server.setRequestHandler("completion/complete", () => ({ completion: { values: [], total: 0, hasMore: false } }));
}

function readResource(uri: string) {
  if (uri === "test://static-text") {
    return { uri, mimeType: "text/plain", text: "This is the content of the static text resource." };
  }
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: png };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) throw new ResourceNotFoundError(uri);
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { uri, mimeType: "application/json", text };
}

function getPrompt(name: string, args: Record<string, string>) {
  const image = { role: "user" as const, content: { type: "image" as const, data: png, mimeType: "image/png" } };
  if (name === "test_simple_prompt") return { messages: [say("This is a simple prompt for testing.")] };
  if (name === "test_prompt_with_image") return { messages: [image, say("Please analyze the image above.")] };
  if (name === "test_prompt_with_arguments") {
    return { messages: [say(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`)] };
  }
  if (name !== "test_prompt_with_embedded_resource") throw new ProtocolError(-32602, "There is no such prompt.");
  const resource = {
    uri: args.resourceUri ?? "",
    mimeType: "text/plain",
    text: "Embedded resource content for testing.",
  };
  return {
    messages: [
      { role: "user" as const, content: { type: "resource" as const, resource } },
      say("Please process the embedded resource above."),
    ],
  };
}
