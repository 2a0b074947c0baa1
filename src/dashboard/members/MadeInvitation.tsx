import type { Invited } from '../../contract/member.ts';
import { ownAddress } from '../browser/base-path.ts';
import { CopyButton } from '../components/CopyButton.tsx';
import { Dialog } from '../components/Dialog.tsx';

type Props = { invited: Invited; onClose: () => void };

/** The link of a new invitation, which is shown only now. */
export function MadeInvitation({ invited: { member, token }, onClose }: Props) {
  const address = `${ownAddress()}/join#${token}`;
  return (
    <Dialog title="Send them this link" onClose={onClose}>
      <p>
        It is shown only now, works once, and expires after seven days.
        {member.email === null && ' The first person to open it can accept.'}
      </p>
      <p class="copy-line">
        <code id="invitation-address">{address}</code>
        <CopyButton text={address} sourceId="invitation-address" label="Copy link" />
      </p>
    </Dialog>
  );
}
