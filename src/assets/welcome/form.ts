import { Refusal } from './api.ts';
import { part } from './dom.ts';

/**
 * Sends a form when it is submitted, once at a time. A refusal is shown at the fields that it names, and the first of
 * them gets the focus; what belongs to no field of the form is shown above its button.
 */
export function onSubmit(
  form: HTMLFormElement,
  send: (values: Record<string, string>) => Promise<void>,
): void {
  const button = part(form, 'button:not([type=button])', HTMLButtonElement);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    clearFaults(form);
    try {
      const entries = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
      await send(Object.fromEntries(entries));
    } catch (error) {
      showFaults(form, error);
    } finally {
      button.disabled = false;
    }
  });
}

function clearFaults(form: HTMLFormElement): void {
  for (const fault of form.querySelectorAll('.fault')) fault.textContent = '';
  for (const input of form.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid');
}

function showFaults(form: HTMLFormElement, error: unknown): void {
  const { message, fieldErrors } =
    error instanceof Refusal ? error : new Refusal(0, error instanceof Error ? error.message : String(error));
  const inputs = [...form.querySelectorAll<HTMLInputElement>('.field input')];
  const faulty = inputs.filter(({ name }) => Object.hasOwn(fieldErrors, name));
  for (const input of faulty) {
    input.setAttribute('aria-invalid', 'true');
    part(form, `#${input.id}-fault`).textContent = fieldErrors[input.name]?.join('. ') ?? '';
  }
  if (faulty[0]) faulty[0].focus();
  else part(form, ':scope > .fault').textContent = message;
}
