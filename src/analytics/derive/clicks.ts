/** `display`: of a banner. `free`: a network adds the mark to every link. */
type Cost = 'paid' | 'display' | 'free';
type Click = { network: string; cost: Cost };

/**
 * Marks that a network adds to the address of a click, the ones of paid clicks first; the networks by a word of
 * sources/.
 */
const MARKS: readonly [cost: Cost, network: string, parameters: string][] = [
  ['paid', 'google', 'gclid gbraid wbraid gad_source'],
  ['paid', 'bing', 'msclkid'],
  ['paid', 'tiktok', 'ttclid'],
  ['paid', 'x', 'twclid'],
  ['paid', 'linkedin', 'li_fat_id'],
  ['paid', 'yandex', 'yclid ymclid'],
  ['paid', 'reddit', 'rdt_cid'],
  ['paid', 'snapchat', 'ScCid'],
  ['paid', 'pinterest', 'epik'],
  ['paid', 'quora', 'qclid'],
  ['paid', 'yahoo', 'vmcid'],
  ['display', 'google', 'dclid'],
  ['display', 'taboola', 'tblci'],
  ['display', 'outbrain', 'dicbo'],
  ['free', 'facebook', 'fbclid'],
  ['free', 'instagram', 'igshid igsh'],
];
const CLICKS = MARKS.flatMap(([cost, network, parameters]) =>
  parameters.split(' ').map((parameter) => ({ parameter, click: { network, cost } })),
);

/** @param has whether the address has a value for a parameter: an empty mark is none */
export function findClicks(has: (parameter: string) => boolean): Click[] {
  return CLICKS.filter(({ parameter }) => has(parameter)).map(({ click }) => click);
}
