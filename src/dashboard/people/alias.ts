/** Names that people tell apart and remember, made from an id; the id itself stays in the tooltip. */

const COLOURS = [
  'Amber',
  'Azure',
  'Birch',
  'Bronze',
  'Cedar',
  'Cobalt',
  'Copper',
  'Coral',
  'Crimson',
  'Dusty',
  'Fern',
  'Golden',
  'Indigo',
  'Ivory',
  'Jade',
  'Lilac',
  'Mint',
  'Misty',
  'Ochre',
  'Olive',
  'Pearl',
  'Plum',
  'Rosy',
  'Ruby',
  'Rusty',
  'Sandy',
  'Silver',
  'Slate',
  'Teal',
  'Tidal',
  'Umber',
  'Violet',
] as const;
const BIRDS = [
  'Avocet',
  'Bittern',
  'Bunting',
  'Crane',
  'Curlew',
  'Dipper',
  'Dove',
  'Dunlin',
  'Eagle',
  'Egret',
  'Falcon',
  'Finch',
  'Gannet',
  'Grebe',
  'Harrier',
  'Heron',
  'Hoopoe',
  'Ibis',
  'Jay',
  'Kestrel',
  'Kite',
  'Lark',
  'Linnet',
  'Magpie',
  'Martin',
  'Osprey',
  'Owl',
  'Plover',
  'Puffin',
  'Robin',
  'Swift',
  'Wren',
] as const;

const HUES = 360;

export type Alias = { name: string; hues: readonly [number, number] };

/** `Amber Heron`: the same for the same id. Of some thousand visitors two may share a name. */
export function aliasOf(id: string): Alias {
  const hash = hashOf(id);
  const colour = hash % COLOURS.length;
  const bird = (hash >>> 8) % BIRDS.length;
  return {
    name: `${COLOURS[colour]} ${BIRDS[bird]}`,
    hues: [(colour * HUES) / COLOURS.length, (bird * HUES) / BIRDS.length],
  };
}

/** FNV-1a with a final mix, so that ids that differ in one digit differ in name. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
