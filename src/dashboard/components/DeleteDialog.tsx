import type { ComponentChildren } from 'preact';
import { Dialog } from './Dialog.tsx';
import { Form } from './Form.tsx';

type Props = {
  /** What it is called. */
  name: string;
  /** `Delete goal` */
  action: string;
  /** What goes with it, and what does not. */
  children: ComponentChildren;
  onDelete: () => Promise<unknown>;
  onClose: () => void;
};

/** Asks before something is deleted for good. */
export function DeleteDialog({ name, action, children, onDelete, onClose }: Props) {
  return (
    <Dialog title={`Delete “${name}”?`} onClose={onClose}>
      <p>{children}</p>
      <Form action={action} kind="danger" onSend={onDelete}>
        {null}
      </Form>
    </Dialog>
  );
}
