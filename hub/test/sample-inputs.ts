import { ids, type ActionName } from '@corral/contract';
import { z } from 'zod';
import { newDatedRawId } from '../src/auth/random.ts';
import { absentId } from './fresh-executor.ts';
import { inputFields, nameKindOf, type NameKind } from './id-fields.ts';
import { newCertificate, newFingerprint } from './seed.ts';

/** Values for fields whose schema alone does not say what a handler accepts. */
function namedSamples(now: Date, things: NamedThings): Record<string, unknown> {
  const event = { severity: 'Info', body: 1, attributes: {}, emittedAt: now.toISOString() };
  return {
    alertIds: [things.alert],
    activationToken: 'nobody signed this',
    // The hub makes an authority.
    certificatePem: undefined,
    keyPem: undefined,
    change: { kind: 'Accept' },
    condition: { kind: 'Offline', forSecs: 60 },
    config: { enabled: false, headers: {} },
    digest: `sha256_${'7'.repeat(64)}`,
    displayName: 'Somebody',
    email: 'somebody@example.org',
    events: [{ ...event, eventId: ids.deviceEvent.of(newDatedRawId(now)) }],
    flags: { autoAccept: false },
    isAdmin: true,
    jobId: ids.job.of(newDatedRawId(now)),
    jwt: 'nobody signed this',
    key: 'registration',
    mailId: '20261120-1100-AAAAAAAA',
    metadata: { site: 'north' },
    password: 'a long enough password 7',
    query: 'all',
    remoteAddress: '192.0.2.1',
    retentionMonths: 12,
    // Nobody answers there.
    s3Endpoint: 'http://127.0.0.1:1',
    s3Bucket: 'assets',
    s3Config: {
      endpoint: 'http://127.0.0.1:1',
      bucket: 'assets',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
    },
    maxInFlight: 5,
    pairingKey: 'ABCDE-FGHJK',
    selector: { query: 'all', predicates: [] },
    steps: [{ kind: 'RemoveDeviceProperty', name: 'ring' }],
    which: ['Failed'],
    size: 1,
    status: 'Active',
    stepIndex: 0,
    types: ['devices_*'],
    until: new Date(now.getTime() + 3_600_000).toISOString(),
    url: 'https://hooks.example/x',
    value: 'closed',
    storageKey: `repository/sha256/77/77/${'7'.repeat(64)}`,
    name: 'x',
  };
}

/** The value of a field that names an entity. */
export type NamedThings = Readonly<Record<NameKind, string>>;

/**
 * A valid input of an action, for tests that call every action. Fields that name something take the given ids, and optional ones of them
 * are left out; `set` overrides fields. Other fields are set by their schema, or by `namedSamples` where that does not suffice.
 */
export function sampleInput(
  action: ActionName,
  things: NamedThings,
  now: Date,
  set: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const named = namedSamples(now, things);
  const entries = Object.entries(inputFields(action)).map(([field, schema]) => {
    if (Object.hasOwn(set, field)) return [field, set[field]];
    const kind = nameKindOf(schema);
    if (kind !== undefined) return [field, schema instanceof z.ZodOptional ? undefined : things[kind]];
    // A name may mean something else in another action.
    const isNamed = Object.hasOwn(named, field) && z.safeParse(schema, named[field]).success;
    return [field, isNamed ? named[field] : (namesIn(schema, things) ?? sampleOf(schema))];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}

/** One of the given ids, for a list of ids that may not be empty; undefined for any other field. */
function namesIn(schema: z.ZodType, things: NamedThings): string[] | undefined {
  if (!(schema instanceof z.ZodArray) || schema.safeParse([]).success) return undefined;
  const kind = nameKindOf(schema.element as z.ZodType);
  return kind === undefined ? undefined : [things[kind]];
}

/** The smallest value that a schema accepts; undefined where it is optional. */
function sampleOf(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodOptional) return undefined;
  if (schema === ids.deviceFingerprint.schema) return newFingerprint();
  const id = Object.entries(ids).find(([, kind]) => (kind.schema as unknown) === schema);
  if (id !== undefined) return absentId(id[0] as keyof typeof ids);
  if (schema instanceof z.ZodPipe) return newCertificate();
  if (schema instanceof z.ZodObject) return sampleObject(schema);
  if (schema instanceof z.ZodArray) return [];
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodBoolean) return true;
  if (schema instanceof z.ZodRecord) return {};
  return schema instanceof z.ZodString ? 'x' : 1;
}

function sampleObject({ shape }: z.ZodObject): Record<string, unknown> {
  const entries = Object.entries(shape).map(([field, schema]) => [field, sampleOf(schema)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
