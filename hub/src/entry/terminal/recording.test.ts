import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { system } from '../../../test/http-hub.ts';
import { type PlayedShell, until } from '../../../test/played-shell.ts';
import {
  freshTerminalScene,
  type Opened,
  type PlayedDevice,
  type TerminalScene,
} from '../../../test/terminal-scene.ts';
import { DeleteOldTerminals } from '../../domains/terminals/internal/DeleteOldTerminals.ts';
import { EndLostTerminals } from '../../domains/terminals/internal/EndLostTerminals.ts';

let scene: TerminalScene;
let device: PlayedDevice;
let nowMs = 0;
beforeAll(async () => {
  scene = await freshTerminalScene({}, { hasOwnDatabase: true }, { nowMs: () => nowMs + performance.now() });
});
afterAll(() => scene.node[Symbol.asyncDispose]());
beforeEach(async () => {
  await scene.setPolicy({});
  device = await scene.connectDevice();
  return () => device.link.connection.close('');
});

const ended = async (sessionId: string) => {
  await until(async () => (await scene.terminal(sessionId)).state === 'Ended');
  return scene.terminal(sessionId);
};

/** Takes the table of parts away, or gives it back. */
const rename = (from: string, to: string) =>
  sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(scene.node.hub.database.db);
const breakStore = () => rename('terminal_chunks', 'chunks_away');
const mendStore = () => rename('chunks_away', 'terminal_chunks');

async function begun(): Promise<Opened & { shell: PlayedShell }> {
  const opened = await scene.open(device.deviceId);
  const shell = await device.shell();
  await shell.say('before;');
  await until(async () => (await scene.terminal(opened.sessionId)).isRecorded);
  return { ...opened, shell };
}

describe('a recording that cannot be stored', () => {
  test('has a marked gap where it is not required, and the terminal goes on', async () => {
    const { sessionId, client, shell } = await begun();
    await breakStore();
    await shell.say('lost;');
    await until(() => client.last('Gap') !== undefined);
    await mendStore();
    nowMs += 3_000;
    await shell.say('after;');
    await shell.exit(0);
    await client.closed;
    expect(client.output.toString()).toBe('before;lost;after;');
    expect(await ended(sessionId)).toMatchObject({ gaps: 1, endReason: 'Exited' });
    const { text } = await scene.recording(sessionId);
    expect(text.match(/before;|lost;|"m"|after;/g)).toEqual(['before;', '"m"', 'after;']);
  });

  test('holds up output and input where it is required, and after ten seconds ends the terminal', async () => {
    await scene.setPolicy({ recording: 'Required' });
    const { sessionId, client, shell } = await begun();
    await breakStore();
    await shell.say('waits;');
    await until(() => client.last('Held') !== undefined);
    client.type('held');
    await mendStore();
    await until(() => client.last('Goes on') !== undefined && shell.input.toString() === 'held');
    await breakStore();
    await shell.say('never stored;');
    await until(() => client.messages.at(-1)?.type === 'Held');
    nowMs += 11_000;
    await client.closed;
    expect(client.last('Ended')?.reason).toBe('RecordingFailed');
    await mendStore();
    expect(await ended(sessionId)).toMatchObject({ endReason: 'RecordingFailed' });
    const { text } = await scene.recording(sessionId);
    expect(text.match(/before;|waits;|"m"|never/g)).toEqual(['before;', 'waits;']);
  });
});

