import { catalogue } from '../../../../copy/catalogue.ts';

/** The texts of the timeline of a device. */
export const timelineCopy = catalogue('timeline', {
  tabs: { label: 'Parts of the device', device: 'Device', timeline: 'Timeline' },
  chips: {
    label: 'Kinds of entries',
    all: 'All',
    Connection: 'Connections',
    Refusal: 'Refused',
    Certificate: 'Certificates',
    Event: 'Events',
    Property: 'Properties',
    Operation: 'Operations',
    Alert: 'Alerts',
    Action: 'People',
  },
  jump: 'Jump to a time',
  newest: 'Show the newest',
  title: 'Timeline',
  loading: 'Loading the timeline...',
  empty: 'Nothing happened.',
  emptyOfKind: 'Nothing of this kind happened.',
  today: 'Today',
  yesterday: 'Yesterday',
  by: (name: string) => `by ${name}`,
  several: (n: number, kind: string) => `${n.toLocaleString('en')} ${kind.toLowerCase()}`,
  why: {
    title: 'Why offline?',
    judged: (time: string) => `judged ${time} from what the hub saw`,
    evidence: 'Evidence',
    checks: 'Three checks, the likeliest first',
    command: (title: string) => `command: ${title}`,
  },
});
