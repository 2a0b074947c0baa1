import { beforeEach, expect, test } from 'bun:test';
import { act } from 'preact/test-utils';
import { ApiError } from '../../src/dashboard/api/client.ts';
import { type AnswerState, forgetAnswers, useAnswer } from '../../src/dashboard/api/use-answer.ts';
import { mount } from '../support/render.ts';

type Question = {
  name: string;
  signal: AbortSignal;
  answer: (text: string) => void;
  fail: (fault: Error) => void;
};

beforeEach(forgetAnswers);

/** A component that asks, and the questions that it has asked, to be answered when the test likes. */
function createAsker(options?: { everyMs?: number }) {
  const asked: Question[] = [];
  const states = new Map<string, AnswerState<string>>();
  function Asker({ name, part = 'one' }: { name: string | undefined; part?: string }) {
    const state = useAnswer(
      name,
      (signal) => {
        const { promise, resolve, reject } = Promise.withResolvers<string>();
        asked.push({ name: name ?? '', signal, answer: resolve, fail: reject });
        return promise;
      },
      options,
    );
    states.set(part, state);
    return <p>{state.fault?.message ?? state.answer ?? (state.isLoading ? 'loading' : 'nothing')}</p>;
  }
  const last = (): Question => {
    const question = asked.at(-1);
    if (!question) throw new Error('nothing was asked');
    return question;
  };
  return { Asker, asked, last, states };
}
const settle = (work: () => void) => act(async () => work());
const AWAY = new ApiError(0, 'UNREACHABLE', 'away');

test('asks, shows the answer, and keeps that of before while another is on its way', async () => {
  const { Asker, asked, last } = createAsker();
  using page = mount(<Asker name="a" />);
  expect(page.container.textContent).toBe('loading');
  await settle(() => last().answer('A'));
  expect(page.container.textContent).toBe('A');
  page.update(<Asker name="b" />);
  expect(page.container.textContent).toBe('A');
  await settle(() => last().answer('B'));
  expect(page.container.textContent).toBe('B');
  page.update(<Asker name="a" />); // known: shown at once, and asked again
  expect(page.container.textContent).toBe('A');
  expect(asked.map(({ name }) => name)).toEqual(['a', 'b', 'a']);
});

test('an answer that comes late never takes the place of a newer one', async () => {
  const { Asker, asked } = createAsker();
  using page = mount(<Asker name="a" />);
  page.update(<Asker name="b" />);
  expect(asked[0]?.signal.aborted).toBe(true);
  await settle(() => asked[1]?.answer('B'));
  await settle(() => asked[0]?.answer('late A'));
  expect(page.container.textContent).toBe('B');
  page.update(<Asker name="a" />);
  expect(page.container.textContent).toBe('B'); // the late one was not kept either
});

test('a fault is shown, and another try takes it away', async () => {
  const { Asker, asked, last, states } = createAsker();
  using page = mount(<Asker name="a" />);
  await settle(() => last().fail(new ApiError(500, 'INTERNAL_ERROR', 'broken')));
  expect(page.container.textContent).toBe('broken');
  await settle(() => states.get('one')?.retry());
  await settle(() => last().answer('A'));
  expect(page.container.textContent).toBe('A');
  expect(asked.length).toBe(2);
});

test('a question that is refused shows no answer of another one; what fails otherwise does', async () => {
  const { Asker, last, states } = createAsker();
  using page = mount(<Asker name="a" />);
  await settle(() => last().answer('A'));
  page.update(<Asker name="b" />);
  expect(states.get('one')).toMatchObject({ answer: 'A', isOld: true });
  await settle(() => last().fail(new ApiError(400, 'VALIDATION_ERROR', 'no such goal')));
  expect(states.get('one')?.answer).toBeUndefined();
  page.update(<Asker name="c" />);
  await settle(() => last().fail(AWAY));
  expect(states.get('one')).toMatchObject({ answer: 'A', isOld: true });
});

test('what could not reach the server asks again as soon as anything is answered, other faults do not', async () => {
  const { Asker, asked } = createAsker();
  using page = mount(
    <div>
      <Asker name="away" part="one" />
      <Asker name="broken" part="two" />
      <Asker name="fine" part="three" />
    </div>,
  );
  await settle(() => asked[0]?.fail(AWAY));
  await settle(() => asked[1]?.fail(new ApiError(500, 'INTERNAL_ERROR', 'broken')));
  expect(asked.length).toBe(3);
  await settle(() => asked[2]?.answer('fine'));
  expect(asked.slice(3).map(({ name }) => name)).toEqual(['away']);
  await settle(() => asked[3]?.answer('back'));
  expect(page.findAll('p').map(({ textContent }) => textContent)).toEqual(['back', 'broken', 'fine']);
});

test('asks nothing without a question, and is given up when it goes away', () => {
  const { Asker, asked, last } = createAsker();
  const page = mount(<Asker name={undefined} />);
  expect(asked).toEqual([]);
  page.update(<Asker name="a" />);
  page[Symbol.dispose]();
  expect(last().signal.aborted).toBe(true);
});

test('asks again after the given interval', async () => {
  const { Asker, asked, last } = createAsker({ everyMs: 1 });
  using page = mount(<Asker name="a" />);
  for (const text of ['1', '2', '3']) {
    const { length } = asked;
    await settle(() => last().answer(text));
    expect(page.container.textContent).toBe(text);
    while (asked.length === length) await Bun.sleep(1);
  }
  expect(asked.map(({ name }) => name)).toEqual(['a', 'a', 'a', 'a']);
});
