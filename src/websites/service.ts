import type {
  Website,
  WebsiteInput,
  WebsiteSettings,
  WebsiteSettingsInput,
  WebsiteUpdate,
} from '../contract/website.ts';
import { isDatabaseRefusal, sqliteExtendedCode } from '../db/busy.ts';
import type { Db } from '../db/open.ts';
import { type Listed, type ListPage, toListed, WHOLE_LIST } from '../http/list-page.ts';
import { WEBSITES_MAX } from '../vocabulary/contract.ts';
import { AppError, validationError } from '../vocabulary/errors.ts';
import { parseWebAddress, toDomainKey } from './domain.ts';
import { toSettingsChanges } from './settings.ts';
import { createWebsiteStore, type TrackedWebsite, type WebsiteChanges, type WebsiteRow } from './store.ts';
import { createTrackedCache } from './tracked-cache.ts';
import { makeTrackingCode } from './tracking-code.ts';
import { toSettings, toWebsite } from './wire.ts';

type Dependencies = {
  db: Db;
  now: () => number;
  /** Monotonic clock for the lifetime of cached tracking codes. */
  monotonicMs?: (() => number) | undefined;
  /** Called when websites were deleted and their events wait to be removed. */
  onDeleted?: () => void;
  /** Syncs committed data to the disk, where commits do not wait for it. */
  syncLog?: (() => Promise<unknown>) | undefined;
};

export type Websites = {
  /** @throws VALIDATION_ERROR for the domain, CONFLICT when the user has it already */
  create(userId: string, input: WebsiteInput): Promise<Website>;
  /** Like `create`, for one that counts only once `finish` is called: see `removeUnfinished`. */
  begin(userId: string, input: WebsiteInput): Promise<Website>;
  /** @throws NOT_FOUND when it has been deleted since `begin` */
  finish(userId: string, id: string): Promise<void>;
  /** Removes websites that killed processes began and did not finish, of one user or of all. */
  removeUnfinished(userId?: string): Promise<void>;
  /** Websites in order of creation. */
  list(userId: string, page?: ListPage): Promise<Listed<Website>>;
  get(userId: string, id: string): Promise<Website>;
  /** Changes the fields that are present. @throws also what `create` throws */
  update(userId: string, id: string, input: WebsiteUpdate): Promise<Website>;
  getSettings(userId: string, id: string): Promise<WebsiteSettings>;
  /** @throws also VALIDATION_ERROR */
  updateSettings(userId: string, id: string, input: WebsiteSettingsInput): Promise<WebsiteSettings>;
  remove(userId: string, id: string): Promise<void>;
  /** All websites of an account that is about to be removed. */
  removeAllOf(userId: string): Promise<void>;
  /** @throws NOT_FOUND, the same for an unknown, a deleted, a malformed and another user's id */
  requireOwned(userId: string, id: string): Promise<WebsiteRow>;
  /** @throws NOT_FOUND, as requireOwned */
  requireOwnedByCode(userId: string, trackingCode: string): Promise<WebsiteRow>;
  /** @param site an id, or a domain with or without its scheme @throws NOT_FOUND, as requireOwned */
  requireOwnedBySite(userId: string, site: string): Promise<WebsiteRow>;
  /** Finds a website of any owner: the caller checks access. */
  find(id: string): Promise<WebsiteRow | undefined>;
  /** All websites of a user in order of creation, with columns that the API does not show. */
  listRows(userId: string): Promise<WebsiteRow[]>;
  /** Tracking codes of websites with this domain and description, of any owner, the newest first. */
  findLike(like: { domain: string; description: string }, max: number): Promise<string[]>;
  findTracked(trackingCode: string): Promise<TrackedWebsite | undefined>;
  /** Looks a code up in the cache alone. Null: known to be unknown. Undefined: ask findTracked. */
  trackedNow(trackingCode: string): TrackedWebsite | null | undefined;
};

