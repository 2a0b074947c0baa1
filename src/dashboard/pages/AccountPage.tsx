import { Frame } from '../components/Frame.tsx';
import { useTitle } from '../use-title.ts';

export function AccountPage() {
  useTitle('Account');
  return (
    <Frame>
      <div class="page narrow">
        <h1>Account</h1>
      </div>
    </Frame>
  );
}
