import { Frame } from '../components/Frame.tsx';
import { useTitle } from '../use-title.ts';

export function InstallPage() {
  useTitle('Install');
  return (
    <Frame>
      <div class="page narrow">
        <h1>Install</h1>
      </div>
    </Frame>
  );
}
