import { aliasOf } from './alias.ts';

/** A tile of two colours by which a visitor is recognised. Decorative: the name is next to it. */
export function VisitorTile({ id }: { id: string }) {
  const [first, second] = aliasOf(id).hues;
  return (
    <span
      class="visitor-tile"
      style={{ '--first': String(first), '--second': String(second) }}
      aria-hidden="true"
    />
  );
}
