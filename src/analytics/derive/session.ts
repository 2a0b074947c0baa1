import type { StoredId } from '../../log/follower.ts';

/** 53 bits: among 3 million sessions two have the same hash with a probability of 1 in 2,000. */
export function hashSession(id: StoredId): number {
  return Number(BigInt(Bun.hash(id)) & 0x1f_ffff_ffff_ffffn);
}
