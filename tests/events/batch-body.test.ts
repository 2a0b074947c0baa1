import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readBatch } from '../../src/events/batch-body.ts';
import { AppError } from '../../src/vocabulary/errors.ts';

/** Beyond this a body is cut into its events before it is parsed. */
const CUT_LENGTH = 64 * 1024;
const padding = ' '.repeat(CUT_LENGTH + 1);

/** Events of a body, or the message of its refusal. */
function outcomeOf(text: string): unknown {
  try {
    const { events, sentAt } = readBatch(text);
    return sentAt === undefined ? [...events] : { events: [...events], sentAt };
  } catch (error) {
    if (error instanceof AppError) return error.details?.formErrors[0] ?? error.details ?? error.message;
    throw error;
  }
}

/** Outcome of a body that is parsed as a whole. */
function wholeOutcomeOf(text: string): unknown {
  return outcomeOf(text.trim());
}

const UNREADABLE = 'The body is not readable JSON';

describe('a large batch', () => {
  test('is read as JSON.parse reads it, whatever is in it', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const member = fc.tuple(fc.oneof(fc.constant('events'), fc.constant('sentAt'), fc.string()), value);
    const text = fc
      .tuple(fc.array(member, { maxLength: 4 }), fc.array(value, { maxLength: 5 }), fc.nat(4), fc.nat(2))
      .map(([members, events, place, space]) => {
        const all = members.toSpliced(place, 0, ['events', events]);
        const gap = ' \n'.repeat(space);
        const inside = all.map(([name, one]) => `${JSON.stringify(name)}${gap}:${gap}${JSON.stringify(one)}`);
        return `{${gap}${inside.join(`${gap},${gap}`)}${gap}}`;
      });
    fc.assert(
      fc.property(text, (body) => {
        expect(outcomeOf(padding + body)).toEqual(wholeOutcomeOf(body));
      }),
    );
  });

  test('with a sign too many, too few or in the wrong place is unreadable wherever JSON.parse says so', () => {
    const body = '{"a":[1,{"b":"]\\\\"}],"events":[{"x":"}\\"{"},[],{}, 5,"é"],"c":{"d":[]}}';
    const signs = [...'{}[]",:\\1 a'];
    for (let at = 0; at <= body.length; at += 1) {
      const changed = signs.flatMap((sign) => [
        body.slice(0, at) + sign + body.slice(at),
        body.slice(0, at) + sign + body.slice(at + 1),
      ]);
      for (const text of [...changed, body.slice(0, at) + body.slice(at + 1), body.slice(0, at)])
        expect([text, outcomeOf(padding + text)]).toEqual([text, wholeOutcomeOf(text)]);
    }
  });

  const LONG = 'x'.repeat(CUT_LENGTH);
  const CASES: [string, string, unknown][] = [
    [
      'an event over its bound comes as its refusal',
      `{"events":[1,"${LONG}",2]}`,
      [1, expect.any(AppError), 2],
    ],
    [
      'bytes are counted, not characters',
      `{"events":["${'é'.repeat(CUT_LENGTH / 2)}",2]}`,
      [expect.any(AppError), 2],
    ],
    ['a name may be escaped', `${padding}{"\\u0065vents":[1],"a":2}`, [1]],
    ['of two lists the last one counts', `{"events":[1],"events":["${LONG.slice(10)}"]}`, [LONG.slice(10)]],
    [
      'a list within something else is none',
      `${padding}{"a":{"events":[1]}}`,
      { fieldErrors: { events: ['Required'] }, formErrors: [] },
    ],
    [
      'an empty list',
      `${padding}{"events":[ ]}`,
      { fieldErrors: { events: ['Must have at least 1 entry'] }, formErrors: [] },
    ],
    [
      '1,001 entries',
      `{"events":[${'1,'.repeat(50_000)}1]}`,
      { fieldErrors: { events: ['Must have at most 1000 entries'] }, formErrors: [] },
    ],
    [
      'too much outside the list',
      `{"events":[1],"a":"${LONG}"}`,
      'A batch must have at most 65536 characters outside its events array',
    ],
    [
      'too much in place of the list',
      `{"events":{"a":"${LONG}"}}`,
      'A batch must have at most 65536 characters outside its events array',
    ],
    [
      'a bare list',
      `[${'0,'.repeat(50_000)}0]`,
      'A batch must have at most 65536 characters outside its events array',
    ],
    [
      'the clock of the sender stands outside the list',
      `{"sentAt":5,"events":["${LONG.slice(10)}"]}`,
      { events: [LONG.slice(10)], sentAt: 5 },
    ],
    ['a list that never ends', `{"events":["${LONG}"`, UNREADABLE],
    ['nothing', padding, UNREADABLE],
  ];
  test.each(CASES)('%s', (_, text, outcome) => {
    expect(Buffer.byteLength(text)).toBeGreaterThan(CUT_LENGTH);
    expect(outcomeOf(text)).toEqual(outcome);
  });
});
