import type { Access } from '../access/access.ts';
import type {
  Website,
  WebsiteInput,
  WebsiteSettings,
  WebsiteSettingsInput,
  WebsiteUpdate,
} from '../contract/website.ts';
import { toDifference } from '../db/audit.ts';
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

/** A website, the caller's role on it, and who it is for the audit log; absent: the server itself. */
type Opened = Pick<Access, 'website' | 'role'> & Partial<Pick<Access, 'userId'>>;

export type Websites = {
  /** @throws VALIDATION_ERROR for the domain, CONFLICT when the user has it already */
  create(userId: string, input: WebsiteInput): Promise<Website>;
  /** Like `create`, for one that counts only once `finish` is called: see `removeUnfinished`. */
  begin(userId: string, input: WebsiteInput): Promise<Website>;
  /** @throws NOT_FOUND when it has been deleted since `begin` */
  finish(userId: string, id: string): Promise<void>;
  /** Removes websites that killed processes began and did not finish, of one user or of all. */
  removeUnfinished(userId?: string): Promise<void>;
  /** Websites of a user and those that are shared with them, with their roles, in order of creation. */
  listVisible(userId: string, page?: ListPage): Promise<Listed<Website>>;
  /** Changes the fields that are present. @throws also what `create` throws */
  update(access: Opened, input: WebsiteUpdate): Promise<Website>;
  /** @throws also VALIDATION_ERROR */
  updateSettings(access: Opened, input: WebsiteSettingsInput): Promise<WebsiteSettings>;
  /** @param actorId who removes it, for the audit log; by default its owner */
  remove(userId: string, id: string, actorId?: string): Promise<void>;
  /** All websites of an account that is about to be removed. */
  removeAllOf(userId: string): Promise<void>;
  /** The website of a domain that a user registered. */
  findOwned(userId: string, domain: string): Promise<WebsiteRow | undefined>;
  /** Finds a website of any owner: the caller checks access. So do the next two. */
  find(id: string): Promise<WebsiteRow | undefined>;
  findByKey(key: number): Promise<WebsiteRow | undefined>;
  findByCode(trackingCode: string): Promise<WebsiteRow | undefined>;
  /**
   * @param userId the caller, whose own website is found before one that is shared with them
   * @param site an id, or a domain with or without its scheme
   */
  findBySite(userId: string | undefined, site: string): Promise<WebsiteRow | undefined>;
  /** As `listVisible`, with columns that the API does not show. */
  listVisibleRows(userId: string, page?: ListPage): Promise<Listed<WebsiteRow>>;
  /** Tracking codes of websites with this domain and description, of any owner, the newest first. */
  findLike(like: { domain: string; description: string }, max: number): Promise<string[]>;
  /** Tracking code of the website that lists an old id (`matomo:1`). */
  findByOldId(oldId: string): Promise<string | undefined>;
  findTracked(trackingCode: string): Promise<TrackedWebsite | undefined>;
  /** Records that a website has anonymous events. */
  markAnonymous(trackingCode: string, key: number): Promise<void>;
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

  /** Tracking codes by old ids, and since when; undefined: no website has it. */
  const oldCodes = new Map<string, { code: string | undefined; foundMs: number }>();

  async function findByOldId(oldId: string): Promise<string | undefined> {
    const known = oldCodes.get(oldId);
    if (known && now() - known.foundMs < OLD_CODE_MS) return known.code;
    const code = (await store.findByOldId(oldId))?.trackingCode;
    if (oldCodes.size >= OLD_CODES_MAX) oldCodes.clear();
    oldCodes.set(oldId, { code, foundMs: now() });
    return code;
  }

  /** @throws AppError VALIDATION_ERROR when another website lists one of these old ids */
  async function requireFree({ key }: WebsiteRow, oldIds: readonly string[]): Promise<void> {
    for (const [index, oldId] of oldIds.entries()) {
      const found = await store.findByOldId(oldId);
      if (!found || found.key === key) continue;
      const sentence = `${index}: Another website of this server has this old id`;
      throw validationError('Invalid request data', { oldIds: [sentence] });
    }
  }

  async function create(userId: string, input: WebsiteInput, isUnfinished = false): Promise<Website> {
    const { name, domain, description = '' } = input;
    const domainKey = toDomainKey(domain);
    const nowMs = now();
    if ((await store.countOf(userId)) >= WEBSITES_MAX) throw tooManyError();
    try {
      const id = crypto.randomUUID();
      const entry = { accountId: userId, actorId: userId, atMs: nowMs, websiteId: id, subject: name };
      const website = {
        id,
        userId,
        name,
        domain,
        domainKey,
        description,
        trackingCode: makeTrackingCode(nowMs),
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
        isUnfinished,
      };
      const row = await store.insert(website, { ...entry, action: 'website.created', details: { domain } });
      return toWebsite(row, 'owner');
    } catch (error) {
      if (isTaken(error)) throw domainTakenError();
      if (isDatabaseRefusal(error)) throw error; // busy or full: answered 503
      throw creationError(error);
    }
  }

  /** The owner is part of the condition: the website may have been handed over since it was opened. */
  async function change(
    { website, userId }: Opened,
    changes: WebsiteChanges,
    action: 'website.changed' | 'website.settingsChanged',
  ): Promise<WebsiteRow> {
    if (Object.values(changes).every((value) => value === undefined)) return website;
    try {
      const accountId = website.userId ?? '';
      const { domainKey: _derived, ...shown } = changes;
      const row = await store.update(accountId, website.id, changes, {
        accountId,
        actorId: userId ?? null,
        atMs: now(),
        action,
        websiteId: website.id,
        subject: website.name,
        details: toDifference<WebsiteRow>(website, shown),
      });
      if (!row) throw notFoundError();
      tracked.forget(row.trackingCode);
      return row;
    } catch (error) {
      throw isTaken(error) ? domainTakenError() : error;
    }
  }

  async function remove(userId: string, id: string, actorId = userId): Promise<void> {
    const { name = '' } = (await store.find(id)) ?? {};
    const trackingCode = await store.tombstone(userId, id, {
      accountId: userId,
      actorId,
      atMs: now(),
      action: 'website.deleted',
      websiteId: id,
      subject: name,
    });
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

  async function findBySite(userId: string | undefined, site: string): Promise<WebsiteRow | undefined> {
    const found = await store.find(site);
    if (found || userId === undefined) return found;
    const address = parseWebAddress(/^https?:/i.test(site) ? site : `https://${site}`);
    return address ? store.findVisibleByDomain(userId, toDomainKey(address.href)) : undefined;
  }

  return {
    create: (userId, input) => create(userId, input),
    begin: (userId, input) => create(userId, input, true),
    finish,
    removeUnfinished: async (userId) => {
      const trackingCodes = await store.tombstoneUnfinished(userId, now());
      if (trackingCodes.length > 0) forgetAll(trackingCodes);
    },
    listVisible: async (userId, page = WHOLE_LIST) => {
      const rows = (await store.listShown(userId, page)).map(({ role, ...row }) => toWebsite(row, role));
      return toListed(rows, page, () => store.countVisible(userId));
    },
    update: async (opened, { name, domain, description }) => {
      const domainKey = domain === undefined ? undefined : toDomainKey(domain);
      const changes = { name, domain, domainKey, description };
      return toWebsite(await change(opened, changes, 'website.changed'), opened.role);
    },
    updateSettings: async (opened, input) => {
      const { website } = opened;
      const changes = toSettingsChanges(input);
      const { primaryGoalId } = changes;
      if (primaryGoalId && !(await store.hasGoal(website, primaryGoalId)))
        throw validationError('Invalid request data', {
          primaryGoalId: ['Must be the id of a goal of the website'],
        });
      if (changes.oldIds) await requireFree(website, changes.oldIds);
      oldCodes.clear();
      return toSettings(await change(opened, changes, 'website.settingsChanged'));
    },
    remove,
    removeAllOf,
    findOwned: (userId, domain) => store.findOwned(userId, toDomainKey(domain)),
    find: store.find,
    findByKey: store.findByKey,
    findByCode: store.findByCode,
    findBySite,
    listVisibleRows: async (userId, page = WHOLE_LIST) =>
      toListed(await store.listVisible(userId, page), page, () => store.countVisible(userId)),
    findLike: store.findLike,
    findByOldId,
    findTracked: tracked.find,
    async markAnonymous(trackingCode, key) {
      await store.markAnonymous(key);
      tracked.forget(trackingCode);
    },
    trackedNow: tracked.findNow,
  };
}

/** How long a new old id may be unknown, and a website that was deleted be known. */
const OLD_CODE_MS = 10_000;
const OLD_CODES_MAX = 1_000;

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
