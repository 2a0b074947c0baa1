import type { SeriesAnnotation } from '../../contract/annotation.ts';
import { Menu } from '../components/Menu.tsx';
import { formatTime, type NoteMark, type Notes, toNoteMarks } from './notes.ts';
import { LABEL_GAP, type PlotModel } from './plot-model.ts';

/** Size of a touch target, as in NoteMarks.css. */
const SIZE = 24;

type Props = {
  notes: Notes;
  model: PlotModel;
  /** Opens an annotation for editing; without it they are read-only. */
  onOpen?: ((annotation: SeriesAnnotation) => void) | undefined;
};

/** A line through the chart at each annotation. */
export function NoteLines({ notes, model: { positions, base } }: Props) {
  return [...notes.keys()].map((index) => {
    const x = positions[index] ?? 0;
    return <line key={index} class="chart-note-line" x1={x} x2={x} y1={SIZE} y2={base} />;
  });
}

/** A mark above each line, which shows the text and opens it. */
export function NoteMarks({ notes, model, onOpen }: Props) {
  // The mark of the first point is next to the labels of the axis, not on them.
  const leftMin = model.left - LABEL_GAP + SIZE / 2 + 2;
  return toNoteMarks(notes, model.positions, SIZE).map((mark) => (
    <div
      key={mark.annotations[0]?.id}
      class="chart-note"
      style={{ left: `${Math.round(Math.max(mark.x, leftMin))}px` }}
    >
      <Menu
        isIcon
        align={mark.x > model.width / 2 ? 'end' : 'start'}
        name={nameOf(mark)}
        label={mark.annotations.length > 1 ? mark.annotations.length : FLAG}
      >
        {mark.annotations.map((annotation) => (
          <Entry key={annotation.id} annotation={annotation} onOpen={onOpen} />
        ))}
      </Menu>
    </div>
  ));
}

const FLAG = (
  <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
    <path d="M4 14V2.5h8.5L10 6l2.5 3.5H4" />
  </svg>
);

function nameOf({ annotations }: NoteMark): string {
  const texts = annotations.map((annotation) => `${formatTime(annotation)}: ${annotation.text}`);
  return texts.length === 1 ? `Annotation, ${texts[0]}` : `${texts.length} annotations. ${texts.join('. ')}`;
}

type EntryProps = { annotation: SeriesAnnotation } & Pick<Props, 'onOpen'>;

function Entry({ annotation, onOpen }: EntryProps) {
  const text = (
    <span>
      <small>{formatTime(annotation)}</small>
      <bdi>{annotation.text}</bdi>
    </span>
  );
  if (!onOpen) return <p class="menu-note">{text}</p>;
  return (
    <button type="button" title="Edit" onClick={() => onOpen(annotation)}>
      {text}
    </button>
  );
}
