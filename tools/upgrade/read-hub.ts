import { actions, ActionError, ids, isActionName, type ActionName } from '@corral/contract';
import { mapConcurrently } from '@corral/client';
import { z } from 'zod';
import type { Filling } from './fill-hub.ts';

/** A query that was called, with its whole answer: all pages of a list, or the sentence of a refusal. */
export interface Answer {
  readonly reader: keyof Readers;
  readonly name: ActionName;
  readonly input: Readonly<Record<string, unknown>>;
  readonly answer: unknown;
}

type Call = Omit<Answer, 'answer'>;
type Readers = Filling['readers'];

/** Each page starts after the one before; what they take is in the answers of the first one. */
const fieldsOfPages = new Set(['after', 'before', 'limit']);
const maxValuesOfField = 200;
const maxValuesOfChoice = 5;

/**
 * Calls every query of the contract that a hub knows, with all ids that were found in answers before, so that a new kind of data is read
 * without being named. Throws for a query with a field of which neither its schema nor `known` has a value.
 */
export async function readHub({ readers, known }: Pick<Filling, 'readers' | 'known'>): Promise<Answer[]> {
  const answers = new Map<string, Answer | undefined>();
  const found = new Map<string, Set<string>>();
  const queries = Object.keys(actions)
    .filter(isActionName)
    .filter((name) => actions[name].kind === 'query');
  for (let before = -1; before < answers.size;) {
    before = answers.size;
    for (const name of queries) {
      const calls = inputsOf(name, found, known).flatMap((input) =>
        readersOf(input).map((reader) => ({ reader, name, input })),
      );
      const missing = calls.filter((call) => !answers.has(keyOf(call)));
      await mapConcurrently(
        missing,
        async (call) => {
          const answer = await ask(readers, call);
          answers.set(keyOf(call), answer);
          collectIds(answer?.answer, found);
        },
        atOnce,
      );
    }
  }
  return [...answers.values()].filter((answer) => answer !== undefined);
}

/** Calls the same queries once more. */
export async function readAgain(readers: Readers, answers: readonly Answer[]): Promise<Answer[]> {
  return mapConcurrently(
    answers,
    async (answer) => (await ask(readers, answer)) ?? { ...answer, answer: { refused: 'unknown' } },
    atOnce,
  );
}

/** The member reads what is asked of nothing or of a project; the administrator all. */
const readersOf = (input: object): (keyof Readers)[] =>
  Object.keys(input).every((field) => field === 'projectId')
    ? ['administrator', 'member']
    : ['administrator'];

const atOnce = 8;
const keyOf = ({ reader, name, input }: Call): string => `${reader} ${name} ${JSON.stringify(input)}`;

/** Undefined for a query that the hub does not know. */
async function ask(readers: Readers, call: Call): Promise<Answer | undefined> {
  const { invoke } = readers[call.reader];
  try {
    const pages: unknown[] = [];
    for (let after: object | undefined = {}; after !== undefined;) {
      const output: object = await invoke(call.name, { ...call.input, ...after } as never);
      const { next, ...page } = output as { next?: string };
      pages.push(page);
      after = next === undefined ? undefined : { after: next };
    }
    return { ...call, answer: pages };
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    return error.kind === 'UnknownAction' ? undefined : { ...call, answer: { refused: error.message } };
  }
}

type Known = Filling['known'];
type Found = ReadonlyMap<string, ReadonlySet<string>>;

/** The inputs of a query: all combinations of its required fields, and each value of an optional id by itself. */
function inputsOf(name: ActionName, found: Found, known: Known): Record<string, unknown>[] {
  const fields = Object.entries((actions[name].input as z.ZodObject<Record<string, z.ZodType>>).shape);
  const optional = fields.filter(([, schema]) => schema.safeParse(undefined).success);
  let inputs: Record<string, unknown>[] = [{}];
  for (const [field, schema] of fields.filter((each) => !optional.includes(each)))
    inputs = inputs.flatMap((input) =>
      valuesOf(name, field, schema, found, known).map((value) => ({ ...input, [field]: value })),
    );
  const choices = optional
    .filter(([field]) => !fieldsOfPages.has(field))
    .flatMap(([field, schema]) => {
      const values = [...(found.get(kindOf(schema) ?? '') ?? known[field] ?? [])];
      return values.slice(0, maxValuesOfChoice).map((value) => ({ [field]: value }));
    });
  return [...inputs, ...inputs.flatMap((input) => choices.map((choice) => ({ ...input, ...choice })))];
}

function valuesOf(
  name: ActionName,
  field: string,
  schema: z.ZodType,
  found: Found,
  known: Known,
): readonly unknown[] {
  const kind = kindOf(schema);
  if (kind !== undefined) return [...(found.get(kind) ?? [])].slice(0, maxValuesOfField);
  if (Object.hasOwn(known, field)) return known[field] ?? [];
  if (schema instanceof z.ZodEnum) return schema.options;
  throw new Error(`${name} cannot be read: name a value of its field ${field} in fill-hub.ts.`);
}

function kindOf(schema: z.ZodType): string | undefined {
  const inner: unknown = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return Object.entries(ids).find(([, kind]) => (kind.schema as unknown) === inner)?.[0];
}

function collectIds(value: unknown, found: Map<string, Set<string>>): void {
  if (typeof value === 'string') {
    const kind = Object.entries(ids).find(([, { schema }]) => schema.safeParse(value).success)?.[0];
    if (kind !== undefined) found.set(kind, (found.get(kind) ?? new Set()).add(value));
  } else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      collectIds(key, found);
      collectIds(inner, found);
    }
}
