import { type ActionDefinition, actions } from '@corral/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { auditData } from './audit.ts';
import { auditedFields } from './audited-fields.ts';

/** Fields of commands that the audit log must never show, because they are or may hold secrets. */
const secret = [
  'attestationObject',
  'clientDataJSON',
  // Its path may be a secret of the receiver.
  'url',
  'code',
  'credential',
  'credentialId',
  'accessKeyId',
  'activationToken',
  'attributes',
  'body',
  // Somebody may paste the key here; the event has the fingerprint.
  'certificatePem',
  'claims',
  'currentPassword',
  'endpoint',
  'fingerprint',
  'headers',
  'idToken',
  'input',
  'invitationToken',
  'keyPem',
  'metadata',
  'pairingKey',
  'password',
  'publicEndpoint',
  's3AccessKeyId',
  's3SecretAccessKey',
  'secret',
  // Who somebody is at a provider; the row has the user.
  'subject',
  'secretAccessKey',
  'token',
  'transports',
  'userCode',
  'value',
];

/** Fields that only commands without an audit row have, which devices call all day. */
const unrecorded = [
  'category',
  'checkpoint',
  'claimId',
  'emittedAt',
  'error',
  'eventId',
  'events',
  'expectedVersion',
  'kinds',
  'limit',
  'output',
  'receivedAt',
  'report',
  'request',
];

/** The names of all fields that the inputs of commands may have, at every depth. */
function commandFields(of: (definition: ActionDefinition) => boolean = () => true): Set<string> {
  const names = new Set<string>();
  for (const definition of Object.values<ActionDefinition>(actions)) {
    if (definition.kind === 'command' && of(definition))
      collect(z.toJSONSchema(definition.input, { io: 'input', unrepresentable: 'any' }), names);
  }
  return names;
}

function collect(schema: unknown, names: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties } = schema as { properties?: Record<string, unknown> };
  for (const name of Object.keys(properties ?? {})) names.add(name);
  for (const part of Object.values(properties ?? schema)) collect(part, names);
}

test('for every field of a command it is decided whether the audit log shows it', () => {
  const decided = new Set([...auditedFields, ...secret, ...unrecorded]);
  expect([...commandFields()].filter((name) => !decided.has(name))).toEqual([]);
});

test('no field is decided twice, and every listed secret is a field of a command', () => {
  const fields = commandFields();
  expect([...secret, ...unrecorded].filter((name) => auditedFields.has(name))).toEqual([]);
  expect([...secret, ...unrecorded].filter((name) => !fields.has(name))).toEqual([]);
});

test('no field of a recorded command is on the list of unrecorded fields', () => {
  const recorded = commandFields(({ audit }) => audit === 'recorded');
  expect(unrecorded.filter((name) => recorded.has(name))).toEqual([]);
});

test('unlisted fields are left out, at every depth', () => {
  const input = {
    name: 'Farm',
    password: 'canary',
    flags: { autoAccept: true, other: 'canary' },
    tags: [{ tag: 'v1', locked: false, note: 'canary' }],
    metadata: { name: 'canary' },
    displayName: undefined,
  };
  expect(auditData(input)).toEqual({
    name: 'Farm',
    flags: { autoAccept: true },
    tags: [{ tag: 'v1', locked: false }],
  });
  expect(auditData({})).toEqual({});
});
