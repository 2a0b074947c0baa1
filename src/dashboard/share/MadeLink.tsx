import type { ShareLink } from '../../contract/share-link.ts';
import { ownAddress } from '../browser/base-path.ts';
import { CopyButton } from '../components/CopyButton.tsx';

export const toAddress = ({ token }: Pick<ShareLink, 'token'>) => `${ownAddress()}/share/${token}`;

type Props = {
  link: ShareLink;
  /** Search of the address that opens it on the period of the screen. */
  search?: string | undefined;
};

/** A new link, with what can be done with it. Its address is shown only now. */
export function MadeLink({ link, search = '' }: Props) {
  const address = toAddress(link);
  return (
    <>
      <p>Its address is shown only now, because the server keeps no copy of it.</p>
      <Copied id="share-address" text={address + search} label="Copy link" />
      {!link.hasPassword && (
        <>
          <h3>Badge</h3>
          <Copied
            id="share-badge"
            text={`<img src="${address}/badge.svg" alt="Visitors">`}
            label="Copy badge"
          />
        </>
      )}
      {link.origins.length > 0 && (
        <>
          <h3>Embed it</h3>
          <Copied id="share-snippet" text={toSnippet(address)} label="Copy snippet" />
        </>
      )}
    </>
  );
}

function Copied({ id, text, label }: { id: string; text: string; label: string }) {
  return (
    <p class="copy-line">
      <code id={id}>{text}</code>
      <CopyButton text={text} sourceId={id} label={label} />
    </p>
  );
}

/** A frame as wide as its place, whose height follows its content. */
export function toSnippet(address: string): string {
  const { origin } = new URL(address);
  return `<iframe src="${address}?theme=auto" title="Website statistics" style="width:100%;height:900px;border:0"></iframe>
<script>
addEventListener('message', function (event) {
  if (event.origin !== '${origin}' || event.data.type !== 'pagemeter:height') return;
  document.querySelectorAll('iframe').forEach(function (frame) {
    if (frame.contentWindow === event.source) frame.style.height = event.data.height + 'px';
  });
});
</script>`;
}
