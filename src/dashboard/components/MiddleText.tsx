import { toVisibleText } from '../state/visible-text.ts';

/** Characters at the end that are always shown: they tell addresses apart that begin alike. */
const TAIL = 9;
/** Maximum length of a text that is not divided. */
const WHOLE_MAX = 14;

/** A text that is cut in the middle where there is no room: `/products/…-lamp`. The whole is in the tooltip. */
export function MiddleText({ text }: { text: string }) {
  const shown = toVisibleText(text);
  const letters = [...shown];
  const at = letters.length > WHOLE_MAX ? letters.length - TAIL : letters.length;
  return (
    <bdi class="middle-text" title={shown}>
      <span>{letters.slice(0, at).join('')}</span>
      {at < letters.length && <span>{letters.slice(at).join('')}</span>}
    </bdi>
  );
}
