import type { DomainEvent, Id } from '@corral/contract';
import type { Executor } from '../../calls/executor.ts';
import { systemCaller } from '../../calls/handler.ts';
import type { EventBus } from '../../platform/events/bus.ts';
import { demoName } from './demo-names.ts';
import { seedRepository } from './seed-repository.ts';
import type { OwnAddress } from './upload-to-own-hub.ts';

const projectName = 'Demo fleet';
const tokenNames = { automatic: 'demo: accepts by itself', approval: 'demo: asks an operator' };

/** The deployment tokens of the simulated fleet. */
export interface DemoTokens {
  /** Accepts the certificates of new devices automatically. */
  readonly automatic: string;
  /** Leaves the certificates of new devices pending until an operator accepts them. */
  readonly approval: string;
}

/** The project of a demo, and the tokens of its fleet. */
export interface SeededDemo {
  readonly projectId: Id<'project'>;
  readonly tokens: DemoTokens;
}

/** Finds or creates the demo project with its repository and creates new tokens in it; tokens of earlier runs are deleted. */
export async function seedDemo(executor: Executor, bus: EventBus, hub: OwnAddress): Promise<SeededDemo> {
  const owner = await administrator(executor);
  const projectId = await demoProject(executor, owner);
  await seedRepository(executor, { owner, projectId, hub });
  await deleteOldTokens(executor, projectId);
  nameNewDevices(executor, bus, projectId);
  const [automatic, approval] = await Promise.all([
    createToken(executor, projectId, tokenNames.automatic, true),
    createToken(executor, projectId, tokenNames.approval, false),
  ]);
  return { projectId, tokens: { automatic, approval } };
}

async function administrator(executor: Executor): Promise<Id<'user'>> {
  const { users } = await executor.invoke(systemCaller, 'users_QueryUsers', {});
  const owner = users.find(({ isAdmin }) => isAdmin);
  if (owner === undefined) throw new Error('There is no administrator to own the demo project.');
  return owner.userId as Id<'user'>;
}

async function demoProject(executor: Executor, owner: Id<'user'>): Promise<Id<'project'>> {
  const { projects } = await executor.invoke(systemCaller, 'projects_QueryProjects', {});
  const existing = projects.find(({ name }) => name === projectName);
  if (existing !== undefined) return existing.projectId as Id<'project'>;
  const created = await executor.invoke(systemCaller, 'projects_CreateProject', {
    name: projectName,
    owner,
  });
  return created.projectId as Id<'project'>;
}

async function deleteOldTokens(executor: Executor, projectId: Id<'project'>): Promise<void> {
  const { tokens } = await executor.invoke(systemCaller, 'projects_QueryProjectDeploymentTokens', {
    projectId,
  });
  const old = tokens.filter(({ name }) => Object.values(tokenNames).includes(name ?? ''));
  for (const { tokenId } of old)
    await executor.invoke(systemCaller, 'projects_DeleteDeploymentToken', { tokenId });
}

async function createToken(
  executor: Executor,
  projectId: Id<'project'>,
  name: string,
  autoAccept: boolean,
): Promise<string> {
  const { token } = await executor.invoke(systemCaller, 'projects_CreateDeploymentToken', {
    projectId,
    name,
    flags: { autoAccept },
  });
  return token;
}

/** Devices cannot name themselves, so the demo names each new one, as an operator would. */
function nameNewDevices(executor: Executor, bus: EventBus, projectId: Id<'project'>): void {
  let next: Promise<number> = executor
    .invoke(systemCaller, 'projects_QueryProjectDevices', { projectId })
    .then(({ devices }) => devices.length)
    .catch(() => 0);
  const known = new Set<unknown>();
  bus.subscribeToOwn((event) => {
    const { projectId: changed, deviceId } = event.data;
    if (event.name !== 'devices_Created' || changed !== projectId || known.has(deviceId)) return;
    known.add(deviceId);
    // A device that cannot be named, such as one that was just deleted, must not stop the naming of later ones.
    next = next.then((index) => nameDevice(executor, event, index).catch(() => index));
  });
}

async function nameDevice(executor: Executor, event: DomainEvent, index: number): Promise<number> {
  const deviceId = event.data['deviceId'] as Id<'device'>;
  await executor.invoke(systemCaller, 'devices_SetDeviceName', { deviceId, name: demoName(index) });
  return index + 1;
}
