import type { EventLog } from '../log/event-log.ts';
import type { Condition } from './condition.ts';

/** Refuses, as a database that cannot be opened does, while the file is gone: its commits would be lost. */
export function whileFileIsThere(log: EventLog, condition: Condition): EventLog {
  return {
    append(events) {
      if (condition.isFileGone)
        throw Object.assign(new Error('The database file is gone.'), { code: 'SQLITE_CANTOPEN' });
      return log.append(events);
    },
  };
}
