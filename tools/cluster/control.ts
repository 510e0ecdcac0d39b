import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';

/** Runs a command and resolves with its output. Rejects with an Error with one sentence. */
export type RunCommand = (words: readonly string[]) => Promise<string>;

const maxCommandLength = 200;

/** Serves commands of other processes of this user on a Unix socket: one line in, a text out. */
export function serveCommands(path: string, run: RunCommand): Server {
  rmSync(path, { force: true });
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    void text(socket).then(async (line) => {
      const words = line.slice(0, maxCommandLength).trim().split(/\s+/);
      socket.end(await run(words).catch((error: unknown) => `${(error as Error).message}\n`));
    });
  });
  return server.listen(path);
}

/** Sends a command to the running cluster, and resolves with its output. Rejects when none runs. */
export async function sendCommand(path: string, words: readonly string[]): Promise<string> {
  const socket = connect(path);
  socket.end(words.join(' '));
  return text(socket);
}
