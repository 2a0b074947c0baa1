export type BarOptions = { isLong: boolean; seed: number };

/** The measured figure on one line, and a message for each failure; empty when the bar holds. */
export type BarResult = { figure: string; faults: string[] };

/** One promise that is tried against the real service. The numbers are those of docs/reliability.md. */
export type Bar = {
  id: string;
  /** The requirement, as a sentence. */
  holds: string;
  /** The short version is one of the tests; without one there is the long version alone. */
  hasShort: boolean;
  run(options: BarOptions): Promise<BarResult>;
};
