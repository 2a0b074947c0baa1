import { ApiError } from '../api/client.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Form, LabelledControl } from '../components/Form.tsx';
import { daysOf } from './ranges.ts';

type Props = {
  title: string;
  /** Instants, or dates of which both are included. */
  range: { from: string; to: string; timezone: string };
  /** Nothing is to be seen after it. */
  today: string;
  onChoose: (from: string, to: string) => void;
  onClose: () => void;
};

const DATE_LENGTH = '2026-11-20'.length;

/** Any range of days. */
export function RangeDialog({ title, range, today, onChoose, onClose }: Props) {
  const { first, last } =
    range.from.length === DATE_LENGTH ? { first: range.from, last: range.to } : daysOf(range);
  return (
    <Dialog title={title} onClose={onClose}>
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
        <LabelledControl name="to" label="End date" hint={`Dates are in ${range.timezone}`}>
          {(attributes) => (
            <input type="date" defaultValue={last < today ? last : today} max={today} {...attributes} />
          )}
        </LabelledControl>
      </Form>
    </Dialog>
  );
}

function wrongRange(from: string, to: string): ApiError {
  const fault =
    from === ''
      ? { from: ['Choose a date'] }
      : { to: [to === '' ? 'Choose a date' : 'End date is before start date'] };
  return new ApiError(400, 'VALIDATION_ERROR', 'The range is not complete', fault);
}
