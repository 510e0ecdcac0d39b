import { machine } from './machine.ts';
import type { Sandbox, RunOptions } from './sandbox.ts';

/** How a test runs a block of a page. */
export interface BlockRun extends RunOptions {
  /** How the block begins, to check that each entry is for the right block. */
  readonly begins: string;
  /** Why the block is not run. Like all blocks it is still parsed, and the commands and options of Corral's programs in it are checked. */
  readonly notRun?: string;
  /** Does what the text before the block asks for. */
  readonly before?: (at: Sandbox) => Promise<unknown>;
  /** Checks the result, or does what the text after the block asks for. */
  readonly after?: (at: Sandbox, output: string) => Promise<unknown>;
}

const developers = 'It is for developers and takes minutes.';
const systemd = 'It needs root and systemd.';
const aKey = 'It needs a key that an owner has just made, and a device that waits.';
const anId = 'It needs ids that the console shows.';
const settings = 'These are settings for servers that do not exist here.';
const isReady = /Corral is ready: \S+/;
const isConnected = /connected to http/;

/**
 * Every block of commands, in the order in which a new administrator follows the pages on one machine. `npm start` and `corral-hub` run the hub of this
 * checkout, without building the console first.
 */
export const blockRuns: Readonly<Record<string, readonly BlockRun[]>> = {
  'README.md': [
    { begins: 'npm start', isHub: true, until: isReady, after: machine.startProject },
    { begins: 'npm start -- --demo 12', isHub: true, until: isReady },
    { begins: 'curl', until: isConnected },
    { begins: 'curl' },
    { begins: 'corral repositories', before: (at) => machine.writeRelease(at, 'README.md') },
    {
      begins: 'CORRAL_HOST=0.0.0.0',
      until: isReady,
      before: machine.makeCertificate,
      replaced: { 'https://hub.example': 'https://hub.test' },
      env: { CORRAL_DATA_DIR: '../var/lib/corral-tls', CORRAL_PORT: '0' },
    },
    { begins: 'npm test', notRun: developers },
  ],
  'CONTRIBUTING.md': [
    { begins: 'npm run dev', notRun: developers },
    { begins: 'npm run release', notRun: developers },
  ],
  'docs/administration.md': [
    { begins: 'corral-hub doctor' },
    { begins: 'corral-hub reset-administrator', after: machine.signInAnew },
    { begins: 'openssl' },
  ],
  'docs/agent.md': [
    { begins: 'curl', until: isConnected },
    { begins: 'install -d', after: machine.configureAgent },
    { begins: 'systemctl', notRun: systemd },
    { begins: 'mkdir', before: (at) => at.write('data/current.img', 'an older image') },
    { begins: 'sudo corral-agent' },
  ],
  'docs/agent-on-devices.md': [
    { begins: 'install -m', notRun: 'It needs OpenRC.' },
    { begins: 'install -m', notRun: 'It needs the init of BusyBox.' },
  ],
  'docs/pairing.md': [
    { begins: 'curl -d', notRun: aKey },
    { begins: 'corral-agent pair', notRun: aKey },
    { begins: 'curl -fsS', notRun: aKey },
    { begins: 'corral pair', notRun: aKey },
  ],
  'docs/device-commands.md': [
    { begins: 'corral-agent kit', notRun: 'It writes to folders of the system.' },
    { begins: 'systemd-run', notRun: systemd },
    { begins: 'corral-agent kit', notRun: 'It writes to folders of the system.' },
    { begins: '#!/bin/sh', notRun: 'It is a program of a device.' },
    { begins: 'corral-agent device' },
  ],
  'docs/cli.md': [
    { begins: 'curl' },
    { begins: 'corral run', notRun: 'The page about acting on devices runs the like.' },
    {
      begins: 'corral forward',
      before: machine.nameDevice,
      until: /leads to port 22/,
      replaced: { '8080:80 2222:22': '0:80 0:22' },
    },
  ],
  'docs/alerts.md': [{ begins: 'corral alerts', before: machine.nameDevice }],
  'docs/cluster.md': [
    { begins: 'export', notRun: settings },
    { begins: 'npm run cluster', notRun: 'It needs nginx, NATS and an object store; benchmarks run it.' },
  ],
  'docs/operations/backup.md': [
    { begins: 'corral-hub backup' },
    { begins: '# /etc/cron.d', replaced: { '/usr/bin/corral-hub': 'corral-hub' } },
    {
      begins: 'corral-hub restore',
      before: machine.prepareRestore,
      env: { CORRAL_DATA_DIR: '../var/lib/corral-restored' },
    },
    { begins: 'sudo systemctl stop', notRun: systemd },
    { begins: 'corral-hub storage claim', env: { CORRAL_DATA_DIR: '../var/lib/corral-restored' } },
    { begins: 'corral-hub restore /srv/back', notRun: 'It needs an object store.' },
  ],
  'docs/install.md': [
    { begins: 'minisign', notRun: 'It needs the files of a release.' },
    { begins: 'sudo apt install ./corral-hub', notRun: systemd },
    { begins: 'sudo apt install ./corral-agent', notRun: systemd },
    { begins: 'openssl', after: machine.checkHubCertificate },
    { begins: 'sudo install', notRun: systemd },
    { begins: 'sudo install', notRun: 'It changes what the machine trusts.' },
  ],
  'docs/dependencies.md': [{ begins: 'npm run release', notRun: developers }],
  'docs/operations/containers.md': [{ begins: 'podman', notRun: 'It needs Podman.' }],
  'docs/operations/disk.md': [{ begins: 'df' }, { begins: 'corral-hub storage doctor' }],
  'docs/operations/haproxy.md': [{ begins: 'CORRAL_PUBLIC_URL', notRun: settings }],
  'docs/operations/systemd.md': [
    { begins: 'sudo apt', notRun: systemd },
    { begins: 'useradd', notRun: systemd },
    { begins: 'journalctl', notRun: systemd },
    { begins: 'sudo corral-hub', notRun: systemd },
  ],
  'docs/operations/benchmarks.md': [{ begins: 'npm run bench', notRun: developers }],
  'docs/operations/upgrade.md': [{ begins: 'sudo systemctl', notRun: systemd }],
  'docs/software-repositories.md': [
    { begins: 'CORRAL_S3_ENDPOINT', notRun: settings },
    { begins: 'corral repositories', before: machine.writeAnotherRelease },
    { begins: 'mkdir' },
  ],
  'docs/acting-on-devices.md': [
    { begins: 'corral publish', before: machine.offerInstall },
    { begins: 'corral install', after: machine.hasInstalled },
  ],
  // After the pages that name the device of the project, because it adds another one.
  'docs/certificates.md': [
    { begins: 'agent=', notRun: 'They are settings of a device.' },
    { begins: 'corral actions execute project', notRun: anId },
    { begins: 'corral actions execute devices', notRun: anId },
    { begins: 'corral actions execute projects', before: machine.makeFactory },
    {
      begins: 'CORRAL_AGENT_TOKEN',
      until: isConnected,
      // Another device than that of the other pages.
      env: { CORRAL_AGENT_STATE: '../var/lib/corral-agent-17' },
    },
  ],
  // Late, because it stops the hub: a seal that came between two commands would have another key than the one on the page.
  'docs/audit-log.md': [
    { begins: 'corral-hub audit verify', before: machine.noteSealingKey },
    { begins: 'corral projects', notRun: 'The first seal comes up to two minutes after the start.' },
  ],
  // On a hub of its own, which shows the password of its first administrator.
  'docs/tour.md': [
    {
      begins: 'npx corral-hub',
      isHub: true,
      until: isReady,
      replaced: { 'npx corral-hub': 'npm start' },
      env: { CORRAL_DATA_DIR: '../var/lib/corral-tour' },
      after: machine.startProject,
    },
    { begins: 'curl' },
    { begins: 'export', until: /connected to http[^]*connected to http/, goesOn: true },
    { begins: 'curl' },
    { begins: 'cat >pump.toml', after: (at) => machine.haveVersion(at, '1.0') },
    { begins: 'echo' },
    { begins: 'corral install', after: (at) => machine.haveVersion(at, '1.1') },
    { begins: 'undo=', before: machine.nameOperation, after: (at) => machine.haveVersion(at, '1.0') },
  ],
};
