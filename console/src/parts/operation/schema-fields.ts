import { checkJsonSchema, type Json, parseExactJson } from '@corral/contract';
import { jsonText } from '../../ui/text/json-text.ts';
import { operationCopy } from './copy.ts';

type FieldKind = 'string' | 'number' | 'integer' | 'boolean' | 'choice' | 'json';

/** A field of the form of a command, as the schema of its input describes it. */
export interface SchemaField {
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  /** Not shown while it is typed, and in no command. */
  readonly isSecret: boolean;
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
  const { properties = {}, required, type, additionalProperties } = schema;
  if ((type !== undefined && type !== 'object') || !isObject(properties)) return undefined;
  const names = Object.keys(properties);
  if (names.length === 0) return additionalProperties === false || saysNothing(schema) ? [] : undefined;
  const needed = Array.isArray(required) ? required : [];
  const hasAllNeeded = needed.every((name) => names.includes(String(name)));
  if (names.length > maxFields || !hasAllNeeded) return undefined;
  const fields = names.map((name) => fieldOf(name, properties[name], needed.includes(name)));
  // The hub keeps no order of the names.
  return fields.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

const annotations = new Set(['$schema', '$id', '$comment', 'title', 'description', 'properties']);

/** Whether a schema says nothing but that it is of an object. */
function saysNothing(schema: SchemaObject): boolean {
  return (
    schema['type'] === 'object' && Object.keys(schema).every((key) => key === 'type' || annotations.has(key))
  );
}

const isSecretSchema = ({ format, writeOnly }: SchemaObject) => format === 'password' || writeOnly === true;

/** Whether a schema has a secret anywhere. */
export function hasSecret(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasSecret);
  return isObject(schema) && (isSecretSchema(schema) || Object.values(schema).some(hasSecret));
}

/** Whether the input is typed as JSON: without fields, or where it was before fields were known. */
export function isTypedAsJson(fields: readonly SchemaField[] | undefined, typed: TypedInput): boolean {
  return fields === undefined || jsonOf(typed) !== '';
}

const jsonOf = (typed: TypedInput): string => String(typed[''] ?? '').trim();

/** What is in a field. */
export function typedOf({ name, initial }: SchemaField, typed: TypedInput): string | boolean {
  return Object.hasOwn(typed, name) ? (typed[name] ?? initial) : initial;
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
    isSecret: isSecretSchema(own),
    description: textOf(own['description']),
    choices,
    initial: initialOf(kind, own['default']),
  };
}

function kindOf({ type }: SchemaObject): FieldKind {
  switch (type) {
    case 'string':
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
  return typeof value === 'string' && kind !== 'json' && kind !== 'choice' ? value : jsonText(value);
}

/** The input that was typed, checked against the schema of the command. */
export function readInput(schema: Json | undefined, typed: TypedInput): ReadInput {
  const fields = schemaFields(schema);
  const problems = new Map<string, string>();
  const words = operationCopy.form;
  if (fields === undefined || isTypedAsJson(fields, typed)) {
    const text = jsonOf(typed);
    // Nothing that was typed into a form is replaced by an empty input.
    if (text === '' && Object.values(typed).some((value) => value !== ''))
      return { problems: problems.set('', words.otherForm) };
    const read = text === '' ? { value: {} } : parseJson(text);
    if (read === undefined) return { problems: problems.set('', words.notJson) };
    return checked(schema, read.value, problems);
  }
  const input = new Map<string, Json>();
  for (const field of fields) {
    const value = typedOf(field, typed);
    if (isEmpty(field, value)) {
      if (field.isRequired && field.kind === 'boolean') input.set(field.name, false);
      else if (field.isRequired) problems.set(field.name, words.required);
      continue;
    }
    const read = valueOf(field, value);
    if (typeof read === 'string') problems.set(field.name, read);
    else input.set(field.name, read.value);
  }
  return problems.size > 0 ? { problems } : checked(schema, Object.fromEntries(input), problems);
}

/** Whether a field has nothing; blanks are something only in a text. */
export function isEmpty({ kind }: SchemaField, value: string | boolean): boolean {
  return typeof value === 'string' && (kind === 'string' ? value : value.trim()) === '';
}

/** The value of a field that is not empty, or why it has none. */
function valueOf({ kind, choices }: SchemaField, value: string | boolean): { value: Json } | string {
  const words = operationCopy.form;
  if (typeof value === 'boolean') return { value };
  switch (kind) {
    case 'number':
      return numberOf(value) ?? words.notNumber;
    case 'integer': {
      const read = numberOf(value);
      return read !== undefined && checkJsonSchema({ type: 'integer' }, read.value) === undefined
        ? read
        : words.notInteger;
    }
    case 'choice':
      // A secret one is typed, as it is or as JSON.
      return choices.includes(value) ? { value } : (parseJson(value) ?? { value });
    case 'json':
      return parseJson(value) ?? words.notJson;
    default:
      return { value };
  }
}

/** A number in decimal notation; an integer keeps all its digits. */
function numberOf(typed: string): { value: Json } | undefined {
  const text = typed.trim();
  if (/^-?\d+$/u.test(text)) return parseJson(text.replace(/^(-?)0+(?=\d)/u, '$1'));
  if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/iu.test(text) || !Number.isFinite(Number(text))) return undefined;
  return { value: Number(text) };
}

function checked(schema: Json | undefined, input: Json, problems: Map<string, string>): ReadInput {
  const problem = checkJsonSchema(schema, input);
  if (problem === undefined) return { input };
  const [, name = ''] = /^[./]?([\w-]+)/u.exec(problem.path) ?? [];
  const isField = isObject(input) && Object.hasOwn(input, name);
  return { problems: problems.set(isField ? name : '', sentenceOf(problem, isField)) };
}

function sentenceOf({ path, message }: { path: string; message: string }, isField: boolean): string {
  return isField ? operationCopy.form.wrong(message) : operationCopy.form.wrongAt(path, message);
}

/** A JSON value in a text, whose integers keep all their digits; undefined if there is none. */
export function parseJson(text: string): { value: Json } | undefined {
  try {
    return { value: parseExactJson(text) as Json };
  } catch {
    return undefined;
  }
}
