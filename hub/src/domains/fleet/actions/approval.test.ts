import type { Actor, CallInput, Id } from '@corral/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fleetScene, ringOperation, type FleetScene } from '../../../../test/fleet-scene.ts';
import { byToken, seedMember, type Somebody } from '../../../../test/seed.ts';

let scene: FleetScene;
let second: Somebody;
beforeEach(async () => {
  scene = await fleetScene();
  second = await seedMember(scene.hub, scene.project, true);
});
afterEach(() => scene[Symbol.asyncDispose]());

type Operation = Id<'fleetOperation'>;
const owner = () => scene.project.owner;
const setPolicy = (approval?: CallInput<'projects_SetPolicies'>['approval']) =>
  scene.hub.as(owner(), 'projects_SetPolicies', { projectId: scene.project.projectId, approval });
const createBy = async (actor: Actor, input: Partial<CallInput<'fleet_CreateOperation'>> = {}) => {
  const given = { projectId: scene.project.projectId, ...ringOperation, ...input };
  const { previewHash } = await scene.hub.as(actor, 'fleet_PreviewOperation', given);
  return (await scene.hub.as(actor, 'fleet_CreateOperation', { ...given, previewHash })).fleetOperationId;
};
const found = async (actor: Actor, fleetOperationId: Operation) => {
  const answer = await scene.hub.as(actor, 'fleet_GetOperation', { fleetOperationId });
  return answer.result === 'Found' ? answer : expect.fail('not found');
};
const startBy = (actor: Actor, fleetOperationId: Operation) =>
  scene.hub.as(actor, 'fleet_StartOperation', { fleetOperationId });
const refusalOf = async (actor: Actor, fleetOperationId: Operation) =>
  (await scene.hub.refusal(actor, 'fleet_StartOperation', { fleetOperationId })).message;
const eventsOf = async (fleetOperationId: Operation) =>
  (await scene.hub.as(owner(), 'fleet_QueryOperationEvents', { fleetOperationId })).events;

test('the draft of a member on more than ten devices asks owners for a start, and says who they are', async () => {
  await scene.addDevices(11);
  const { member } = scene;
  const given = { projectId: scene.project.projectId, ...ringOperation };
  const asked = await scene.hub.as(member, 'fleet_PreviewOperation', given);
  expect(asked).toMatchObject({ needsOwner: true, needsApproval: false });
  expect(asked.starters).toHaveLength(2);
  expect(asked.warnings[0]).toMatch(/^Only an owner of the project may start it. .* or .* may start it.$/);
  const id = await createBy(member);
  const shown = await found(member, id);
  expect(shown.summary.waitsFor).toBe('Owner');
  expect(shown.starters).toEqual(asked.starters);
  expect(await refusalOf(member, id)).toMatch(/only an owner of the project may. .* may start it/);
  const toOwner = await found(owner(), id);
  expect([toOwner.summary.waitsFor, toOwner.starters]).toEqual(['Owner', undefined]);
  await startBy(owner(), id);
  expect((await found(member, id)).summary).toMatchObject({ status: 'Running' });
  expect((await found(member, id)).summary.waitsFor).toBeUndefined();
  const own = await createBy(owner());
  expect((await found(member, own)).summary.waitsFor).toBeUndefined();
});

test('a policy has another owner than the creator start it, whatever token the creator uses; both are recorded', async () => {
  await scene.addDevices(3);
  await setPolicy({ aboveDevices: 2, commands: [] });
  const preview = await scene.hub.as(owner(), 'fleet_PreviewOperation', {
    projectId: scene.project.projectId,
    ...ringOperation,
  });
  expect(preview).toMatchObject({ needsOwner: false, needsApproval: true });
  expect(preview.starters).toHaveLength(1);
  const id = await createBy(owner());
  expect((await found(owner(), id)).summary.waitsFor).toBe('SecondPerson');
  expect((await found(owner(), id)).starters).toEqual(preview.starters);
  const sentence =
    /^This needs a second person: another owner of the project than its creator starts it. .* may start it.$/;
  expect(await refusalOf(owner(), id)).toMatch(sentence);
  expect(await refusalOf(await byToken(scene.hub, owner()), id)).toMatch(sentence);
  expect(await refusalOf(scene.member, id)).toMatch(sentence);
  await startBy(second, id);
  const [approved] = await eventsOf(id);
  expect(approved).toMatchObject({
    kind: 'Approved',
    actor: second,
    data: { devices: 3, approvedFor: owner() },
  });
});

