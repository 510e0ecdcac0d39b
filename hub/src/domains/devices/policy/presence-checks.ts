import type { Output } from '@corral/contract';
import type { PresenceCause } from './presence-cause.ts';

type Check = Output<'devices_GetPresence'>['checks'][number];

const isRunning: Check = {
  title: 'Is the agent running?',
  detail: 'On the device. If it is not, its log says why.',
  command: 'systemctl status corral-agent',
};
const log: Check = {
  title: 'What does the agent say?',
  detail: 'Its last lines name what it waits for or was refused for.',
  command: 'journalctl -u corral-agent -n 50 --no-pager',
};
const network: Check = {
  title: 'Does the device have a network?',
  detail: 'An address, and a route to the outside.',
  command: 'ip -brief address && ip route get 1.1.1.1',
};
const power: Check = {
  title: 'Did the device restart?',
  detail: 'Its last starts, and the last lines before them.',
  command: 'journalctl --list-boots | tail -n 3',
};
const clock: Check = {
  title: 'Is its clock right?',
  detail: 'A wrong clock makes the certificate of the hub invalid.',
  command: 'timedatectl',
};
const resources: Check = {
  title: 'Is it out of memory or disk?',
  detail: 'Then the agent is ended again and again.',
  command: 'free -m && df -h',
};
const start: Check = {
  title: 'Start the agent again',
  detail: 'It connects within a minute.',
  command: 'systemctl restart corral-agent',
};
const certificate: Check = {
  title: 'Which certificate does it show?',
  detail: 'Compare its fingerprint with the list of certificates on this page.',
  command: 'node corral-agent.mjs certificate fingerprint',
};
const neighbour: Check = {
  title: 'Does a neighbour answer?',
  detail: 'From another device at the site, or from your own machine there.',
  command: 'ping -c 3 <address of the device>',
};

const checks: Readonly<Record<PresenceCause, readonly [Check, Check, Check]>> = {
  NeverSeen: [isRunning, log, network],
  Refused: [certificate, log, start],
  Left: [isRunning, log, start],
  HubWentAway: [isRunning, log, network],
  ManyTogether: [neighbour, network, isRunning],
  Flapping: [log, resources, network],
  Silent: [power, network, isRunning],
  Unknown: [isRunning, log, clock],
};

/** Three things to look at on the device, the likeliest first. */
export function checksOf(cause: PresenceCause): Check[] {
  return [...checks[cause]];
}
