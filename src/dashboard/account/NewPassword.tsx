import { PASSWORD_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { Field, refusal } from '../components/Form.tsx';

type NewPasswordProps = { name: string; label: string; hint: string };

/** A field for a new password. Its form calls `requireUncommon` before it sends. */
export function NewPassword(props: NewPasswordProps) {
  return (
    <Field
      {...props}
      type="password"
      autocomplete="new-password"
      maxLength={PASSWORD_LENGTH_MAX}
      onFocus={() => void loadList().catch(() => {})}
    />
  );
}

/** Throws a rejection of the field when its password is common. Accepts any password while the list cannot be loaded. */
export async function requireUncommon(field: string, password: string): Promise<void> {
  const list = await loadList().catch(() => undefined);
  const fault = list?.findCommonFault(password);
  if (fault) throw refusal(field, fault);
}

/** Loads the list when the field is used, because it is larger than the page. */
function loadList() {
  return import('../../vocabulary/common-passwords.ts');
}
