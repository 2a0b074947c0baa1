import { expect, test } from 'bun:test';
import { eventFor } from '../support/event.ts';
import { createTestService } from '../support/service.ts';
import { startSqld } from '../support/sqld.ts';

const sqld = await startSqld();

test.if(sqld !== undefined)(
  'an event is refused with 503 when the server falls silent, and stored when it speaks again',
  async () => {
    const database = { kind: 'remote', url: sqld?.url ?? '', authToken: undefined } as const;
    const service = await createTestService({ database });
    const { trackingCode } = await service.addWebsite((await service.signUp()).token);
    const submit = () =>
      service.send('POST', '/api/v1/events', {
        body: eventFor(trackingCode, { id: '0190b6e4-7c3a-7000-8000-000000000001' }),
      });
    sqld?.freeze();
    const refused = await submit();
    sqld?.thaw();
    expect(refused).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect((await submit()).status).toBe(201);
    await service.close();
    await sqld?.stop();
  },
  60_000,
);
