import { ids, type Actor, type Id } from '@corral/contract';
import type { StoreSettings } from '../src/domains/assets/storage/s3/store-settings.ts';
import { newDatedRawId } from '../src/auth/random.ts';
import { bothTransports, type BothTransports } from './both-transports.ts';
import { deviceHeaders, newDevice } from './device-client.ts';
import { FirstGeneration } from './first-generation.ts';
import { system } from './http-hub.ts';
import { seedCatalogue, type Catalogue, type Seedable } from './seed-repository.ts';
import { RawWebSocket, rawUpgrade } from './raw-web-socket.ts';
import { s3Double } from './s3-double/s3-double.ts';
import { justProved } from './just-proved.ts';

/** The answer to a call: the bare output, or the error that the caller decodes. */
export type Answer =
  | { readonly value: unknown }
  | { readonly error: { readonly kind: string; readonly message: string } };

/** Calls an action by name, as the existing clients do. */
export type Call = (name: string, input: object) => Promise<Answer>;

/** A project with a connected device, and its callers. */
export interface Scene {
  readonly userId: Id<'user'>;
  readonly projectId: Id<'project'>;
  readonly deploymentTokenId: Id<'deploymentTokenId'>;
  readonly deviceId: Id<'device'>;
  /** A certificate in status Pending. */
  readonly pendingCertificateId: Id<'deviceCertificate'>;
  /** A repository that is linked to the project, with the file `x` at a package and at a version, which has the tag `v1`. */
  readonly catalogue: Catalogue;
  /** An S3-compatible store that no repository has yet. */
  readonly objectStore: StoreSettings;
  /** Ends the TCP connection of the agent without a Close frame, as old clients do. */
  leave(): void;
  /** The owner over HTTP and over a command line's channel; the device over an agent's channel. */
  readonly callers: Readonly<Record<'HTTP' | 'command line' | 'agent', Call>>;
}

/** The parts of a scene that are another one's. */
interface Shared {
  /** Gives its project and device. */
  readonly deviceOf?: Scene;
  /** Gives its repository. */
  readonly catalogueOf?: Scene;
}

/** A hub with both transports and its owner's command line. */
export interface GenerationHub extends AsyncDisposable {
  readonly transports: BothTransports;
  /** Makes a scene; by default all of it is new. */
  newScene(shared?: Shared): Promise<Scene>;
}

/** A new event id of the form that devices generate. */
export const newEventId = (): string => ids.deviceEvent.of(newDatedRawId(new Date()));

/** Starts the hub and connects its owner's command line. */
export async function startGenerationHub(): Promise<GenerationHub> {
  const transports = await bothTransports();
  const objectStore = await s3Double();
  const { hub } = transports;
  const owner = await hub.user('owner@example.org');
  const invoke = hub.executor.invoke.bind(hub.executor);
  const asOwner = { actor: owner as Actor, origin: justProved };
  const { token } = await invoke(asOwner, 'users_CreateUserToken', { userId: owner.userId });
  const seedable: Seedable = {
    as: (actor, name, input) => invoke({ actor, origin: justProved }, name, input),
    database: hub.database,
    now: () => new Date(),
  };
  const overHttp: Call = async (name, input) => {
    const { status, json } = await hub.invoke(name, input, { authorization: `Bearer ${token}` });
    return status === 200 ? { value: json } : { error: json as never };
  };
  const headers = { authorization: `Bearer ${token}`, 'x-user-token': token };
  const commandLine = await connect(hub.url, { ...headers, 'x-register-connection': 'true' });
  const newProjectWithDevice = async (): Promise<ProjectWithDevice> => {
    const { projectId } = await invoke(asOwner, 'projects_CreateProject', { name: 'Plant' });
    const flags = { autoAccept: true };
    const enrolling = await invoke(asOwner, 'projects_CreateDeploymentToken', {
      projectId,
      name: 'line',
      flags,
    });
    const agent = await connect(hub.url, deviceHeaders(await newDevice(), enrolling.token));
    const { deviceId } = (
      (await agent.call('actor_GetActor', {})) as never as { value: { actor: { deviceId: Id<'device'> } } }
    ).value.actor;
    const { certificateId } = await invoke(system, 'devices_AddDeviceCertificate', {
      deviceId,
      fingerprint: Array.from({ length: 32 }, () => '0A').join(':'),
    });
    return {
      userId: owner.userId,
      projectId,
      deploymentTokenId: enrolling.tokenId,
      deviceId,
      pendingCertificateId: certificateId,
      leave: () => agent.leave(),
      callers: { HTTP: overHttp, 'command line': overChannel(commandLine), agent: overChannel(agent) },
    };
  };
  return {
    transports,
    async newScene({ deviceOf, catalogueOf } = {}) {
      const project = deviceOf ?? (await newProjectWithDevice());
      const catalogue = catalogueOf?.catalogue ?? (await seedCatalogue(seedable, { owner }));
      const { projectId } = project;
      const { repositoryId } = catalogue;
      await invoke(asOwner, 'projects_AddProjectRepository', { projectId, repositoryId });
      return { ...project, catalogue, objectStore: objectStore.settings };
    },
    async [Symbol.asyncDispose]() {
      await transports[Symbol.asyncDispose]();
      await objectStore[Symbol.asyncDispose]();
    },
  };
}

/** A project with a connected device. */
type ProjectWithDevice = Omit<Scene, 'catalogue' | 'objectStore'>;

async function connect(url: string, headers: Record<string, string>): Promise<FirstGeneration> {
  const answer = await rawUpgrade(url, headers);
  if (!(answer instanceof RawWebSocket)) throw new Error(answer.body);
  return new FirstGeneration(answer, { ports: new Map() });
}

/** The peer checks the envelope: exactly two keys, and a known kind of error. */
function overChannel(peer: FirstGeneration): Call {
  return async (name, input) => (await peer.call(name, input)) as never;
}
