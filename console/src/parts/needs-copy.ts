import { catalogue } from '../copy/catalogue.ts';
import { count } from '../copy/count.ts';

const devices = (n: number) => count(n, 'device', 'devices');

/** The texts of what needs a person; each is a number or name, what is said of it, and a line below. */
export const needsCopy = catalogue('needs', {
  title: 'Needs you',
  nothing: 'Nothing needs you',
  alerts: (n: number) => count(n, 'alert', 'alerts'),
  alertsText: (n: number) => (n === 1 ? 'fires' : 'fire'),
  terminals: (n: number) => count(n, 'terminal', 'terminals'),
  terminalsText: (n: number) => (n === 1 ? 'waits for your approval' : 'wait for your approval'),
  certificates: (n: number) => devices(n),
  certificatesText: (n: number) => (n === 1 ? 'waits for your decision' : 'wait for your decision'),
  endingCertificates: devices,
  endingCertificatesText: (n: number) =>
    n === 1
      ? 'holds a certificate that ends soon or has ended'
      : 'hold certificates that end soon or have ended',

  authorities: (n: number) => count(n, 'certificate authority', 'certificate authorities'),
  authoritiesText: (n: number) => (n === 1 ? 'ends within 60 days' : 'end within 60 days'),
  rotations: (n: number) => count(n, 'certificate rotation', 'certificate rotations'),
  rotationsText: 'rolled back or expired',
  silent: devices,
  silentText: 'silent for longer than usual',
  events: devices,
  eventsText: (n: number) => `${n === 1 ? 'has' : 'have'} nearly used up the events of today`,
  quota: (n: number, max: number) => `${n.toLocaleString('en')} of ${devices(max)}`,
  quotaText: 'that this project may have',
  tokens: (n: number) => count(n, 'token', 'tokens'),
  tokensText: (n: number) => (n === 1 ? 'ends within a week' : 'end within a week'),
  oldest: (when: string) => `the oldest ${when}`,
  longest: (when: string) => `the longest since ${when}`,
  first: (when: string) => `the first ${when}`,
  more: (n: number) => `${n.toLocaleString('en')} more`,
});
