import { EVENT_FLAGS } from '../../vocabulary/contract.ts';

/** Classes of events, as they are stored. */
export const CLASSES = { people: 0, bots: 1, excluded: 2 } as const;

/** @param flags bits of EVENT_FLAGS */
export function toClass(flags: number): number {
  if (flags & EVENT_FLAGS.excluded) return CLASSES.excluded;
  return flags & EVENT_FLAGS.bot ? CLASSES.bots : CLASSES.people;
}
