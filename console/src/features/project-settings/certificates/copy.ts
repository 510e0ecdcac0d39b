import { catalogue } from '../../../copy/catalogue.ts';
import { count } from '../../../copy/count.ts';

const devices = (n: number) => count(n, 'device', 'devices');
const hold = (n: number) => `${devices(n)} ${n === 1 ? 'holds' : 'hold'}`;
const days = (n: number) => count(n, 'day', 'days');

/** The texts of the certificate authorities of a project. */
export const certificatesCopy = catalogue('certificateAuthorities', {
  title: 'Certificate authorities',
  create: 'New Authority',
  ownerOnly: 'Only an owner of the project may change its certificate authorities.',
  emptyTitle: 'No certificate authority',
  emptyText:
    'Each device makes a certificate of its own, which does not end, and you accept it once. An authority of this project issues certificates that end by themselves; Corral’s agent renews them in time.',
  columns: { name: 'Name', state: 'State', ends: 'Ends', devices: 'Devices' },
  states: { issues: 'Issues', trusted: 'Trusted', ended: 'Ended' },
  fingerprint: 'fingerprint',
  download: 'Download certificate',
  remove: 'Delete',
  removeTitle: (name: string) => `Delete the certificate authority “${name}”`,
  removeText: (n: number, isDemanded: boolean) =>
    [
      'Its key is destroyed, and no certificate of it can be issued again.',
      n === 0
        ? 'No device holds a certificate of it.'
        : `${hold(n)} a certificate of it, which then counts as one of no authority${isDemanded ? ' and ends within a day' : ''}.`,
    ].join(' '),
  removed: (name: string) => `The certificate authority “${name}” was deleted`,
  created: (name: string) => `The certificate authority “${name}” was created`,
  form: {
    text: 'Leave certificate and key empty, and the hub makes both: ECDSA P-256, valid for ten years. Its key never leaves the hub.',
    certificate: 'Certificate',
    certificateHint: 'In PEM. Of an authority that you have already.',
    key: 'Private key',
    keyHint:
      'In PEM, without a passphrase. Without it, you issue certificates elsewhere and the hub accepts them.',
    keyAlone: 'Give the certificate of this key, too.',
  },
  policy: {
    title: 'Certificates of devices',
    verb: 'Change Rules',
    changed: 'The rules of certificates were changed',
    /** What the rules are, and how many devices hold what. */
    sentence: (isDemanded: boolean, withIssued: number, without: number) =>
      `${isDemanded ? 'Devices need a certificate of an authority' : 'Devices may use any certificate that was accepted'}: ${hold(withIssued)} one of an authority, ${without.toLocaleString('en')} ${without === 1 ? 'does' : 'do'} not.`,
    valid: (n: number) => `New certificates are valid for ${days(n)}.`,
    noneIssues: 'No authority issues: devices get their certificates from you.',
    preview: (withIssued: number, without: number) =>
      without === 0
        ? `${hold(withIssued)} a certificate of an authority. None has only others.`
        : `${hold(withIssued)} a certificate of an authority. ${hold(without)} only others: demanded, ${without === 1 ? 'it is' : 'they are'} refused once the days below are over, unless ${without === 1 ? 'it gets' : 'they get'} one before. Corral’s agent gets one by itself when it is connected.`,
    isDemanded: 'Devices need a certificate of an authority',
    validForDays: 'New certificates are valid for (days)',
    validForDaysHint: '1 to 397. Agents renew them after two thirds of that time.',
    validWrong: 'A whole number of days from 1 to 397.',
    foreignDays: 'Other certificates count for (days)',
    foreignHint: '0 to 90, from now. With 0, connections with other certificates are cut within seconds.',
    foreignHintAgain: '0 to 90, from now. Leave it empty, and they end when it was said before.',
    foreignWrong: 'A whole number of days from 0 to 90.',
  },
});
