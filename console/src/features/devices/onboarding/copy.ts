import { catalogue } from '../../../copy/catalogue.ts';

/** The texts of connecting a device: the token, the command, waiting, and troubleshooting. */
export const onboardingCopy = catalogue('onboarding', {
  title: 'Connect a device',
  emptyTitle: 'Connect your first device',
  emptyText:
    'Create a token, paste one command on the device, and see it connect here. The device needs Node.js 20 and must be able to reach this hub.',
  orPair: 'Or pair a device by a short key, which somebody types or scans at the device.',
  dialogText: 'Create a token, then paste one command on the device.',
  steps: { token: 'Create a token', command: 'Run this on the device', wait: 'See it connect' },
  tokenName: 'Token name',
  tokenNameHint: 'So that you find it again under Tokens. Devices that use it are accepted automatically.',
  defaultName: (day: string) => `Devices of ${day}`,
  make: 'Make token',
  command: 'agent command',
  once: 'The token in this command is shown only now. Anyone who has it can enrol devices in this project.',
  service: 'Run it as a service',
  whileOpen: 'The agent runs until this terminal is closed.',
  plain: 'This hub speaks plain http: the token and all that the device sends can be read along the way.',
  waiting: 'Waiting for a device…',
  connected: (name: string) => `Connected: ${name}`,
  view: 'View device',
  done: 'Done',
  pendingTitle: (name: string) => `“${name}” is waiting to be accepted`,
  pendingText:
    'Its certificate is not accepted yet. Compare this fingerprint with what the device prints, then accept it. The device reconnects automatically within a minute.',
  accept: 'Accept certificate',
  accepted: 'Accepted. Waiting for the device to reconnect…',
  fingerprintLabel: 'On the device, in the same folder:',
  fingerprintCommand: 'node corral-agent.mjs certificate fingerprint',
  silence: 'Nothing yet. What to check:',
  checks: {
    address: (origin: string) =>
      `The hub’s address: can the device open ${origin}? On the device, localhost and 127.0.0.1 are the device itself.`,
    plain:
      'Plain http: the agent speaks it to another machine only with --allow-plain-http. If the hub has an https address, open this page there and take the command from it.',
    https:
      'https: the device must trust the hub’s certificate and have the right time. Name a private certificate authority in NODE_EXTRA_CA_CERTS.',
    tokenUnused: 'The token: it has not been used yet. Was the whole command pasted?',
    tokenUsed: 'The token: it has been used, so the device reaches the hub. Look for it in the list.',
    log: 'The agent’s log: it says in one sentence why it cannot connect.',
  },
});
