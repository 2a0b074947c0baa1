import type { Answer } from './service.ts';

/**
 * Figures of a log on a server are refused when reading it takes more than three seconds, as it may on a machine that
 * others slow down: who is refused for that asks again.
 */
export async function onceRead(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503 || !answer.text.includes('still being made from the events')) return answer;
  }
}
