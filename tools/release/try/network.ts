import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../run-tool.ts';

/** A network of this machine, in which each name has an address and a network namespace of its own. */
export interface TrialNetwork {
  /** The address of this machine in it. */
  readonly gateway: string;
  readonly hostsFile: string;
  /** The path of the namespace of a name, for runc. */
  namespaceOf(name: string): string;
  /** The command line that runs a program of this machine in the namespace of a name. */
  inside(name: string, program: string, ...args: string[]): readonly [string, readonly string[]];
  remove(): void;
}

const bridge = 'corral-trial';

/** Makes a network for these names; its hosts file, which has the aliases too, goes into a folder. Root only. */
export function makeNetwork(
  folder: string,
  subnet: string,
  addresses: Readonly<Record<string, string>>,
  aliases: Readonly<Record<string, string>>,
): TrialNetwork {
  const [base = '', length = ''] = subnet.split('/');
  const gateway = base.replace(/0$/, '1');
  const hostsFile = join(folder, 'hosts');
  const ip = (...args: string[]): string => runTool('ip', args, '/');
  const namespace = (name: string): string => `${bridge}-${name}`;
  const remove = (): void => {
    // What an earlier trial that was killed left is removed too.
    for (const name of Object.keys(addresses))
      runTool('sh', ['-c', `ip netns delete ${namespace(name)} 2>/dev/null || :`], '/');
    runTool('sh', ['-c', `ip link delete ${bridge} 2>/dev/null || :`], '/');
    rmSync(hostsFile, { force: true });
  };
  remove();
  ip('link', 'add', bridge, 'type', 'bridge');
  ip('address', 'add', `${gateway}/${length}`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
  for (const [index, [name, address]] of Object.entries(addresses).entries()) {
    const inside = ['-netns', namespace(name)];
    ip('netns', 'add', namespace(name));
    ip('link', 'add', `ct${index}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace(name));
    ip('link', 'set', `ct${index}`, 'master', bridge, 'up');
    ip(...inside, 'address', 'add', `${address}/${length}`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) ip(...inside, 'link', 'set', device, 'up');
  }
  const lines = Object.entries({ ...addresses, ...aliases }).map(([name, address]) => `${address} ${name}`);
  writeFileSync(hostsFile, ['127.0.0.1 localhost', ...lines, ''].join('\n'));
  return {
    gateway,
    hostsFile,
    namespaceOf: (name) => `/run/netns/${namespace(name)}`,
    inside: (name, program, ...args) => ['ip', ['netns', 'exec', namespace(name), program, ...args]],
    remove,
  };
}
