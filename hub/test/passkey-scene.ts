import type { Output, PasskeyAssertion, PasskeyRequest } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect } from 'vitest';
import { httpHub, type HttpHub } from './http-hub.ts';
import { type Deviations, softwarePasskey, type SoftwarePasskey } from './software-authenticator.ts';

/** Where the hub is. */
export const origin = 'https://hub.example.org';
/** No certificates by a header. */
export const off = { CORRAL_DEVICE_CERTIFICATE_HEADER: 'off' };
const env = { CORRAL_PUBLIC_URL: origin, ...off };
/** Of the first person. */
export const email = 'ada@example.org';
/** Of everybody. */
export const password = 'correct horse battery';
/** A hub, and another node of it. */
export let hub: HttpHub;
/** See `hub`. */
export let other: HttpHub;
/** Opens both for the tests of a file. */
export function openPasskeyHubs(): void {
  beforeAll(async () => {
    hub = await httpHub({ env });
    const { database } = hub;
    other = await httpHub({ env, database: { ...database, [Symbol.asyncDispose]: async () => {} } });
  });
  afterAll(async () => {
    await other[Symbol.asyncDispose]();
    await hub[Symbol.asyncDispose]();
  });
}

let people = 0;

/** Somebody with a session. */
export async function somebody(isAdmin = false) {
  people += 1;
  const address = people === 1 ? email : `person${people}@example.org`;
  const { userId } = await hub.user(address, { password, isAdmin });
  const cookie = await hub.signIn(address, password);
  const invoke = (name: string, input: unknown) => hub.invoke(name, input, { cookie });
  return { email: address, userId, invoke };
}

/** Somebody with a session. */
export type Person = Awaited<ReturnType<typeof somebody>>;

/** What the hub asks of a new passkey. */
export const begin = async ({ invoke }: Person) =>
  (await invoke('users_BeginPasskeyRegistration', {})).json as Output<'users_BeginPasskeyRegistration'>;

/** Adds a passkey to somebody. */
export async function add(person: Person, passkey: SoftwarePasskey, more: Deviations = {}, name = 'Laptop') {
  const credential = passkey.create(await begin(person), more);
  return person.invoke('users_AddPasskey', { name, credential });
}

/** Somebody with a passkey. */
export async function withPasskey(isAdmin = false) {
  const person = await somebody(isAdmin);
  const passkey = softwarePasskey(origin);
  const added = await add(person, passkey);
  expect(added.status).toBe(200);
  return { ...person, passkey, recoveryCodes: added.json['recoveryCodes'] as string[] | undefined };
}

/** The second factors of somebody. */
export const factorsOf = async ({ invoke, userId }: Person) =>
  (await invoke('users_GetSecondFactors', { userId })).json as unknown as Output<'users_GetSecondFactors'>;

/** Types the password; the cookie of the sign-in that waits, and what it asks of a passkey. */
export async function typePassword(person: Person) {
  const { headers, json } = await hub.post('/api/private/login', { email: person.email, password });
  expect(json).toEqual({ wants: 'factor' });
  const cookie = (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
  const step = (await hub.post('/api/private/login/step', {}, { cookie })).json;
  return { cookie, step, request: step['passkey'] as PasskeyRequest };
}

/** Answers a sign-in that waits. */
export const answer = (cookie: string, passkey: PasskeyAssertion) =>
  hub.post('/api/private/login/factor', { passkey }, { cookie });

/** A challenge for a sign-in without a password. */
export const challenge = async (at = hub) =>
  (await at.post('/api/private/login/passkey/challenge', {})).json as unknown as PasskeyRequest;
/** Signs in without a password. */
export const enter = (passkey: PasskeyAssertion, at = hub, more = {}) =>
  at.post('/api/private/login/passkey', { passkey, ...more });

/** The data of the events of a name. */
export const eventsOf = async (name: string) =>
  (
    await sql<{ data: Record<string, unknown> }>`
      select data from audit_events where event = ${name} order by event_id`.execute(hub.database.db)
  ).rows.map(({ data }) => data);
