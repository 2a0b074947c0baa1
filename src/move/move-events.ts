import type { Analytics } from '../analytics/analytics.ts';
import type { Holding } from '../log/event-pages.ts';
import type { OnStep } from '../process/progress.ts';
import type { MovableLog } from '../storage/storage.ts';
import { copyEvents } from './copy-events.ts';
import type { PositionFile } from './position.ts';
import { type Counted, compareAnswers, compareHoldings } from './verify.ts';

export type Move = {
  from: MovableLog;
  to: MovableLog;
  engines: { database: Analytics; server: Analytics };
  position: PositionFile;
  /** How many questions are asked at the end. */
  questions: number;
  /** Which of these websites are there and not deleted. */
  findLive: (websiteKeys: readonly number[]) => Promise<ReadonlySet<number>>;
  onStep: OnStep;
  /** How many are copied by now. */
  onCopied: (events: number) => void;
};

export type Moved = {
  events: number;
  websites: number;
  /** Websites of which there are more events where they went to. */
  added: Counted['added'];
  /** Answers that were compared, all alike. */
  answers: number;
};

/**
 * Copies all events of the websites that there are, then compares their numbers and the answers out of them.
 *
 * @throws Error with what differs
 */
export async function moveEvents(move: Move): Promise<Moved> {
  const { from, to, engines, position, questions, onStep, onCopied } = move;
  await from.settle();
  await to.settle();
  const events = sumOf(await holdings(from, move));
  if (events === 0) throw new Error('There are no events to move.');
  const counted = await copyAll();
  onStep({ name: 'deriving' });
  await engines.database.rebuild();
  onStep({ name: 'asking' });
  const answers = await compareAnswers(counted.equal, engines, questions);
  position.remove();
  return { events, websites: counted.equal.length + counted.added.length, added: counted.added, answers };

  async function copyAll(): Promise<Counted> {
    for (;;) {
      const isWhole = position.read() === undefined;
      onStep({ name: 'copying', events });
      await copyEvents({ from, to, position, onCopied });
      onStep({ name: 'counting' });
      await to.settle(); // inserts of a killed run may arrive after its end
      const found = compareHoldings(await holdings(from, move), await holdings(to, move));
      const [first] = found.missing;
      if (!first) return found;
      // Something was stored before the position, or the copy was removed since: all are looked at once more.
      position.remove();
      if (isWhole)
        throw new Error(
          `Of website ${first.websiteKey} there are ${first.from} events, and ${first.to} in the copy.`,
        );
    }
  }
}

async function holdings({ pages }: MovableLog, { findLive }: Pick<Move, 'findLive'>): Promise<Holding[]> {
  const all = await pages.holdings();
  const live = await findLive(all.map(({ websiteKey }) => websiteKey));
  return all.filter(({ websiteKey }) => live.has(websiteKey));
}

function sumOf(found: readonly Holding[]): number {
  return found.reduce((sum, { events }) => sum + events, 0);
}
