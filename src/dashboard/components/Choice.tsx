import { useId } from 'preact/hooks';

export type ChoiceProps<Name extends string> = {
  /** What can be chosen, and what it is called. */
  names: Readonly<Record<Name, string>>;
  /** Which of them, by default all. */
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

/** One of a few, from a list that unfolds. */
export function Choice<Name extends string>({ names, among, value, onChange, ...attributes }: Props<Name>) {
  const offered = among ?? (Object.keys(names) as Name[]); // what the type says of its keys
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

/** One beside its name, in a line with others. */
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

/** One of a few, as buttons side by side. */
export function ChoiceButtons<Name extends string>({
  label,
  names,
  among,
  value,
  onChange,
}: ChoiceProps<Name> & { label: string }) {
  const offered = among ?? (Object.keys(names) as Name[]); // what the type says of its keys
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
