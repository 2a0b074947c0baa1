import { expect, test } from 'bun:test';
import { createTestService } from '../support/service.ts';

test.each(['open', 'closed'] as const)(
  'tells without credentials whether there is an account, registration %s',
  async (registration) => {
    const service = await createTestService({ registration });
    const ask = async () => (await service.send('GET', '/api/v1/auth/setup')).body;
    expect(await ask()).toEqual({ needsSetup: true, registration });
    await service.addUser();
    expect(await ask()).toEqual({ needsSetup: false, registration });
    await service.close();
  },
);
