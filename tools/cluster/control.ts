import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';

/** Runs one command and returns what to print. Rejects with a sentence. */
export type RunCommand = (words: readonly string[]) => Promise<string>;

const maxCommandLength = 200;

/** Takes commands of other processes of this user on a Unix socket, a line each, and answers with text. */
export function takeCommands(path: string, run: RunCommand): Server {
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

/** Sends a command to the cluster that runs, and resolves with its answer. Rejects when none runs. */
export async function sendCommand(path: string, words: readonly string[]): Promise<string> {
  const socket = connect(path);
  socket.end(words.join(' '));
  return text(socket);
}