test('what a service account created has no first person, so nobody can be its second one', async () => {
  await scene.addDevices(3);
  await setPolicy({ aboveDevices: 2, commands: [] });
  const { projectId } = scene.project;
  const { userId } = await scene.hub.as(owner(), 'projects_CreateProjectServiceAccount', {
    projectId,
    name: 'Rollout',
  });
  const { tokenId } = await scene.hub.as(owner(), 'users_CreateUserToken', { userId, verbs: ['operate'] });
  const id = await createBy({ actor: 'UserToken', kind: 'UserToken', userId, tokenId });
  for (const starter of [owner(), second])
    expect(await refusalOf(starter, id)).toMatch(/a service account created it/);
});

test('a policy leaves alone what it does not name, and ends with a record of who ended it', async () => {
  const [one] = await scene.addDevices(3);
  await setPolicy({ aboveDevices: 2, commands: ['wipe'] });
  const small = { selector: { predicates: [], deviceIds: [one as Id<'device'>] } };
  await startBy(owner(), await createBy(owner(), small));
  const id = await createBy(owner());
  scene.hub.advance(1);
  await setPolicy();
  const { projectId } = scene.project;
  const { events } = await scene.hub.as(owner(), 'projects_QueryAuditLog', { projectId });
  expect(events.find(({ event }) => event === 'projects_PoliciesChanged')).toMatchObject({
    actor: owner(),
    data: { approval: null, before: { aboveDevices: 2, commands: ['wipe'] } },
  });
  await startBy(owner(), id);
});

test('named commands need a second person on a single device as well, which is recorded there', async () => {
  const deviceId = await scene.addDevice({
    isConnected: true,
    commands: [{ name: 'wipe' }, { name: 'look' }],
  });
  await setPolicy({ commands: ['wipe'] });
  const create = async (command: string) => {
    const steps = [{ kind: 'DeviceCommand' as const, command, input: {} }];
    return scene.hub.as(owner(), 'devices_CreateOperation', { deviceId, name: command, steps });
  };
  await scene.hub.as(owner(), 'devices_StartOperation', await create('look'));
  const wipe = await create('wipe');
  const refused = await scene.hub.refusal(owner(), 'devices_StartOperation', wipe);
  expect(refused.message).toMatch(/needs a second person/);
  await scene.hub.as(second, 'devices_StartOperation', wipe);
  const fleet = await createBy(owner(), { steps: [{ kind: 'DeviceCommand', command: 'wipe', input: {} }] });
  expect(await refusalOf(owner(), fleet)).toMatch(/needs a second person/);
});

test('a further attempt on more devices than the policy allows needs a second person, going on after a pause does not', async () => {
  await scene.addDevices(3);
  await setPolicy({ aboveDevices: 2, commands: [] });
  const fleetOperationId = await createBy(owner());
  await startBy(second, fleetOperationId);
  await scene.hub.as(owner(), 'fleet_PauseOperation', { fleetOperationId });
  await startBy(owner(), fleetOperationId);
  await scene.hub.as(owner(), 'fleet_PauseOperation', { fleetOperationId });
  await scene.hub.database.db
    .updateTable('device_operations')
    .set({ status: 'Failed', completed_at: scene.hub.now() })
    .execute();
  const again = { fleetOperationId, which: ['Failed' as const] };
  expect((await scene.hub.refusal(owner(), 'fleet_RetryOperation', again)).message).toMatch(/second person/);
  expect(await scene.hub.as(second, 'fleet_RetryOperation', again)).toEqual({ devices: 3 });
});

test('a policy is set by owners, and says something', async () => {
  const { projectId } = scene.project;
  const of = (approval: CallInput<'projects_SetPolicies'>['approval']) => ({ projectId, approval });
  const byMember = await scene.hub.refusal(scene.member, 'projects_SetPolicies', of({ commands: ['x'] }));
  expect(byMember.message).toBe('Only an owner of the project may do this.');
  const empty = await scene.hub.refusal(owner(), 'projects_SetPolicies', of({ commands: [] }));
  expect(empty.message).toMatch(/^Say above how many devices/);
  await setPolicy({ aboveDevices: 5, commands: [] });
  const details = () => scene.hub.as(scene.member, 'projects_GetProjectDetails', { projectId });
  expect((await details()).approval).toEqual({ aboveDevices: 5, commands: [] });
  await setPolicy();
  expect((await details()).approval).toBeUndefined();
});
