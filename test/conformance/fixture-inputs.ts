import {
  acceptedContent,
  createRequestStateCodec,
  type InputRequest,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { declaredCapabilities, type FixtureTool, fixture, text } from "./fixture-tools.ts";

/** Signs what a client carries from one round to the next. */
export const stateCodec = createRequestStateCodec({ key: "conformance-fixtures-only-0123456789abcdef" });

export function ask(message: string, field: string, kind: "text" | "yes or no" = "text"): InputRequest {
  const schema = kind === "text" ? { type: "string" as const } : { type: "boolean" as const };
  return inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties: { [field]: schema }, required: [field] },
  });
}

const sample = (question: string) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: question } }],
    maxTokens: 100,
  });

const accepted = ({ mcpReq }: ServerContext, key: string) => acceptedContent(mcpReq.inputResponses, key);
const responded = ({ mcpReq }: ServerContext, key: string) => inputResponse(mcpReq.inputResponses, key);

async function confirmed(context: ServerContext) {
  const state = context.mcpReq.requestState<{ for: string }>();
  if (accepted(context, "confirm") && state?.for === "confirm") return text("state-ok");
  const requestState = await stateCodec.mint({ for: "confirm" });
  return inputRequired({ inputRequests: { confirm: ask("Please confirm", "ok", "yes or no") }, requestState });
}

async function twoSteps(context: ServerContext) {
  const state = context.mcpReq.requestState<{ step: number }>();
  if (state?.step === 2 && accepted(context, "step2")) return text("Both steps are done.");
  const next = state?.step === 1 && accepted(context, "step1") ? 2 : 1;
  const question =
    next === 1 ? ask("Step 1: What is your name?", "name") : ask("Step 2: What is your favorite color?", "color");
  return inputRequired({
    inputRequests: { [`step${next}`]: question },
    requestState: await stateCodec.mint({ step: next }),
  });
}

async function everything(context: ServerContext) {
  const keys = ["user_name", "greeting", "client_roots"];
  if (keys.every((key) => responded(context, key).kind !== "missing")) return text("All three were answered.");
  return inputRequired({
    inputRequests: {
      user_name: ask("What is your name?", "name"),
      greeting: sample("Generate a greeting"),
      client_roots: inputRequired.listRoots(),
    },
    requestState: await stateCodec.mint({ for: "everything" }),
  });
}

/** The tools of the multi round-trip flow: they ask first and answer when they are called again. */
export const inputTools: FixtureTool[] = [
  fixture("test_input_required_result_elicitation", async (context) => {
    const name = accepted(context, "user_name")?.name;
    if (typeof name === "string") return text(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: ask("What is your name?", "name") } });
  }),
  fixture("test_input_required_result_sampling", async (context) => {
    if (responded(context, "capital_question").kind === "sampling") return text("Thank you for the answer.");
    return inputRequired({ inputRequests: { capital_question: sample("What is the capital of France?") } });
  }),
  fixture("test_input_required_result_list_roots", async (context) => {
    const answer = responded(context, "client_roots");
    if (answer.kind === "roots") return text(`There are ${answer.roots.length} roots.`);
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  }),
  fixture("test_input_required_result_request_state", confirmed),
  fixture("test_input_required_result_tampered_state", confirmed),
  fixture("test_input_required_result_multiple_inputs", everything),
  fixture("test_input_required_result_multi_round", twoSteps),
  fixture("test_input_required_result_capabilities", async (context) => {
    const declared = declaredCapabilities(context);
    return inputRequired({
      inputRequests: {
        ...(declared.elicitation ? { name: ask("What is your name?", "name") } : {}),
        ...(declared.sampling ? { question: sample("What is the capital of France?") } : {}),
      },
      requestState: await stateCodec.mint({ for: "capabilities" }),
    });
  }),
];
