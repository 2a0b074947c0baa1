import { newApiKey } from '../../../src/accounts/api-keys.ts';
import { makeTrackingCode } from '../../../src/websites/tracking-code.ts';
import { createTestService, PASSWORD } from '../../support/service.ts';
import type { BarOptions, BarResult } from '../bar.ts';

const AT_ONCE = 50;
const CODES = 100_000;

/** Fifty ask for one address, its spellings or one domain at the same time, again and again: one gets it. */
export async function tryRaces({ isLong }: BarOptions): Promise<BarResult> {
  const rounds = isLong ? 20 : 1;
  const service = await createTestService();
  const faults: string[] = [];
  async function race(name: string, ask: (index: number) => Promise<{ status: number }>): Promise<void> {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => ask(index)));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    if (count(201) !== 1 || count(409) !== AT_ONCE - 1)
      faults.push(`${name}: ${answers.map(({ status }) => status)}`);
  }
  const register = (email: string) =>
    service.send('POST', '/api/v1/auth/register', { body: { email, password: PASSWORD } });
  const { token } = await service.signUp();
  for (let round = 0; round < rounds; round += 1) {
    await race('one address', () => register(`same-${round}@example.com`));
    await race('spellings of an address', (index) => register(spell(`case-${round}@example.com`, index)));
    await race('one domain', (index) =>
      service.send('POST', '/api/v1/websites', {
        token,
        body: {
          name: 'n',
          domain: index % 2 === 0 ? `https://r${round}.example` : `http://WWW.R${round}.example/`,
        },
      }),
    );
  }
  const codes = new Set(Array.from({ length: CODES }, () => makeTrackingCode(1)));
  const keys = new Set(Array.from({ length: CODES }, () => newApiKey('user', 'key', 1).key));
  if (codes.size !== CODES || keys.size !== CODES) faults.push(`${codes.size} codes, ${keys.size} keys`);
  faults.push(...service.errors.map((error) => `an error of ours: ${error}`));
  await service.close();
  return {
    figure: `${rounds * 3} races of ${AT_ONCE}: one winner each; ${CODES} tracking codes and API keys, none twice; ${faults.length} faults`,
    faults,
  };
}

/** The text with the letters in capitals that the bits of the number name. */
function spell(text: string, number: number): string {
  return [...text]
    .map((letter, index) => ((number >> (index % 6)) & 1 ? letter.toUpperCase() : letter))
    .join('');
}
