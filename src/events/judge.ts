import { TypeCompiler } from '@sinclair/typebox/compiler';
import { EventInput, SentAt } from '../contract/event-input.ts';
import { ENGAGEMENT_NAMES } from '../db/packed-engagement.ts';
import { toFaultDetails } from '../http/field-errors.ts';
import {
  PROPERTIES_BYTES_MAX,
  PROPERTIES_DEPTH_MAX,
  PROPERTIES_KEYS_MAX,
  PROPERTY_KEY_LENGTH_MAX,
} from '../vocabulary/contract.ts';
import { validationError } from '../vocabulary/errors.ts';

/** Compiled with the first event, in 4 ms: a start answers before that. */
let compiled: ReturnType<typeof compile> | undefined;

function schemas() {
  compiled ??= compile();
  return compiled;
}

function compile() {
  return { event: TypeCompiler.Compile(EventInput), sentAt: TypeCompiler.Compile(SentAt) };
}

/** An event whose every field is within its bounds; `propertiesText` is what will be stored. */
export type JudgedEvent = EventInput & { propertiesText: string | null };

/**
 * Validates one submitted event on its own. Pure.
 *
 * @throws AppError VALIDATION_ERROR naming each faulty field
 */
export function judgeEvent(event: unknown): JudgedEvent {
  const schema = schemas().event;
  const submitted = schema.Check(event) ? event : requireEvent(withoutNulls(event));
  const faults: Record<string, string[]> = {};
  if (!isPageAddress(submitted.url)) faults.url = ['Must be an http or https URL'];
  if (submitted.anonymous !== true)
    for (const name of ['sessionId', 'visitorId'] as const)
      if (submitted[name] === undefined) faults[name] = ['Required'];
  if (submitted.referrer && !URL.canParse(submitted.referrer)) faults.referrer = ['Must be an absolute URL'];
  if (submitted.eventType !== 'pageview')
    for (const name of ENGAGEMENT_NAMES)
      if (submitted[name] !== undefined) faults[name] = ['Only a pageview has it'];
  const properties = submitted.properties && judgeProperties(submitted.properties);
  if (properties?.fault) faults.properties = [properties.fault];
  if (Object.keys(faults).length > 0) throw validationError('Invalid event data', faults);
  return { ...submitted, propertiesText: properties?.text ?? null };
}

/**
 * Reads the clock of a batch's sender.
 *
 * @throws AppError VALIDATION_ERROR when it is not an instant
 */
export function judgeSentAt(sentAt: unknown): number | undefined {
  if (sentAt === undefined || sentAt === null) return undefined;
  const schema = schemas().sentAt;
  if (schema.Check(sentAt)) return sentAt;
  const { formErrors } = toFaultDetails(schema.Errors(sentAt));
  throw validationError('Invalid event data', { sentAt: formErrors });
}

/** Null in an optional field counts as absent; elsewhere it stays, to be refused. */
function withoutNulls(event: unknown): unknown {
  if (!isObject(event) || Array.isArray(event)) return event;
  return Object.fromEntries(
    Object.entries(event).filter(([name, value]) => value !== null || REQUIRED.has(name)),
  );
}

const REQUIRED: ReadonlySet<string> = new Set(EventInput.required);

/** The list itself: a list of large properties is not worth a copy. */
function entriesOf(value: object): readonly unknown[] {
  return Array.isArray(value) ? value : Object.values(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function requireEvent(submitted: unknown): EventInput {
  const schema = schemas().event;
  if (schema.Check(submitted)) return submitted;
  const { fieldErrors, formErrors } = toFaultDetails(schema.Errors(submitted));
  throw validationError('Invalid event data', fieldErrors, formErrors);
}

function isPageAddress(url: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(url) && URL.canParse(url);
}

/** The JSON text of the properties, or what is wrong with them. */
function judgeProperties(properties: Record<string, unknown>): { text?: string; fault?: string } {
  const keys = Object.keys(properties);
  if (keys.length > PROPERTIES_KEYS_MAX) return { fault: `Must have at most ${PROPERTIES_KEYS_MAX} keys` };
  const fault = findFault(properties, 1);
  if (fault) return { fault };
  const text = JSON.stringify(properties);
  if (Buffer.byteLength(text) > PROPERTIES_BYTES_MAX)
    return { fault: `Must be at most ${PROPERTIES_BYTES_MAX} bytes as JSON` };
  return { text };
}

/** Walks the values down to the deepest level allowed, so a hostile depth costs nothing. */
function findFault(value: object, depth: number): string | undefined {
  if (depth > PROPERTIES_DEPTH_MAX) return `Must be nested at most ${PROPERTIES_DEPTH_MAX} levels deep`;
  if (!Array.isArray(value) && Object.keys(value).some((key) => key.length > PROPERTY_KEY_LENGTH_MAX))
    return `Must have keys of at most ${PROPERTY_KEY_LENGTH_MAX} characters`;
  for (const entry of entriesOf(value)) {
    const fault = isObject(entry) ? findFault(entry, depth + 1) : undefined;
    if (fault) return fault;
  }
  return undefined;
}
