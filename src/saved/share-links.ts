import { eq, sql } from 'drizzle-orm';
import { createPasswords } from '../accounts/passwords.ts';
import { unauthorizedError } from '../accounts/refusals.ts';
import type { ShareLink, ShareLinkInput, ShareLinkUpdate } from '../contract/share-link.ts';
import { type AuditEntry, toDifference } from '../db/audit.ts';
import type { Db } from '../db/open.ts';
import { shareLinks } from '../db/schema.ts';
import type { Listed, ListPage } from '../http/list-page.ts';
import type { PasswordAttempt } from '../limits/password-limit.ts';
import { randomText } from '../process/random-text.ts';
import { isSameSecret } from '../process/same-secret.ts';
import type { AuditAction } from '../vocabulary/access.ts';
import { SHARE_LINKS_MAX, SHARE_TOKEN_START } from '../vocabulary/contract.ts';
import { DAY_MS, MINUTE_MS } from '../vocabulary/durations.ts';
import { validationError } from '../vocabulary/errors.ts';
import type { OpenedWebsite } from '../websites/row-routes.ts';
import { createWebsiteRows } from '../websites/website-rows.ts';
import type { JudgedSegment } from './segments.ts';
import { readLinkInput } from './share-link-input.ts';

type Website = Pick<OpenedWebsite, 'key' | 'id' | 'userId' | 'callerId'>;
export type LinkRow = typeof shareLinks.$inferSelect;

type Judge = {
  judge: (filters: readonly unknown[]) => JudgedSegment;
  judgeSaved: (filters: readonly unknown[]) => string[];
};

type Deps = {
  db: Db;
  now: () => number;
  /** Signs what an entered password opens. */
  key: Uint8Array;
  openJudge: (websiteKey: number) => Promise<Judge>;
};

const RANDOM_LENGTH = 32;
/** `ps_` and 32 random characters, 190 bits; after a password also until when, and the signature of both. */
const TOKEN = /^(ps_[0-9A-Za-z]{32})(?:\.([0-9a-z]{1,10})\.([0-9a-f]{64}))?$/;
/** How long an entered password opens a link. */
const UNLOCKED_MS = DAY_MS;
/** The last use is written at most this often. */
const LAST_USE_STEP_MS = MINUTE_MS;

export type ShareLinks = ReturnType<typeof createShareLinks>;

