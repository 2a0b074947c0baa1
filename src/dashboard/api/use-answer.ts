import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from './client.ts';

export type AnswerState<Answer> = {
  /** The latest answer; while another loads, the earlier one. A rejected question has none. */
  answer: Answer | undefined;
  /** Why there is no newer answer. */
  fault: ApiError | undefined;
  /** The first answer to this question is loading. */
  isLoading: boolean;
  /** The answer, if any, is that of an earlier question. */
  isOld: boolean;
  /** Asks again. */
  retry: () => void;
};

/** Status of an invalid question, next to which figures of another one would mislead. */
const REFUSED = 400;

export type AnswerOptions = {
  /** Interval of asking again while the page is visible. */
  everyMs?: number;
};

/** Answers by question, so that going back shows them at once. The oldest are dropped first. */
const kept = new Map<string, unknown>();
const KEPT_MAX = 40;

/** Retries of questions that could not reach the server, called when it answers anything. */
const retryWhenOnline = new Set<() => void>();
/** Retries of all questions that are shown, called after a change that may affect any answer. */
const retryWhenChanged = new Set<() => void>();

/**
 * Asks when the question is new; `question` names it, undefined asks nothing. An earlier question that has no answer
 * yet is aborted. Nothing jumps: the earlier answer stays until the new one arrives.
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
        if (abort.signal.aborted) return; // a newer question is loading
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

  // An answer kept under a question has the type that its `ask` returns.
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

/** The latest answer and fault, with their questions. */
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
