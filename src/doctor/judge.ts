import type { SchemaVersion } from '../db/migrate.ts';
import { type Finding, fault, ok, warn } from './finding.ts';

/** Queries on a database, in a file or on a server, and the meaning of their results. */

const FAULTS_SHOWN_MAX = 3;

export function judgeSchema({ applied, pending, isNewer }: SchemaVersion): Finding {
  if (isNewer)
    return fault('schema', 'A newer version of Pagemeter has changed the tables.', 'Update Pagemeter.');
  return pending > 0
    ? warn('schema', `${pending} changes of the tables are due.`, 'Start the service: it makes them.')
    : ok('schema', `Up to date: ${applied} changes of the tables are applied.`);
}

/** @param faults in SQLite's words */
export function judgeIntegrity(faults: readonly string[], advice: string): Finding {
  return faults.length === 0
    ? ok('integrity', 'Every page and index is sound.')
    : fault('integrity', faults.slice(0, FAULTS_SHOWN_MAX).join('; '), advice);
}

/** @param found.broken rows whose foreign key leads nowhere */
export function judgeReferences(found: { broken: number; orphans: number }, advice: string): Finding {
  const { broken, orphans } = found;
  if (broken === 0 && orphans === 0) return ok('references', 'Every row has what it refers to.');
  return fault(
    'references',
    `${broken} rows refer to something that is gone, ${orphans} events to no website.`,
    advice,
  );
}

type Counters = { events: number; wrong: number; greatest: number; lastKey: number };

export function judgeCounters({ events, wrong, greatest, lastKey }: Counters, advice: string): Finding {
  if (greatest > lastKey)
    return fault('counters', `The log holds key ${greatest}, and ${lastKey} was the last given out.`, advice);
  return wrong === 0
    ? ok('counters', `${events} events, as many as the counters say.`)
    : fault('counters', `${wrong} counters differ from the ${events} events of the log.`, advice);
}
