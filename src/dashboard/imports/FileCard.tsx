import { useId, useRef } from 'preact/hooks';

type Props = { isBusy: boolean; failure: string; onChoose: (file: File) => void };

/** Choice of a file to upload. */
export function FileCard({ isBusy, failure, onChoose }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <section class="card import-card" aria-labelledby={id}>
      <h2 id={id}>Import a file</h2>
      <p>
        Up to 2 GiB. Nothing is added before you have seen what it would be. An upload that was interrupted
        continues when you choose the same file again.
      </p>
      <input
        ref={input}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-label="File to import"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) onChoose(file);
          currentTarget.value = ''; // so that the same file can be chosen again
        }}
      />
      <button type="button" class="primary" disabled={isBusy} onClick={() => input.current?.click()}>
        Choose a file…
      </button>
      {failure && (
        <p class="fault" role="alert">
          {failure}
        </p>
      )}
    </section>
  );
}
