import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Analytics } from '../../src/analytics/analytics.ts';
import { openAnalytics } from '../../src/analytics/embedded/open.ts';
import type { LocalDatabase } from '../../src/db/local-database.ts';
import { openDatabase } from '../../src/db/open.ts';
import { createLocalLog } from '../../src/log/local-log.ts';
import { comparable } from '../../src/move/difference.ts';
import { readLog } from '../support/read-log.ts';
import { listQuestions } from './golden/questions.ts';
import { makeTraffic, toGroups, WEBSITES } from './golden/traffic.ts';
import { type Answerer, ask } from './oracle/ask.ts';
import { createNaiveAnalytics, type RawEvent } from './oracle/naive-analytics.ts';

/**
 * More than two hundred answers over 20,000 events of the demo's traffic, byte for byte. A line is a question with its
 * answer; a long answer is a digest, with its beginning to look at. The naive implementation writes the file, within
 * two minutes:
 *
 *   UPDATE_GOLDEN=1 bun test tests/analytics/golden.test.ts
 */

const FILE = join(import.meta.dir, 'golden/answers.jsonl');
const WHOLE_CHARACTERS_MAX = 800;
const BEGIN_CHARACTERS = 200;
const UPDATE_MS_MAX = 600_000;
/** Far more than the second that it takes on a machine of its own. */
const ANSWERS_MS_MAX = 60_000;

const traffic = makeTraffic();
const questions = listQuestions(traffic);
const trafficLine = JSON.stringify({ traffic: digest(JSON.stringify(traffic)) });
const isUpdate = process.env.UPDATE_GOLDEN === '1';

let engine: Analytics;
let close: () => void;
let naive: Answerer;

beforeAll(async () => {
  const database = await openDatabase({ kind: 'memory' }, 'normal');
  const { local } = database;
  if (!local) throw new Error('A database in memory is local.');
  fill(local);
  naive = createNaiveAnalytics(readAll(local));
  engine = openAnalytics({ target: { kind: 'memory' }, local, dataDir: '', onError: rethrow });
  close = database.close;
  if (isUpdate) writeFileSync(FILE, `${[trafficLine, ...(await answerAll(naive))].join('\n')}\n`);
}, UPDATE_MS_MAX);

afterAll(async () => {
  await engine.close();
  close();
});

describe('answers over the traffic of the demo', () => {
  test('are about the events that the file was made of', () => {
    expect(readGolden()[0]).toBe(trafficLine);
  });

  test('are two hundred at least', () => {
    expect(questions.length).toBeGreaterThanOrEqual(200);
    expect(readGolden().length).toBe(1 + questions.length);
  });

  test(
    'are those of the file',
    async () => {
      expect(await answerAll(engine)).toEqual(readGolden().slice(1));
    },
    ANSWERS_MS_MAX,
  );
});

function fill(local: LocalDatabase): void {
  for (const { key, domain } of WEBSITES)
    local
      .prepare(
        `INSERT INTO websites (key, id, name, domain, domain_key, description, tracking_code, created_at_ms, updated_at_ms)
         VALUES (?, ?, '', ?, ?, '', ?, 0, 0)`,
      )
      .run([key, `website-${key}`, domain, domain, `pm-${key}`]);
  const log = createLocalLog(local);
  for (const group of toGroups(traffic)) log.append(group);
}

/** Reads the stored events, which both implementations answer about. */
function readAll(local: LocalDatabase): () => RawEvent[] {
  const events = readLog(local);
  return () => events;
}

async function answerAll(analytics: Answerer): Promise<string[]> {
  const lines: string[] = [];
  for (const question of questions) {
    const answer = toText(comparable(await ask(analytics, question)));
    lines.push(`{"question":${JSON.stringify(question)},${toPart(answer)}}`);
  }
  return lines;
}

/** JSON with the keys of an object in their order, which is not part of an answer. */
function toText(answer: unknown): string {
  const sorted = (_key: string, value: unknown) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.stringify(answer, sorted) ?? 'null';
}

function toPart(answer: string): string {
  if (answer.length <= WHOLE_CHARACTERS_MAX) return `"answer":${answer}`;
  const begin = answer.slice(0, BEGIN_CHARACTERS);
  return `"characters":${answer.length},"sha256":"${digest(answer)}","begin":${JSON.stringify(begin)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function readGolden(): string[] {
  return readFileSync(FILE, 'utf8').trimEnd().split('\n');
}

function rethrow(error: unknown): void {
  throw error;
}
