import { ApiError } from '../api/client.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Form, LabelledControl } from '../components/Form.tsx';
import { daysOf } from './ranges.ts';

type Props = {
  range: { from: string; to: string; timezone: string };
  /** Nothing is to be seen after it. */
  today: string;
  onChoose: (from: string, to: string) => void;
  onClose: () => void;
};

/** Any range of days. */
export function RangeDialog({ range, today, onChoose, onClose }: Props) {
  const { first, last } = daysOf(range);
  return (
    <Dialog title="Custom range" onClose={onClose}>
      <Form
        action="Show"
        onSend={async ({ from = '', to = '' }) => {
          if (from === '' || to === '' || from > to) throw wrongRange(from, to);
          onChoose(from, to);
        }}
      >
        <LabelledControl name="from" label="First day">
          {(attributes) => <input type="date" defaultValue={first} max={today} {...attributes} />}
        </LabelledControl>
        <LabelledControl name="to" label="Last day" hint={`Days of ${range.timezone}`}>
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
    from === '' ? { from: ['Choose a day'] } : { to: [to === '' ? 'Choose a day' : 'Before the first day'] };
  return new ApiError(400, 'VALIDATION_ERROR', 'The range is not complete', fault);
}
