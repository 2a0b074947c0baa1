import { expect, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { createTestService } from '../support/service.ts';
import { startSqld } from '../support/sqld.ts';

const sqld = await startSqld();
const EVENTS = 12_000;
const ANSWER_MS = 700;

test.if(sqld !== undefined)(
  'figures are refused with 503 and Retry-After while a long log is read for the first time, and then there',
  async () => {
    const at = (url = '') => createTestService({ database: { kind: 'remote', url, authToken: undefined } });
    const near = await at(sqld?.url);
    const { token } = await near.signUp();
    const { id } = await near.addWebsite(token);
    await near.db.run(sql`
      insert into events (event_id, website_key, created_at_ms, type, url, session_id, visitor_id)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${EVENTS})
      select randomblob(16), (select key from websites where id = ${id}), ${near.clock.now() - 1_000}, 0,
        'https://example.com/', 's' || i, 'v' || i from n`);
    const proxy = await startFaultyProxy(sqld?.url ?? '', ANSWER_MS);
    const far = await at(proxy.url);
    proxy.onRequest(() => 'delay');
    const ask = () => far.send('GET', `/api/v1/websites/${id}/stats`, { token });
    const first = await ask();
    expect(first).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
    expect(first.headers.get('retry-after')).toBe('5');
    // Others are answered meanwhile, and what was read is not read again.
    let answer = first;
    while (answer.status === 503) answer = await ask();
    expect(answer).toMatchObject({ status: 200, body: { visitors: EVENTS, pageviews: EVENTS } });
    expect(far.errors).toEqual([]);
    await far.close();
    await near.close();
    proxy.stop();
    await sqld?.stop();
  },
  60_000,
);
