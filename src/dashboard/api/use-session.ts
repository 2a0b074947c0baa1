import { useEffect, useState } from 'preact/hooks';
import { session } from './session.ts';

/** The login of this browser; renders again when it changes in any tab. */
export function useSession() {
  const [state, setState] = useState(session.get);
  useEffect(() => {
    setState(session.get()); // it may have changed between rendering and now
    return session.subscribe(() => setState(session.get()));
  }, []);
  return state;
}
