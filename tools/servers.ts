import { findOrBuildGoProgram } from './go-program.ts';
import { findOrInstall, type SystemProgram } from './system-program.ts';

const nginx: SystemProgram = {
  names: ['nginx'],
  places: ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'],
  probe: ['-v'],
  variable: 'CORRAL_NGINX',
  debianPackage: 'nginx-light',
  need: 'The tests behind a reverse proxy, and the benches beside one, need nginx',
};

const haproxy: SystemProgram = {
  names: ['haproxy'],
  places: ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/opt/homebrew/bin/haproxy'],
  probe: ['-v'],
  variable: 'CORRAL_HAPROXY',
  debianPackage: 'haproxy',
  need: 'The test of the configuration of HAProxy needs it',
};

const sshServer: SystemProgram = {
  names: ['sshd'],
  places: ['/usr/sbin/sshd', '/usr/local/sbin/sshd'],
  probe: ['-V'],
  variable: 'CORRAL_SSHD',
  debianPackage: 'openssh-server',
  need: 'The bench of forwards beside OpenSSH needs sshd',
};

const natsServer: SystemProgram = {
  names: ['nats-server'],
  places: ['/usr/sbin/nats-server', '/usr/local/bin/nats-server', '/opt/homebrew/bin/nats-server'],
  probe: ['-v'],
  variable: 'CORRAL_NATS_SERVER',
  debianPackage: 'nats-server',
  need: 'The tests of several nodes need nats-server',
};

/** The path of an nginx that works; see `findOrInstall`. */
export function findOrInstallNginx(): string {
  return findOrInstall(nginx);
}

/** The path of a HAProxy that works; see `findOrInstall`. Undefined where it cannot be had. */
export function findOrInstallHaproxy(): string | undefined {
  try {
    return findOrInstall(haproxy);
  } catch (error) {
    if (process.env[haproxy.variable]) throw error;
    return undefined;
  }
}

/** The path of an OpenSSH server that works; see `findOrInstall`. */
export function findOrInstallSshServer(): string {
  return findOrInstall(sshServer);
}

/** The path of a nats-server that works: as in `findOrInstall`, else one that Go builds. Undefined where neither can be had. */
export function findOrInstallNatsServer(): string | undefined {
  try {
    return findOrInstall(natsServer);
  } catch (error) {
    if (process.env[natsServer.variable]) throw error;
    return findOrBuildGoProgram({
      name: 'nats-server',
      module: 'github.com/nats-io/nats-server/v2',
      version: '2.15.2',
      neededGo: [1, 26],
      need: natsServer.need,
    });
  }
}
