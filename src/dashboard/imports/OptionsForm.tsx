import type { ImportOptions } from '../../contract/import.ts';
import { IMPORT_FORMAT_NAMES, IMPORT_FORMATS, type ImportFormat } from '../../vocabulary/import-formats.ts';
import { ChoiceField, Field, Form } from '../components/Form.tsx';

const AUTOMATIC = 'automatic';
const NAMES: Record<ImportFormat | typeof AUTOMATIC, string> = {
  [AUTOMATIC]: 'Recognise it',
  ...IMPORT_FORMATS,
};

type Props = {
  options: ImportOptions;
  /** Hosts in the file. */
  hosts: string[];
  isOpen: boolean;
  onSend: (options: ImportOptions) => Promise<unknown>;
};

/** How to read the file: its format, the zone of its times, and the hosts to take. */
export function OptionsForm({ options, hosts, isOpen, onSend }: Props) {
  return (
    <details open={isOpen} class="import-options">
      <summary>Read it in another way</summary>
      <Form
        action="Read again"
        kind="quiet"
        onSend={({ format, timezone = '', hosts: chosen = '' }) =>
          onSend({
            ...(isFormat(format) && { format }),
            ...(timezone.trim() !== '' && { timezone: timezone.trim() }),
            hosts: chosen.split(/[\s,]+/).filter((host) => host !== ''),
          })
        }
      >
        <ChoiceField
          name="format"
          label="Format"
          names={NAMES}
          among={[AUTOMATIC, ...IMPORT_FORMAT_NAMES]}
          value={options.format ?? AUTOMATIC}
        />
        <Field
          name="timezone"
          label="Time zone"
          hint="Of times in the file that name none, such as Europe/Berlin. Empty: UTC."
          value={options.timezone ?? ''}
          autocomplete="off"
        />
        <Field
          name="hosts"
          label="Hosts"
          hint={`Take pages of these hosts alone, separated by commas. Empty: all${hosts.length > 0 ? ` (${hosts.slice(0, 3).join(', ')}${hosts.length > 3 ? ', …' : ''})` : ''}.`}
          value={options.hosts?.join(', ') ?? ''}
          autocomplete="off"
        />
      </Form>
    </details>
  );
}

function isFormat(text: string | undefined): text is ImportFormat {
  return text !== undefined && text in IMPORT_FORMATS;
}
