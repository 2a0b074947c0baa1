import { Form, LabelledControl, refusal } from '../components/Form.tsx';

type Props = {
  /** Dates, both included. */
  first: string;
  last: string;
  /** The last day that can be chosen. */
  today: string;
  onChoose: (first: string, last: string) => void;
};

/** Form for any range of days. */
export function RangeForm({ first, last, today, onChoose }: Props) {
  return (
    <Form
      action="Show"
      onSend={async ({ from = '', to = '' }) => {
        if (from === '' || to === '') throw refusal(from === '' ? 'from' : 'to', 'Choose a date');
        if (from > to) throw refusal('to', 'End date is before start date');
        onChoose(from, to);
      }}
    >
      <LabelledControl name="from" label="Start date">
        {(attributes) => <input type="date" defaultValue={first} max={today} {...attributes} />}
      </LabelledControl>
      <LabelledControl name="to" label="End date">
        {(attributes) => <input type="date" defaultValue={last} max={today} {...attributes} />}
      </LabelledControl>
    </Form>
  );
}
