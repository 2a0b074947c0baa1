import type { ComponentChildren } from 'preact';
import { Dialog } from './Dialog.tsx';
import { Form } from './Form.tsx';

type Props = {
  /** `Delete “Signup”?` */
  title: string;
  /** `Delete goal` */
  action: string;
  /** What goes with it, and what does not. */
  children: ComponentChildren;
  /** What it must know before. */
  fields?: ComponentChildren;
  onAct: (values: Record<string, string>) => Promise<unknown>;
  onClose: () => void;
};

/** Asks before something is done that cannot be undone. */
export function DangerDialog({ title, action, children, fields = null, onAct, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <Form
        action={action}
        kind="danger"
        onSend={onAct}
        aside={
          <button type="button" class="quiet" onClick={onClose}>
            Cancel
          </button>
        }
      >
        {fields}
      </Form>
    </Dialog>
  );
}