/** The rules of share links. That the caller manages the website has been decided before. */
export function createShareLinks({ db, now, key, openJudge }: Deps) {
  const passwords = createPasswords();
  const rows = createWebsiteRows({
    db,
    now,
    table: shareLinks,
    names: ['share link', 'share links'],
    rowsMax: SHARE_LINKS_MAX,
    orderBy: shareLinks.createdAtMs,
  });
  const selectByHash = db
    .select()
    .from(shareLinks)
    .where(eq(shareLinks.tokenHash, sql.placeholder('hash')))
    .prepare();

  /** @throws VALIDATION_ERROR */
  function requireReadable({ judge }: Judge, given: readonly unknown[]): unknown[] {
    if (given.length === 0) return [];
    const { faults, filters } = judge(given);
    if (faults.length > 0) throw validationError('Invalid request data', { filters: faults });
    return filters;
  }

  function toEntry(
    { id: websiteId, userId, callerId }: Website,
    action: AuditAction,
    subject: string,
    details: Record<string, unknown> = {},
  ): AuditEntry {
    return { accountId: userId ?? '', actorId: callerId, atMs: now(), action, websiteId, subject, details };
  }

  const hashPassword = (password: string | null | undefined) =>
    typeof password === 'string' ? passwords.hash(password) : Promise.resolve(password);

  function sign({ id, passwordHash }: LinkRow, until: string): string {
    return new Bun.CryptoHasher('sha256', key).update(`${id} ${passwordHash} ${until}`).digest('hex');
  }

  /**
   * Finds the link of a token that is neither revoked nor over. The hash is looked up, so the time that it takes says
   * nothing about tokens.
   *
   * @throws AppError UNAUTHORIZED
   */
  async function requireLive(text: string): Promise<{ link: LinkRow; until: string; mac: string }> {
    const [, token = '', until = '', mac = ''] = TOKEN.exec(text) ?? [];
    const link = await selectByHash.get({ hash: hashToken(token) });
    if (!link) throw unauthorizedError('This link is unknown: it was deleted, or its address is incomplete');
    if (link.isRevoked) throw unauthorizedError('This link was revoked by its owner');
    if (link.expiresAtMs !== null && link.expiresAtMs <= now())
      throw unauthorizedError('This link has expired');
    return { link, until, mac };
  }

  return {
    async list(website: Website, page: ListPage): Promise<Listed<ShareLink>> {
      const judge = await openJudge(website.key);
      const listed = await rows.page(website.key, page);
      return { ...listed, rows: listed.rows.map((row) => toShareLink(row, judge)) };
    },

    get: async (website: Website, id: string) =>
      toShareLink(await rows.require(website.key, id), await openJudge(website.key)),

    /** @throws VALIDATION_ERROR, and CONFLICT for one link too many */
    async create(website: Website, input: ShareLinkInput): Promise<ShareLink> {
      const { name, hides = [] } = input;
      const judge = await openJudge(website.key);
      const { range = null, origins = [], expiresAtMs = null } = readLinkInput(input, now());
      const filters = requireReadable(judge, input.filters ?? []);
      await rows.requireRoom(website.key);
      const token = SHARE_TOKEN_START + randomText(RANDOM_LENGTH);
      const columns = {
        name,
        tokenHash: hashToken(token),
        passwordHash: (await hashPassword(input.password)) ?? null,
        expiresAtMs,
        isRevoked: false,
        filters,
        hides,
        range,
        origins,
        uses: 0,
        lastUsedAtMs: null,
      };
      const details = { filters, hides, range, origins, hasPassword: columns.passwordHash !== null };
      const row = await rows.insert(website.key, columns, toEntry(website, 'link.created', name, details));
      return { ...toShareLink(row, judge), token };
    },

    /** Changes the fields that are present. @throws also what `create` throws */
    async update(website: Website, id: string, input: ShareLinkUpdate): Promise<ShareLink> {
      const before = await rows.require(website.key, id);
      const { name, hides, isRevoked } = input;
      const judge = await openJudge(website.key);
      const filters = input.filters && requireReadable(judge, input.filters);
      const changes = { ...readLinkInput(input, now()), name, hides, isRevoked, filters };
      const passwordHash = await hashPassword(input.password);
      const isNewPassword = passwordHash !== undefined;
      const entry = toEntry(website, 'link.changed', before.name, {
        ...toDifference<LinkRow>(before, changes),
        ...(isNewPassword && { password: passwordHash === null ? 'removed' : 'changed' }),
      });
      return toShareLink(await rows.update(before, { ...changes, passwordHash }, entry), judge);
    },

    async remove(website: Website, id: string): Promise<void> {
      const { name } = await rows.require(website.key, id);
      await rows.remove(website.key, id, toEntry(website, 'link.deleted', name));
    },

    /**
     * Returns the link that a token opens.
     *
     * @throws AppError UNAUTHORIZED: unknown, revoked, expired, or without its password
     */
    async open(text: string): Promise<LinkRow> {
      const { link, until, mac } = await requireLive(text);
      if (link.passwordHash === null) return link;
      const isOver = Number.parseInt(until, 36) <= now();
      if (mac === '' || isOver || !isSameSecret(mac, sign(link, until)))
        throw unauthorizedError('This link needs a password');
      return link;
    },

    /** Exchanges a password for a token that opens the link. @throws AppError UNAUTHORIZED, RATE_LIMITED */
    async unlock(text: string, password: string, toAttempt: (id: string) => PasswordAttempt) {
      const { link } = await requireLive(text);
      const hash = link.passwordHash ?? undefined;
      if (!(await passwords.verify(password, hash, toAttempt(link.id))))
        throw unauthorizedError('The password is wrong');
      const untilMs = now() + UNLOCKED_MS;
      const until = untilMs.toString(36);
      const [token = ''] = text.split('.');
      return { token: `${token}.${until}.${sign(link, until)}`, expiresAt: new Date(untilMs).toISOString() };
    },

    /** Returns the origins that may embed the link of a token; none for one that opens nothing. */
    async originsOf(text: string): Promise<readonly string[]> {
      return requireLive(text).then(
        ({ link }) => link.origins,
        () => [],
      );
    },

    /** Records a use in the background: it never delays or fails the request. */
    noteUse({ id, lastUsedAtMs }: LinkRow, isOpened: boolean): void {
      const nowMs = now();
      if (!isOpened && lastUsedAtMs !== null && lastUsedAtMs > nowMs - LAST_USE_STEP_MS) return;
      const uses = sql`${shareLinks.uses} + ${isOpened ? 1 : 0}`;
      setImmediate(() => {
        db.update(shareLinks)
          .set({ uses, lastUsedAtMs: nowMs })
          .where(eq(shareLinks.id, id))
          .catch(() => {});
      });
    },
  };
}

function hashToken(token: string): string {
  return new Bun.CryptoHasher('sha256').update(token).digest('hex');
}

function toShareLink(row: LinkRow, { judgeSaved }: Judge): ShareLink {
  const { id, name, filters, hides, range, origins, isRevoked, uses } = row;
  const toText = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString());
  return {
    id,
    name,
    filters,
    hides,
    range,
    origins,
    expiresAt: toText(row.expiresAtMs),
    hasPassword: row.passwordHash !== null,
    isRevoked,
    uses,
    lastUsedAt: toText(row.lastUsedAtMs),
    faults: filters.length > 0 ? judgeSaved(filters) : [],
    createdAt: new Date(row.createdAtMs).toISOString(),
    updatedAt: new Date(row.updatedAtMs).toISOString(),
  };
}
