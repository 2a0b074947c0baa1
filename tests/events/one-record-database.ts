/** The smallest database in the MaxMind format: every IPv4 address has the same record. */

type Value = string | number | { readonly [key: string]: Value };

const NODE_BYTES = 6;
const SEPARATOR_BYTES = 16;
const UTF8 = 2;
const UINT32 = 6;
const MAP = 7;

/** One node, both of whose branches lead to the first record of the data section. */
export function buildDatabase(record: { readonly [key: string]: Value }): Buffer {
  const pointer = 1 + SEPARATOR_BYTES;
  const tree = Buffer.alloc(NODE_BYTES);
  tree.writeUIntBE(pointer, 0, 3);
  tree.writeUIntBE(pointer, 3, 3);
  const metadata = encode({ node_count: 1, record_size: 24, ip_version: 4, build_epoch: 0 });
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([tree, Buffer.alloc(SEPARATOR_BYTES), encode(record), marker, metadata]);
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(UTF8, value.length), Buffer.from(value)]);
  if (typeof value === 'number') return Buffer.concat([control(UINT32, 4), uint32(value)]);
  const pairs = Object.entries(value);
  return Buffer.concat([
    control(MAP, pairs.length),
    ...pairs.flatMap(([key, of]) => [encode(key), encode(of)]),
  ]);
}

/** Type and size in one byte: nothing here is longer than 28. */
function control(type: number, size: number): Buffer {
  return Buffer.from([(type << 5) | size]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
