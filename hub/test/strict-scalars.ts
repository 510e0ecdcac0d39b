import { z } from 'zod';

/* What the decoders of existing clients require of single values; see strict-shapes.ts. */

/** An id of a kind, by its tag. */
export const id = (tag: string, length = 22) =>
  z.string().regex(new RegExp(`^${tag}_[1-9A-HJ-NP-Za-km-z]{${length}}$`));
/** An id with a date. */
export const dated = (tag: string) =>
  z.string().regex(new RegExp(`^${tag}_\\d{8}-\\d{4}-[1-9A-HJ-NP-Za-km-z]{8}$`));
/** A whole number. */
export const uint = (bits: 16 | 32 | 53) =>
  z
    .number()
    .int()
    .min(0)
    .max(2 ** bits - 1);
/** An optional field: null or absent. */
export const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullish();
/** A point in time. */
export const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/);
/** An object with any keys. */
export const map = <Schema extends z.ZodType>(schema: Schema) => z.record(z.string(), schema);
/** A variant of an answer. */
export const result = <Word extends string>(word: Word, fields: z.ZodRawShape = {}) =>
  z.object({ result: z.literal(word), ...fields });

/** `{}`, never null; its content is ignored. */
export const nothing = z.object({});
