import { Form, LabelledControl, refusal } from '../components/Form.tsx';
import { formatDays } from '../state/time-format.ts';
import { FIRST_SEEN, type Filter } from '../state/view-state.ts';

type Props = { before: Filter | undefined; onSave: (filter: Filter) => void };

/** Visitors by the days of their first visit ever. */
export function FirstSeen({ before, onSave }: Props) {
  const [first, last] = before?.values ?? [];
  return (
    <Form
      action={before ? 'Save' : 'Add filter'}
      onSend={async ({ from = '', to = '' }) => {
        if (from === '' && to === '') throw refusal('from', 'Choose a date');
        if (to !== '' && from > to) throw refusal('to', 'End date is before start date');
        onSave({ operator: 'is', dimension: FIRST_SEEN, values: [from, to] });
      }}
      aside={<span class="hint">Dates of the first visit ever. You can leave one empty.</span>}
    >
      <LabelledControl name="from" label="From">
        {(attributes) => <input type="date" defaultValue={first} {...attributes} />}
      </LabelledControl>
      <LabelledControl name="to" label="To">
        {(attributes) => <input type="date" defaultValue={last} {...attributes} />}
      </LabelledControl>
    </Form>
  );
}

/** `Nov 1 – 20, 2026`, `since Nov 1, 2026` */
export function tellFirstSeen([first = '', last = '']: readonly string[]): string {
  if (last === '') return `since ${formatDays(first, first)}`;
  return first === '' ? `until ${formatDays(last, last)}` : formatDays(first, last);
}
