import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { Glob } from 'bun';

/** Who may speak to which table, in SQL or through the schema. Tables that are not named are everybody's. */
const OWNERS: Record<string, string[]> = {
  events: ['log'],
  event_counts: ['log'],
  places: ['log'],
  removals: ['log'],
  erasures: ['log'],
  segments: ['analytics'],
  segment_parts: ['analytics'],
  terms: ['analytics'],
  visitors: ['analytics'],
  website_states: ['analytics'],
  analytics_state: ['analytics', 'log'], // the log's number is in it
};

/** Questions on ClickHouse are statements about its table of events, which has the same name. */
const ON_CLICKHOUSE = 'src/analytics/clickhouse/';

const ROOT = join(import.meta.dir, '../..');
const files = [...new Glob('src/**/*.ts').scanSync(ROOT)].filter(
  (file) => !/^src\/db\/.*schema\.ts$/.test(file) && !file.startsWith(ON_CLICKHOUSE),
);

for (const [table, owners] of Object.entries(OWNERS))
  test(`the table ${table} is spoken to by ${owners.join(' and ')} alone`, async () => {
    const inSchema = table.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const imported = new RegExp(
      `import \\{[^}]*\\b${inSchema}\\b[^}]*\\} from '[^']*/(log-|statistics-)?schema\\.ts'`,
    );
    const inSql = new RegExp(`\\b(FROM|INTO|UPDATE|JOIN)\\s+${table}\\b`);
    const speakers: string[] = [];
    for (const file of files) {
      const code = await Bun.file(join(ROOT, file)).text();
      const isSpeaker = imported.test(code) || inSql.test(code);
      if (isSpeaker && !owners.includes(file.split('/')[1] ?? '')) speakers.push(file);
    }
    expect(speakers).toEqual([]);
  });
