import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { guardLeaving } from '../browser/router.ts';
import { describeFault, inOwnWords } from '../state/fault-words.ts';
import { Choice, type ChoiceProps } from './Choice.tsx';

/** Sentences of the service by field, and whether the field was empty. */
type Faults = Record<string, { sentences: string[]; isEmpty: boolean }>;
const FaultsOfForm = createContext<Faults>({});

type FormProps = {
  /** Sends the values. A rejection is shown at the fields that it names, or above the button if it names none. */
  onSend: (values: Record<string, string>) => Promise<unknown>;
  /** Form fields by API field where the names differ: `{ value: 'amount' }`. */
  fieldOf?: Record<string, string>;
  /** Label of the button. */
  action: string;
  /** `danger` for an action that cannot be undone. */
  kind?: 'primary' | 'danger' | 'quiet';
  children: ComponentChildren;
  /** Next to the button. */
  aside?: ComponentChildren;
  /** Whether the form edits stored values: it confirms saving, and asks before unsaved changes are lost. */
  isKept?: boolean;
};

/** A form with one submission at a time. The first rejected field gets the focus. */
export function Form({ onSend, fieldOf = {}, action, kind = 'primary', children, aside, isKept }: FormProps) {
  const [isBusy, setBusy] = useState(false);
  const [faults, setFaults] = useState<Faults>({});
  const [message, setMessage] = useState('');
  const [isSaved, setSaved] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    // The saved text may differ from the typed one by a trailing space.
    if (isKept && !isSaved) return guardLeaving(() => hasChanges(form.current));
  }, [isKept, isSaved]);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [faults]);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (isBusy || !form.current) return;
    const entries = [...new FormData(form.current)].map(([name, value]) => [name, String(value)]);
    const values: Record<string, string> = Object.fromEntries(entries);
    setBusy(true);
    setMessage('');
    try {
      await onSend(values);
      setFaults({});
      setSaved(isKept === true);
    } catch (error) {
      const { message, fieldErrors } =
        error instanceof ApiError ? error : new ApiError(-1, 'BUG', String(error));
      const byField = Object.entries(fieldErrors).map(([name, sentences]) => {
        const field = fieldOf[name] ?? name;
        return [field, { sentences, isEmpty: values[field] === '' }] as const;
      });
      const isAtFields = byField.some(([name]) => Object.hasOwn(values, name));
      setFaults(Object.fromEntries(byField));
      setMessage(isAtFields ? '' : inOwnWords(message));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form ref={form} class="form" noValidate onSubmit={submit} onInput={() => setSaved(false)}>
      <FaultsOfForm.Provider value={faults}>{children}</FaultsOfForm.Provider>
      <p class="fault" role="alert">
        {message}
      </p>
      <div class="form-end">
        {/* Not disabled while busy: that would remove the focus. */}
        <button type="submit" class={kind} aria-busy={isBusy}>
          {action}
        </button>
        {isKept && (
          <span class="saved" role="status">
            {isSaved && 'Saved'}
          </span>
        )}
        {aside}
      </div>
    </form>
  );
}

/** Whether a form differs from its initial values, which are the server's. */
function hasChanges(form: HTMLFormElement | null): boolean {
  return [...(form?.elements ?? [])].some((control) => {
    if (control instanceof HTMLInputElement && control.type === 'checkbox')
      return control.checked !== control.defaultChecked;
    const isText = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;
    return isText && control.value !== control.defaultValue;
  });
}

type FieldProps = {
  name: string;
  label: string;
  hint?: ComponentChildren;
  type?: 'text' | 'email' | 'password' | 'url' | 'number';
  /** Initial value. */
  value?: string;
  autocomplete?: string;
  placeholder?: string;
  maxLength?: number;
  onFocus?: () => void;
};

/** A labelled input with the server's objections below. */
export function Field({ name, label, hint, type = 'text', value = '', ...input }: FieldProps) {
  return (
    <LabelledControl name={name} label={label} hint={hint}>
      {(attributes) => (
        // Preact's types have one shape for each type of input, and none for "one of these".
        <input type={type as 'text'} defaultValue={value} {...input} {...attributes} />
      )}
    </LabelledControl>
  );
}

type ChoiceFieldProps<Name extends string> = Omit<LabelledControlProps, 'children'> & ChoiceProps<Name>;

/** A labelled select. */
export function ChoiceField<Name extends string>({ name, label, hint, ...choice }: ChoiceFieldProps<Name>) {
  return (
    <LabelledControl name={name} label={label} hint={hint}>
      {(attributes) => <Choice {...choice} {...attributes} />}
    </LabelledControl>
  );
}

type CheckProps = { name: string; isChecked?: boolean; children: ComponentChildren };

/** A checkbox, sent as `on` or not at all. */
export function Check({ name, isChecked = false, children }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" name={name} defaultChecked={isChecked} /> {children}
    </label>
  );
}

/** A rejection of a field by the form itself. */
export function refusal(field: string, sentence: string): ApiError {
  return new ApiError(400, 'VALIDATION_ERROR', sentence, { [field]: [sentence] });
}

type ControlAttributes = { id: string; name: string; 'aria-describedby': string; 'aria-invalid'?: true };
type LabelledControlProps = {
  name: string;
  label: string;
  hint?: ComponentChildren;
  children: (attributes: ControlAttributes) => ComponentChildren;
};

/** The frame of any control: label above, hint and fault below. */
export function LabelledControl({ name, label, hint, children }: LabelledControlProps) {
  const id = useId();
  const found = useContext(FaultsOfForm)[name];
  const fault = found && describeFault(found, label);
  const attributes: ControlAttributes = {
    id,
    name,
    'aria-describedby': `${id}-hint ${id}-fault`,
    ...(fault && { 'aria-invalid': true as const }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(attributes)}
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
      <p class="fault" id={`${id}-fault`}>
        {fault}
      </p>
    </div>
  );
}
