import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chunksOverChannel, chunksOverHttp, type CallInChunks } from '../../test/call-in-chunks.ts';
import { longestBlockMs } from '../../test/longest-block.ts';
import { refusalScene, type RefusalScene } from '../../test/refusal-scene.ts';
import type { Database } from '../platform/db/connect.ts';
import { allowLongStatements } from '../platform/db/allow-long-statements.ts';

const fullPage = 10_000;
const commandsProperty = 'dev.nexigon.commands';

let at: RefusalScene;
let authorization: string;
let token: string;
beforeAll(async () => {
  at = await refusalScene();
  const { hub } = at.transports;
  await seedRows();
  const { json } = await hub.invoke('actor_GetActor', {}, { cookie: at.owner });
  const { userId } = json['actor'] as { userId: string };
  const made = await hub.invoke('users_CreateUserToken', { userId }, { cookie: at.owner });
  token = String(made.json['token']);
  authorization = `Bearer ${token}`;
}, 120_000);
afterAll(() => at[Symbol.asyncDispose]());

type Measure = (call: CallInChunks) => Promise<unknown>;

const callers: Readonly<Record<'HTTP' | 'a channel', (measure: Measure) => Promise<unknown>>> = {
  HTTP: (measure) => measure(chunksOverHttp(at.transports.hub.url, { authorization })),
  'a channel': async (measure) => {
    const headers = { authorization, 'x-user-token': token, 'x-register-connection': 'true' };
    const commandLine = await at.transports.connect(headers);
    await measure(chunksOverChannel(commandLine)).finally(() => commandLine.connection.close(''));
  },
};

/** Gives the project more devices, members and tokens than fit on a page. */
async function seedRows(): Promise<void> {
  await at.transports.hub.database.db.transaction().execute(async (tx) => {
    await allowLongStatements(tx);
    await insertRows(tx);
  });
}

async function insertRows(db: Database): Promise<void> {
  const project = ids.project.raw(at.id('project') as never);
  const rowId = sql`translate(substr(md5(i::text), 1, 22), '0l', 'xy')`;
  const rows = sql`generate_series(1, ${fullPage + 10}::int) i`;
  await sql`insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, name, created_at)
    select ${rowId}, ${project}, i::text, '', 'Press ' || i, now() from ${rows}`.execute(db);
  await sql`insert into device_properties (device_id, name, value, is_protected, updated_at)
    select ${rowId}, 'dev.nexigon.system.info', '{"hostname":"press"}', false, now() from ${rows}`.execute(
    db,
  );
  await sql`insert into users (user_id, email, display_name, created_at)
    select ${rowId}, i || '@example.com', 'Somebody', now() from ${rows}`.execute(db);
  await sql`insert into project_members (project_id, user_id, is_owner, added_at)
    select ${project}, ${rowId}, false, now() from ${rows}`.execute(db);
  await sql`insert into deployment_tokens (token_id, secret_hash, project_id, name, auto_accept, created_at)
    select ${rowId}, '', ${project}, 'line', true, now() from ${rows}`.execute(db);
  await sql`analyze`.execute(db);
}

/** Replaces the properties of the device; the values are JSON text. */
async function setProperties(values: readonly (readonly [name: string, value: string])[]): Promise<void> {
  const { db } = at.transports.hub.database;
  const device = ids.device.raw(at.id('device') as never);
  await db.deleteFrom('device_properties').where('device_id', '=', device).execute();
  const rows = values.map(([name, value]) => ({
    device_id: device,
    name,
    value,
    is_protected: false,
    updated_at: new Date(),
  }));
  for (const row of rows) await db.insertInto('device_properties').values(row).execute();
}

const list = (count: number, item: (index: number) => string) =>
  `[${Array.from({ length: count }, (_, index) => item(index)).join(',')}]`;

/** The most expensive values that a property may have, for about so many bytes. */
const shapes: Readonly<Record<string, (sizeBytes: number) => string>> = {
  numbers: (sizeBytes) => list(Math.min(99_000, sizeBytes / 8), (index) => `${index % 10}.5e-30`),
  'empty lists': (sizeBytes) => list(Math.min(49_000, sizeBytes / 4), () => '[]'),
  objects: (sizeBytes) => list(Math.min(19_000, sizeBytes / 14), (index) => `{"k${index}":0}`),
  escapes: (sizeBytes) => `"${'\\n'.repeat(sizeBytes / 2 - 10)}"`,
  'text that is not ASCII': (sizeBytes) => `"${'é'.repeat(sizeBytes / 2 - 10)}"`,
};

const inProject = () => ({ projectId: at.id('project') });
const lists: readonly (readonly [name: string, field: string, input: () => object])[] = [
  ['devices_QueryDevices', 'devices', () => ({})],
  ['projects_QueryProjectDevices', 'devices', inProject],
  ['projects_QueryProjectMembers', 'users', inProject],
  ['projects_QueryProjectDeploymentTokens', 'tokens', inProject],
];

const maxTurnMs = 50;

describe.each(['HTTP', 'a channel'] as const)('over %s, in turns of the event loop below 50 ms:', (over) => {
  /** Repeats a call unless no turn is too long; answers the output. */
  const call = async (name: string, input: object): Promise<Record<string, unknown>> => {
    let chunks: readonly Uint8Array[] = [];
    await callers[over](async (callInChunks) => {
      const longestMs = await longestBlockMs(
        maxTurnMs,
        async () => (chunks = await callInChunks(name, input)),
      );
      expect(longestMs).toBeLessThan(maxTurnMs);
    });
    const answer = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    return over === 'HTTP' ? answer : (answer['value'] as typeof answer);
  };

  test.each(lists)('10,000 rows of %s', async (name, field, input) => {
    const page = await call(name, input());
    expect(page[field]).toHaveLength(fullPage);
    expect(page['next']).toBeTypeOf('string');
  });

  test.each(['numbers', 'escapes', 'text that is not ASCII'])('a page of properties of %s', async (shape) => {
    const value = shapes[shape]?.(256 * 1024) ?? '';
    await setProperties(Array.from({ length: 40 }, (_, index) => [`property ${index}`, value]));
    const { properties } = await call('devices_QueryDeviceProperties', { deviceId: at.id('device') });
    expect(Object.keys(properties as object).length).toBeGreaterThan(20);
  });

  test.each(Object.entries(shapes))('one property of 4 MiB of %s', async (_shape, valueOf) => {
    await setProperties([[commandsProperty, valueOf(4 * 1024 * 1024)]]);
    const input = { deviceId: at.id('device'), name: commandsProperty };
    expect(await call('devices_GetDeviceProperty', input)).toMatchObject({ result: 'Found' });
  });

  test('a page with one property of 4 MiB of short numbers', async () => {
    await setProperties([[commandsProperty, `"${`${'1'.repeat(21)} `.repeat(190_000)}"`]]);
    const { properties } = await call('devices_QueryDeviceProperties', { deviceId: at.id('device') });
    expect(Object.keys(properties as object)).toEqual([commandsProperty]);
  });

  test('10,000 commands', async () => {
    const commands = list(15_000, (index) => `{"name":"command ${index}"}`);
    await setProperties([[commandsProperty, `{"commands":${commands}}`]]);
    const page = await call('devices_QueryCommands', { deviceId: at.id('device') });
    expect(page).toMatchObject({ manifest: { commands: expect.objectContaining({ length: fullPage }) } });
  });
});
