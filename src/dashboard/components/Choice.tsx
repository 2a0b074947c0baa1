import { useId } from 'preact/hooks';

export type ChoiceProps<Name extends string> = {
  /** Labels of the options. */
  names: Readonly<Record<Name, string>>;
  /** Options that are offered; all of them by default. */
  among?: readonly Name[];
  value: Name;
  onChange?: (chosen: Name) => void;
};

type Props<Name extends string> = ChoiceProps<Name> & {
  class?: string;
  id?: string;
  name?: string;
  'aria-label'?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
};

/** A select with a few options. */
export function Choice<Name extends string>({ names, among, value, onChange, ...attributes }: Props<Name>) {
  const offered = among ?? (Object.keys(names) as Name[]); // the keys of its type
  return (
    <select
      {...attributes}
      onChange={({ currentTarget: { selectedIndex } }) => {
        const chosen = offered[selectedIndex];
        if (chosen !== undefined) onChange?.(chosen);
      }}
    >
      {offered.map((each) => (
        <option key={each} value={each} selected={each === value}>
          {names[each]}
        </option>
      ))}
    </select>
  );
}

/** A select with its label on the same line. */
export function NamedChoice<Name extends string>({
  label,
  ...choice
}: ChoiceProps<Name> & { label: string }) {
  const id = useId();
  return (
    <span>
      <label for={id}>{label}</label> <Choice id={id} {...choice} />
    </span>
  );
}

/** A choice between a few options, as a row of buttons. */
export function ChoiceButtons<Name extends string>({
  label,
  names,
  among,
  value,
  onChange,
}: ChoiceProps<Name> & { label: string }) {
  const offered = among ?? (Object.keys(names) as Name[]); // the keys of its type
  return (
    <fieldset class="segments">
      <legend class="unseen">{label}</legend>
      {offered.map((each) => (
        <button key={each} type="button" aria-pressed={each === value} onClick={() => onChange?.(each)}>
          {names[each]}
        </button>
      ))}
    </fieldset>
  );
}
