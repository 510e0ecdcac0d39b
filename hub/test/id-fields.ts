import { actions, ids, type ActionName } from '@corral/contract';
import { z } from 'zod';

/** The kinds of ids that name something; the other kinds are secrets. */
export const nameKinds = [
  'clusterNode',
  'user',
  'organization',
  'userTokenId',
  'session',
  'project',
  'deploymentTokenId',
  'device',
  'deviceCertificate',
  'deviceConnection',
  'auditEvent',
  'auditAction',
] as const;

/** See `nameKinds`. */
export type NameKind = (typeof nameKinds)[number];

/** A field of an action's input by which the caller names something. */
export interface IdField {
  readonly action: ActionName;
  readonly field: string;
  readonly kind: NameKind;
}

/** The fields of an action's input, by name. */
export function inputFields(action: ActionName): Record<string, z.ZodType> {
  return (actions[action].input as z.ZodObject<Record<string, z.ZodType>>).shape;
}

/** What kind of thing a field names; undefined where it names nothing. */
export function nameKindOf(schema: z.ZodType): NameKind | undefined {
  const inner: unknown = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return nameKinds.find((kind) => ids[kind].schema === inner);
}

/** The fields by which an action's caller names something, optional ones among them. */
export function idFieldsOf(action: ActionName): IdField[] {
  return Object.entries(inputFields(action)).flatMap(([field, schema]) => {
    const kind = nameKindOf(schema);
    return kind === undefined ? [] : [{ action, field, kind }];
  });
}
