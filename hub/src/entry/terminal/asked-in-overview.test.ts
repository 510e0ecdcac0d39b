import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshTerminalScene, type PlayedDevice, type TerminalScene } from '../../../test/terminal-scene.ts';

let scene: TerminalScene;
let device: PlayedDevice;
beforeAll(async () => {
  scene = await freshTerminalScene();
  await scene.setPolicy({ approval: 'Approve' });
  device = await scene.connectDevice();
});
afterAll(() => scene.node[Symbol.asyncDispose]());

interface Need {
  readonly kind: string;
  readonly count: number;
}

/** How many terminals the overview asks somebody for. */
async function asked(who: TerminalScene['owner']): Promise<number> {
  const { json } = await scene.call('projects_GetOverview', { projectId: scene.projectId }, who);
  const needs = json['needs'] as Need[];
  return needs.find(({ kind }) => kind === 'WaitingTerminals')?.count ?? 0;
}
const everyone = async () => Promise.all([scene.owner, scene.colleague, scene.member].map(asked));

test('the overview asks the owners who may approve a terminal, and nobody else', async () => {
  expect(await everyone()).toEqual([0, 0, 0]);
  const { json } = await scene.call('devices_OpenTerminal', { deviceId: device.deviceId }, scene.owner);
  expect(await everyone()).toEqual([0, 1, 0]);
  await scene.call('devices_OpenTerminal', { deviceId: device.deviceId }, scene.member);
  expect(await everyone()).toEqual([1, 2, 0]);
  const { sessionId } = json;
  await scene.call('devices_ApproveTerminal', { sessionId, isApproved: true }, scene.colleague);
  expect(await everyone()).toEqual([1, 1, 0]);
  const { db } = scene.node.hub.database;
  await sql`update terminal_sessions set opened_at = opened_at - interval '16 minutes'`.execute(db);
  expect(await everyone()).toEqual([0, 0, 0]);
});
