export { findOrInstallNginx, findOrInstallSshServer } from './servers.ts';
