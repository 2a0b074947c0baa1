import { useCallback, useRef, useState } from 'preact/hooks';
import type { WebsiteCheck } from '../../contract/website-check.ts';
import { ApiError, call } from '../api/client.ts';
import { ownAddress } from '../browser/base-path.ts';
import { announce } from '../components/Announcer.tsx';
import { formatCountOf } from '../state/format.ts';

type State = { check?: WebsiteCheck; fault?: ApiError; isBusy: boolean };

/** Asks the service what prevents events from being counted; one request at a time. */
export function useCheck(websiteId: string) {
  const [state, setState] = useState<State>({ isBusy: false });
  const isBusy = useRef(false);
  const run = useCallback(async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    setState((before) => ({ ...before, isBusy: true }));
    try {
      const check = await call<WebsiteCheck>('POST', `/websites/${encodeURIComponent(websiteId)}/check`, {
        body: { origin: ownAddress() },
      });
      setState({ check, isBusy: false });
      announce(toSentence(check));
    } catch (error) {
      const fault = error instanceof ApiError ? error : new ApiError(-1, 'BUG', String(error));
      setState({ fault, isBusy: false });
    } finally {
      isBusy.current = false;
    }
  }, [websiteId]);
  return { ...state, run };
}

function toSentence({ findings }: WebsiteCheck): string {
  const problems = findings.filter(({ severity }) => severity === 'problem').length;
  const first = findings[0]?.message ?? '';
  if (problems === 0) return `Checked: no problems found. ${first}`;
  return `Checked: ${formatCountOf(problems, 'problems')} found. ${first}`;
}
