import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOrBuildGoProgram } from '../go-program.ts';
import { repositoryRoot } from '../source-files.ts';
import type { Platform } from './platforms.ts';
import { runTool } from './run-tool.ts';
import { writeJson } from './write-json.ts';

const files = join(import.meta.dirname, 'files');

/** What a Linux package is made of. */
interface LinuxPackage {
  readonly name: string;
  readonly description: string;
  /** Packages without which a part of it cannot do its work. */
  readonly recommends?: readonly string[];
  readonly contents: readonly object[];
  /** The folder of its scripts. */
  readonly scripts: string;
  readonly scriptNames: readonly ('preinstall' | 'postinstall' | 'preremove' | 'postremove')[];
}

/** Makes the deb and rpm packages of the hub and of the agent from a platform's folder. */
export function makeLinuxPackages(
  work: string,
  folder: string,
  {
    platform,
    version,
    epochSecs,
    into,
  }: { platform: Platform; version: string; epochSecs: number; into: string },
): void {
  const nfpm = findOrBuildGoProgram({
    name: 'nfpm',
    module: 'github.com/goreleaser/nfpm/v2/cmd/nfpm',
    version: '2.45.0',
    neededGo: [1, 24],
    need: 'A release makes its deb and rpm packages with nfpm',
  });
  if (nfpm === undefined)
    throw new Error('A release makes its deb and rpm packages with nfpm, which needs Go.');
  for (const made of [hubPackage(folder), agentPackage(folder, work)]) {
    const target = join(work, `${made.name}-${platform.name}`);
    mkdirSync(target, { recursive: true });
    const description = join(target, 'nfpm.yaml');
    writeJson(description, nfpmDescription(made, target, platform, version, epochSecs));
    for (const kind of ['deb', 'rpm'])
      runTool(nfpm, ['package', '--config', description, '--packager', kind, '--target', into], target, {
        ...process.env,
        SOURCE_DATE_EPOCH: String(epochSecs),
      });
  }
}

function nfpmDescription(
  { name, description, recommends, contents, scripts, scriptNames }: LinuxPackage,
  target: string,
  platform: Platform,
  version: string,
  epochSecs: number,
): object {
  const filled = scriptNames.map((script) => {
    const text = readFileSync(join(scripts, `${script}.sh`), 'utf8').replaceAll('@VERSION@', version);
    const path = join(target, `${script}.sh`);
    writeFileSync(path, text);
    return [script, path] as const;
  });
  return {
    name,
    description,
    arch: platform.architecture,
    platform: 'linux',
    version,
    mtime: new Date(epochSecs * 1000).toISOString(),
    section: 'net',
    priority: 'optional',
    maintainer: 'The Corral team <corral@corral.example>',
    license: 'Apache-2.0',
    depends: ['libc6 (>= 2.28)', 'libstdc++6', 'passwd'],
    recommends,
    overrides: { rpm: { depends: ['glibc >= 2.28', 'libstdc++', 'shadow-utils', 'util-linux'] } },
    // Debian's programs read zstd only from its release 12 on.
    deb: { compression: 'gzip' },
    rpm: { compression: 'zstd', buildhost: 'corral' },
    scripts: Object.fromEntries(filled),
    contents,
  };
}

function hubPackage(folder: string): LinuxPackage {
  const own = join(files, 'deb');
  return {
    name: 'corral-hub',
    description:
      'self-hosted hub for connected devices and the software they run\nDevices dial out to it; people see and reach them in a web console. It has\nits own Node.js and PostgreSQL, and needs neither of the system.',
    scripts: own,
    scriptNames: ['preinstall', 'postinstall', 'preremove', 'postremove'],
    contents: [
      { src: folder, dst: '/usr/lib/corral-hub', type: 'tree' },
      program(join(own, 'corral-hub.sh'), '/usr/bin/corral-hub'),
      text(join(own, 'defaults.env'), '/usr/lib/corral-hub/defaults.env'),
      { src: '../lib/corral-hub/bin/corral', dst: '/usr/bin/corral', type: 'symlink' },
      text(join(own, 'copyright'), '/usr/share/doc/corral-hub/copyright'),
      text(
        join(repositoryRoot, 'docs/operations/corral-hub.service'),
        '/usr/lib/systemd/system/corral-hub.service',
      ),
      settings(join(own, 'corral.env'), '/etc/corral/corral.env'),
    ],
  };
}

function agentPackage(folder: string, work: string): LinuxPackage {
  const own = join(files, 'agent-deb');
  const unit = readFileSync(join(repositoryRoot, 'docs/operations/corral-agent.service'), 'utf8');
  writeFileSync(
    join(work, 'corral-agent.service'),
    unit.replace(/^ExecStart=.*corral-agent\.mjs/m, 'ExecStart=/usr/bin/corral-agent'),
  );
  return {
    name: 'corral-agent',
    description:
      'agent that connects a device to its Corral hub\nIt dials out, so the device needs no open port. It has its own Node.js.',
    scripts: own,
    scriptNames: ['preinstall', 'postinstall', 'preremove', 'postremove'],
    // The authorities of the system, to which that of one's own hub is added.
    recommends: ['ca-certificates'],
    contents: [
      program(join(folder, 'node/bin/node'), '/usr/lib/corral-agent/node'),
      text(join(folder, 'node/LICENSE'), '/usr/lib/corral-agent/LICENSE.node'),
      text(join(own, 'copyright'), '/usr/share/doc/corral-agent/copyright'),
      text(join(folder, 'agent/dist/corral-agent.mjs'), '/usr/lib/corral-agent/corral-agent.mjs'),
      program(join(own, 'corral-agent.sh'), '/usr/bin/corral-agent'),
      text(join(work, 'corral-agent.service'), '/usr/lib/systemd/system/corral-agent.service'),
      settings(join(own, 'agent.toml'), '/etc/corral/agent.toml'),
    ],
  };
}

const program = (src: string, dst: string): object => ({ src, dst, file_info: { mode: 0o755 } });
const text = (src: string, dst: string): object => ({ src, dst, file_info: { mode: 0o644 } });

/** A file that an upgrade leaves as the administrator made it; it may contain secrets. Once released, it stays as it is: dpkg asks about a changed one. */
const settings = (src: string, dst: string): object => ({
  src,
  dst,
  type: 'config|noreplace',
  file_info: { mode: 0o640 },
});
