import { checkJsonSchema, type Json } from '@corral/contract';
import { operationCopy } from './copy.ts';

type FieldKind = 'string' | 'password' | 'number' | 'integer' | 'boolean' | 'choice' | 'json';

/** A field of the form of a command, as the schema of its input describes it. */
export interface SchemaField {
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
  readonly choices: readonly Json[];
  /** What the field has at first. */
  readonly initial: string | boolean;
}

/** What was typed into the form of a command: by the names of its fields; without fields the input as JSON, under the name "". */
export type TypedInput = Readonly<Record<string, string | boolean>>;

/** The input of a command, or what is wrong with what was typed: by the names of the fields, and under "" of the whole. */
export type ReadInput =
  | { readonly input: Json; readonly problems?: undefined }
  | { readonly input?: undefined; readonly problems: ReadonlyMap<string, string> };

type SchemaObject = Readonly<Record<string, Json>>;

const isObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const maxFields = 40;
const maxChoices = 100;

/** The fields of the input of a command; undefined where its schema is not that of an object, and the input is typed as JSON. */
export function schemaFields(schema: Json | undefined): readonly SchemaField[] | undefined {
  if (!isObject(schema)) return undefined;
  const { properties, required, type } = schema;
  if (type !== undefined && type !== 'object') return undefined;
  if (!isObject(properties)) return type === 'object' && properties === undefined ? [] : undefined;
  const names = Object.keys(properties);
  if (names.length > maxFields) return undefined;
  const needed = Array.isArray(required) ? required : [];
  const fields = names.map((name) => fieldOf(name, properties[name], needed.includes(name)));
  // The hub keeps no order of the names.
  return fields.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

function fieldOf(name: string, schema: Json | undefined, isRequired: boolean): SchemaField {
  const own = isObject(schema) ? schema : {};
  const choices = Array.isArray(own['enum']) && own['enum'].length <= maxChoices ? own['enum'] : [];
  const kind = choices.length > 0 ? 'choice' : kindOf(own);
  return {
    name,
    label: textOf(own['title']) ?? name,
    kind,
    isRequired,
    description: textOf(own['description']),
    choices,
    initial: initialOf(kind, own['default']),
  };
}

function kindOf({ type, format, writeOnly }: SchemaObject): FieldKind {
  switch (type) {
    case 'string':
      return format === 'password' || writeOnly === true ? 'password' : 'string';
    case 'number':
    case 'integer':
    case 'boolean':
      return type;
    default:
      return 'json';
  }
}

function initialOf(kind: FieldKind, value: Json | undefined): string | boolean {
  if (value === undefined) return '';
  if (kind === 'boolean') return value === true;
  return typeof value === 'string' && kind !== 'json' && kind !== 'choice' ? value : JSON.stringify(value);
}

/** The input that was typed, checked against the schema of the command. */
export function readInput(schema: Json | undefined, typed: TypedInput): ReadInput {
  const fields = schemaFields(schema);
  const problems = new Map<string, string>();
  const words = operationCopy.form;
  if (fields === undefined) {
    const text = String(typed[''] ?? '').trim();
    const read = text === '' ? { value: {} } : parseJson(text);
    if (read === undefined) return { problems: problems.set('', words.notJson) };
    return checked(schema, read.value, problems);
  }
  const input: Record<string, Json> = {};
  for (const field of fields) {
    const value = typed[field.name] ?? field.initial;
    if (value === '') {
      if (field.isRequired && field.kind === 'boolean') input[field.name] = false;
      else if (field.isRequired) problems.set(field.name, words.required);
      continue;
    }
    const read = valueOf(field, value);
    if (typeof read === 'string') problems.set(field.name, read);
    else input[field.name] = read.value;
  }
  return problems.size > 0 ? { problems } : checked(schema, input, problems);
}

/** The value of a field that is not empty, or why it has none. */
function valueOf({ kind }: SchemaField, value: string | boolean): { value: Json } | string {
  const words = operationCopy.form;
  if (typeof value === 'boolean') return { value };
  switch (kind) {
    case 'number':
      return Number.isFinite(Number(value)) ? { value: Number(value) } : words.notNumber;
    case 'integer':
      return Number.isSafeInteger(Number(value)) ? { value: Number(value) } : words.notInteger;
    case 'choice':
    case 'json':
      return parseJson(value) ?? words.notJson;
    default:
      return { value };
  }
}

function checked(schema: Json | undefined, input: Json, problems: Map<string, string>): ReadInput {
  const problem = checkJsonSchema(schema, input);
  if (problem === undefined) return { input };
  const [, name = ''] = /^[./]?([\w-]+)/u.exec(problem.path) ?? [];
  const isField = isObject(input) && name in input;
  return { problems: problems.set(isField ? name : '', sentenceOf(problem, isField)) };
}

function sentenceOf({ path, message }: { path: string; message: string }, isField: boolean): string {
  return isField ? operationCopy.form.wrong(message) : operationCopy.form.wrongAt(path, message);
}

/** A JSON value in a text; undefined if there is none. */
export function parseJson(text: string): { value: Json } | undefined {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}
