import type { Answer } from './service.ts';

/**
 * Asks again while the answer is 503: figures of a log on a server are refused when the server is slow or reading it takes
 * more than three seconds, as on a machine that does other work. A fault that stays ends in the timeout of the test.
 */
export async function onceRead(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    await Bun.sleep(50);
  }
}
