import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findOrInstall } from '../../system-program.ts';
import { removeTree, runTool } from '../run-tool.ts';
import { debianArchive } from './clean-root.ts';
import { startProgram, type RunningProgram } from './programs.ts';
import type { FileOf, Way } from './ways.ts';

type Service = 'corral-hub' | 'corral-agent';

/** The packages of Debian in one whose process 1 is systemd, which starts their units. */
export function systemd(file: FileOf, version: string): Way {
  return {
    name: 'systemd',
    install(folder) {
      const root = join(folder, 'root');
      const machine = boot(root);
      const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
      const packages = ['corral-hub', 'corral-agent'].map((name) => `${name}_${version}_${architecture}.deb`);
      for (const service of ['corral-hub', 'corral-agent'] as const) logToFile(root, service);
      for (const name of packages) cpSync(file(name), join(root, 'root', name));
      let isInstalled = false;
      return {
        files: join(root, 'usr/lib/corral-hub'),
        data: join(root, 'var/lib/corral'),
        startHub(port) {
          mkdirSync(join(root, 'etc/corral'), { recursive: true });
          writeFileSync(join(root, 'etc/corral/corral.env'), `CORRAL_PORT=${port}\n`);
          if (!isInstalled)
            machine.run('dpkg', '--force-confold', '--install', ...packages.map((name) => `/root/${name}`));
          isInstalled = true;
          return follow(machine, root, 'corral-hub');
        },
        startAgent(hubUrl, token) {
          writeFileSync(join(root, 'etc/corral/agent.toml'), `hub-url = "${hubUrl}"\ntoken = "${token}"\n`);
          return follow(machine, root, 'corral-agent');
        },
        check: () => seeRestart(machine, root),
        remove() {
          try {
            machine.run('dpkg', '--remove', 'corral-hub', 'corral-agent');
            const left = machine.run(
              'systemctl',
              'list-units',
              '--state=active,failed',
              '--no-legend',
              'corral-*',
            );
            if (left !== '') throw new Error(`A removed package leaves a unit: ${left}`);
          } finally {
            machine.powerOff();
            removeTree(root);
          }
        },
      };
    },
  };
}

/** Starts a service unless it runs; the program is what it writes into its file below /var/log. */
function follow(machine: Machine, root: string, service: Service): RunningProgram {
  machine.run('systemctl', 'start', service);
  const program = startProgram(['tail', ['--lines=+1', '--follow', logOf(root, service)]]);
  return {
    ...program,
    stop() {
      machine.run('systemctl', 'stop', service);
      writeFileSync(logOf(root, service), '');
      return program.stop();
    },
  };
}

const logOf = (root: string, service: Service): string => join(root, `var/log/${service}.log`);

/** Lets systemd write what a service says into a file, which can be followed from outside. */
function logToFile(root: string, service: Service): void {
  const dropIn = join(root, `etc/systemd/system/${service}.service.d`);
  mkdirSync(dropIn, { recursive: true });
  writeFileSync(
    join(dropIn, 'log.conf'),
    `[Service]\nStandardOutput=append:/var/log/${service}.log\nStandardError=inherit\n`,
  );
}

const propertyOf = (machine: Machine, service: Service, property: string): string =>
  machine.run('systemctl', 'show', `--property=${property}`, '--value', service).trim();

/** Kills the hub, and waits until systemd has started it again and it is ready. */
async function seeRestart(machine: Machine, root: string): Promise<void> {
  machine.run('sh', '-c', `kill -KILL ${propertyOf(machine, 'corral-hub', 'MainPID')}`);
  const isBack = (): boolean =>
    propertyOf(machine, 'corral-hub', 'NRestarts') === '1' &&
    readFileSync(logOf(root, 'corral-hub'), 'utf8').split('Corral is ready').length === 3;
  for (let tries = 0; !isBack(); tries += 1) {
    if (tries > 60) throw new Error('systemd does not start a hub again that was killed.');
    await pause(500);
  }
}

/** A Debian whose systemd runs, in the network of this machine. */
interface Machine {
  /** Its process 1. */
  readonly leader: string;
  run(program: string, ...args: string[]): string;
  powerOff(): void;
}

function boot(root: string): Machine {
  const nspawn = findOrInstall({
    names: ['systemd-nspawn'],
    places: [],
    probe: ['--version'],
    variable: 'CORRAL_NSPAWN',
    debianPackage: 'systemd-container',
    need: 'The trial of the units needs systemd-nspawn',
  });
  const archive = debianArchive('debian-12-systemd', 'systemd', 'systemd-sysv', 'dbus');
  mkdirSync(root);
  runTool('tar', ['xf', archive, '-C', root, '--exclude=./dev/*'], '/');
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n');
  const args = [
    `--machine=corral-trial-${process.pid}`,
    '--register=no',
    '--keep-unit',
    '--quiet',
    '--directory',
    root,
    '--boot',
    '--console=pipe',
  ];
  const { pid } = spawn(nspawn, args, { stdio: 'ignore' });
  const children = `/proc/${pid}/task/${pid}/children`;
  // The first child gives birth to process 1 and ends, and that can be asked only once it has a bus.
  const boots = `for try in $(seq 150); do
    leader=$(cat ${children})
    nsenter --target $leader --mount --pid systemctl is-system-running --wait >/dev/null 2>&1 && exec echo $leader
    sleep 0.2
  done
  exit 1`;
  const leader = runTool('sh', ['-c', boots], '/').trim();
  const enter = `--target ${leader} --mount --uts --ipc --pid --cgroup env -i`.split(' ');
  const env = ['PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'DEBIAN_FRONTEND=noninteractive'];
  const run: Machine['run'] = (...command) => runTool('nsenter', [...enter, ...env, ...command], '/');
  return {
    leader,
    run,
    powerOff() {
      run('systemctl', 'poweroff');
      runTool(
        'sh',
        ['-c', `while kill -0 ${pid} 2>/dev/null && [ -n "$(cat ${children})" ]; do sleep 0.1; done`],
        '/',
      );
    },
  };
}
