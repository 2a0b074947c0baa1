import { DAY_MS, type Day } from './day.ts';
import { VISIT_GAP_MS } from './vocabulary.ts';

/**
 * Which parts of visits on a day may belong together with others: those that begin within 30 minutes of its start or end
 * within 30 minutes of its end; and, when all traffic counts as one, the parts of a visitor who was there in more
 * than one class. A few in a hundred; found once for a day in memory.
 */
export type Joints = { heads: number[]; tails: number[]; mixed: number[] };

const found = new WeakMap<Day, Joints>();

const serials = new WeakMap<Day, number>();
let lastSerial = 0;

/** Names a day in memory: a reference would keep days that the cache has let go, each with the one before it. */
export function serialOf(day: Day): number {
  const known = serials.get(day);
  if (known !== undefined) return known;
  lastSerial += 1;
  serials.set(day, lastSerial);
  return lastSerial;
}

export function jointsOf(day: Day): Joints {
  const known = found.get(day);
  if (known) return known;
  const joints = findJoints(day);
  found.set(day, joints);
  return joints;
}

/** Those of a day that was read again, and is as it was. */
export function rememberJoints(day: Day, joints: Joints): void {
  found.set(day, joints);
}

export function jointsBytes({ heads, tails, mixed }: Joints): number {
  return 8 * (heads.length + tails.length + mixed.length);
}

function findJoints({ visitCount, first, atMs, durationMs, visitor, class: classes }: Day): Joints {
  const joints: Joints = { heads: [], tails: [], mixed: [] };
  /** Where the visits of this visitor begin: they stand together, ordered by class. */
  let from = 0;
  for (let visit = 0; visit < visitCount; visit += 1) {
    const startMs = atMs[first[visit] as number] as number; // within the columns, as all below
    if (startMs <= VISIT_GAP_MS) joints.heads.push(visit);
    if (startMs + (durationMs[visit] as number) >= DAY_MS - VISIT_GAP_MS) joints.tails.push(visit);
    if (visit + 1 < visitCount && visitor[visit + 1] === visitor[visit]) continue;
    if (classes[from] !== classes[visit])
      for (let mixed = from; mixed <= visit; mixed += 1) joints.mixed.push(mixed);
    from = visit + 1;
  }
  return joints;
}

export type Link = { tail: number; head: number };

/** What was found last for a day and the one before it, which is known by its serial (see serialOf). */
const linked = new WeakMap<Day, { before: number; classMask: number; anyClass: boolean; links: Link[] }>();

/** Pairs (part of one day, part of the next) of one visitor, and of one class unless `anyClass`, no more than 30 minutes apart. */
export function linksBetween(before: Day, after: Day, classMask: number, anyClass: boolean): readonly Link[] {
  if (after.day !== before.day + 1) return [];
  const serial = serialOf(before);
  const known = linked.get(after);
  if (known?.before === serial && known.classMask === classMask && known.anyClass === anyClass)
    return known.links;
  const links = findLinks(before, after, classMask, anyClass);
  linked.set(after, { before: serial, classMask, anyClass, links });
  return links;
}

function findLinks(before: Day, after: Day, classMask: number, anyClass: boolean): Link[] {
  const links: Link[] = [];
  const { tails } = jointsOf(before);
  const { heads } = jointsOf(after);
  let next = 0;
  for (const tail of tails) {
    const visitor = before.visitor[tail] as number;
    const ownClass = before.class[tail] as number;
    if (((classMask >> ownClass) & 1) === 0) continue;
    while (next < heads.length && (after.visitor[heads[next] as number] as number) < visitor) next += 1;
    for (let index = next; after.visitor[heads[index] ?? -1] === visitor; index += 1) {
      const head = heads[index] as number;
      const headClass = after.class[head] as number;
      if (((classMask >> headClass) & 1) === 0 || (!anyClass && headClass !== ownClass)) continue;
      const startMs = DAY_MS + (after.atMs[after.first[head] as number] as number);
      const endMs = before.atMs[(before.first[tail + 1] as number) - 1] as number;
      if (startMs - endMs <= VISIT_GAP_MS) links.push({ tail, head });
    }
  }
  return links;
}
