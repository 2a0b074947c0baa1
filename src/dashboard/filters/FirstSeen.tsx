import { Form, LabelledControl, refusal } from '../components/Form.tsx';
import { FIRST_SEEN, type Filter } from '../state/view-state.ts';

type Props = { before: Filter | undefined; onSave: (filter: Filter) => void };

/** Form for a filter on the days of visitors' first visits. */
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
