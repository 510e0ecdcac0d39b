import { catalogue } from '../../../copy/catalogue.ts';

/** The texts of the rotation of certificates. */
export const rotationCopy = catalogue('rotation', {
  title: 'Certificate rotations',
  text: 'A device announces a new certificate over its old one, which ends after the device has come with the new one.',
  summary: (n: number, more: boolean) =>
    `${n.toLocaleString('en')}${more ? '+' : ''} ${n === 1 ? 'rotation' : 'rotations'}`,
  csvName: 'certificate-rotations',
  filter: 'State',
  all: 'All',
  unresolved: 'To repeat',
  states: {
    Open: 'Window open',
    Announced: 'Announced',
    Arrived: 'Arrived',
    RolledBack: 'Rolled back',
    Completed: 'Completed',
    Expired: 'Expired',
    Cancelled: 'Cancelled',
  },
  columns: { device: 'Device', state: 'State', started: 'Started', next: 'What Comes', reason: 'Reason' },
  emptyTitle: 'No certificate was rotated yet',
  emptyText:
    'Select devices in their list, and choose “Rotate certificates…”. The filter certAge>365d finds those whose certificate is older than a year.',
  nothingTitle: 'None in this state',
  /** What comes next, by the state. */
  next: {
    open: 'The window for a new certificate closes',
    announced: 'Both certificates are accepted until the device comes with the new one',
    arrived: 'The old certificate ends',
    rolledBack: 'It went back to its old certificate, which stays',
    expired: 'It announced none in its window',
  },
  rotate: 'Rotate certificate',
  rotateMany: 'Rotate certificates…',
  ownerOnly: 'Only an owner of the project may do this.',
  show: 'All rotations',
  cancel: 'Cancel rotation',
  cancelTitle: 'Cancel the rotation of this certificate?',
  cancelText: 'All certificates that are active stay active.',
  cancelled: 'The rotation was cancelled',
  dialog: {
    title: (n: number) =>
      `Rotate the ${n === 1 ? 'certificate of 1 device' : `certificates of ${n.toLocaleString('en')} devices`}`,
    titleAll: 'Rotate the certificates of all devices that match',
    text: 'Opens a window in which each device may replace its certificate. Old certificates go on until the new ones are in use.',
    verb: 'Open window',
    window: 'Window',
    windowHint:
      'How long devices may take to announce a new certificate; those that are away need it longer.',
    grace: 'Time of grace',
    graceHint: 'How long an old certificate goes on after the new one is in use.',
    reason: 'Reason',
    reasonHint: 'For the log of the project; optional.',
    spans: { '3600': '1 hour', '86400': '1 day', '604800': '7 days', '2592000': '30 days' },
  },
});
