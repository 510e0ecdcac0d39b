import type { Actor, Id } from '@corral/contract';
import {
  connectLink,
  deviceHeaders,
  isOpen,
  newDevice,
  type OpenLink,
  type TestDevice,
} from './device-client.ts';
import { FirstGeneration, type FirstGenerationOptions } from './first-generation.ts';
import { freshGateway, type FreshGateway, type FreshGatewayOptions } from './fresh-gateway.ts';
import { RawWebSocket, rawUpgrade, type RawOptions } from './raw-web-socket.ts';

/** A gateway with a project that enrols devices, and clients of each kind to connect with. */
export interface GatewayScene extends FreshGateway {
  readonly owner: Extract<Actor, { actor: 'User' }>;
  readonly projectId: Id<'project'>;
  /** A deployment token that accepts certificates automatically. */
  readonly token: string;
  newToken(autoAccept: boolean): Promise<{ token: string; tokenId: Id<'deploymentTokenId'> }>;
  /** Connects a device through the product's own protocol. */
  connectDevice(device?: TestDevice, token?: string, isRegistered?: boolean): Promise<OpenLink>;
  /** The headers of a command line of the owner, and the id of its token. */
  userHeaders(): Promise<{ headers: Record<string, string>; tokenId: Id<'userTokenId'> }>;
  /** Connects a first-generation agent. */
  oldAgent(
    options?: FirstGenerationOptions & { isRegistered?: boolean; device?: TestDevice },
  ): Promise<OldAgent>;
  /** Connects a first-generation command line. */
  oldCommandLine(): Promise<FirstGeneration>;
  /** A raw WebSocket that has sent no frame yet. */
  connectRaw(options?: RawOptions): Promise<RawWebSocket>;
  details(deviceId: Id<'device'>): Promise<Awaited<ReturnType<typeof detailsOf>>>;
}

/** A first-generation agent with its device and the device's id. */
export interface OldAgent {
  readonly peer: FirstGeneration;
  readonly device: TestDevice;
  readonly deviceId: Id<'device'>;
}

/** Starts the gateway and creates its owner, project and token. */
export async function gatewayScene(options: FreshGatewayOptions = {}): Promise<GatewayScene> {
  const scene = await freshGateway(options);
  const owner = await scene.hub.user('owner@example.org', { password: 'a long enough secret' });
  const { projectId } = await scene.hub.as(owner, 'projects_CreateProject', { name: 'Fleet' });
  const newToken = (autoAccept: boolean) =>
    scene.hub.as(owner, 'projects_CreateDeploymentToken', {
      projectId,
      name: 'token',
      flags: { autoAccept },
    });
  const { token } = await newToken(true);
  const userHeaders = async () => {
    const user = await scene.hub.as(owner, 'users_CreateUserToken', { userId: owner.userId, name: 'cli' });
    return { headers: commandLineHeaders(user.token), tokenId: user.tokenId };
  };
  return Object.assign(scene, {
    owner,
    projectId,
    token,
    newToken,
    userHeaders,
    async connectDevice(device?: TestDevice, withToken = token, isRegistered = true) {
      const headers = deviceHeaders(device ?? (await newDevice()), withToken, isRegistered);
      const answer = await connectLink(scene.url, headers);
      if (!isOpen(answer)) throw new Error(answer.body.message);
      return answer;
    },
    async oldAgent({ isRegistered = true, device, ...more }: Parameters<GatewayScene['oldAgent']>[0] = {}) {
      const known = device ?? (await newDevice());
      const headers = deviceHeaders(known, token, isRegistered);
      const peer = new FirstGeneration(await open(scene.url, headers), { ports: new Map(), ...more });
      const { value } = (await peer.call('actor_GetActor', {})) as { value: { actor: { deviceId: never } } };
      return { peer, device: known, deviceId: value.actor.deviceId };
    },
    oldCommandLine: async () => new FirstGeneration(await open(scene.url, (await userHeaders()).headers)),
    connectRaw: async (more?: RawOptions) => open(scene.url, deviceHeaders(await newDevice(), token), more),
    details: (deviceId: Id<'device'>) => detailsOf(scene, owner, deviceId),
  });
}

function detailsOf({ hub }: FreshGateway, owner: Actor, deviceId: Id<'device'>) {
  return hub.as(owner, 'devices_GetDeviceDetails', { deviceId });
}

async function open(
  url: string,
  headers: Record<string, string>,
  options?: RawOptions,
): Promise<RawWebSocket> {
  const answer = await rawUpgrade(url, headers, options);
  if (!(answer instanceof RawWebSocket)) throw new Error(answer.body);
  return answer;
}

/** The headers that a command line connects with. */
export function commandLineHeaders(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'x-user-token': token, 'x-register-connection': 'true' };
}

/** Asks the hub, over the device's connection, for the device's id. */
export async function deviceIdOf(link: OpenLink): Promise<Id<'device'>> {
  const { actor } = (await (await link.rpc()).invoke('actor_GetActor', {})) as {
    actor: { deviceId: Id<'device'> };
  };
  return actor.deviceId;
}
