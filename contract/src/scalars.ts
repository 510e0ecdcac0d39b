import { z } from 'zod';
import {
  maxEmailCharacters,
  maxLabelNameCharacters,
  maxLabelValueCharacters,
  maxNameCharacters,
  maxPasswordBytes,
  maxViewNameCharacters,
  minPasswordCharacters,
} from './rules.ts';

/** A string of at most so many characters; a longer one is refused before anything looks at it. */
export function textUpTo(maxCharacters: number): z.ZodString {
  return z.string().max(maxCharacters, `must be at most ${maxCharacters} characters long`);
}

const maxTextCharacters = 8_192;
/** The rules of actions allow less, with sentences for people. */
const maxTypedCharacters = 2_000;

/** Any string that is no document. */
export const text = textUpTo(maxTextCharacters);

/** A name in an input, in Unicode's composed form (NFC), as names are stored. */
export const anyName = text.normalize();

/** A name that an input sets, in the composed form (NFC). The action applies the rule, since its sentence is for people; the schema documents it. */
export const nameText = textUpTo(maxTypedCharacters)
  .normalize()
  .meta({
    description: `1 to ${maxNameCharacters} characters; leading and trailing white space is removed.`,
  });

/** The name of a saved view; see `nameText`. */
export const viewNameText = textUpTo(maxTypedCharacters)
  .normalize()
  .meta({
    description: `1 to ${maxViewNameCharacters} characters; leading and trailing white space is removed.`,
  });

/** The name of a label of a device; see `nameText`. */
export const labelNameText = textUpTo(maxTypedCharacters)
  .normalize()
  .meta({
    description: `1 to ${maxLabelNameCharacters} letters and digits, and ".", "_", "/" and "-" after the first; leading and trailing white space is removed.`,
  });

/** The value of a label of a device; see `nameText`. */
export const labelValue = z
  .union([textUpTo(maxTypedCharacters).normalize(), z.number(), z.boolean()], {
    error: 'must be a text, a number or a truth value',
  })
  .meta({
    description: `A text of 1 to ${maxLabelValueCharacters} characters, whose leading and trailing white space is removed, a number or a truth value.`,
  });

/** An e-mail address that an input sets; see `nameText`. */
export const emailText = textUpTo(maxTypedCharacters).meta({
  description: `An e-mail address of at most ${maxEmailCharacters} characters; it is trimmed and converted to lower case, its domain to letters instead of \`xn--\`.`,
});

/** A password that an input sets; see `nameText`. */
export const passwordText = textUpTo(maxTypedCharacters).meta({
  description: `At least ${minPasswordCharacters} characters and at most ${maxPasswordBytes} bytes of UTF-8.`,
});

const maxSearchCharacters = 200;

/** A text that rows of a list are searched for. */
export const searchText = textUpTo(maxSearchCharacters);

const maxLinkTokenCharacters = 2000;

/** The token of a mailed link. */
export const linkToken = textUpTo(maxLinkTokenCharacters);

const maxDeviceTokenCharacters = 16_384;

/** A token that identifies a device to others: its claims alone may have 8 KiB, and base64 makes them a third longer. */
export const deviceToken = textUpTo(maxDeviceTokenCharacters);

/** A JSON value as TypeScript sees it. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

const missingJson = 'Invalid input: expected a JSON value, received undefined';

/** Any JSON value. Inputs come from a JSON parser, so only presence is checked: a walk through the value would cost more than parsing it. */
export const json = z.custom<Json>((value) => value !== undefined, missingJson);

/** An object with any keys and any JSON values; they are not checked one by one. */
export const jsonMap = z
  .custom<Record<string, Json>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    { error: ({ input }) => `Invalid input: expected record, received ${kindOf(input)}` },
  )
  .meta({ type: 'object', additionalProperties: {} });

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** A list of an input, at most `maxItems` long; its length is checked before its items are. */
export function listOf<Item extends z.ZodType>(item: Item, maxItems: number): z.ZodArray<Item> {
  return z.array(item).max(maxItems, `may have at most ${maxItems} entries`).meta({ maxItems });
}

/** A list of an input with at least one item, each of them once; see `listOf`. */
export function someOf<Item extends z.ZodType>(item: Item, maxItems: number): z.ZodArray<Item> {
  return listOf(item, maxItems)
    .min(1, 'must have an entry')
    .refine((items) => new Set(items).size === items.length, 'must have each entry only once')
    .meta({ maxItems, uniqueItems: true });
}

/** The empty object; unknown fields are ignored. */
export const empty = z.object({});

/** An integer from 0 to 65 535. */
export const uint16 = z.int().min(0).max(0xffff);

/** An integer from 0 to 4 294 967 295. */
export const uint32 = z.int().min(0).max(0xffff_ffff);

const decimalOrNumber = z.union(
  [
    z.int().min(0),
    z
      .string()
      .max(20)
      .regex(/^\d{1,20}$/),
  ],
  {
    error: ({ input }) => (input === undefined ? undefined : 'must be a whole number, 0 or more'),
  },
);

/** An integer from 0 to 2^53−1; decimal strings are accepted too, since some clients send them. */
export const uint64 = decimalOrNumber.transform(Number).pipe(z.int('is too large a number').min(0));

const utcTime = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/;

/** An RFC 3339 time in UTC, to the microsecond; undefined outside of the years 1 to 9999, which neither the format nor PostgreSQL can write. */
function inUtc(time: string): string | undefined {
  if (utcTime.test(time)) return time;
  const fraction = /\.\d{1,6}/.exec(time)?.[0] ?? '';
  const at = new Date(time.replace(/\.\d+/, ''));
  if (Number.isNaN(at.getTime())) return undefined;
  const utc = at.toISOString();
  return /^(?!0000)\d{4}-/.test(utc) ? `${utc.slice(0, 19)}${fraction}Z` : undefined;
}

/** A point in time, RFC 3339 with any offset, kept in UTC to the microsecond. */
export const timestamp = z.iso
  .datetime({ offset: true })
  .max(64, 'must be at most 64 characters long')
  .refine((time) => inUtc(time) !== undefined, 'must lie in the years 1 to 9999')
  .overwrite((time) => inUtc(time) ?? time);

/** A SHA-256 digest, `sha256_` and 64 lower-case hex digits; `sha256:` and upper case are accepted on input. */
export const digest = z
  .string()
  .max(71, 'must be sha256_ and 64 hex digits')
  .regex(/^sha256[_:][0-9a-fA-F]{64}$/, 'must be sha256_ and 64 hex digits')
  .transform((value) => value.toLowerCase().replace(':', '_'));

const digestBytes = 32;

/** At most so many SHA-256 digests, 32 bytes each, joined, as base64. */
export function joinedDigests(maxDigests: number): z.ZodString {
  return textUpTo(4 * Math.ceil((maxDigests * digestBytes) / 3));
}

/** The SHA-256 of a certificate's DER: 32 upper-case hex pairs joined by colons; lower case is accepted on input. */
export const certificateFingerprint = z
  .string()
  .max(95, 'must be 32 hex pairs joined by colons')
  .regex(/^[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){31}$/, 'must be 32 hex pairs joined by colons')
  .transform((value) => value.toUpperCase());

/** An object with any keys and values of one kind. */
export function mapOf<Value extends z.ZodType>(value: Value): z.ZodRecord<z.ZodString, Value> {
  return z.record(text, value);
}

/** The wire format of a point in time: RFC 3339, UTC on output. */
export type Timestamp = z.infer<typeof timestamp>;
