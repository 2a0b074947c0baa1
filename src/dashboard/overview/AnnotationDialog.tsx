import { useState } from 'preact/hooks';
import type { SeriesAnnotation } from '../../contract/annotation.ts';
import { ANNOTATION_TEXT_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { call } from '../api/client.ts';
import type { Place } from '../api/place.ts';
import { askAgain } from '../api/use-answer.ts';
import { announce } from '../components/Announcer.tsx';
import { DangerDialog } from '../components/DangerDialog.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Check, Field, Form, LabelledControl, refusal } from '../components/Form.tsx';
import { dateIn } from '../state/ranges.ts';

type Props = {
  place: Place;
  /** The annotation to change; without it, a new one. */
  annotation?: SeriesAnnotation | undefined;
  /** Time zone of the dates and times. */
  timezone: string;
  onClose: () => void;
};

/** Form for a remark on the chart: what happened, and when. */
export function AnnotationDialog({ place, annotation, timezone, onClose }: Props) {
  const [isDeleting, setDeleting] = useState(false);
  const path = `/websites/${encodeURIComponent(place.websiteId)}/annotations`;
  const ownPath = `${path}/${annotation?.id}`;
  const before = {
    date: annotation?.local.slice(0, 10) ?? dateIn(Date.now(), timezone),
    time: annotation && !annotation.isDay ? annotation.local.slice(11, 16) : '',
  };

  async function save({ date, time, text, isPublic }: Record<string, string>): Promise<void> {
    if (!date) throw refusal('date', 'Choose a day');
    // An untouched time keeps its seconds.
    const isMoved = !annotation || date !== before.date || time !== before.time;
    const body = {
      ...(isMoved && { at: time ? `${date}T${time}` : date }),
      text,
      isPublic: isPublic === 'on',
    };
    await call(annotation ? 'PATCH' : 'POST', annotation ? ownPath : path, { body });
    finish('Annotation saved.');
  }

  async function remove(): Promise<void> {
    await call('DELETE', ownPath);
    finish('Annotation deleted.');
  }

  function finish(message: string): void {
    onClose();
    askAgain();
    announce(message);
  }

  if (annotation && isDeleting)
    return (
      <DangerDialog
        title={`Delete “${annotation.text}”?`}
        action="Delete annotation"
        onAct={remove}
        onClose={onClose}
      >
        It disappears from the chart. Your reports stay the same.
      </DangerDialog>
    );
  return (
    <Dialog title={annotation ? 'Edit annotation' : 'Annotate the chart'} onClose={onClose}>
      <Form
        action="Save"
        onSend={save}
        fieldOf={{ at: 'date' }}
        aside={
          annotation && (
            <button type="button" class="plain" onClick={() => setDeleting(true)}>
              Delete…
            </button>
          )
        }
      >
        <Field
          name="text"
          label="Note"
          value={annotation?.text ?? ''}
          maxLength={ANNOTATION_TEXT_LENGTH_MAX}
          placeholder="e.g. Deploy 1.4"
        />
        <LabelledControl name="date" label="Day">
          {(attributes) => <input type="date" defaultValue={before.date} {...attributes} />}
        </LabelledControl>
        <LabelledControl name="time" label="Time" hint={`In ${timezone}. Leave empty for the whole day.`}>
          {(attributes) => <input type="time" defaultValue={before.time} {...attributes} />}
        </LabelledControl>
        <Check name="isPublic" isChecked={annotation?.isPublic ?? false}>
          Show it on the public dashboard
        </Check>
      </Form>
    </Dialog>
  );
}
