/** What a benchmark found out, as values of its runs. */
export interface Measurement {
  readonly what: string
  readonly unit: string
  /** One for each run, in order. */
  readonly values: readonly number[]
  /** What docs/benchmarks.md wants; absent for figures that only explain others. */
  readonly aim?: { readonly below: number } | { readonly above: number }
}

/** One question to the server, answered by measuring. */
export interface Benchmark {
  readonly name: string
  /** How it was measured, in a sentence or two for the report. */
  readonly conditions: string
  run(say: (line: string) => void): Promise<readonly Measurement[]>
}

/** What cannot be measured here and now; `message` says why. */
export class CannotMeasure extends Error {
  override readonly name = 'CannotMeasure'
}
