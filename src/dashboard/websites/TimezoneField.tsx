import { useId } from 'preact/hooks';
import { LabelledControl } from '../components/Form.tsx';

/** Time zone of the browser. */
export function browserTimezone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}

/** Choice of the time zone of a website's reports. */
export function TimezoneField({ value }: { value: string }) {
  const listId = useId();
  return (
    <LabelledControl
      name="timezone"
      label="Time zone"
      hint="Days in your reports start at midnight in this time zone."
    >
      {(attributes) => (
        <>
          <input type="text" list={listId} defaultValue={value} autocomplete="off" {...attributes} />
          <datalist id={listId}>
            {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </>
      )}
    </LabelledControl>
  );
}
