/** The parts of chdb that the tests use. It is installed only where they run: the compiler does without it. */
declare module 'chdb' {
  export type ChdbResult = { bytes(): Uint8Array; text(): string };
  export class Session {
    constructor(folder: string);
    queryAsync(query: string, options?: { format?: string }): Promise<ChdbResult>;
  }
}
