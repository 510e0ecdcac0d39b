import type { Executor } from '@corral/client';
import { newDeviceToken } from '../bench-agent.ts';
import { signIn } from '../bench-hub.ts';
import { percentile } from '../load.ts';
import { barLine, type Line } from '../table.ts';
import { onCluster, type ClusterTestbed } from './cluster-testbed.ts';
import { counts } from './counts.ts';
import { connectEchoDevice, type EchoDevice } from './echo-device.ts';
import { newPerson, openAnswer, openCommandLine, openPage, type OpenAccess, type Person } from './person.ts';

const [withoutBusBarMs, withBusBarMs] = [5_000, 300];
const peopleAtOnce = 4;

interface Scene {
  readonly bed: ClusterTestbed;
  /** A session of an administrator, who calls the hub `south`. */
  readonly admin: Executor;
  readonly deviceToken: string;
  /** On the hub `north`. */
  readonly device: EchoDevice;
}

/** Opens what depends on a right at the hub `east`, and returns how to revoke it at `south`, and what must end. */
type Trial = (
  scene: Scene,
  person: Person,
) => Promise<{ readonly open: readonly OpenAccess[]; revoke(): Promise<unknown> }>;

const trials: Readonly<Record<string, Trial>> = {
  async certificate({ bed, admin, deviceToken }) {
    const { connection, certificateId } = await connectEchoDevice(bed.user, deviceToken, bed.hubUrls.east);
    const link = {
      ended: connection.closed.then(() => performance.now()),
      close: () => connection.close(''),
    };
    return {
      open: [link],
      revoke: () =>
        admin.invoke('devices_SetDeviceCertificateStatus', {
          certificateId,
          status: 'Revoked',
        }),
    };
  },
  async token({ bed, admin, device }, person) {
    const { executor } = await signIn(bed.hubUrls.east, person);
    const made = await executor.invoke('users_CreateUserToken', { userId: person.userId, name: 'bench' });
    const { link, forward } = await openCommandLine(bed.hubUrls.east, made.token, device.deviceId);
    return {
      open: [link, forward],
      revoke: () => admin.invoke('users_DeleteUserToken', { tokenId: made.tokenId }),
    };
  },
  async session({ bed, admin, device }, person) {
    const { executor, cookie } = await signIn(bed.hubUrls.east, person);
    const { sessionId } = await currentSession(executor, person);
    const open = [
      await openAnswer(`${bed.hubUrls.east}/api/v1/stream`, { cookie }),
      await openPage(bed.hubUrls.east, executor, device.deviceId),
    ];
    return {
      open,
      revoke: () => admin.invoke('users_TerminateUserSession', { sessionId }),
    };
  },
  async membership({ bed, admin, device }, person) {
    const { executor } = await signIn(bed.hubUrls.east, person);
    const made = await executor.invoke('users_CreateUserToken', { userId: person.userId, name: 'bench' });
    const { forward } = await openCommandLine(bed.hubUrls.east, made.token, device.deviceId);
    const page = await openPage(bed.hubUrls.east, executor, device.deviceId);
    const membership = { projectId: bed.user.projectId, userId: person.userId };
    return {
      open: [forward, page],
      async revoke() {
        await admin.invoke('projects_RemoveProjectMember', membership);
        return () => admin.invoke('projects_AddProjectMember', membership);
      },
    };
  },
  async account({ bed, admin, device }, person) {
    const { executor, cookie } = await signIn(bed.hubUrls.east, person);
    const made = await executor.invoke('users_CreateUserToken', { userId: person.userId, name: 'bench' });
    const { link, forward } = await openCommandLine(bed.hubUrls.east, made.token, device.deviceId);
    const page = await openPage(bed.hubUrls.east, executor, device.deviceId);
    const live = await openAnswer(`${bed.hubUrls.east}/api/v1/stream`, { cookie });
    return {
      open: [link, forward, page, live],
      async revoke() {
        await admin.invoke('users_SetUserIsDisabled', { userId: person.userId, isDisabled: true });
        return () => admin.invoke('users_SetUserIsDisabled', { userId: person.userId, isDisabled: false });
      },
    };
  },
};

/** Rights that one hub revokes, and how long what another one serves for a device of a third stays open. */
export function revocations(): Promise<Line[]> {
  return onCluster(async (bed) => {
    const deviceToken = await newDeviceToken(bed.user);
    const device = await connectEchoDevice(bed.user, deviceToken, bed.hubUrls.north);
    const { executor: admin } = await signIn(bed.hubUrls.south);
    const scene = { bed, admin, deviceToken, device };
    const people = await Promise.all(
      Array.from({ length: peopleAtOnce }, (_, at) => newPerson(admin, bed.user, `person-${at}@example.org`)),
    );
    const withBus = await tryMany(scene, people);
    await bed.programs.signal('nats', 'SIGTERM');
    const withoutBus = await tryMany(scene, people);
    device.connection.close('');
    const what = `${counts.revocations} revocations of ${Object.keys(trials).join(', ')}: links, forwards, pages and live views on other hubs end`;
    return [
      barLine({ what: `${what}, p99`, unit: 'ms', ours: percentile(withBus, 0.99), bar: withBusBarMs }),
      barLine({
        what: 'the same, NATS stopped, p100',
        unit: 'ms',
        ours: Math.max(...withoutBus),
        bar: withoutBusBarMs,
      }),
    ];
  });
}

async function tryMany(scene: Scene, people: readonly Person[]): Promise<number[]> {
  const names = Object.keys(trials);
  const queue = Array.from(
    { length: counts.revocations },
    (_, at) => names[at % names.length] ?? '',
  ).values();
  const took = new Map<string, number[]>(names.map((name) => [name, []]));
  const work = async (person: Person): Promise<void> => {
    for (const name of queue) took.get(name)?.push(...(await tryOnce(scene, person, name)));
  };
  await Promise.all(people.map(work));
  for (const [name, ms] of took)
    process.stderr.write(
      `  ${name}: p50 ${percentile(ms, 0.5).toFixed(0)} ms, slowest ${Math.max(...ms).toFixed(0)} ms\n`,
    );
  return [...took.values()].flat();
}

/** Milliseconds from the answer to the end of each. What ends before the answer counts as 0. */
async function tryOnce(scene: Scene, person: Person, name: string): Promise<number[]> {
  const { open, revoke } = await (trials[name] as Trial)(scene, person);
  const undo = await revoke();
  const revokedAtMs = performance.now();
  const ends = await Promise.all(open.map(({ ended }) => ended));
  for (const { close } of open) close();
  if (typeof undo === 'function') await (undo as () => Promise<unknown>)();
  return ends.map((endedAtMs) => Math.max(0, endedAtMs - revokedAtMs));
}

async function currentSession(executor: Executor, { userId }: Person) {
  const { sessions } = await executor.invoke('users_QueryUserSessions', { userId });
  const current = sessions.find(({ isCurrent }) => isCurrent);
  if (current === undefined) throw new Error('The session is not listed.');
  return current;
}
