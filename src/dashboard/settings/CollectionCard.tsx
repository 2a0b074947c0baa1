import type { WebsiteSettings } from '../../contract/website.ts';
import { RETENTION_DAYS_MAX } from '../../vocabulary/contract.ts';
import { Check, Form, LabelledControl } from '../components/Form.tsx';
import { SettingsCard } from '../components/SettingsCard.tsx';
import { TimezoneField } from '../websites/TimezoneField.tsx';

type Props = { settings: WebsiteSettings; onSave: (body: object) => Promise<void> };

/** How events are collected and counted. */
export function CollectionCard({ settings, onSave }: Props) {
  return (
    <SettingsCard title="Collection and reports">
      <Form
        action="Save"
        isKept
        onSend={({
          timezone,
          allowedOrigins = '',
          excludedIps = '',
          leavesOutLocalPages,
          oldIds = '',
          retentionDays = '',
          isCountryOnly,
          anonymous,
        }) =>
          onSave({
            timezone,
            allowedOrigins: toLines(allowedOrigins),
            excludedIps: toLines(excludedIps),
            leavesOutLocalPages: leavesOutLocalPages === 'on',
            oldIds: toLines(oldIds),
            retentionDays: retentionDays === '' ? null : Number(retentionDays),
            isCountryOnly: isCountryOnly === 'on',
            anonymous: anonymous === 'on',
          })
        }
      >
        <TimezoneField value={settings.timezone} />
        <Lines
          name="allowedOrigins"
          label="Allowed origins"
          hint="One per line, such as https://example.com. Leave empty to allow any."
          lines={settings.allowedOrigins}
        />
        <Lines
          name="excludedIps"
          label="Excluded IP addresses"
          hint="Your own, for example. One address or CIDR range per line. Their events are stored, but left out of all reports."
          lines={settings.excludedIps}
        />
        <Lines
          name="oldIds"
          label="Old ids"
          hint="Of Umami, Plausible or Matomo, whose scripts may keep sending if the server allows it. One per line: umami:UUID, plausible:example.com or matomo:1."
          lines={settings.oldIds}
        />
        <LabelledControl
          name="retentionDays"
          label="Days to keep events"
          hint="Older events are deleted every day. Leave empty to keep everything."
        >
          {(attributes) => (
            <input
              type="number"
              min={1}
              max={RETENTION_DAYS_MAX}
              defaultValue={settings.retentionDays ?? ''}
              {...attributes}
            />
          )}
        </LabelledControl>
        <Check name="leavesOutLocalPages" isChecked={settings.leavesOutLocalPages}>
          Leave out pages on localhost and in private networks, unless the website is there itself
        </Check>
        <Check name="isCountryOnly" isChecked={settings.isCountryOnly}>
          Store countries only: no regions and cities
        </Check>
        <Check name="anonymous" isChecked={settings.anonymous}>
          Count visitors by day and ignore ids, whatever the script is set to
        </Check>
      </Form>
    </SettingsCard>
  );
}

const toLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

type LinesProps = { name: string; label: string; hint: string; lines: string[] };

function Lines({ name, label, hint, lines }: LinesProps) {
  return (
    <LabelledControl name={name} label={label} hint={hint}>
      {(attributes) => (
        <textarea rows={Math.max(2, lines.length)} spellcheck={false} {...attributes}>
          {lines.join('\n')}
        </textarea>
      )}
    </LabelledControl>
  );
}
