import { catalogue } from '../../copy/catalogue.ts';
import { count } from '../../copy/count.ts';

const number = (n: number) => n.toLocaleString('en');
const alerts = (n: number) => count(n, 'alert', 'alerts');

/** The texts of alerts that several pages use. */
export const alertsCopy = catalogue('alerts', {
  states: { Pending: 'Pending', Firing: 'Firing', Acknowledged: 'Acknowledged', Resolved: 'Resolved' },
  by: (who: string) => `by ${who}`,
  isMuted: 'muted',
  flaps: (n: number) => `unstable, came back ${n === 1 ? 'once' : `${number(n)} times`}`,
  acknowledge: 'Acknowledge',
  acknowledgeOf: (what: string) => `Acknowledge ${what}`,
  acknowledged: (n: number) => `${alerts(n)} acknowledged`,
  notAcknowledged: 'Nothing was acknowledged',
  mute: 'Mute…',
  device: {
    title: (n: number) => (n === 1 ? 'An alert fires' : `${alerts(n)} fire`),
    states: { Firing: 'firing for', Acknowledged: 'acknowledged, for' },
    mute: 'Mute Alerts',
    mutedUntil: 'Alerts of this device are muted until',
    mutedDaily: 'Alerts of this device are muted in some hours of each day.',
    unmute: 'Unmute',
    unmuted: 'Alerts are told again',
    notUnmuted: 'The mute was not ended',
  },
  muting: {
    title: 'Mute alerts',
    text: 'Alerts are still found and listed; nobody is told while they are muted. What still fires at the end is told then.',
    submit: 'Mute',
    done: 'Muted',
    what: 'What',
    all: 'All alerts',
    rule: (name: string) => `The rule “${name}”`,
    device: (name: string) => `The device ${name}`,
    oneRule: 'A rule',
    filter: 'Devices that a filter finds',
    whichRule: 'Rule',
    filterField: 'Filter of the devices',
    filterMissing: 'Write a filter.',
    ruleMissing: 'Choose a rule.',
    until: 'Until',
    untils: {
      hour: 'for 1 hour',
      tomorrow: 'until tomorrow, 8:00',
      week: 'for 1 week',
      date: 'until a date',
      daily: 'in some hours of each day',
    },
    date: 'Date and time',
    dateMissing: 'Choose a date and time that is still to come.',
    hoursMissing: 'Give two different times and a time zone.',
    reason: 'Reason',
    ownersOnly: 'Only owners mute a whole rule or all alerts.',
  },
  bell: {
    label: (n: number) =>
      n === 0 ? 'Alerts: none fire' : `Alerts: ${n >= 1000 ? '1,000 or more' : number(n)} fire`,
    most: '99+',
    none: 'No alert fires.',
    firing: (n: number) =>
      n === 1 ? '1 alert fires' : `${n >= 1000 ? '1,000 or more' : number(n)} alerts fire`,
    acknowledged: (n: number) => `${number(n)} acknowledged`,
    reading: 'Reading…',
    more: (n: number) => `${number(n)} more`,
    instance: 'This hub',
  },
});
