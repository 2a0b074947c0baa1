import { ApiError } from '../api/client.ts';
import { Form, LabelledControl } from '../components/Form.tsx';

type Props = {
  /** Dates, both included. */
  first: string;
  last: string;
  /** Nothing is to be seen after it. */
  today: string;
  onChoose: (first: string, last: string) => void;
};

/** Any range of days, as it is typed. */
export function RangeForm({ first, last, today, onChoose }: Props) {
  return (
    <Form
      action="Show"
      onSend={async ({ from = '', to = '' }) => {
        if (from === '' || to === '' || from > to) throw wrongRange(from, to);
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

function wrongRange(from: string, to: string): ApiError {
  const fault =
    from === ''
      ? { from: ['Choose a date'] }
      : { to: [to === '' ? 'Choose a date' : 'End date is before start date'] };
  return new ApiError(400, 'VALIDATION_ERROR', 'The range is not complete', fault);
}