/** Rules of websites: ownership, unique domains, and what a deletion removes. */
export function createWebsites({ db, now, monotonicMs, onDeleted, syncLog }: Dependencies): Websites {
  const store = createWebsiteStore(db);
  const tracked = createTrackedCache({
    load: store.findTracked,
    monotonicMs: monotonicMs ?? (() => performance.now()),
  });

  async function create(userId: string, input: WebsiteInput, isUnfinished = false): Promise<Website> {
    const { name, domain, description = '' } = input;
    const domainKey = toDomainKey(domain);
    const nowMs = now();
    if ((await store.countOf(userId)) >= WEBSITES_MAX) throw tooManyError();
    try {
      const row = await store.insert({
        id: crypto.randomUUID(),
        userId,
        name,
        domain,
        domainKey,
        description,
        trackingCode: makeTrackingCode(nowMs),
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
        isUnfinished,
      });
      return toWebsite(row);
    } catch (error) {
      if (isTaken(error)) throw domainTakenError();
      if (isDatabaseRefusal(error)) throw error; // busy or full: answered 503
      throw creationError(error);
    }
  }

  async function change(userId: string, id: string, changes: WebsiteChanges): Promise<WebsiteRow> {
    if (Object.values(changes).every((value) => value === undefined)) return requireOwned(userId, id);
    try {
      const row = await store.update(userId, id, changes, now());
      if (!row) throw notFoundError();
      tracked.forget(row.trackingCode);
      return row;
    } catch (error) {
      throw isTaken(error) ? domainTakenError() : error;
    }
  }

  async function remove(userId: string, id: string): Promise<void> {
    const trackingCode = await store.tombstone(userId, id, now());
    if (trackingCode === undefined) throw notFoundError();
    tracked.forget(trackingCode);
    onDeleted?.();
    await syncLog?.(); // erased data must not return after a power failure
  }

  async function removeAllOf(userId: string): Promise<void> {
    forgetAll(await store.tombstoneAllOf(userId, now()));
  }

  async function finish(userId: string, id: string): Promise<void> {
    if (!(await store.finish(userId, id))) throw notFoundError();
  }

  function forgetAll(trackingCodes: readonly string[]): void {
    for (const trackingCode of trackingCodes) tracked.forget(trackingCode);
    onDeleted?.();
  }

  async function requireOwned(userId: string, id: string): Promise<WebsiteRow> {
    const row = await store.findOwned(userId, id);
    if (!row) throw notFoundError();
    return row;
  }

  async function requireOwnedByCode(userId: string, trackingCode: string): Promise<WebsiteRow> {
    const row = await store.findOwnedByCode(userId, trackingCode);
    if (!row) throw new AppError('NOT_FOUND', 'Website with this tracking code not found');
    return row;
  }

  async function requireOwnedBySite(userId: string, site: string): Promise<WebsiteRow> {
    const owned = await store.findOwned(userId, site);
    if (owned) return owned;
    const address = parseWebAddress(/^https?:/i.test(site) ? site : `https://${site}`);
    const row = address && (await store.findOwnedByDomain(userId, toDomainKey(address.href)));
    if (!row) throw notFoundError();
    return row;
  }

  return {
    create: (userId, input) => create(userId, input),
    begin: (userId, input) => create(userId, input, true),
    finish,
    removeUnfinished: async (userId) => {
      const trackingCodes = await store.tombstoneUnfinished(userId, now());
      if (trackingCodes.length > 0) forgetAll(trackingCodes);
    },
    list: async (userId, page = WHOLE_LIST) => {
      const rows = (await store.listShown(userId, page)).map(toWebsite);
      return toListed(rows, page, () => store.countOf(userId));
    },
    get: async (userId, id) => toWebsite(await requireOwned(userId, id)),
    update: async (userId, id, { name, domain, description }) => {
      const domainKey = domain === undefined ? undefined : toDomainKey(domain);
      return toWebsite(await change(userId, id, { name, domain, domainKey, description }));
    },
    getSettings: async (userId, id) => toSettings(await requireOwned(userId, id)),
    updateSettings: async (userId, id, input) => {
      const changes = toSettingsChanges(input);
      const { primaryGoalId } = changes;
      if (primaryGoalId && !(await store.hasGoal(await requireOwned(userId, id), primaryGoalId)))
        throw validationError('Invalid request data', {
          primaryGoalId: ['Must be the id of a goal of the website'],
        });
      return toSettings(await change(userId, id, changes));
    },
    remove,
    removeAllOf,
    requireOwned,
    requireOwnedByCode,
    requireOwnedBySite,
    find: store.find,
    listRows: store.listOf,
    findLike: store.findLike,
    findTracked: tracked.find,
    trackedNow: tracked.findNow,
  };
}

function isTaken(error: unknown): boolean {
  return sqliteExtendedCode(error) === 'SQLITE_CONSTRAINT_UNIQUE';
}

function notFoundError(): AppError {
  return new AppError('NOT_FOUND', 'Website not found');
}

function tooManyError(): AppError {
  return new AppError('CONFLICT', `An account has at most ${WEBSITES_MAX} websites`);
}

function domainTakenError(): AppError {
  return new AppError('CONFLICT', 'This domain is already registered for your account');
}

function creationError(cause: unknown): AppError {
  return Object.assign(new AppError('INTERNAL_ERROR', 'Failed to create website'), { cause });
}
