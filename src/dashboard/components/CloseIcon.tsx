/** A cross: closes, removes. */
export function CloseIcon({ size }: { size: number }) {
  return (
    <svg viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
      <path d="M3 3l10 10M13 3L3 13" />
    </svg>
  );
}
