import { afterEach, describe, expect, spyOn, test } from 'bun:test';
import { logError } from '../src/process-log.ts';

const printed = spyOn(console, 'error').mockImplementation(() => {});
afterEach(() => printed.mockClear());

function log(error: unknown): Record<string, unknown> {
  logError(error);
  return JSON.parse(printed.mock.lastCall?.[0]);
}

const failedQuery = (cause: unknown) =>
  new Error("Failed query: select * from users where email = 'secret'", { cause });

describe('a failure is logged', () => {
  test('with its name and message', () => {
    expect(log(new TypeError('x is not a function'))).toMatchObject({
      level: 'error',
      message: 'TypeError: x is not a function',
    });
  });

  const CAUSES: [string, unknown, object][] = [
    [
      'of SQLite by its code',
      Object.assign(new Error("near 'secret'"), { code: 'SQLITE_ERROR' }),
      { message: 'database error', code: 'SQLITE_ERROR' },
    ],
    [
      'of a server that is away by its code',
      Object.assign(new TypeError('secret'), { code: 'ECONNREFUSED' }),
      { message: 'database error: ECONNREFUSED' },
    ],
    [
      'of a silent server by its name',
      new DOMException('secret', 'TimeoutError'),
      { message: 'database error: TimeoutError' },
    ],
    ['without a cause as unknown', undefined, { message: 'database error: unknown' }],
  ];
  for (const [name, cause, line] of CAUSES) {
    test(`${name}, never with the statement and its values`, () => {
      expect(log(failedQuery(cause))).toMatchObject(line);
      expect(printed.mock.lastCall?.[0]).not.toContain('secret');
    });
  }

  test('reports a thrown value that is not an Error without its text', () => {
    expect(log({ password: 'secret' })).toMatchObject({ message: 'unexpected failure' });
  });
});
