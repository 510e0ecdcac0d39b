import { setTimeout as delay } from 'node:timers/promises';
import { abuses, type AbuseName } from './abuses.ts';
import { openRaw } from './raw-link.ts';

/** A peer that abuses the hub until it is stopped, and reconnects whenever its connection ends. */
export interface Abuser {
  /** Accepted connections so far. */
  readonly connections: number;
  /** Connections ended by the hub so far. */
  readonly endings: number;
  stop(): Promise<void>;
}

const reconnectAfterMs = 300;

/** Starts an abuser that connects with these headers. */
export function startAbuser(
  url: string,
  headers: Readonly<Record<string, string>>,
  names: readonly AbuseName[],
): Abuser {
  const stopping = new AbortController();
  const abuser = { connections: 0, endings: 0 };
  const once = async (name: AbuseName): Promise<void> => {
    const socket = await openRaw(url, headers);
    if (typeof socket === 'string') return;
    abuser.connections += 1;
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    // When the hub ends its side, the connection is closed.
    socket.on('end', () => socket.destroy()).on('data', () => {});
    const leave = (): unknown => socket.destroy();
    // It may have been stopped while the hub answered.
    if (stopping.signal.aborted) return void leave();
    stopping.signal.addEventListener('abort', leave);
    abuses[name](socket);
    await closed;
    stopping.signal.removeEventListener('abort', leave);
    if (!stopping.signal.aborted) abuser.endings += 1;
  };
  const run = async (): Promise<void> => {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      await once(names[turn % names.length] ?? 'mute');
      await delay(reconnectAfterMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    get connections() {
      return abuser.connections;
    },
    get endings() {
      return abuser.endings;
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
