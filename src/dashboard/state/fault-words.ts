/** Sentences of the service that forms say in their own words. */
const OWN_WORDS: Record<string, string> = {
  'Invalid domain URL': 'Enter a web address such as example.com',
  'Invalid email or password': 'E-mail or password is wrong',
  'Invalid email address': 'Enter an e-mail address such as you@example.com',
};

export const inOwnWords = (sentence: string): string => OWN_WORDS[sentence] ?? sentence;

/** Describes what is wrong with a field; an empty one is asked for by its label. */
export function describeFault(
  { sentences, isEmpty }: { sentences: readonly string[]; isEmpty: boolean },
  label: string,
): string {
  if (
    isEmpty &&
    sentences.some((sentence) => /^(Required|Must not be empty|Must be at least|Invalid )/.test(sentence))
  )
    return `Enter ${withArticle(label)}`;
  return sentences.map(inOwnWords).join('. ');
}

function withArticle(label: string): string {
  const noun = label.charAt(0).toLowerCase() + label.slice(1);
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
