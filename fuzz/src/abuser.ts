import { setTimeout as pass } from 'node:timers/promises';
import { abuses, type AbuseName } from './abuses.ts';
import { openRaw } from './raw-link.ts';

/** A peer that abuses the hub until it is stopped: whenever its connection ends, it comes back. */
export interface Abuser {
  /** How often it was let in so far. */
  readonly connections: number;
  /** How often the hub has ended its connection so far. */
  readonly endings: number;
  stop(): Promise<void>;
}

const backAfterMs = 300;

/** Starts an abuser that is let in with these headers. */
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
    // The hub's end is the end: nobody stays half open.
    socket.on('end', () => socket.destroy()).on('data', () => {});
    const leave = (): unknown => socket.destroy();
    stopping.signal.addEventListener('abort', leave);
    abuses[name](socket);
    await closed;
    stopping.signal.removeEventListener('abort', leave);
    if (!stopping.signal.aborted) abuser.endings += 1;
  };
  const run = async (): Promise<void> => {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      await once(names[turn % names.length] ?? 'mute');
      await pass(backAfterMs, undefined, { signal: stopping.signal }).catch(() => {});
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
