import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { channelExecutor, errorOf } from '@corral/client';
import { MultiplexConnection, RpcClient, WebSocketTransport, type ConnectionEnd } from '@corral/multiplex';
import { WebSocket } from 'ws';
import { CliError } from './CliError.ts';
import type { CliConfig } from './config.ts';

/** Connects as the user whose token it is; the connection ends the process's work when it ends. Throws a CliError. */
export async function connect(
  config: CliConfig,
): Promise<{ connection: MultiplexConnection; end: Promise<ConnectionEnd> }> {
  const connection = await open(config);
  const ticking = setInterval(() => connection.tick(), 1_000);
  const end = connection.closed.finally(() => clearInterval(ticking));
  const executor = channelExecutor(new RpcClient(await connection.openChannel('executor')));
  const { actor } = await executor.invoke('actor_GetActor', {});
  if (actor.actor !== 'UserToken') throw new CliError('The hub does not know this token as a user token.');
  return { connection, end };
}

function open({ hubUrl, token }: CliConfig): Promise<MultiplexConnection> {
  return new Promise((resolve, reject) => {
    let socket: Socket | undefined;
    const webSocket = new WebSocket(`${hubUrl.replace(/^http/, 'ws')}/api/v1/connect/ws`, {
      headers: { Authorization: `Bearer ${token}`, 'X-User-Token': token, 'X-Register-Connection': 'true' },
      perMessageDeflate: false,
      handshakeTimeout: 20_000,
    });
    webSocket.once('upgrade', (response: IncomingMessage) => (socket = response.socket));
    webSocket.once('unexpected-response', (_request: ClientRequest, response: IncomingMessage) => {
      void refusalOf(response).then((error) => {
        reject(error);
        webSocket.terminate();
      });
    });
    webSocket.on('error', (cause) =>
      reject(new CliError(`The hub at ${hubUrl} cannot be reached: ${cause.message}.`, { cause })),
    );
    webSocket.once('open', () => {
      const transport = new WebSocketTransport(webSocket, socket as Socket);
      resolve(
        new MultiplexConnection({
          transport,
          now: () => performance.now(),
          pingIntervalMs: 5_000,
          schedule: setTimeout,
        }),
      );
    });
  });
}

async function refusalOf(response: IncomingMessage): Promise<Error> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return errorOf(new Response(Buffer.concat(chunks), { status: response.statusCode ?? 500 }));
}
