import { and, eq, isNotNull, isNull, ne, or, type SQL } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { websites } from '../db/schema.ts';
import { WEBSITES_MAX } from '../vocabulary/contract.ts';
import { toDomainKey } from '../websites/domain.ts';
import type { TrackedWebsite } from '../websites/store.ts';
import { ImportError } from './import-error.ts';

/** The website that an import is for. */
export type ImportWebsite = TrackedWebsite & {
  name: string;
  domain: string;
  trackingCode: string;
  retentionDays: number | null;
};

/**
 * Finds a website by its id, tracking code, address or host.
 *
 * @throws ImportError when there is none, or several have this address
 */
export function findImportWebsite(db: Db, text: string): Promise<ImportWebsite> {
  const domainKey = keyOf(text);
  return findOne(
    db,
    text,
    or(
      eq(websites.id, text),
      eq(websites.trackingCode, text),
      domainKey === undefined ? undefined : eq(websites.domainKey, domainKey),
    ),
  );
}

/** Finds the website of an import. @throws ImportError when it was deleted */
export function findWebsiteOf(db: Db, websiteKey: number): Promise<ImportWebsite> {
  return findOne(db, 'of this import', eq(websites.key, websiteKey));
}

async function findOne(db: Db, text: string, condition: SQL | undefined): Promise<ImportWebsite> {
  const rows = await db
    .select()
    .from(websites)
    .where(and(isNull(websites.deletedAtMs), isNotNull(websites.userId), condition))
    .limit(2);
  const [found] = rows;
  if (!found) throw new ImportError(`There is no website ${text}`);
  if (rows.length > 1)
    throw new ImportError(`Several accounts have the website ${text}: name its id or its tracking code`);
  const { key, id, userId, name, domain, trackingCode, retentionDays, isCountryOnly } = found;
  if (userId === null) throw new ImportError(`There is no website ${text}`);
  // What a website refuses or excludes is for what arrives from now on.
  return {
    key,
    id,
    userId,
    name,
    domain,
    trackingCode,
    retentionDays,
    isCountryOnly,
    allowedOrigins: [],
    excludedRanges: [],
    leavesOutLocalPages: false, // history is imported as it was counted
    isAnonymous: false,
    hasAnonymous: found.hasAnonymous,
    timezone: found.timezone,
  };
}

/** Returns the other websites of the owner by their hosts. */
export async function findOtherHosts(db: Db, { key, userId }: ImportWebsite): Promise<Map<string, string>> {
  const rows = await db
    .select({ domain: websites.domain })
    .from(websites)
    .where(and(eq(websites.userId, userId), ne(websites.key, key), isNull(websites.deletedAtMs)))
    .limit(WEBSITES_MAX);
  return new Map(rows.map(({ domain }) => [new URL(domain).host, domain]));
}

function keyOf(text: string): string | undefined {
  try {
    return toDomainKey(/^https?:/i.test(text) ? text : `https://${text}`);
  } catch {
    return undefined;
  }
}
