import { createHash } from 'node:crypto';
import { ActionError } from '@corral/contract';

/** The PostgreSQL types of sort keys. */
export type KeyType = 'text' | 'timestamptz' | 'boolean' | 'bigint' | 'bytea';

/** The value of a sort key; timestamps are RFC 3339 texts with microseconds, bytes are hexadecimal texts after `\x`. */
export type KeyValue = string | number | boolean;

const checksumBytes = 6;

/**
 * Encodes a position in a list as an opaque cursor. A checksum binds it to the list; it needs no signature, because the caller may read the
 * list at any position.
 */
export function encodeCursor(list: string, position: readonly KeyValue[]): string {
  const body = Buffer.from(JSON.stringify(position));
  return Buffer.concat([checksumOf(list, body), body]).toString('base64url');
}

/** Decodes a cursor of a list. Throws an `ActionError` of kind Invalid for any other text. */
export function decodeCursor(list: string, cursor: string, types: readonly KeyType[]): KeyValue[] {
  const bytes = Buffer.from(cursor, 'base64url');
  const body = bytes.subarray(checksumBytes);
  const isIntact =
    bytes.toString('base64url') === cursor && bytes.subarray(0, checksumBytes).equals(checksumOf(list, body));
  const position = isIntact ? parse(body) : undefined;
  if (!Array.isArray(position) || !isPosition(position, types)) throw foreignCursor();
  return position;
}

/** The error for a cursor of another list. */
export function foreignCursor(): ActionError {
  return new ActionError(
    'Invalid',
    'The field after must be the next of an earlier answer for the same list.',
  );
}

function checksumOf(list: string, body: Buffer): Buffer {
  return createHash('sha256').update(`${list}\n`).update(body).digest().subarray(0, checksumBytes);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return undefined;
  }
}

function isPosition(values: readonly unknown[], types: readonly KeyType[]): values is KeyValue[] {
  return values.length === types.length && types.every((type, index) => isOfType[type](values[index]));
}

/** Clients can forge a cursor with a valid checksum, so values that the database would reject are refused here. */
const isOfType: Record<KeyType, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string' && !value.includes('\0'),
  timestamptz: (value) => typeof value === 'string' && isTimestamp(value),
  boolean: (value) => typeof value === 'boolean',
  bigint: (value) => Number.isSafeInteger(value),
  bytea: (value) => typeof value === 'string' && /^\\x(?:[0-9a-f]{2})*$/.test(value),
};

function isTimestamp(value: string): boolean {
  if (!/^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/.test(value)) return false;
  const atMs = Date.parse(value);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(value.slice(0, 19));
}
