import { z } from 'zod';
import { query, type ActionDefinition } from './define.ts';
import type { LiveTopic } from './live-topics.ts';
import { maxFilterCharacters } from './filter/parse-filter.ts';
import { text, uint32 } from './scalars.ts';

/** The longest cursor that is accepted, in characters. */
const maxCursorCharacters = 4096;

const pageInput = {
  /** The maximum number of rows of one page; each list also has its own limit. */
  limit: uint32.optional(),
  /** The `next` of the page before. */
  after: z
    .string()
    .max(maxCursorCharacters, `must be at most ${maxCursorCharacters} characters long`)
    .optional(),
};

const pageOutput = {
  /** The cursor of the next page; absent when the list ends here. */
  next: text.optional(),
};

/** The field of a list that takes a filter, whose grammar `parseFilter` describes. */
export const filterText = z
  .string()
  .max(maxFilterCharacters, `must be at most ${maxFilterCharacters} characters long`)
  .meta({
    description:
      'Which rows are listed: conditions such as `connected`, `name:Pump*`, `offline>7d` or `not site.region:north,south`, joined by `and`, `or` and brackets; other words are looked for in the row.',
  });

/** The field of a list that is sorted by one of several names; descending after a minus. */
export function orderOf<const Name extends string>(names: readonly Name[]) {
  return z.enum(names.flatMap((name) => [name, `-${name}`] as const));
}

interface ListOptions<In extends z.ZodRawShape, Out extends z.ZodRawShape> {
  readonly doc: string;
  readonly reads: readonly LiveTopic[];
  readonly input: z.ZodObject<In>;
  readonly output: z.ZodObject<Out>;
}

/**
 * Defines a query whose output is a list that is read page by page: the input also takes `limit` and `after`, the output has `next` when there
 * are more. A page ends after `limit` rows, or earlier when its rows are large. Without `limit` it has up to 10,000 rows unless the doc says otherwise.
 */
export function pagedQuery<In extends z.ZodRawShape, Out extends z.ZodRawShape>({
  doc,
  reads,
  input,
  output,
}: ListOptions<In, Out>): ActionDefinition<
  z.ZodObject<In & typeof pageInput>,
  z.ZodObject<Out & typeof pageOutput>
> & { readonly kind: 'query' } {
  return query({
    doc,
    reads,
    input: z.object({ ...input.shape, ...pageInput }),
    output: z.object({ ...output.shape, ...pageOutput }),
  });
}
