import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createTextTimes } from '../../../src/analytics/embedded/query/text-time.ts';
import { createTestLog, type TestLog } from '../support.ts';

let log: TestLog;
beforeAll(async () => {
  log = await createTestLog();
  log.database.exec(`INSERT INTO users (id, email, email_key, password_hash, created_at_ms)
    VALUES ('ada', 'a', 'a', '-', 0), ('bob', 'b', 'b', '-', 0);
    UPDATE websites SET user_id = 'ada';
    INSERT INTO websites (key, id, user_id, name, domain, domain_key, description, tracking_code, created_at_ms, updated_at_ms)
    VALUES (101, 'x', 'ada', 'x', 'x', 'x', '', 'pm-x', 0, 0), (102, 'y', 'bob', 'y', 'y', 'y', '', 'pm-y', 0, 0)`);
});
afterAll(() => log.close());

test('a question may test texts for a second', () => {
  const time = createTextTimes(log.database)(101);
  expect(time.leftMs()).toBe(1_000);
  time.spend(400);
  expect(time.leftMs()).toBe(600);
  time.spend(700);
  expect(time.leftMs()).toBeLessThan(0);
});

test('all websites of an account share five seconds a minute, and other accounts have their own', () => {
  let nowMs = 0;
  const open = createTextTimes(log.database, () => nowMs);
  for (let question = 0; question < 5; question += 1) open(question % 2 ? 101 : 1).spend(1_000);
  expect(open(101).leftMs()).toBe(0);
  expect(open(102).leftMs()).toBe(1_000);
  nowMs = 60_000;
  expect(open(101).leftMs()).toBe(1_000);
});
