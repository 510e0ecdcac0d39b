import { findOrInstall, type SystemProgram } from './system-program.ts';

const nginx: SystemProgram = {
  names: ['nginx'],
  places: ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'],
  probe: ['-v'],
  variable: 'CORRAL_NGINX',
  debianPackage: 'nginx-light',
  need: 'The tests behind a reverse proxy, and the benches beside one, need nginx',
};

const sshServer: SystemProgram = {
  names: ['sshd'],
  places: ['/usr/sbin/sshd', '/usr/local/sbin/sshd'],
  probe: ['-V'],
  variable: 'CORRAL_SSHD',
  debianPackage: 'openssh-server',
  need: 'The bench of forwards beside OpenSSH needs sshd',
};

/** The path of an nginx that works; see `findOrInstall`. */
export function findOrInstallNginx(): string {
  return findOrInstall(nginx);
}

/** The path of an OpenSSH server that works; see `findOrInstall`. */
export function findOrInstallSshServer(): string {
  return findOrInstall(sshServer);
}
