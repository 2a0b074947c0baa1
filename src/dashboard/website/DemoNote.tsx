import { useState } from 'preact/hooks';
import { call } from '../api/client.ts';
import { navigate } from '../browser/router.ts';
import { announce } from '../components/Announcer.tsx';
import { DangerDialog } from '../components/DangerDialog.tsx';

type Props = { websiteId: string; mayDelete: boolean };

/** Says that the data is invented, with a button to delete it. */
export function DemoNote({ websiteId, mayDelete }: Props) {
  const [isAsking, setAsking] = useState(false);

  return (
    <aside class="demo-note" aria-label="Demo">
      <span>
        <strong>Demo data:</strong> these visits are simulated.
      </span>
      {mayDelete && (
        <button type="button" class="plain" onClick={() => setAsking(true)}>
          Delete demo data
        </button>
      )}
      {isAsking && (
        <DangerDialog
          title="Delete the demo data?"
          action="Delete"
          onAct={async () => {
            await call('DELETE', `/websites/${encodeURIComponent(websiteId)}`);
            announce('Demo data deleted.');
            navigate('/');
          }}
          onClose={() => setAsking(false)}
        >
          This deletes the demo website and its events. You can load it again at any time.
        </DangerDialog>
      )}
    </aside>
  );
}
