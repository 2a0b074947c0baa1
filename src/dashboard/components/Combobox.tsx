import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { SEARCH_LENGTH_MAX } from '../../vocabulary/contract.ts';

export type Option = {
  key: string;
  /** Kind of thing, shown before the label. */
  kind?: string;
  label: ComponentChildren;
  /** Number of visitors, shown after the label. */
  count?: string;
};

type Props<Choice extends Option> = {
  label: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
  /** Enter picks the first one, unless an arrow key selected another. */
  options: readonly Choice[];
  /** The options of this text are loading. */
  isBusy: boolean;
  /** Shown when there are no options. */
  none: string;
  onPick: (option: Choice) => void;
};

/**
 * A field with a list below that narrows while the user types: the combobox of the ARIA practices, its list always
 * open. Enter waits for the options of the typed text.
 */
export function Combobox<Choice extends Option>(props: Props<Choice>) {
  const { label, placeholder, text, onText, options, isBusy, none, onPick } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const current = options[Math.min(active, options.length - 1)];

  useEffect(() => input.current?.focus(), []); // it replaces another field
  const setWaiting = useEnter(isBusy, () => current && pick(current));
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active, options]);

  function pick(option: Choice): void {
    setActive(0);
    onPick(option);
  }

  function press(event: KeyboardEvent): void {
    const steps: Record<string, number> = { ArrowDown: active + 1, ArrowUp: active - 1 };
    const next = steps[event.key];
    if (next !== undefined) setActive((next + options.length) % Math.max(1, options.length));
    else if (event.key === 'Enter' && (text.trim() !== '' || active > 0)) setWaiting(true);
    else return;
    event.preventDefault();
  }

  return (
    <div class="combobox">
      <input
        type="text"
        ref={input}
        class="search"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-label={label}
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={current && `${id}-${options.indexOf(current)}`}
        placeholder={placeholder}
        maxLength={SEARCH_LENGTH_MAX}
        value={text}
        onInput={({ currentTarget }) => {
          setActive(0);
          setWaiting(false); // Enter was meant for the text before
          onText(currentTarget.value);
        }}
        onKeyDown={press}
      />
      <div
        class="combobox-list"
        role="listbox"
        id={`${id}-list`}
        ref={list}
        aria-label={label}
        aria-busy={isBusy}
      >
        {options.map((option, index) => (
          <Row
            key={option.key}
            id={`${id}-${index}`}
            option={option}
            isCurrent={option === current}
            onPoint={() => setActive(index)}
            onPick={() => pick(option)}
          />
        ))}
      </div>
      {options.length === 0 && <p class="combobox-none quiet-text">{isBusy ? '\u00a0' : none}</p>}
    </div>
  );
}

/** Acts on Enter once the options are loaded. Returns a function that sets whether Enter waits for them. */
function useEnter(isBusy: boolean, act: () => void) {
  const [isWaiting, setWaiting] = useState(false);
  useEffect(() => {
    if (!isWaiting || isBusy) return;
    setWaiting(false);
    act();
  }, [isWaiting, isBusy]);
  return setWaiting;
}

type RowProps = {
  id: string;
  option: Option;
  isCurrent: boolean;
  onPoint: () => void;
  onPick: () => void;
};

function Row({ id, option, isCurrent, onPoint, onPick }: RowProps) {
  return (
    // biome-ignore lint/a11y: the focus and the keys are those of the field
    <div id={id} role="option" aria-selected={isCurrent} onPointerMove={onPoint} onClick={onPick}>
      {option.kind && <span class="combobox-kind quiet-text">{option.kind}</span>}
      <bdi class="combobox-label">{option.label}</bdi>
      {option.count && <span class="number quiet-text">{option.count}</span>}
    </div>
  );
}
