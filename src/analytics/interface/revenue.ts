/** Revenue in whole minor units of one currency, and the number of its events. */
export type Revenue = { currency: string; minor: bigint; events: number };
