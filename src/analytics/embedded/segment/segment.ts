import { detach } from '../../../process/garbage.ts';
import { DAY_MS } from '../../../vocabulary/durations.ts';
import { openArrays, type StoredArrays } from './codec.ts';
import {
  decodeProperties,
  propertiesBytes,
  releaseProperties,
  type SegmentProperties,
  type SegmentProperty,
} from './properties.ts';
import {
  COLUMN_TYPES,
  type CodeColumn,
  type Column,
  type ColumnName,
  dictionaryOf,
  EVENT_CODES,
  LOCAL_DICTIONARIES,
  type LocalDictionary,
  PARTS,
  partOf,
  type StoredPart,
  VISIT_CODES,
} from './schema.ts';

/** Metadata of a segment that needs no reading. */
export type SegmentHeader = {
  websiteKey: number;
  /** Days since 1970-01-01, UTC, on which all of its visits begin. */
  day: number;
  visitCount: number;
  eventCount: number;
  firstVisitor: number;
  lastVisitor: number;
  /** Instant of its first event, and of its last plus 1: the range that holds all of its events. */
  startMs: number;
  endMs: number;
  /** Least and greatest log key of its events. */
  firstKey: number;
  lastKey: number;
  /** The earliest version of the rules that its events were derived by; see RULES. */
  rules: number;
};

/** Contents of a segment that is not stored yet. */
export type SegmentContent = {
  columns: { [Name in ColumnName]: Column<Name> };
  codes: Record<LocalDictionary, Uint32Array>;
  properties: SegmentProperties;
};

/** Reads a stored part into a copy, which is freed right after use. */
export type ReadPart = (segmentId: number, part: StoredPart) => Uint8Array | ArrayBuffer | undefined;

/** A column of local codes. */
export type LocalColumn = Uint8Array | Uint16Array;

const NO_PROPERTIES: SegmentProperties = new Map();
/** The local dictionary of a column without values. */
const ABSENT_ALONE = [0];

function isCodeColumn(name: ColumnName): name is CodeColumn {
  return ([...VISIT_CODES, ...EVENT_CODES] as readonly ColumnName[]).includes(name);
}

function narrow(column: Uint16Array, dictionary: Uint32Array): LocalColumn {
  return dictionary.length <= 256 ? new Uint8Array(column) : column;
}

/**
 * Visits of one website that begin on one UTC day, ordered by visitor, class and start, with their events in order of time.
 * Immutable. Columns of a stored segment are read on demand, and may be dropped.
 */
export class Segment {
  /** 0 until it is stored. */
  id = 0;
  /** Bytes in memory. */
  bytes = 0;
  /** The question that used it last, and the number of current users (see Pool). */
  usedBy = 0;
  pins = 0;
  readonly dayMs: number;
  #columns = new Map<ColumnName, Column | LocalColumn>();
  #codes: Record<LocalDictionary, Uint32Array> | undefined;
  #properties: SegmentProperties | undefined;
  #read: ReadPart | undefined;
  /** Parts being read from, while the segment is pinned. */
  readonly #parts = new Map<StoredPart, StoredArrays>();
  #propertyBytes = 0;
  #remembered = new Map<string, { bytes: number }>();

  constructor(readonly header: SegmentHeader) {
    this.dayMs = header.day * DAY_MS;
  }

