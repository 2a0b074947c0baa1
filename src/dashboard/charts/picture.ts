/** A chart as an image file: as on the screen, with a title, on the page's background. */

const PADDING = 24;
const TITLE_HEIGHT = 56;
/** Pixels of the file for each pixel of the screen. */
export const PICTURE_SCALE = 2;
/** Computed styles to copy, because the file has no style sheets. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'stop-color',
  'stop-opacity',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
];

/** @throws Error when the browser cannot draw it */
export async function toPicture(svg: SVGSVGElement, title: string, subtitle: string): Promise<Blob> {
  const { width, height } = svg.getBoundingClientRect();
  const [fullWidth, fullHeight] = [width + 2 * PADDING, height + 2 * PADDING + TITLE_HEIGHT];
  const page = getComputedStyle(svg);
  const ground = page.getPropertyValue('--card');
  const [ink, quiet] = [page.color, getComputedStyle(svg.querySelector('text') ?? svg).fill];
  const drawing = styledCopy(svg);
  drawing.setAttribute('x', String(PADDING));
  drawing.setAttribute('y', String(PADDING + TITLE_HEIGHT));
  drawing.setAttribute('width', String(width));
  drawing.setAttribute('height', String(height));
  const whole = element('svg', {
    xmlns: SVG,
    width: fullWidth * PICTURE_SCALE,
    height: fullHeight * PICTURE_SCALE,
  });
  whole.setAttribute('viewBox', `0 0 ${fullWidth} ${fullHeight}`);
  whole.setAttribute('font-family', page.fontFamily);
  const paper = element('rect', { width: '100%', height: '100%' });
  paper.style.fill = resolve(ground, svg);
  const head = element('text', {
    x: PADDING,
    y: PADDING + 16,
    'font-size': 18,
    'font-weight': 700,
    fill: ink,
  });
  head.textContent = title;
  const line = element('text', { x: PADDING, y: PADDING + 38, 'font-size': 13, fill: quiet });
  line.textContent = subtitle;
  whole.append(paper, head, line, drawing);
  return drawPicture(
    new XMLSerializer().serializeToString(whole),
    fullWidth * PICTURE_SCALE,
    fullHeight * PICTURE_SCALE,
  );
}

const SVG = 'http://www.w3.org/2000/svg';

function element(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(SVG, name) as SVGElement; // the namespace makes it one
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

function styledCopy(svg: SVGSVGElement): SVGElement {
  const copy = svg.cloneNode(true) as SVGElement; // a clone has the same type
  const originals = [...svg.querySelectorAll<SVGElement>('*')];
  for (const [index, part] of [...copy.querySelectorAll<SVGElement>('*')].entries()) {
    const original = originals[index];
    if (!original) continue;
    const computed = getComputedStyle(original);
    for (const name of STYLES) part.style.setProperty(name, computed.getPropertyValue(name));
  }
  return copy;
}

/** Resolves a `light-dark()` colour. */
function resolve(colour: string, sibling: Element): string {
  const probe = document.createElement('span');
  probe.style.color = colour;
  sibling.parentElement?.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved;
}

/** @throws Error when the browser cannot draw it */
export async function drawPicture(svg: string, width: number, height: number): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`; // the only source that the page's policy allows
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width);
  canvas.height = Math.round(height);
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (!blob) throw new Error('The browser made no picture.');
  return blob;
}
