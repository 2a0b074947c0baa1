import { useTitle } from '../browser/use-title.ts';
import { Frame } from '../components/Frame.tsx';
import { Link } from '../components/Link.tsx';

export function NotFoundPage() {
  useTitle('Not found');
  return (
    <Frame>
      <div class="page narrow">
        <h1>Page not found</h1>
        <p>
          <Link to="/">All websites</Link>
        </p>
      </div>
    </Frame>
  );
}