describe('a recording that was changed', () => {
  const finished = async (): Promise<string> => {
    const { sessionId, client, shell } = await begun();
    await shell.say('second;'.repeat(20_000));
    await shell.exit(0);
    await client.closed;
    await ended(sessionId);
    expect((await scene.recording(sessionId)).text).not.toContain('was changed');
    return sessionId;
  };
  const change = (statement: ReturnType<typeof sql>) => statement.execute(scene.node.hub.database.db);
  const rawOf = (sessionId: string) => ids.terminal.raw(sessionId as Id<'terminal'>);

  test('says so where a part has other bytes, and shows nothing behind', async () => {
    const sessionId = await finished();
    await change(
      sql`update terminal_chunks set sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1) where session_id = ${rawOf(sessionId)} and number = 1`,
    );
    const { text } = await scene.recording(sessionId);
    expect(text).toContain('before;');
    expect(text).not.toContain('second;');
    expect(text.trim().split('\n').at(-1)).toMatch(/^\[[\d.]+,"m","This recording was changed/);
  });

  test('says so where its last part is missing', async () => {
    const sessionId = await finished();
    await change(
      sql`delete from terminal_chunks where session_id = ${rawOf(sessionId)} and number = (select max(number) from terminal_chunks where session_id = ${rawOf(sessionId)})`,
    );
    expect((await scene.recording(sessionId)).text).toContain('was changed');
  });
});

test('the link to a recording works for its session, unchanged and for five minutes, while its reader may read it', async () => {
  const { sessionId, client, shell } = await begun();
  await shell.exit(0);
  await client.closed;
  const link = async (who?: TerminalScene['owner']) => {
    const { json } = await scene.call('devices_IssueRecordingUrl', { sessionId }, who);
    const { pathname, search } = new URL(String(json['url']));
    return `${pathname}${search}`;
  };
  const { hub } = scene.node;
  const read = async (path: string, { cookie } = scene.owner) =>
    (await hub.call(path, { headers: { cookie } })).status;
  const good = await link();
  expect(await read(good)).toBe(200);
  expect(await read(good, scene.colleague)).toBe(403);
  expect((await hub.call(good)).status).toBe(403);
  for (const bad of [
    good.replace(/signature=./, 'signature=_'),
    good.replace(/expires=\d/, 'expires=9'),
    good.split('?')[0] ?? '',
  ])
    expect(await read(bad)).toBe(403);
  const ofColleague = await link(scene.colleague);
  const { projectId } = scene;
  const { userId } = scene.colleague;
  await scene.call('projects_SetProjectMemberRole', { projectId, userId, isOwner: false });
  expect(await read(ofColleague, scene.colleague)).not.toBe(200);
  await hub.executor.invoke(system, 'projects_SetProjectMemberRole', { projectId, userId, isOwner: true });
  hub.advance(301);
  expect(await read(good)).toBe(403);
});

test('what nobody enters, approves or serves ends, and what is older than 90 days goes', async () => {
  const { hub } = scene.node;
  const open = async () =>
    String((await scene.call('devices_OpenTerminal', { deviceId: device.deviceId })).json['sessionId']);
  const neverEntered = await open();
  await scene.setPolicy({ approval: 'Approve' });
  const waiting = await open();
  await scene.setPolicy({});
  const { sessionId: served } = await scene.open(device.deviceId);
  await device.shell();
  await hub.executor.run(system, EndLostTerminals);
  expect((await scene.terminal(neverEntered)).state).toBe('Open');
  hub.advance(16 * 60);
  await hub.executor.run(system, EndLostTerminals);
  expect(await scene.terminal(neverEntered)).toMatchObject({ endReason: 'NeverEntered' });
  expect(await scene.terminal(waiting)).toMatchObject({ endReason: 'NoApprover' });
  expect((await scene.terminal(served)).state).toBe('Open');
  await hub.database.db
    .updateTable('terminal_sessions')
    .set({ node_id: 'gone' })
    .where('session_id', '=', ids.terminal.raw(served as Id<'terminal'>))
    .execute();
  await hub.executor.run(system, EndLostTerminals);
  expect(await scene.terminal(served)).toMatchObject({ endReason: 'HubStopped' });
  hub.advance(89 * 86_400);
  expect(await hub.executor.run(system, DeleteOldTerminals)).toBe(0);
  hub.advance(2 * 86_400);
  expect(await hub.executor.run(system, DeleteOldTerminals)).toBeGreaterThan(2);
});
