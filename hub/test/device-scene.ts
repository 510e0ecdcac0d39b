import { afterAll, beforeAll, beforeEach } from 'vitest';
import { absentId, freshExecutor, type FreshExecutor } from './fresh-executor.ts';
import { seedDevice, seedMember, seedProject, seedUser, type SeededProject, type Somebody } from './seed.ts';

/** A hub, and a project with people. */
export interface ProjectScene {
  readonly hub: FreshExecutor;
  readonly project: SeededProject;
  /** A member of the project who is not an owner. */
  readonly member: Somebody;
  readonly stranger: Somebody;
  readonly administrator: Somebody;
}

/** The same with a device of the project: its ids, its actor and the credentials that it showed. */
export interface DeviceScene extends ProjectScene {
  readonly device: Awaited<ReturnType<typeof seedDevice>>;
}

/**
 * Prepares a project for each test of the file: the objects that it returns are empty until then, and each test finds them filled anew.
 * The tests share the hub; the events of the preparation are not recorded.
 */
export function projectScene(): ProjectScene {
  const scene = { hub: {}, project: {}, member: {}, stranger: {}, administrator: {} } as ProjectScene;
  const { hub, project, member, stranger, administrator } = scene;
  beforeAll(async () => void Object.assign(hub, await freshExecutor()));
  afterAll(() => hub[Symbol.asyncDispose]());
  beforeEach(async () => {
    Object.assign(project, await seedProject(hub));
    Object.assign(member, await seedMember(hub, project));
    Object.assign(stranger, await seedUser(hub, `${absentId('user')}@example.org`));
    Object.assign(administrator, await seedUser(hub, `${absentId('user')}@example.org`, true));
    hub.emittedEvents.length = 0;
  });
  return scene;
}

/** Does the same with a device. */
export function deviceScene(): DeviceScene {
  const scene = projectScene();
  const device = {} as DeviceScene['device'];
  beforeEach(async () => {
    Object.assign(device, await seedDevice(scene.hub, scene.project));
    scene.hub.emittedEvents.length = 0;
  });
  return { ...scene, device };
}
