import { actions, ids, type ActionName } from '@corral/contract';
import { z } from 'zod';

/** The kinds of ids that name an entity; the other kinds are secrets. */
export const nameKinds = [
  'clusterNode',
  'user',
  'organization',
  'userTokenId',
  'session',
  'project',
  'projectInvitation',
  'deploymentTokenId',
  'device',
  'deviceCertificate',
  'certificateAuthority',
  'deviceConnection',
  'pairingKey',
  'deviceOperation',
  'fleetOperation',
  'fleetJob',
  'webhook',
  'webhookMessage',
  'alertRule',
  'alert',
  'alertMute',
  'terminal',
  'repository',
  'repositoryInvitation',
  'publisher',
  'package',
  'packageVersion',
  'asset',
  'auditEvent',
  'auditAction',
] as const;

/** See `nameKinds`. */
export type NameKind = (typeof nameKinds)[number];

/** An input field that names an entity. */
export interface IdField {
  readonly action: ActionName;
  readonly field: string;
  readonly kind: NameKind;
}

/** The fields of an action's input, by name. */
export function inputFields(action: ActionName): Record<string, z.ZodType> {
  return (actions[action].input as z.ZodObject<Record<string, z.ZodType>>).shape;
}

/** The kind of entity that a field names; undefined where it names none. */
export function nameKindOf(schema: z.ZodType): NameKind | undefined {
  const inner: unknown = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return nameKinds.find((kind) => ids[kind].schema === inner);
}

/** The fields of an action's input that name an entity, including optional fields. */
export function idFieldsOf(action: ActionName): IdField[] {
  return Object.entries(inputFields(action)).flatMap(([field, schema]) => {
    const kind = nameKindOf(schema);
    return kind === undefined ? [] : [{ action, field, kind }];
  });
}
