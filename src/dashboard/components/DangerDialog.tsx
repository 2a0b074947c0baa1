import type { ComponentChildren } from 'preact';
import { Dialog } from './Dialog.tsx';
import { Form } from './Form.tsx';

type Props = {
  /** `Delete “Signup”?` */
  title: string;
  /** `Delete goal` */
  action: string;
  /** Consequences: what is lost, and what is not. */
  children: ComponentChildren;
  /** Fields to fill in first. */
  fields?: ComponentChildren;
  onAct: (values: Record<string, string>) => Promise<unknown>;
  onClose: () => void;
};

/** Asks for confirmation of an action that cannot be undone. */
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
