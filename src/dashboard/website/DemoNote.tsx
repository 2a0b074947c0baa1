import { useState } from 'preact/hooks';
import { ApiError, call } from '../api/client.ts';
import { announce } from '../components/Announcer.tsx';
import { Problem } from '../components/Problem.tsx';
import { navigate } from '../router.ts';

type Props = { websiteId: string; mayDelete: boolean };

/** What is shown here is invented, and goes when it is not wanted any more. */
export function DemoNote({ websiteId, mayDelete }: Props) {
  const [fault, setFault] = useState<ApiError>();

  async function remove(): Promise<void> {
    try {
      await call('DELETE', `/websites/${encodeURIComponent(websiteId)}`);
      announce('The demo data is deleted.');
      navigate('/');
    } catch (error) {
      setFault(error instanceof ApiError ? error : new ApiError(-1, 'BUG', String(error)));
    }
  }

  return (
    <aside class="demo-note" aria-label="Demo">
      <span>
        <strong>Invented data</strong> to look around with.
      </span>
      {mayDelete && (
        <button type="button" class="plain" onClick={() => void remove()}>
          Delete demo data
        </button>
      )}
      {fault && <Problem fault={fault} />}
    </aside>
  );
}