  static fresh(header: SegmentHeader, content: SegmentContent): Segment {
    const segment = new Segment(header);
    const { columns, codes } = content;
    for (const name of Object.keys(columns) as ColumnName[])
      segment.#keep(
        name,
        isCodeColumn(name) ? narrow(columns[name], codes[dictionaryOf(name)]) : columns[name],
      );
    segment.#codes = codes;
    for (const { byteLength } of Object.values(codes)) segment.bytes += byteLength;
    segment.#properties = content.properties;
    segment.bytes += propertiesBytes(content.properties);
    return segment;
  }

  static stored(id: number, header: SegmentHeader, read: ReadPart): Segment {
    const segment = new Segment(header);
    segment.wasStored(id, read);
    return segment;
  }

  /** Marks the segment as stored: its columns may be dropped and read again. */
  wasStored(id: number, read: ReadPart): void {
    this.id = id;
    this.#read = read;
  }

  get visitCount(): number {
    return this.header.visitCount;
  }
  get eventCount(): number {
    return this.header.eventCount;
  }

  column<Name extends Exclude<ColumnName, CodeColumn>>(name: Name): Column<Name> {
    const known = this.#columns.get(name);
    if (known) return known as Column<Name>; // kept under its own name
    const stored = this.#readColumn(name);
    if (!stored) throw new RangeError(`Segment ${this.id} has no column ${name}.`);
    const column = new COLUMN_TYPES[name](stored) as Column<Name>;
    this.#keep(name, column);
    return column;
  }

  /** Returns local codes, 8 bits each when the local dictionary has at most 256. */
  codeColumn(name: CodeColumn): LocalColumn {
    const known = this.#columns.get(name);
    if (known) return known as LocalColumn; // kept under its own name
    const rows = (EVENT_CODES as readonly ColumnName[]).includes(name) ? this.eventCount : this.visitCount;
    const buffer = this.#readColumn(name) ?? new ArrayBuffer(rows); // appended later: absent
    const column = buffer.byteLength === rows ? new Uint8Array(buffer) : new Uint16Array(buffer);
    this.#keep(name, column);
    return column;
  }

  /** Returns the map from local code to the website's code; 0 is absent. */
  codes(dictionary: LocalDictionary): Uint32Array {
    this.#codes ??= this.#readCodes();
    return this.#codes[dictionary];
  }

  property(key: number): SegmentProperty | undefined {
    return this.properties().get(key);
  }

  properties(): SegmentProperties {
    if (this.#properties) return this.#properties;
    const blob = this.#read?.(this.id, 'properties');
    this.#propertyBytes += blob?.byteLength ?? 0;
    this.#properties = blob ? decodeProperties(blob) : NO_PROPERTIES;
    this.bytes += propertiesBytes(this.#properties);
    return this.#properties;
  }

  /** Returns a value computed from the whole segment: computed on first use, and cached with it. */
  remember<Computed extends { bytes: number }>(name: string, compute: () => Computed): Computed {
    const known = this.#remembered.get(name);
    if (known) return known as Computed; // kept under its own name
    const computed = compute();
    this.#remembered.set(name, computed);
    this.bytes += computed.bytes;
    return computed;
  }

  /** Frees the parts read from. @returns the number of bytes freed */
  closeParts(): number {
    let bytes = this.#propertyBytes;
    for (const part of this.#parts.values()) bytes += part.close();
    this.#parts.clear();
    this.#propertyBytes = 0;
    return bytes;
  }

  /** Frees the memory of a stored segment. */
  drop(): void {
    this.closeParts();
    for (const column of this.#columns.values()) detach(column);
    this.#columns.clear();
    for (const codes of Object.values(this.#codes ?? {})) detach(codes);
    this.#codes = undefined;
    releaseProperties(this.#properties ?? NO_PROPERTIES);
    this.#properties = undefined;
    this.#remembered.clear();
    this.bytes = 0;
  }

  /** Returns any column, in the type in which it is kept and stored. */
  kept(name: ColumnName): Column | LocalColumn {
    return isCodeColumn(name) ? this.codeColumn(name) : this.column(name);
  }

  /** @returns undefined when the column was appended after the segment was stored */
  #readColumn(name: ColumnName): ArrayBuffer | undefined {
    const part = partOf(name);
    const stored = this.#open(part);
    const index = (PARTS[part] as readonly ColumnName[]).indexOf(name);
    return index < stored.count ? stored.bytes(index) : undefined;
  }

  #keep(name: ColumnName, column: Column | LocalColumn): void {
    this.#columns.set(name, column);
    this.bytes += column.byteLength;
  }

  #readCodes(): Record<LocalDictionary, Uint32Array> {
    const stored = this.#open('dictionaries');
    const codes = {} as Record<LocalDictionary, Uint32Array>; // filled below
    LOCAL_DICTIONARIES.forEach((name, index) => {
      codes[name] = new Uint32Array(index < stored.count ? stored.bytes(index) : ABSENT_ALONE);
      this.bytes += codes[name].byteLength;
    });
    return codes;
  }

  #open(part: StoredPart): StoredArrays {
    const known = this.#parts.get(part);
    if (known) return known;
    const blob = this.#read?.(this.id, part);
    if (!blob) throw new Error(`Segment ${this.id} has no ${part} part.`);
    const opened = openArrays(blob);
    this.#parts.set(part, opened);
    return opened;
  }
}
