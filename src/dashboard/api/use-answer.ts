import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from './client.ts';

export type AnswerState<Answer> = {
  /** The latest answer; while another is on its way, that of before. A question that is refused has none. */
  answer: Answer | undefined;
  /** Why there is no newer one. */
  fault: ApiError | undefined;
  /** Nothing of this question is there yet, and it is on its way. */
  isLoading: boolean;
  /** The answer, if there is one, is that of a question before, because this one has none yet. */
  isOld: boolean;
  /** Asks again. */
  retry: () => void;
};

/** The question makes no sense, so figures of another one beside it would mislead. */
const REFUSED = 400;

export type AnswerOptions = {
  /** Asks again this often while the page is visible. */
  everyMs?: number;
};

/** Answers by their question, so that going back shows at once what was there. The oldest go first. */
const kept = new Map<string, unknown>();
const KEPT_MAX = 40;

/** What asks again as soon as the server answers anything: it was out of reach. */
const retryWhenOnline = new Set<() => void>();
/** What asks again because something that was changed may change any answer. */
const retryWhenChanged = new Set<() => void>();

/**
 * Asks when the question is new; `question` names it, undefined asks nothing. An earlier question that has no answer
 * yet is given up. Nothing jumps: the answer of before stays until the new one is there.
 */
export function useAnswer<Answer>(
  question: string | undefined,
  ask: (signal: AbortSignal) => Promise<Answer>,
  { everyMs }: AnswerOptions = {},
): AnswerState<Answer> {
  const asked = useRef(ask);
  asked.current = ask;
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<State<Answer>>({});
  const retry = useCallback(() => setTurn((before) => before + 1), []);

  useEffect(() => {
    if (question === undefined) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = async () => {
      try {
        const answer = await asked.current(abort.signal);
        if (abort.signal.aborted) return; // a newer question is on its way
        keep(question, answer);
        setState({ question, answer });
        retryAll();
      } catch (error) {
        if (abort.signal.aborted) return;
        const fault = error instanceof ApiError ? error : new ApiError(-1, 'BUG', String(error));
        setState((before) => ({ ...before, fault, failed: question }));
        if (fault.status === 0) retryWhenOnline.add(retry);
      }
      if (everyMs && !abort.signal.aborted) timer = setTimeout(() => void again(), everyMs);
    };
    const again = () => {
      if (document.hidden) timer = setTimeout(() => void again(), everyMs);
      else void run();
    };
    void run();
    retryWhenChanged.add(retry);
    return () => {
      abort.abort();
      clearTimeout(timer);
      retryWhenOnline.delete(retry);
      retryWhenChanged.delete(retry);
    };
  }, [question, turn, everyMs]);

  // What was kept under a question is what its `ask` answered.
  const known = question === undefined ? undefined : (kept.get(question) as Answer | undefined);
  const isOld = state.question !== question && known === undefined;
  const hasFailed = state.fault !== undefined && state.failed === question;
  const before = hasFailed && state.fault?.status === REFUSED ? undefined : state.answer;
  const answer = state.question === question ? state.answer : (known ?? before);
  return {
    answer,
    fault: hasFailed ? state.fault : undefined,
    isLoading: isOld && !hasFailed,
    isOld,
    retry,
  };
}

/** The latest answer and fault, and which questions they are of. */
type State<Answer> = { question?: string; answer?: Answer; fault?: ApiError; failed?: string };

function retryAll(): void {
  const all = [...retryWhenOnline];
  retryWhenOnline.clear();
  for (const retry of all) retry();
}

/** Forgets all answers, and asks again for those that are shown. */
export function askAgain(): void {
  kept.clear();
  for (const retry of retryWhenChanged) retry();
}

function keep(question: string, answer: unknown): void {
  kept.delete(question);
  kept.set(question, answer);
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT_MAX) break;
    kept.delete(oldest);
  }
}

/** Forgets all answers: another person may log in. */
export function forgetAnswers(): void {
  kept.clear();
}
