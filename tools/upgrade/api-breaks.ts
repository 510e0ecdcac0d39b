/** The parts of an OpenAPI document that clients rely on. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, { readonly post: Operation }>>;
}

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

interface Schema {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

type Side = 'input' | 'output';

/** What a client of an earlier document can no longer do or read with a later one; empty if the API has only grown. */
export function apiBreaks(before: ApiDocument, after: ApiDocument): string[] {
  return Object.entries(before.paths).flatMap(([path, { post }]) => {
    const later = after.paths[path]?.post;
    if (later === undefined) return [`${post.operationId} is gone`];
    const of = (side: Side, operation: Operation): Schema | undefined =>
      (side === 'input' ? operation.requestBody : operation.responses['200'])?.content?.['application/json']
        ?.schema;
    return (['input', 'output'] as const).flatMap((side) => {
      const schema = of(side, post);
      // The newer name of an action refers to it.
      return schema === undefined ? [] : breaks(schema, of(side, later), side, `${post.operationId} ${side}`);
    });
  });
}

function breaks(before: Schema, after: Schema | undefined, side: Side, path: string): string[] {
  if (after === undefined) return [`${path} is gone`];
  if (JSON.stringify(before.type) !== JSON.stringify(after.type)) return [`${path} has another type`];
  const [needed, need] = side === 'input' ? [after, before] : [before, after];
  const word = side === 'input' ? 'is required now' : 'may be absent now';
  const kinds = [...(after.anyOf ?? []), ...(after.oneOf ?? [])];
  return [
    ...(needed.required ?? [])
      .filter((field) => !(need.required ?? []).includes(field))
      .map((field) => `${path}.${field} ${word}`),
    ...(side === 'output'
      ? []
      : (before.enum ?? []).filter((value) => after.enum?.includes(value) === false)
    ).map((value) => `${path} no longer takes ${String(value)}`),
    ...Object.entries(before.properties ?? {}).flatMap(([field, schema]) =>
      breaks(schema, after.properties?.[field], side, `${path}.${field}`),
    ),
    ...(before.items === undefined ? [] : breaks(before.items, after.items, side, `${path}[]`)),
    ...[...(before.anyOf ?? []), ...(before.oneOf ?? [])]
      .filter((kind) => !kinds.some((each) => breaks(kind, each, side, path).length === 0))
      .map(() => `${path} has lost or changed one of its kinds`),
  ];
}
