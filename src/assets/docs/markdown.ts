/** Renders the Markdown subset of descriptions: paragraphs, `code` and **bold**. Everything else is text. */
export function toParagraphs(markdown: string): string {
  return markdown
    .split('\n\n')
    .map((paragraph) => `<p>${toInlineHtml(paragraph)}</p>`)
    .join('\n');
}

export function toInlineHtml(markdown: string): string {
  return Bun.escapeHTML(markdown)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
}
