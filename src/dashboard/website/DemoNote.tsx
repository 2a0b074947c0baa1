import { useState } from 'preact/hooks';
import { call } from '../api/client.ts';
import { announce } from '../components/Announcer.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Form } from '../components/Form.tsx';
import { navigate } from '../router.ts';

type Props = { websiteId: string; mayDelete: boolean };

/** What is shown here is invented, and goes when it is not wanted any more. */
export function DemoNote({ websiteId, mayDelete }: Props) {
  const [isAsking, setAsking] = useState(false);

  return (
    <aside class="demo-note" aria-label="Demo">
      <span>
        <strong>Demo data.</strong> These visits are made up.
      </span>
      {mayDelete && (
        <button type="button" class="plain" onClick={() => setAsking(true)}>
          Delete demo data
        </button>
      )}
      {isAsking && (
        <Dialog title="Delete the demo data?" onClose={() => setAsking(false)}>
          <p>This deletes the demo website and its events. You can load it again at any time.</p>
          <Form
            action="Delete"
            kind="danger"
            onSend={async () => {
              await call('DELETE', `/websites/${encodeURIComponent(websiteId)}`);
              announce('Demo data deleted.');
              navigate('/');
            }}
            aside={
              <button type="button" class="quiet" onClick={() => setAsking(false)}>
                Cancel
              </button>
            }
          >
            {null}
          </Form>
        </Dialog>
      )}
    </aside>
  );
}
