import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { findOrInstallSshServer, freePort } from '@corral/tools';
import { startExecutable } from '../processes.ts';

/** A forwarded local port. */
export interface OpenForward {
  readonly port: number;
  stop(): Promise<void>;
}

/** The anchor of forwards: OpenSSH's `-L` through an sshd on loopback with its own keys and otherwise default settings. */
export async function sshForward(upstreamPort: number): Promise<OpenForward> {
  const sshd = findOrInstallSshServer();
  const folder = await mkdtemp(join(tmpdir(), 'corral-ssh-'));
  await makeKey(join(folder, 'host'));
  await makeKey(join(folder, 'user'));
  const [serverPort, port] = [await freePort(), await freePort()];
  await writeFile(join(folder, 'authorized_keys'), await readFile(join(folder, 'user.pub')), { mode: 0o600 });
  await writeFile(
    join(folder, 'sshd_config'),
    `ListenAddress 127.0.0.1
Port ${serverPort}
HostKey ${join(folder, 'host')}
AuthorizedKeysFile ${join(folder, 'authorized_keys')}
PidFile none
StrictModes no
UsePAM no
`,
  );
  // The privilege separation folder of sshd; the package creates it only when it starts the service.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true });
  const server = startExecutable(sshd, ['-D', '-e', '-f', join(folder, 'sshd_config')]);
  await server.waitForLine(/Server listening on (\S+)/);
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'ExitOnForwardFailure=yes'];
  const settings = options.flatMap((option) => ['-o', option]);
  const target = ['-L', `127.0.0.1:${port}:127.0.0.1:${upstreamPort}`, `${userInfo().username}@127.0.0.1`];
  const basics = ['-v', '-N', '-F', '/dev/null', '-i', join(folder, 'user'), '-p', String(serverPort)];
  const client = startExecutable('ssh', [...basics, ...settings, ...target]);
  await client.waitForLine(/(Entering interactive session|pledge: network)/);
  return {
    port,
    async stop() {
      await client.stop();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function makeKey(file: string): Promise<void> {
  const keygen = startExecutable('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  await keygen.waitForExit();
}
