import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../../../test/played-shell.ts';
import { freshTerminalScene, type PlayedDevice, type TerminalScene } from '../../../test/terminal-scene.ts';

let scene: TerminalScene;
let device: PlayedDevice;
let nowMs = 0;
beforeAll(async () => {
  scene = await freshTerminalScene({}, { hasOwnDatabase: true }, { nowMs: () => nowMs + performance.now() });
});
afterAll(() => scene.node[Symbol.asyncDispose]());
beforeEach(async () => {
  await scene.setPolicy({ recording: 'Required' });
  device = await scene.connectDevice();
  return () => device.link.connection.close('');
});

const rename = (from: string, to: string) =>
  sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(scene.node.hub.database.db);
const breakStore = () => rename('terminal_chunks', 'chunks_away');
const mendStore = () => rename('chunks_away', 'terminal_chunks');
const waive = async (sessionId: string, who?: TerminalScene['owner'], reason = 'The press burns') =>
  (await scene.call('devices_WaiveTerminalRecording', { sessionId, reason }, who)).json;

test('an owner lets a terminal go on that cannot be recorded, once and with a reason; all owners are told', async () => {
  const { sessionId, client } = await scene.open(device.deviceId, {}, scene.member);
  const shell = await device.shell();
  await shell.say('before;');
  await until(async () => (await scene.terminal(sessionId)).isRecorded);
  const watcher = await scene.join(sessionId, scene.colleague);
  await breakStore();
  await shell.say('lost;');
  await until(() => client.last('Held')?.cause === 'Recording');
  // With an owner in it, it waits for longer than ten seconds.
  nowMs += 20_000;
  client.type('held');
  expect((await waive(sessionId, scene.member))['message']).toMatch(/^Only an owner of the project/);
  expect((await waive(sessionId, scene.colleague, ' '))['message']).toMatch(/^Say why the terminal/);
  expect((await waive(sessionId, scene.colleague, 'a\u202eb'))['message']).toMatch(/^A reason is one line/);
  expect(await waive(sessionId, scene.colleague)).toEqual({});
  await until(() => client.last('Goes on') !== undefined && shell.input.toString() === 'held');
  expect(client.last('Gap')).toEqual({ type: 'Gap' });
  expect((await waive(sessionId, scene.colleague))['message']).toMatch(/already\.$/);
  await mendStore();
  nowMs += 3_000;
  await shell.say('after;');
  await shell.exit(0);
  await Promise.all([client.closed, watcher.closed]);
  expect(client.output.toString()).toBe('before;lost;after;');
  await until(async () => (await scene.terminal(sessionId)).state === 'Ended');
  expect(await scene.terminal(sessionId)).toMatchObject({
    endReason: 'Exited',
    gaps: 1,
    waivedBy: { userId: scene.colleague.userId },
    waiverReason: 'The press burns',
  });
  const { text } = await scene.recording(sessionId);
  expect(text.match(/before;|lost;|"m"|after;/g)).toEqual(['before;', '"m"', 'after;']);
  const log = await scene.call('projects_QueryAuditLog', { projectId: scene.projectId });
  const events = log.json['events'] as { event: string; data: Record<string, unknown> }[];
  const event = events.find((one) => one.event === 'devices_TerminalRecordingWaived');
  expect(event?.data).toMatchObject({ sessionId, reason: 'The press burns' });
  const { rows } = await sql<{ email: string }>`
    select u.email from queued_mails m join users u using (user_id) where m.kind = 'RecordingWaived' order by 1`.execute(
    scene.node.hub.database.db,
  );
  expect(rows.map(({ email }) => email)).toEqual(['colleague@example.org', 'owner@example.org']);
});

test('where a second person is needed, whoever opened it cannot; and where nothing is required, nobody', async () => {
  await scene.setPolicy({ recording: 'Required', approval: 'Watch' });
  const own = await scene.open(device.deviceId);
  await device.shell();
  expect((await waive(own.sessionId))['message']).toMatch(/^Another owner of the project/);
  expect(await waive(own.sessionId, scene.colleague)).toEqual({});
  await scene.setPolicy({});
  const other = await scene.open(device.deviceId);
  await device.shell(1);
  expect((await waive(other.sessionId))['message']).toMatch(/in any case\.$/);
  for (const { sessionId } of [own, other]) await scene.call('devices_EndTerminal', { sessionId });
});

test('a gap at the end of a recording is marked, too', async () => {
  await scene.setPolicy({});
  const { sessionId, client } = await scene.open(device.deviceId);
  const shell = await device.shell();
  await shell.say('before;');
  await until(async () => (await scene.terminal(sessionId)).isRecorded);
  await breakStore();
  await shell.say('lost;');
  await until(() => client.last('Gap') !== undefined);
  await mendStore();
  await shell.exit(0);
  await client.closed;
  await until(async () => (await scene.terminal(sessionId)).state === 'Ended');
  expect((await scene.terminal(sessionId)).gaps).toBe(1);
  const { text } = await scene.recording(sessionId);
  expect(text.match(/before;|lost;|"m"/g)).toEqual(['before;', '"m"']);
});

test('those who watch are told how large the terminal is, when they enter and when it changes', async () => {
  await scene.setPolicy({});
  const { sessionId, client } = await scene.open(device.deviceId);
  const shell = await device.shell();
  client.resize(120, 40);
  await until(() => shell.sizes.length === 1);
  const watcher = await scene.join(sessionId, scene.colleague);
  await until(() => watcher.last('Size') !== undefined);
  expect(watcher.last('Size')).toEqual({ type: 'Size', cols: 120, rows: 40 });
  client.resize(80, 25);
  await until(() => watcher.last('Size')?.cols === 80);
  expect(client.last('Size')).toBeUndefined();
  await scene.call('devices_EndTerminal', { sessionId });
});
