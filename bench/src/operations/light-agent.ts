import { request } from 'node:http';
import { ConnectError, openLink, type Ticker } from '@corral/client';
import { ByteReader, type Channel, RpcClient } from '@corral/multiplex';
import { sleep } from '../processes.ts';

interface Work {
  readonly deviceOperationId: string;
  readonly claimId: string;
  readonly stepIndex: number;
}

/** A device that does nothing but commands, and each of them at once. */
export interface LightAgent {
  /** Claims work and reports its success, again and again, until its connection ends. */
  claim(): Promise<void>;
  /** Says as agents do that the hub may open channels for commands. */
  offerCommands(): Promise<void>;
}

interface LightAgentOptions {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly deviceId: string;
  readonly ticker: Ticker;
  /** Called when a command begins. */
  readonly onCommand?: () => void;
}

/** Connects a device; a hub that admits no more at present says when it will. */
export async function connectLightAgent(options: LightAgentOptions): Promise<LightAgent> {
  const { deviceId, ticker, onCommand = () => {} } = options;
  const connection = await openWhenAdmitted(options);
  ticker.add(connection);
  void connection.closed.then(() => ticker.remove(connection));
  const rpc = new RpcClient(await connection.openChannel('executor'));
  return {
    async claim() {
      for (;;) {
        const claimed = await rpc.invoke('devices_ClaimOperationWork', { deviceId, limit: 1 });
        for (const { deviceOperationId, claimId, stepIndex } of (claimed as { work: Work[] }).work) {
          onCommand();
          const report = { status: 'Succeeded', output: 'done' };
          await rpc.invoke('devices_ReportOperationStep', {
            deviceId,
            deviceOperationId,
            claimId,
            stepIndex,
            report,
          });
        }
      }
    },
    async offerCommands() {
      const value = { agent: { version: 'bench', config: { commands: { enabled: true } } } };
      await rpc.invoke('devices_SetProperty', { deviceId, name: 'dev.nexigon.system.info', value });
    },
  };
}

async function openWhenAdmitted({ url, headers, onCommand = () => {} }: LightAgentOptions) {
  for (;;) {
    try {
      return await openLink({
        hubUrl: url,
        headers,
        request,
        onChannelRequest: (asked) =>
          asked.endpoint === 'handler'
            ? void serve(asked.accept(), onCommand).catch(() => undefined)
            : asked.reject('unknown endpoint'),
      });
    } catch (error) {
      if (!(error instanceof ConnectError) || error.retryAfterMs === undefined) throw error;
      await sleep(error.retryAfterMs);
    }
  }
}

/** Answers one command of a channel. */
async function serve(channel: Channel, onCommand: () => void): Promise<void> {
  const reader = new ByteReader(channel);
  const head = await reader.read(4);
  if (head === null) return;
  await reader.read(Buffer.from(head).readUInt32BE());
  onCommand();
  const body = Buffer.from(
    JSON.stringify({ type: 'Done', status: 'Ok', output: 'done', logTail: [], durationMs: 1 }),
  );
  const size = Buffer.alloc(4);
  size.writeUInt32BE(body.length);
  await channel.write(Buffer.concat([size, body]));
  channel.end();
}
