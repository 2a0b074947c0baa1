import type { Registration } from '../../contract/account.ts';
import { call } from '../api/client.ts';
import { useAnswer } from '../api/use-answer.ts';
import { SettingsCard } from '../components/SettingsCard.tsx';

const useRegistration = () =>
  useAnswer('registration', (signal) => call<Registration>('GET', '/auth/registration', { signal }));

const set = (registration: Registration['registration']) =>
  call<Registration>('PUT', '/auth/registration', { body: { registration } });

/** Reminds the owner that anyone may create an account. */
export function RegistrationNote() {
  const { answer, retry } = useRegistration();
  if (!answer?.isOwner || answer.registration === 'closed') return null;
  return (
    <p class="note" role="status">
      Anyone who can reach this server may create an account.{' '}
      {answer.isFixed ? (
        'The setting REGISTRATION=open allows it.'
      ) : (
        <button type="button" class="quiet small" onClick={() => void set('closed').then(retry)}>
          Close registration
        </button>
      )}
    </p>
  );
}

/** Setting of whether others may register, for the owner only. */
export function RegistrationCard() {
  const { answer, retry } = useRegistration();
  if (!answer?.isOwner) return null;
  const isOpen = answer.registration === 'open';
  return (
    <SettingsCard title="Registration">
      <p>
        {isOpen
          ? 'Anyone who can reach this server may create an account.'
          : 'No one else can create an account.'}
      </p>
      {answer.isFixed ? (
        <p class="quiet-text">Set by REGISTRATION in the server's environment.</p>
      ) : (
        <button type="button" class="quiet" onClick={() => void set(isOpen ? 'closed' : 'open').then(retry)}>
          {isOpen ? 'Close registration' : 'Let others register'}
        </button>
      )}
    </SettingsCard>
  );
}
