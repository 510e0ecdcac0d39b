import { catalogue } from '../../copy/catalogue.ts';

/** What the fields of devices are, by their names in the grammar of filters. */
export const deviceFieldHints = catalogue('deviceFieldHints', {
  id: 'device ID',
  name: 'name in Corral',
  hostname: 'name that the device reports',
  connected: 'is connected now',
  status: 'health and presence',
  offline: 'how long it has been disconnected',
  uptime: 'how long it has been connected',
  age: 'how long it has been known',
  cert: 'status of one of its certificates',
  certAge: 'age of its active certificate',
  token: 'deployment token that enrolled it',
  os: 'operating system',
  arch: 'processor architecture',
  kernel: 'kernel version',
  agent: 'version that the agent reports',
  node: 'node that it is connected to',
  flapping: 'has lost five connections in an hour',
  silent: 'has been away for longer than usual',
  cmd: 'command that it offers',
  can: 'whether it takes work, serves commands or a terminal',
  installed: 'package that it has, or a version of it',
  op: 'operation that it is in, or how it stands there',
  label: 'label of the device',
  system: 'system information',
});
