/** Numbers as a model takes and gives them, the last dimension innermost. */
export interface Tensor {
  data: Float32Array;
  dims: readonly number[];
}

/** One neural network with one input and one output. */
export interface Model {
  run(input: Tensor): Promise<Tensor>;
}
