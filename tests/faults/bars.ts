import type { Bar } from './bar.ts';
import { tryBackpressure } from './bars/backpressure.ts';
import { tryBigDelete } from './bars/big-delete.ts';
import { tryExactlyOnce } from './bars/exactly-once.ts';
import { tryFullDisk } from './bars/full-disk.ts';
import { tryKills } from './bars/kill.ts';
import { tryNeighbour } from './bars/neighbour.ts';
import { trySeveralInstances } from './bars/several-instances.ts';

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
    holds: 'refuses with 503 while the disk is full, and goes on by itself when it is not',
    hasShort: isRoot, // a file system of its own
    run: tryFullDisk,
  },
  {
    id: 'B8',
    holds: 'lets one of several processes that start together serve',
    hasShort: true,
    run: trySeveralInstances,
  },
  {
    id: 'B21',
    holds: 'keeps its queue within its bound while the database is locked',
    hasShort: true,
    run: tryBackpressure,
  },
  {
    id: 'B24',
    holds: 'deletes a large website at once, and its events by and by, over a restart',
    hasShort: true,
    run: tryBigDelete,
  },
];
