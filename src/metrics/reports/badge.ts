/** Width of a character at 11 px, on average and a little more. */
const CHARACTER_PX = 6.6;
const PADDING_PX = 8;
const DOT_PX = 12;
const figures = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export function formatFigure(count: number): string {
  return figures.format(count);
}

/** Draws a badge: white text on dark grounds, which is legible on light pages and on dark ones. */
export function toBadge(visitors: number, online: number): string {
  const label = 'visitors';
  const figure = formatFigure(visitors);
  const now = online > 0 ? `${formatFigure(online)} online` : '';
  const widthOf = (text: string) => Math.ceil(text.length * CHARACTER_PX) + 2 * PADDING_PX;
  const left = widthOf(label);
  const middle = widthOf(figure);
  const right = now === '' ? 0 : widthOf(now) + DOT_PX;
  const width = left + middle + right;
  const title = now === '' ? `${label}: ${figure}` : `${label}: ${figure}, ${now}`;
  const dot = `<circle cx="${left + middle + PADDING_PX + 4}" cy="10" r="3.5" fill="#4ade80"/>
  <text x="${left + middle + PADDING_PX + DOT_PX}" y="14">${now}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${title}">
  <title>${title}</title>
  <clipPath id="r"><rect width="${width}" height="20" rx="4"/></clipPath>
  <g clip-path="url(#r)">
  <rect width="${left}" height="20" fill="#3f4552"/>
  <rect x="${left}" width="${middle}" height="20" fill="#2456c9"/>
  <rect x="${left + middle}" width="${right}" height="20" fill="#3f4552"/>
  </g>
  <rect x="0.5" y="0.5" width="${width - 1}" height="19" rx="3.5" fill="none" stroke="#fff" stroke-opacity="0.25"/>
  <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
  <text x="${PADDING_PX}" y="14">${label}</text>
  <text x="${left + PADDING_PX}" y="14" font-weight="bold">${figure}</text>
  ${now === '' ? '' : dot}
  </g>
</svg>
`;
}
