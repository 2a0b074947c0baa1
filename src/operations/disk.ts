import { statfsSync } from 'node:fs';
import { type AppError, unavailableError } from '../vocabulary/errors.ts';

export type DiskSpace = { freeBytes: number; sizeBytes: number };

/** Undefined when it is unknown: without a database file, or when its directory is gone. */
export type ReadDiskSpace = () => DiskSpace | undefined;

/** Share of free space below which events are refused, so that people can still log in and erase data. */
const FLOOR_SHARE = 0.02;
const FLOOR_BYTES_MAX = 1024 ** 3;
/** Multiple of that floor below which the disk counts as nearly full. */
const NEARLY_FULL_FLOORS = 2;

const LOOK_EVERY_MS = 500;
const RETRY_AFTER_S = 30;

export function readDiskSpace(directory: string): DiskSpace | undefined {
  try {
    const { bavail, bsize, blocks } = statfsSync(directory);
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
  } catch {
    return undefined; // the directory is gone: the database says so
  }
}

export function isBelowFloor(space: DiskSpace | undefined): boolean {
  return space !== undefined && space.freeBytes < floorOf(space);
}

export function isNearlyFull(space: DiskSpace): boolean {
  return space.freeBytes < NEARLY_FULL_FLOORS * floorOf(space);
}

function floorOf({ sizeBytes }: DiskSpace): number {
  return Math.min(sizeBytes * FLOOR_SHARE, FLOOR_BYTES_MAX);
}

type Options = {
  read: ReadDiskSpace;
  monotonicMs: () => number;
  /** Called once each time events begin to be refused. */
  onLow: (message: string) => void;
};

/** @returns why no event can be stored at the moment, if so. Looks at the disk twice a second at most */
export function createDiskGuard({ read, monotonicMs, onLow }: Options): () => AppError | undefined {
  let isLow = false;
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  function look(): void {
    const wasLow = isLow;
    isLow = isBelowFloor(read());
    if (isLow && !wasLow)
      onLow('the disk of the database is nearly full: events are refused until there is room');
  }

  return () => {
    const nowMs = monotonicMs();
    if (nowMs - lookedAtMs >= LOOK_EVERY_MS) {
      lookedAtMs = nowMs;
      look();
    }
    return isLow
      ? unavailableError('The disk is nearly full: no events are stored until there is room', RETRY_AFTER_S)
      : undefined;
  };
}
