import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import {
  MultiplexConnection,
  serveRpc,
  WebSocketTransport,
  type Channel,
  type RpcOutput,
} from '@corral/multiplex';

/** A call that a device made. */
export interface SeenCall {
  readonly name: string;
  readonly input: Record<string, unknown>;
}

/** The refusal of an upgrade. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly retryAfter?: string;
  readonly failure?: string;
}

/** Fixed by RFC 6455. */
const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/** The device id of every connection. */
export const deviceId = 'd_1111111111111111111111';
/** A well-formed deployment token. */
export const token = `deployment_${'t'.repeat(66)}`;

const device = { actor: 'Device', kind: 'Device', deviceId, tokenId: `deployment_id_${'t'.repeat(22)}` };

/** A scripted hub on a real socket. */
export class HubPeer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #ticking: ReturnType<typeof setInterval>;
  readonly url: string;
  /** The headers of every upgrade, refused ones too. */
  readonly upgrades: IncomingMessage['headers'][] = [];
  readonly calls: SeenCall[] = [];
  readonly connections: MultiplexConnection[] = [];
  /** Refuses upgrades while it is set. */
  refusal: Refusal | undefined;
  /** The answers by action name, or what gives them; `{}` by default. */
  readonly answers: Record<string, RpcOutput | ((input: Record<string, unknown>) => Promise<RpcOutput>)> = {
    actor_GetActor: ok({ actor: device }),
  };

  /** The SHA-256 of the certificate of the newest TLS client. */
  clientCertificate: string | undefined;

  private constructor(server: Server, scheme: string) {
    this.#server = server;
    this.url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('upgrade', (request: IncomingMessage, socket: Socket) => this.#upgrade(request, socket));
    this.#ticking = setInterval(() => this.connections.forEach((connection) => connection.tick()), 1_000);
  }

  /** Listens on a free port of the loopback; over TLS if given a certificate and its key. */
  static async start(tls?: { cert: string; key: string }): Promise<HubPeer> {
    const server =
      tls === undefined
        ? createServer((_request, response) => response.writeHead(404).end())
        : createSecureServer({ ...tls, requestCert: true, rejectUnauthorized: false });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new HubPeer(server, tls === undefined ? 'http' : 'https');
  }

  /** The newest connection. */
  get newest(): MultiplexConnection {
    const connection = this.connections.at(-1);
    if (connection === undefined) throw new Error('no device has connected');
    return connection;
  }

  /** The inputs of all calls of one action. */
  inputsOf(name: string): Record<string, unknown>[] {
    return this.calls.filter((call) => call.name === name).map(({ input }) => input);
  }

  /** Destroys all sockets. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Ends everything. */
  async stop(): Promise<void> {
    clearInterval(this.#ticking);
    this.cut();
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #upgrade(request: IncomingMessage, socket: Socket): void {
    this.upgrades.push(request.headers);
    this.#sockets.add(socket);
    if (socket instanceof TLSSocket) this.clientCertificate = socket.getPeerX509Certificate()?.fingerprint256;
    socket.on('close', () => this.#sockets.delete(socket)).on('error', () => socket.destroy());
    if (this.refusal !== undefined) return refuse(socket, this.refusal);
    const accept = hash('sha1', `${request.headers['sec-websocket-key']}${acceptSuffix}`, 'base64');
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    socket.write([...lines, `Sec-WebSocket-Accept: ${accept}`, '', ''].join('\r\n'));
    const connection = new MultiplexConnection({
      transport: new WebSocketTransport(socket, { side: 'server' }),
      now: () => performance.now(),
      onChannelRequest: (request) => {
        if (request.endpoint === 'executor') this.#serve(request.accept());
        else request.reject('unknown endpoint');
      },
    });
    this.connections.push(connection);
  }

  #serve(channel: Channel): void {
    void serveRpc(channel, async (name, input) => {
      const given = (input.isJson ? input.value : {}) as Record<string, unknown>;
      this.calls.push({ name, input: given });
      const answer = this.answers[name] ?? ok({});
      return typeof answer === 'function' ? answer(given) : answer;
    });
  }
}

/** A successful answer. */
export function ok(value: unknown): RpcOutput {
  return { result: 'Ok', value };
}

function refuse(socket: Socket, { status, message, retryAfter, failure }: Refusal): void {
  const body = JSON.stringify({ kind: 'Forbidden', message });
  const head = [
    `HTTP/1.1 ${status} No`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
    ...(failure === undefined ? [] : [`X-Corral-Failure: ${failure}`]),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
