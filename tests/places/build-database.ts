import { parseIpRange } from '../../src/network/ip-range.ts';

/** Writes databases in the MaxMind format: https://maxmind.github.io/MaxMind-DB/ */

type Value = string | number | readonly Value[] | { readonly [key: string]: Value };
export type DatabaseRecord = { readonly [key: string]: Value };

type Options = { ipVersion?: 4 | 6; type?: string; madeAt?: Date };

const POINTER_BYTES = 3;
const SEPARATOR_BYTES = 16;
const UTF8 = 2;
const UINT32 = 6;
const MAP = 7;
const ARRAY = 11;
/** Types above this one have a byte of their own. */
const SHORT_TYPE_MAX = 7;
const SHORT_SIZE_MAX = 28;

type Tree = { branches: [Tree | number | undefined, Tree | number | undefined] };

/** @param records by range of at least one bit, none of which lies within another */
export function buildDatabase(
  records: Readonly<Record<string, DatabaseRecord>>,
  { ipVersion = 4, type = 'test', madeAt = new Date(0) }: Options = {},
): Buffer {
  const root: Tree = { branches: [undefined, undefined] };
  const data: Buffer[] = [];
  let dataBytes = 0;
  for (const [range, record] of Object.entries(records)) {
    insert(root, toBits(range, ipVersion), dataBytes);
    const encoded = encode(record);
    data.push(encoded);
    dataBytes += encoded.length;
  }
  const nodes = listNodes(root);
  const tree = Buffer.alloc(nodes.length * 2 * POINTER_BYTES);
  const pointers = nodes.flatMap(({ branches }) => branches.map((branch) => toPointer(branch, nodes)));
  for (const [index, pointer] of pointers.entries())
    tree.writeUIntBE(pointer, index * POINTER_BYTES, POINTER_BYTES);
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: madeAt.getTime() / 1_000,
    database_type: type,
    description: {},
    ip_version: ipVersion,
    languages: [],
    node_count: nodes.length,
    record_size: POINTER_BYTES * 8,
  });
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([tree, Buffer.alloc(SEPARATOR_BYTES), ...data, marker, metadata]);
}

function toBits(text: string, ipVersion: 4 | 6): number[] {
  const range = parseIpRange(text);
  if (!range) throw new Error(`${text} is not a range.`);
  const { family, parts } = range.base;
  const partBits = family === 'ipv4' ? 8 : 16;
  const bits = parts
    .flatMap((part) => Array.from({ length: partBits }, (_, at) => (part >> (partBits - 1 - at)) & 1))
    .slice(0, range.bits);
  return ipVersion === 6 && family === 'ipv4' ? [...Array<number>(96).fill(0), ...bits] : bits;
}

function insert(root: Tree, bits: number[], offset: number): void {
  let node = root;
  bits.forEach((bit, depth) => {
    const isLast = depth === bits.length - 1;
    const next = node.branches[bit];
    if (isLast) node.branches[bit] = offset;
    else if (typeof next === 'object') node = next;
    else {
      const made: Tree = { branches: [undefined, undefined] };
      node.branches[bit] = made;
      node = made;
    }
  });
}

function listNodes(root: Tree): Tree[] {
  const nodes = [root];
  for (const node of nodes)
    for (const branch of node.branches) if (typeof branch === 'object') nodes.push(branch);
  return nodes;
}

function toPointer(branch: Tree | number | undefined, nodes: readonly Tree[]): number {
  if (branch === undefined) return nodes.length;
  return typeof branch === 'number' ? nodes.length + SEPARATOR_BYTES + branch : nodes.indexOf(branch);
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([control(UTF8, bytes.length), bytes]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(UINT32, bytes.length), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([control(ARRAY, value.length), ...value.map(encode)]);
  const pairs = Object.entries(value);
  return Buffer.concat([
    control(MAP, pairs.length),
    ...pairs.flatMap(([key, of]) => [encode(key), encode(of)]),
  ]);
}

/** Type and size: in one byte, in two for the rarer types, and with another for sizes up to 284. */
function control(type: number, size: number): Buffer {
  const isShort = size <= SHORT_SIZE_MAX;
  const isExtended = type > SHORT_TYPE_MAX;
  return Buffer.from([
    ((isExtended ? 0 : type) << 5) | (isShort ? size : SHORT_SIZE_MAX + 1),
    ...(isExtended ? [type - SHORT_TYPE_MAX] : []),
    ...(isShort ? [] : [size - SHORT_SIZE_MAX - 1]),
  ]);
}
