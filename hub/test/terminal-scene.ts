import type { Id, Output, TerminalPolicy } from '@corral/contract';
import type { ChannelRequest } from '@corral/multiplex';
import { bothTransports, type BothTransports } from './both-transports.ts';
import {
  connectLink,
  deviceHeaders,
  isOpen,
  newDevice,
  type OpenLink,
  type TestDevice,
} from './device-client.ts';
import { deviceIdOf } from './gateway-scene.ts';
import { system, type Answer } from './http-hub.ts';
import { justProved } from './just-proved.ts';
import { PlayedShell, until } from './played-shell.ts';
import { openTerminalSocket, TerminalClient } from './terminal-client.ts';

const password = 'quiet harbour lantern 7';

/** Somebody who is signed in. */
export interface Person {
  readonly userId: Id<'user'>;
  readonly cookie: string;
}

/** How a device of the test answers. */
interface DeviceOptions {
  readonly device?: TestDevice;
  readonly at?: BothTransports;
  /** Decides instead of accepting; true where it has. */
  readonly decides?: (request: ChannelRequest) => boolean;
  /** Whether what is typed is read. */
  readonly isReading?: boolean;
  /** What it says of its agent; nothing where it is null. */
  readonly info?: object | null;
}

/** A device that is connected, and the terminals on it. */
export interface PlayedDevice {
  readonly deviceId: Id<'device'>;
  readonly link: OpenLink;
  readonly shells: PlayedShell[];
  /** Waits for a terminal. */
  shell(index?: number): Promise<PlayedShell>;
}

/** A hub with a project that has two owners and a member, and a device that offers terminals. */
export interface TerminalScene {
  readonly node: BothTransports;
  readonly projectId: Id<'project'>;
  readonly owner: Person;
  readonly colleague: Person;
  readonly member: Person;
  readonly token: string;
  setPolicy(policy: Partial<TerminalPolicy>): Promise<void>;
  connectDevice(options?: DeviceOptions): Promise<PlayedDevice>;
  /** Calls an action over HTTP in the session of somebody, by default of the owner. */
  call(name: string, input: object, who?: Person, at?: BothTransports): Promise<Answer>;
  /** Opens a terminal and enters it. */
  open(deviceId: string, more?: object, who?: Person): Promise<Opened>;
  /** Asks for a further ticket and enters. */
  join(sessionId: string, who?: Person, at?: BothTransports, keepsOutput?: boolean): Promise<TerminalClient>;
  /** Enters with a ticket. */
  enter(
    sessionId: string,
    ticket: string,
    who?: Person,
    at?: BothTransports,
  ): ReturnType<typeof openTerminalSocket>;
  terminal(sessionId: string): Promise<Output<'devices_QueryTerminals'>['terminals'][number]>;
  /** The recording of a terminal. */
  recording(sessionId: string, who?: Person): Promise<Answer>;
}

/** A terminal that was entered. */
export interface Opened {
  readonly sessionId: string;
  readonly client: TerminalClient;
}

const offered = { agent: { config: { terminal: { enabled: true, users: ['root', 'ada'] } } } };

