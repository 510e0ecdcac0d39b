import { catalogue } from '../../../copy/catalogue.ts';
import { count } from '../../../copy/count.ts';
import type { DeviceChange } from './changes.ts';

const devices = (n: number) => count(n, 'device', 'devices');

/** What a change does, as a title. */
function titleOf(change: DeviceChange, n: number): string {
  switch (change.kind) {
    case 'Rename':
      return `Rename ${devices(n)}`;
    case 'SetLabel':
      return `Set ${change.name}: ${change.value} on ${devices(n)}`;
    case 'RemoveLabel':
      return `Remove ${change.name} from ${devices(n)}`;
    case 'Accept':
      return `Accept certificates of ${devices(n)}`;
    case 'Delete':
      return `Delete ${devices(n)}`;
    case 'RotateCertificates':
      return `Rotate certificates of ${devices(n)}`;
  }
}

/** What a change has done. */
function doneOf(change: DeviceChange, n: number): string {
  const were = n === 1 ? 'was' : 'were';
  switch (change.kind) {
    case 'Rename':
      return `${devices(n)} ${were} renamed`;
    case 'SetLabel':
      return `${change.name}: ${change.value} was set on ${devices(n)}`;
    case 'RemoveLabel':
      return `The label ${change.name} was removed from ${devices(n)}`;
    case 'Accept':
      return `The certificates of ${devices(n)} were accepted`;
    case 'Delete':
      return `${devices(n)} ${were} deleted`;
    case 'RotateCertificates':
      return `${devices(n)} may replace ${n === 1 ? 'its certificate' : 'their certificates'} now`;
  }
}

/** The texts of changes of many devices. */
export const changesCopy = catalogue('changes', {
  titleOf,
  doneOf,
  section: 'Change of devices',
  undoOf: (title: string) => `Undo: ${title}`,
  undone: (n: number) => `${devices(n)} got back what they had`,
  progress: (done: number, total: number) => `${done.toLocaleString('en')} of ${devices(total)}`,
  failed: (n: number) => `${devices(n)} ${n === 1 ? 'was' : 'were'} not changed.`,
  notChanged: 'Nothing was changed',
  show: 'Show',
  undo: 'Undo',
  cancel: 'Cancel change',
  notCancelled: 'The change was not cancelled',
  notUndone: 'The change was not undone',
  reading: 'Reading what would change…',
  changes: (eligible: number, matched: number) =>
    eligible === matched
      ? `${devices(eligible)} ${eligible === 1 ? 'changes' : 'change'}`
      : `${eligible.toLocaleString('en')} of ${devices(matched)} ${eligible === 1 ? 'changes' : 'change'}`,
  more: (n: number) => `and ${n.toLocaleString('en')} more`,
  pendingBefore: (n: number) => count(n, 'certificate waits', 'certificates wait'),
  accepted: 'accepted',
  none: 'none',
  leftOut: (n: number, reason: string) => `${n.toLocaleString('en')} left out: ${reason}`,
  connected: (n: number) => `${devices(n)} ${n === 1 ? 'is' : 'are'} connected now.`,
  needsOwner: 'On so many devices only an owner of the project may do this.',
  typeToConfirm: (text: string) => `Type “${text}” to confirm`,
  counted: devices,
  rename: {
    title: (n: number) => `Rename ${devices(n)}`,
    titleAll: 'Rename all devices that match',
    verb: 'Rename',
    pattern: 'Pattern',
    hint: '{hostname} is the hostname of each device, {n} its number in the order of names.',
  },
  accept: {
    title: (n: number) => `Accept certificates of ${devices(n)}`,
    titleAll: 'Accept certificates of all devices that match',
    text: 'Accepts each certificate that waits now, without a look at its fingerprint. Later ones wait again.',
    verb: 'Accept certificates',
  },
  delete: {
    title: (n: number) => `Delete ${devices(n)}`,
    titleAll: 'Delete all devices that match',
    text: 'This deletes these devices with all their data and cannot be undone. Those whose agents still run come back as new devices that wait to be accepted, for 30 days whatever their deployment tokens say.',
    verb: 'Delete',
  },
  page: {
    meta: (who: string) => `by ${who}`,
    all: 'All',
    statuses: { Pending: 'Waiting', Done: 'Changed', Failed: 'Not changed' },
    columns: { name: 'Device', status: 'Result', before: 'Before', after: 'After', reason: 'Why not' },
    csvName: 'change-of-devices',
    emptyTitle: 'No devices',
    emptyText: 'The results are deleted when the project has a hundred newer changes.',
  },
});
