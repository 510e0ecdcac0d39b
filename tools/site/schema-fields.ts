/** A JSON Schema, as far as the API uses it. */
export interface Schema {
  readonly type?: string;
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** A field of an input or output; `path` names those around it, such as `devices[].name`. */
export interface Field {
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly about: string;
}

/** What a page says of the schemas that it shows. */
export interface Shown {
  /** The words for schemas that are referred to by name. */
  readonly named: Readonly<Record<string, string>>;
  /** Where objects with many fields stand that the page has shown, by their schemas. */
  readonly places: Map<string, Place>;
}

/** Where an object is shown: the input or output of an action, and the path of the field in it. */
interface Place {
  readonly of: string;
  readonly path: string;
}

/** An object with fewer fields is repeated where it is used again. */
const manyFields = 3;

/** Whole numbers up to these are not worth saying. */
const anyNumber = new Set([2 ** 32 - 1, Number.MAX_SAFE_INTEGER]);

/** The fields of an object and of the objects in it, from outside to inside; what the page has shown before is referred to. */
export function fieldsOf(schema: Schema, of: string, shown: Shown): Field[] {
  return within(schema, { of, path: '' }, shown);
}

function within(schema: Schema, place: Place, shown: Shown): Field[] {
  const { of, path } = place;
  const variants = variantsOf(schema);
  if (variants.length > 0)
    return variants.flatMap((variant) => within(variant, { of, path: path + kindOf(variant) }, shown));
  if (schema.items !== undefined) return within(schema.items, { of, path: `${path}[]` }, shown);
  if (typeof schema.additionalProperties === 'object')
    return within(schema.additionalProperties, { of, path: `${path}.*` }, shown);
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const own = { of, path: path === '' ? name : `${path}.${name}` };
    const key = JSON.stringify(innermost(property));
    const before = shown.places.get(key);
    const inner = before === undefined ? within(property, own, shown) : [];
    if (inner.length >= manyFields) shown.places.set(key, own);
    const field = {
      path: own.path,
      type: typeOf(property, shown.named) + (before === undefined ? '' : `, as ${linkTo(before, of)}`),
      isRequired: schema.required?.includes(name) ?? false,
      about: property.description ?? '',
    };
    return [field, ...inner];
  });
}

/** What a list or a map is of. */
function innermost(schema: Schema): Schema {
  const inner = schema.items ?? schema.additionalProperties;
  return typeof inner === 'object' ? innermost(inner) : schema;
}

function linkTo({ of, path }: Place, from: string): string {
  const name = code(path);
  return of === from ? `${name} above` : `${name} of [${of}](#${of.toLowerCase()})`;
}

/** The alternatives of a schema that are objects. */
function variantsOf({ oneOf, anyOf }: Schema): readonly Schema[] {
  return (oneOf ?? anyOf ?? []).filter((each) => each.properties !== undefined || each.items !== undefined);
}

/** By which an alternative is told from the others, such as `(Created)`. */
function kindOf({ properties = {} }: Schema): string {
  const constant = Object.values(properties).find((property) => property.const !== undefined)?.const;
  return constant === undefined ? '' : `(${String(constant)})`;
}

function typeOf(schema: Schema, named: Readonly<Record<string, string>>): string {
  const { $ref, type, oneOf, anyOf, items, additionalProperties } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return named[name] ?? name;
  }
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  const alternatives = oneOf ?? anyOf;
  if (alternatives !== undefined)
    return [...new Set(alternatives.map((each) => typeOf(each, named)))].join(' or ');
  if (items !== undefined)
    return `list of ${typeOf(items, named)}${schema.maxItems === undefined ? '' : `, up to ${figure(schema.maxItems)}`}`;
  if (type === 'object')
    return typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
      ? `object of ${typeOf(additionalProperties, named)}`
      : 'object';
  if (type === 'string') return textType(schema);
  if (type === 'integer' || type === 'number') return numberType(schema);
  if (type === 'boolean') return '`true` or `false`';
  return type === 'null' ? '`null`' : 'any JSON';
}

function textType({ format, pattern = '', maxLength }: Schema): string {
  if (format === 'date-time') return 'time';
  const [, prefix] = /^\^([a-z_]+_)\[/.exec(pattern) ?? [];
  if (prefix !== undefined) return `id \`${prefix}…\``;
  const kind = format === 'email' ? 'e-mail address' : format === 'uri' ? 'URL' : 'text';
  return maxLength === undefined ? kind : `${kind}, up to ${figure(maxLength)} characters`;
}

function numberType({ type, minimum, maximum }: Schema): string {
  const kind = type === 'integer' ? 'whole number' : 'number';
  const most = maximum === undefined || anyNumber.has(maximum) ? undefined : figure(maximum);
  const isFromZero = minimum === undefined || minimum === 0 || minimum === Number.MIN_SAFE_INTEGER;
  if (most === undefined) return isFromZero ? kind : `${kind} from ${figure(minimum)}`;
  return `${kind}, ${isFromZero && minimum === undefined ? `up to ${most}` : `${figure(minimum ?? 0)} to ${most}`}`;
}

const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
const figure = (value: number): string => value.toLocaleString('en-GB');

/** An input with the required fields, each with a value of its type. */
export function exampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [variant] = schema.oneOf ?? schema.anyOf ?? [];
  if (variant !== undefined) return exampleOf(variant);
  if (schema.properties !== undefined)
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([key]) => schema.required?.includes(key))
        .map(([key, property]) => [key, exampleOf(property)]),
    );
  if (schema.type === 'array') return schema.items === undefined ? [] : [exampleOf(schema.items)];
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(schema.minimum ?? 1, 1);
  if (schema.type === 'boolean') return true;
  if (schema.type !== 'string') return schema.type === 'object' ? {} : null;
  if (schema.format === 'date-time') return '2027-01-31T12:00:00Z';
  if (schema.format === 'email') return 'ada@example.org';
  const [, prefix] = /^\^([a-z_]+_)\[/.exec(schema.pattern ?? '') ?? [];
  return prefix === undefined ? '…' : `${prefix}…`;
}
