import { useState } from 'preact/hooks';
import type { Invited, Member } from '../../contract/member.ts';
import type { Website } from '../../contract/website.ts';
import { GIVEN_ROLES, type GivenRole, SECTIONS } from '../../vocabulary/access.ts';
import { EMAIL_LENGTH_MAX, NOTE_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { call } from '../api/client.ts';
import { announce } from '../components/Announcer.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Check, ChoiceField, Field, Form } from '../components/Form.tsx';
import { MadeInvitation } from './MadeInvitation.tsx';
import { ROLE_HINTS, ROLE_NAMES, SECTION_NAMES } from './role-words.ts';

type Props = {
  /** The list's path in the API. */
  path: string;
  /** Websites of the account. */
  websites: readonly Website[];
  /** Present to change a member; absent to invite one. */
  member?: Member;
  onChanged: () => void;
  onClose: () => void;
};

const SCOPES = { all: 'All, also those added later', some: 'Only these' } as const;

/** Invites a person, or changes what one may do. */
export function MemberDialog({ path, websites, member, onChanged, onClose }: Props) {
  const [made, setMade] = useState<Invited>();
  const [role, setRole] = useState<GivenRole>(toGivenRole(member));
  const [scope, setScope] = useState<keyof typeof SCOPES>(member?.websiteIds ? 'some' : 'all');
  if (made) return <MadeInvitation invited={made} onClose={onClose} />;

  async function send({ note, email, ...values }: Record<string, string>): Promise<void> {
    const body = {
      role,
      note,
      websiteIds: scope === 'all' ? null : websites.map(({ id }) => id).filter((id) => values[`on-${id}`]),
      hides: role === 'viewer' ? SECTIONS.filter((section) => values[section]) : [],
    };
    if (member) {
      await call('PATCH', `${path}/${member.id}`, { body });
      announce('Saved.');
      onClose();
    } else setMade(await call<Invited>('POST', path, { body: { ...body, email: email || null } }));
    onChanged();
  }

  return (
    <Dialog title={member ? 'Change role' : 'Invite a person'} onClose={onClose}>
      <Form action={member ? 'Save' : 'Create invitation'} fieldOf={{ websiteIds: 'scope' }} onSend={send}>
        {!member && (
          <Field
            name="email"
            label="E-mail"
            type="email"
            autocomplete="off"
            maxLength={EMAIL_LENGTH_MAX}
            hint="Only this address can accept. Empty: anyone who has the link. No mail is sent."
          />
        )}
        <Field
          name="note"
          label="Note"
          value={member?.note ?? ''}
          autocomplete="off"
          maxLength={NOTE_LENGTH_MAX}
          hint="Only admins see it, such as “Our agency”."
        />
        <ChoiceField
          name="role"
          label="Role"
          hint={ROLE_HINTS[role]}
          names={ROLE_NAMES}
          among={GIVEN_ROLES}
          value={role}
          onChange={setRole}
        />
        <ChoiceField
          name="scope"
          label="Websites"
          names={SCOPES}
          value={scope}
          onChange={setScope}
          {...(role === 'admin' &&
            scope === 'some' && { hint: 'An admin of some websites does not manage people.' })}
        />
        {scope === 'some' && (
          <fieldset class="checks member-websites">
            <legend class="unseen">Websites</legend>
            {websites.map(({ id, name }) => (
              <Check key={id} name={`on-${id}`} isChecked={member?.websiteIds?.includes(id) ?? false}>
                {name}
              </Check>
            ))}
          </fieldset>
        )}
        {role === 'viewer' && (
          <fieldset class="checks">
            <legend>Hide</legend>
            {SECTIONS.map((section) => (
              <Check key={section} name={section} isChecked={member?.hides.includes(section) ?? false}>
                {SECTION_NAMES[section]}
              </Check>
            ))}
          </fieldset>
        )}
      </Form>
    </Dialog>
  );
}

const toGivenRole = (member: Member | undefined) =>
  GIVEN_ROLES.find((given) => given === member?.role) ?? 'viewer';
