import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { guardLeaving } from '../browser/router.ts';
import { Choice, type ChoiceProps } from './Choice.tsx';

type Faults = Record<string, string[]>;
const FaultsOfForm = createContext<Faults>({});

type FormProps = {
  /** What is sent; a refusal is shown at the fields that it names, what belongs to none of them above the button. */
  onSend: (values: Record<string, string>) => Promise<unknown>;
  /** What the API calls differently from the form, or knows nothing of as a field: `{ value: 'amount' }`. */
  fieldOf?: Record<string, string>;
  /** What the button says. */
  action: string;
  /** `danger` for what cannot be undone. */
  kind?: 'primary' | 'danger' | 'quiet';
  children: ComponentChildren;
  /** Beside the button. */
  aside?: ComponentChildren;
  /** What is in it is kept by the server: it says that it was saved, and asks before unsaved changes are left. */
  isKept?: boolean;
};

/** A form that is sent once at a time. The first field that was refused gets the focus. */
export function Form({ onSend, fieldOf = {}, action, kind = 'primary', children, aside, isKept }: FormProps) {
  const [isBusy, setBusy] = useState(false);
  const [faults, setFaults] = useState<Faults>({});
  const [message, setMessage] = useState('');
  const [isSaved, setSaved] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    // What was saved may differ from what was typed by a space at its end.
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
      const byField = Object.entries(fieldErrors).map(([name, sentences]) => [fieldOf[name] ?? name, sentences]);
      const isAtFields = byField.some(([name]) => Object.hasOwn(values, String(name)));
      setFaults(Object.fromEntries(byField));
      setMessage(isAtFields ? '' : message);
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
        {/* Not disabled meanwhile: that would take the focus from it. */}
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

/** Whether something in a form is not as the server has it, which is what it held at first. */
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
  /** What it holds at first. */
  value?: string;
  autocomplete?: string;
  placeholder?: string;
  maxLength?: number;
  onFocus?: () => void;
};

/** A labelled input; what the server says against it stands below. */
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

/** One of a few. */
export function ChoiceField<Name extends string>({ name, label, hint, ...choice }: ChoiceFieldProps<Name>) {
  return (
    <LabelledControl name={name} label={label} hint={hint}>
      {(attributes) => <Choice {...choice} {...attributes} />}
    </LabelledControl>
  );
}

type CheckProps = { name: string; isChecked?: boolean; children: ComponentChildren };

/** Yes or no; sent as `on`, or not at all. */
export function Check({ name, isChecked = false, children }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" name={name} defaultChecked={isChecked} /> {children}
    </label>
  );
}

/** What a form refuses by itself, at one of its fields. */
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
  const fault = useContext(FaultsOfForm)[name]?.join('. ');
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