/** Sets the scene on a node. */
export async function terminalScene(node: BothTransports): Promise<TerminalScene> {
  const { hub } = node;
  const [owner, colleague, member] = [
    await newPerson(node, 'owner@example.org'),
    await newPerson(node, 'colleague@example.org'),
    await newPerson(node, 'member@example.org'),
  ];
  const asOwner = {
    actor: { actor: 'User', kind: 'User', userId: owner.userId },
    origin: justProved,
  } as const;
  const { projectId } = await hub.executor.invoke(asOwner, 'projects_CreateProject', { name: 'Plant' });
  for (const { userId } of [colleague, member])
    await hub.executor.invoke(system, 'projects_AddProjectMember', {
      projectId,
      userId,
      isOwner: userId === colleague.userId,
    });
  const { token } = await hub.executor.invoke(asOwner, 'projects_CreateDeploymentToken', {
    projectId,
    name: 'line',
    flags: { autoAccept: true },
  });
  const call: TerminalScene['call'] = (name, input, who = owner, at = node) =>
    at.hub.invoke(name, input, { cookie: who.cookie });
  const enter = (
    sessionId: string,
    ticket: string,
    who = owner,
    at = node,
    keepsOutput = true,
  ): ReturnType<typeof openTerminalSocket> => {
    const { url } = at.hub;
    const headers = { cookie: who.cookie, origin: url, 'sec-fetch-site': 'same-origin' };
    const address = `${url.replace('http', 'ws')}/api/v1/terminal/${sessionId}?ticket=${ticket}`;
    return openTerminalSocket(address, { headers }, keepsOutput);
  };
  return {
    node,
    projectId,
    owner,
    colleague,
    member,
    token,
    call,
    enter,
    async setPolicy(policy) {
      const whole = {
        access: 'Members',
        isReasonNeeded: false,
        approval: 'None',
        recording: 'BestEffort',
        allowsTokens: false,
      } as const;
      await hub.executor.invoke(asOwner, 'projects_SetTerminalPolicy', { projectId, ...whole, ...policy });
    },
    connectDevice: (options) => connectDevice(node, token, options),
    async open(deviceId, more = {}, who = owner) {
      const { json, text } = await call('devices_OpenTerminal', { deviceId, ...more }, who);
      const client = await enter(String(json['sessionId']), String(json['ticket']), who);
      if (!(client instanceof TerminalClient)) throw new Error(`${text} ${client.message}`);
      return { sessionId: String(json['sessionId']), client };
    },
    async join(sessionId, who = owner, at = node, keepsOutput = true) {
      const { json, text } = await call('devices_JoinTerminal', { sessionId }, who, at);
      const client = await enter(sessionId, String(json['ticket']), who, at, keepsOutput);
      if (!(client instanceof TerminalClient)) throw new Error(`${text} ${client.message}`);
      return client;
    },
    async terminal(sessionId) {
      const found = await hub.executor.invoke(asOwner, 'devices_QueryTerminals', { projectId });
      const terminal = found.terminals.find((one) => one.sessionId === sessionId);
      if (terminal === undefined) throw new Error('There is no such terminal.');
      return terminal;
    },
    async recording(sessionId, who = owner) {
      const { json, text } = await call('devices_IssueRecordingUrl', { sessionId }, who);
      if (json['url'] === undefined) throw new Error(text);
      const { pathname, search } = new URL(String(json['url']));
      return hub.call(`${pathname}${search}`, { headers: { cookie: who.cookie } });
    },
  };
}

/** A node of its own with the scene. */
export async function freshTerminalScene(
  ...options: Parameters<typeof bothTransports>
): Promise<TerminalScene> {
  return terminalScene(await bothTransports(...options));
}

async function newPerson({ hub }: BothTransports, email: string): Promise<Person> {
  const { userId } = await hub.user(email, { password });
  return { userId, cookie: await hub.signIn(email, password) };
}

async function connectDevice(
  node: BothTransports,
  token: string,
  { device, at = node, decides, isReading = true, info = offered }: DeviceOptions = {},
): Promise<PlayedDevice> {
  const shells: PlayedShell[] = [];
  const known = device ?? (await newDevice());
  const link = await connectLink(at.hub.url, deviceHeaders(known, token), (request) => {
    if (decides?.(request) === true) return;
    if (request.endpoint.startsWith('terminal')) shells.push(new PlayedShell(request.accept(), isReading));
    else request.reject('unknown endpoint');
  });
  if (!isOpen(link)) throw new Error(link.body.message);
  const deviceId = await deviceIdOf(link);
  const rpc = await link.rpc();
  if (info !== null)
    await rpc.invoke('devices_SetProperty', { deviceId, name: 'dev.nexigon.system.info', value: info });
  return {
    deviceId,
    link,
    shells,
    async shell(index = 0) {
      await until(() => shells[index] !== undefined);
      return shells[index] as PlayedShell;
    },
  };
}
