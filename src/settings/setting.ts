/** Settings, and the readers that several of them share. A reader throws an Error whose message follows the name. */

export type Setting<Value> = {
  /** Text that stands for an absent value. */
  fallback: string;
  /** Purpose, in Markdown; docs/settings.md is generated from it. */
  description: string;
  /** Never printed, and accepted as a file, which `NAME_FILE` names. */
  isSecret?: boolean;
  read: (text: string) => Value;
};

type Table = Record<string, Setting<unknown>>;
/** Values of a table, by the names of its settings. */
export type ValuesOf<Settings extends Table> = {
  [Name in keyof Settings]: ReturnType<Settings[Name]['read']>;
};

/**
 * Reads all settings of a table. An empty value counts as absent.
 *
 * @returns also a sentence for each invalid setting, in the order of the table; its value is then the fallback
 */
export function readSettings<Settings extends Table>(
  settings: Settings,
  environment: Record<string, string | undefined>,
): { values: ValuesOf<Settings>; faults: string[] } {
  const faults: string[] = [];
  const values = Object.entries(settings).map(([name, { read, fallback }]) => {
    try {
      return [name, read(environment[name]?.trim() || fallback)];
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : 'cannot be read.'}`);
      return [name, read(fallback)];
    }
  });
  // Each name has what its own reader returned.
  return { values: Object.fromEntries(values) as ValuesOf<Settings>, faults };
}

export function setting<Value>(
  fallback: string,
  description: string,
  read: (text: string) => Value,
): Setting<Value> {
  return { fallback, description, read };
}

export function secret<Value>(description: string, read: (text: string) => Value): Setting<Value> {
  return { fallback: '', description, read, isSecret: true };
}

export function text(value: string): string {
  return value;
}

export function nonEmpty(value: string): string {
  if (value === '') throw new Error('must not be empty.');
  return value;
}

export function integer(min: number, max: number) {
  return (value: string): number => {
    if (!/^\d{1,9}$/.test(value) || Number(value) < min || Number(value) > max)
      throw new Error(`must be a whole number from ${min} to ${max}, not "${value}".`);
    return Number(value);
  };
}

export function oneOf<const Choice extends string>(...choices: Choice[]) {
  return (value: string): Choice => {
    const choice = choices.find((candidate) => candidate === value);
    if (!choice)
      throw new Error(`must be ${choices.map((name) => `"${name}"`).join(' or ')}, not "${value}".`);
    return choice;
  };
}
