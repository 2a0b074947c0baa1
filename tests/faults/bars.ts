import { findSqld } from '../support/sqld.ts';
import type { Bar } from './bar.ts';
import { tryBackpressure } from './bars/backpressure.ts';
import { tryBackup } from './bars/backup.ts';
import { tryBigDelete } from './bars/big-delete.ts';
import { tryClock } from './bars/clock.ts';
import { tryCutErasures } from './bars/cut-erasure.ts';
import { tryDearQuestions } from './bars/dear-questions.ts';
import { tryDiskFloor } from './bars/disk-floor.ts';
import { tryErasures } from './bars/erasure.ts';
import { tryExactlyOnce } from './bars/exactly-once.ts';
import { tryFirstStart } from './bars/first-start.ts';
import { tryFlood } from './bars/flood.ts';
import { tryForeignData } from './bars/foreign-data.ts';
import { tryFullDisk } from './bars/full-disk.ts';
import { tryFuzz } from './bars/fuzz.ts';
import { tryGracefulStops } from './bars/graceful-stop.ts';
import { tryHostileBodies } from './bars/hostile-bodies.ts';
import { tryInventedProperties } from './bars/invented-properties.ts';
import { tryInventedValues } from './bars/invented-values.ts';
import { tryKills } from './bars/kill.ts';
import { tryLargeBodies } from './bars/large-bodies.ts';
import { tryLogins } from './bars/logins.ts';
import { tryLostFile } from './bars/lost-file.ts';
import { tryMainThread } from './bars/main-thread.ts';
import { tryNeighbour } from './bars/neighbour.ts';
import { tryBypass } from './bars/no-bypass.ts';
import { tryLeaks } from './bars/no-leaks.ts';
import { tryPowerLoss } from './bars/power-loss.ts';
import { tryRaces } from './bars/races.ts';
import { tryRemote } from './bars/remote.ts';
import { tryRevocation } from './bars/revocation.ts';
import { trySeveralInstances } from './bars/several-instances.ts';
import { trySlowClients } from './bars/slow-clients.ts';
import { trySoak } from './bars/soak.ts';
import { tryUnreadAnswers } from './bars/unread-answers.ts';
import { compiler } from './stage/write-journal.ts';

const isRoot = process.getuid?.() === 0;

