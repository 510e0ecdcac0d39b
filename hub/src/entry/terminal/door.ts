import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ActionError, errorKinds, type Id, ids } from '@corral/contract';
import { type Channel, ChannelRejection } from '@corral/multiplex';
import { WebSocketServer } from 'ws';
import type { Executor } from '../../calls/executor.ts';
import { systemCaller } from '../../calls/handler.ts';
import { RedeemTicket } from '../../domains/terminals/internal/RedeemTicket.ts';
import type { LogFields } from '../../platform/log/log-fields.ts';
import { bridge } from './bridge.ts';
import { ChannelPort } from './ChannelPort.ts';
import type { Holder } from './Seat.ts';
import { type Entrance, holderOf, sayEnded, type TerminalHost } from './TerminalHost.ts';
import { WebSocketPort } from './WebSocketPort.ts';

/** Where clients open terminals; the id of the session follows. */
export const terminalPath = '/api/v1/terminal/';

/** What the door of terminals depends on. */
export interface DoorParts {
  readonly executor: Executor;
  readonly host: TerminalHost;
  /** Whether a device is connected to this node. */
  readonly isHere: (deviceId: Id<'device'>) => boolean;
  /** Opens a channel to the node that a device is connected to; undefined where it is connected to no other. Rejected with a ChannelRejection. */
  readonly openAtNode: (deviceId: Id<'device'>, sessionId: Id<'terminal'>) => Promise<Channel | undefined>;
  /** Authenticates a request, as those of actions are. */
  readonly identify: (request: IncomingMessage) => Promise<Parameters<typeof holderOf>[0]>;
  readonly log: { warn(fields: LogFields, message: string): void };
}

/** The door of terminals. */
export interface TerminalDoor {
  handleUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  /** Serves a client of another node, which has taken its ticket. */
  serve(deviceId: Id<'device'>, channel: Channel): Promise<void>;
  stop(): Promise<void>;
}

/** A message is at most one frame. */
const maxMessageBytes = 1_048_581;
const pingEveryMs = 15_000;
const refuseWithinMs = 5_000;

/** Opens WebSockets for those who have a ticket, and joins them with the node of the device. */
export function createTerminalDoor(parts: DoorParts): TerminalDoor {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    clientTracking: false,
  });
  const ports = new Set<WebSocketPort>();
  const pinging = setInterval(() => ports.forEach((port) => port.ping()), pingEveryMs);
  const accept = (request: IncomingMessage, socket: Socket, head: Buffer, entrance: Entrance): void =>
    server.handleUpgrade(request, socket, head, (opened) => {
      const port = new WebSocketPort(opened);
      ports.add(port);
      opened.once('close', () => ports.delete(port));
      void lead(parts, entrance, port);
    });
  const admit = async (request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> => {
    const onEarlyError = (): void => void socket.destroy();
    socket.on('error', onEarlyError);
    try {
      const entrance = await entranceOf(parts, request);
      socket.off('error', onEarlyError);
      accept(request, socket, head, entrance);
    } catch (error) {
      refuse(socket, error);
    }
  };
  return {
    handleUpgrade: (request, socket, head) => void admit(request, socket, head),
    serve: (deviceId, channel) => serve(parts, deviceId, channel),
    async stop() {
      clearInterval(pinging);
      await parts.host.stop();
      for (const port of ports) sayEnded(port, 'HubStopped');
    },
  };
}

/** Takes the ticket of a request. Throws an `ActionError`. */
async function entranceOf({ executor, identify }: DoorParts, request: IncomingMessage): Promise<Entrance> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://hub');
  const sessionId = ids.terminal.schema.safeParse(pathname.slice(terminalPath.length));
  if (!sessionId.success) throw new ActionError('Invalid', 'Terminal not found.');
  const holder = holderOf(await identify(request));
  if (holder === undefined) throw new ActionError('NotSignedIn', 'Not logged in.');
  const [rawId, ticket] = [ids.terminal.raw(sessionId.data), searchParams.get('ticket') ?? ''];
  const { isValid, deviceId } = await executor.run(systemCaller, RedeemTicket, {
    sessionId: rawId,
    ticket,
    holder,
  });
  if (isValid && deviceId !== undefined) return { sessionId: rawId, deviceId, holder };
  throw new ActionError(
    'Forbidden',
    'This ticket is not valid any more: it enters once, within half a minute, whoever asked for it.',
  );
}

async function lead(parts: DoorParts, entrance: Entrance, port: WebSocketPort): Promise<void> {
  const { deviceId, sessionId, holder } = entrance;
  if (parts.isHere(deviceId)) return parts.host.enter(entrance, port);
  try {
    const channel = await parts.openAtNode(deviceId, ids.terminal.of(sessionId) as Id<'terminal'>);
    if (channel === undefined) return sayEnded(port, 'DeviceDisconnected');
    const host = new ChannelPort(channel);
    host.send(JSON.stringify({ sessionId, holder }));
    bridge(port, host);
  } catch (error) {
    if (error instanceof ChannelRejection) return port.close(error.message.slice(0, 100));
    parts.log.warn({ err: error }, 'the node of a terminal could not be reached');
    port.close('Something went wrong in the hub.');
  }
}

async function serve({ host }: DoorParts, deviceId: Id<'device'>, channel: Channel): Promise<void> {
  const port = new ChannelPort(channel);
  const first = await port.first();
  if (first === undefined) return channel.abort('no terminal was named');
  const { sessionId, holder } = JSON.parse(first) as { sessionId: string; holder: Holder };
  await host.enter({ sessionId, deviceId, holder }, port);
}

function refuse(socket: Socket, error: unknown): void {
  const known =
    error instanceof ActionError ? error : new ActionError('Internal', 'Something went wrong in the hub.');
  const { status, wireKind } = errorKinds[known.kind];
  const body = JSON.stringify({ kind: wireKind, message: known.message });
  const grace = setTimeout(() => socket.destroy(), refuseWithinMs);
  socket.on('error', () => socket.destroy()).once('close', () => clearTimeout(grace));
  socket.resume();
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
