import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUserAgents } from '../../src/events/user-agent.ts';
import { chooseFormat } from '../../src/imports/formats.ts';
import { createImporter } from '../../src/imports/importer.ts';
import { openSource } from '../../src/imports/source/source-file.ts';
import { createImportStore } from '../../src/imports/store.ts';
import { findImportWebsite } from '../../src/imports/website.ts';
import type { EventLog } from '../../src/log/event-log.ts';
import { createImportedEvents } from '../../src/log/imported-events.ts';
import { createPlaceLookup } from '../../src/places/place-lookup.ts';
import { createSums } from '../../src/sums/store.ts';
import { withSums } from '../../src/sums/with-sums.ts';
import { createTestService } from '../support/service.ts';

type Files = Record<string, string | Uint8Array>;
type Options = { website?: string; format?: string; timezone?: string; hosts?: string[] };

/** A service with one website, whose clock says noon of 20 November 2026, and files to import into it. */
export async function startImporting() {
  const service = await createTestService();
  const person = await service.signUp();
  const website = await service.addWebsite(person.token, 'https://example.com');
  const folder = mkdtempSync(join(tmpdir(), 'pagemeter-import-'));
  const { db, storage } = service;
  const steps = { db, stepRows: 3, rest: () => Promise.resolve() };
  const sums = createSums(steps);
  const imported = withSums(storage.imported ?? createImportedEvents(steps), sums);
  const importInto = (log: EventLog) =>
    createImporter({
      log,
      imported,
      sums,
      store: createImportStore(db, service.clock.now),
      userAgents: createUserAgents(),
      places: createPlaceLookup({ onFailure: () => {} }),
      key: new Uint8Array(32),
      now: service.clock.now,
      onRows: () => {},
    });
  const importer = importInto(storage.log);

  async function open(files: Files, { website: to = 'example.com', format, timezone, hosts }: Options = {}) {
    const paths = Object.entries(files).map(([name, content]) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    });
    const opened = await openSource(paths);
    return {
      ...chooseFormat(opened, format),
      website: await findImportWebsite(db, to),
      timezone,
      hosts,
    };
  }

  return {
    ...service,
    person,
    website,
    folder,
    importer,
    /** An importer whose log is another one. */
    importInto,
    open,
    run: async (files: Files, options?: Options) => importer.run(await open(files, options)),
    preview: async (files: Files, options?: Options) => importer.preview(await open(files, options)),
    list: () => createImportStore(db, service.clock.now).list(),
    get: async (path: string) => (await service.send('GET', `/api/v1${path}`, { token: person.token })).body,
    /** The stored events, the oldest first, with their properties. */
    async events() {
      const list = `/api/v1/events?trackingCode=${website.trackingCode}&limit=1000`;
      const { body } = await service.send('GET', list, { token: person.token });
      const found = [];
      for (const { id } of body.events.toReversed()) {
        const answer = await service.send('GET', `/api/v1/events/${id}`, { token: person.token });
        const { id: _, websiteId: __, ...event } = answer.body;
        found.push(event);
      }
      return found;
    },
    async close() {
      await service.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export type Importing = Awaited<ReturnType<typeof startImporting>>;

/** Lines of NDJSON with an event of each, a minute apart. */
export function toNdjson(events: readonly Record<string, unknown>[]): string {
  return events
    .map((event, index) =>
      JSON.stringify({
        id: `00000000-0000-7000-8000-${String(index + 1).padStart(12, '0')}`,
        eventType: 'pageview',
        url: 'https://example.com/',
        sessionId: 's',
        visitorId: 'v',
        createdAt: new Date(Date.UTC(2026, 9, 1, 10, index)).toISOString(),
        ...event,
      }),
    )
    .join('\n');
}