/** Every bar, in the order of docs/reliability.md. */
export const BARS: readonly Bar[] = [
  {
    id: 'B1',
    holds: 'keeps every acknowledged event exactly once through kill -9 under load',
    hasShort: true,
    run: tryKills,
  },
  {
    id: 'B2',
    holds:
      'loses nothing that was acknowledged in a power cut, and with DURABILITY=normal no more than it says',
    hasShort: compiler !== null || process.env.CI !== undefined, // where there is none, CI fails
    run: tryPowerLoss,
  },
  {
    id: 'B3',
    holds: 'loses nothing while another process locks, checkpoints and vacuums its file',
    hasShort: true,
    run: tryNeighbour,
  },
  {
    id: 'B4',
    holds: 'stores an event once however often and in whatever company it is sent',
    hasShort: true,
    run: tryExactlyOnce,
  },
  {
    id: 'B5',
    holds: 'refuses with 503 while the disk is full, and recovers by itself when it is not',
    hasShort: isRoot, // a file system of its own
    run: tryFullDisk,
  },
  {
    id: 'B29',
    holds: 'refuses events below the floor of free disk, and nothing else',
    hasShort: isRoot, // a file system of its own
    run: tryDiskFloor,
  },
  {
    id: 'B6',
    holds: 'acknowledges nothing once its file is gone',
    hasShort: true,
    run: tryLostFile,
  },
  {
    id: 'B7',
    holds: 'answers what it has received before it stops',
    hasShort: true,
    run: tryGracefulStops,
  },
  {
    id: 'B8',
    holds: 'lets one of several processes that start together serve',
    hasShort: true,
    run: trySeveralInstances,
  },
  {
    id: 'B26',
    holds: 'brings back nothing that was erased, although the power is cut as soon as that is answered',
    hasShort: compiler !== null || process.env.CI !== undefined, // where there is none, CI fails
    run: tryErasures,
  },
  {
    id: 'B27',
    holds: 'starts by itself after a power cut at any moment of its first start',
    hasShort: compiler !== null || process.env.CI !== undefined, // as above
    run: tryFirstStart,
  },
  {
    id: 'B28',
    holds: 'finishes an erasure that a kill has cut off when it starts again',
    hasShort: compiler !== null || process.env.CI !== undefined, // as above
    run: tryCutErasures,
  },
  {
    id: 'B9',
    holds: 'answers whatever it is sent, refuses in one form, and never with a 5xx',
    hasShort: true,
    run: tryFuzz,
  },
  {
    id: 'B11',
    holds: 'tells nothing of its insides when it fails, and outlives it',
    hasShort: true,
    run: tryLeaks,
  },
  {
    id: 'B12',
    holds: 'keeps its memory when bodies are far too large, never end or come together',
    hasShort: true,
    run: tryLargeBodies,
  },
  {
    id: 'B30',
    holds: 'answers others while bodies come that are dear to read',
    hasShort: true,
    run: tryHostileBodies,
  },
  {
    id: 'B13',
    holds: 'closes connections that never finish their request, and serves the others',
    hasShort: false, // takes as long as the patience that it measures
    run: trySlowClients,
  },
  {
    id: 'B15',
    holds: 'keeps ended logins ended, over a restart and in every spelling',
    hasShort: true,
    run: tryRevocation,
  },
  {
    id: 'B16',
    holds: 'opens no protected route to strangers, however it is spelled',
    hasShort: true,
    run: tryBypass,
  },
  {
    id: 'B17',
    holds: "answers for another account's resources as for unknown ones",
    hasShort: true,
    run: tryForeignData,
  },
  {
    id: 'B18',
    holds: 'stops password guessing without locking out owners who know theirs',
    hasShort: true,
    run: tryLogins,
  },
  {
    id: 'B19',
    holds: 'gives an address and a domain to one of those who ask at once',
    hasShort: false, // tests/accounts and tests/websites run one race each
    run: tryRaces,
  },
  {
    id: 'B20',
    holds: 'refuses only the flooding client',
    hasShort: true,
    run: tryFlood,
  },
  {
    id: 'B21',
    holds: 'keeps its queue within its bound while the database is locked',
    hasShort: true,
    run: tryBackpressure,
  },
  {
    id: 'B22',
    holds: 'finds every event although the clock jumps',
    hasShort: true,
    run: tryClock,
  },
  {
    id: 'B24',
    holds: 'deletes a large website at once, and its events by and by, over a restart',
    hasShort: true,
    run: tryBigDelete,
  },
  {
    id: 'B25',
    holds: 'copies itself under load, and the copy is whole and holds nothing private',
    hasShort: true,
    run: tryBackup,
  },
  {
    id: 'R1',
    holds:
      'keeps and counts every event once on a server, whatever is killed or cut between two processes and it',
    hasShort: findSqld() !== undefined || process.env.CI !== undefined, // where there is none, CI fails
    run: tryRemote,
  },
  {
    id: 'B31',
    holds:
      'keeps no client waiting for expensive questions of others, and drops those of disconnected clients',
    hasShort: true,
    run: tryDearQuestions,
  },
  {
    id: 'B32',
    holds: 'keeps its memory and everybody else when a stranger invents every text',
    hasShort: true,
    run: tryInventedValues,
  },
  {
    id: 'B36',
    holds: 'keeps its memory and answers others while events bring properties that are all invented',
    hasShort: true,
    run: tryInventedProperties,
  },
  {
    id: 'B34',
    holds: 'answers others while an account asks for all that it has saved',
    hasShort: true,
    run: tryMainThread,
  },
  {
    id: 'B35',
    holds: 'keeps its memory when large answers are asked for and not read',
    hasShort: true,
    run: tryUnreadAnswers,
  },
  {
    id: 'soak',
    holds: 'neither grows nor loses anything in half an hour',
    hasShort: false,
    run: trySoak,
  },
];
