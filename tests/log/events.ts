import { sql } from 'drizzle-orm';
import type { Db } from '../../src/db/open.ts';
import type { NewEvent } from '../../src/log/event.ts';
import { mapEventTexts } from '../../src/vocabulary/event-texts.ts';

export const DAY_MS = 86_400_000;
/** A midnight, UTC. */
export const START_MS = Date.UTC(2026, 2, 2);
export const START_DAY = START_MS / DAY_MS;

type Changes = Partial<Omit<NewEvent, 'website'>> & { websiteKey?: number };

/** An event with every field, for the website 1. */
export function newEvent({ websiteKey = 1, ...changes }: Changes = {}): NewEvent {
  return {
    id: crypto.randomUUID(),
    createdAtMs: START_MS,
    eventType: 'custom',
    url: 'https://example.com/pricing?a=1',
    referrer: 'https://news.example/',
    sessionId: '5d0c8a10-6f57-4bb2-8f6b-f9a3a4a3c0de',
    visitorId: 'a visitor by name',
    deviceType: 'mobile',
    ...mapEventTexts((name) => name),
    browserVersion: '133',
    osVersion: '10',
    bot: 'Examplebot',
    region: 'DE-BY',
    city: 'Munich, DE-BY, 2867714',
    browser: 'Firefox',
    os: 'Linux',
    location: 'DE',
    language: 'de-DE',
    screen: '2560x1440',
    properties: '{"plan":"team"}',
    flags: 5,
    engagedSeconds: null,
    scrollDepth: null,
    ...changes,
    website: { key: websiteKey },
  };
}

/** The log takes events of websites that there are. */
export async function addWebsite(db: Db, key: number): Promise<void> {
  await db.run(sql`
    insert into websites (key, id, name, domain, domain_key, description, tracking_code, created_at_ms, updated_at_ms)
    values (${key}, ${`website-${key}`}, '', '', ${`website-${key}`}, '', ${`pm-${key}`}, 0, 0)`);
}
