import { catalogue } from '../../copy/catalogue.ts';
import { count } from '../../copy/count.ts';

const number = (n: number) => n.toLocaleString('en');
const alerts = (n: number) => count(n, 'alert', 'alerts');
const upTo = (n: number) => (n >= 1000 ? '1,000+' : number(n));

/** The texts of the page of alerts. */
export const alertPageCopy = catalogue('alertPage', {
  tabs: { label: 'Alerts', firing: 'Firing', history: 'History', rules: 'Rules', muted: 'Muted' },
  summary: (firing: number, acknowledged: number) =>
    firing + acknowledged === 0
      ? 'Nothing fires'
      : `${upTo(firing)} ${firing === 1 ? 'alert fires' : 'alerts fire'}, ${upTo(acknowledged)} acknowledged`,
  text: 'Rules look at devices and operations all the time, and tell people when something is not as it should be.',
  instanceText: 'What administrators should know of this hub: disks, jobs, e-mails and nodes.',
  state: 'State',
  severity: 'Severity',
  all: 'All',
  anySeverity: 'Any severity',
  upTo,
  columns: {
    severity: 'Severity',
    subject: 'About',
    rule: 'Rule',
    state: 'State',
    since: 'Since',
    fired: 'Fired',
    ended: 'Ended',
    lasted: 'Lasted',
    end: 'How It Ended',
  },
  allDevices: 'The devices together',
  id: 'alert ID',
  ends: {
    Recovered: 'by itself',
    SubjectDeleted: 'what it was about is gone',
    RuleChanged: 'the rule was changed',
  },
  notTold: 'not told',
  open: 'Open',
  csvName: 'alerts',
  historyCsv: 'alert-history',
  allThatFire: (n: string) => `all ${n} that fire`,
  allMatching: 'all that match',
  ruleIs: 'Rule',
  deviceIs: 'Device',
  dayIs: 'Fired on',
  emptyTitle: 'Nothing fires',
  emptyText: (rules: number) =>
    rules === 0
      ? 'No rule looks at this project yet. Write one, or begin with one of these and change it later:'
      : `${count(rules, 'rule looks', 'rules look')}. What is found stands here, and its end in the history.`,
  emptyInstance: (rules: number) =>
    rules === 0
      ? 'No rule looks at this hub yet.'
      : `${count(rules, 'rule looks', 'rules look')} at this hub.`,
  historyTitle: 'No alerts in 30 days',
  historyText: 'What has fired is kept here for 30 days.',
  days: {
    title: 'Alerts per day',
    chart: (n: number) => `${alerts(n)} in the last 30 days, by the day on which they fired`,
    none: 'No alerts',
    day: (day: string) => `${day} (UTC)`,
  },
  rules: {
    title: 'Rules',
    name: 'Name',
    what: 'Fires When',
    severity: 'Severity',
    now: 'Fire Now',
    tells: 'Tells',
    told: 'Last Told',
    state: 'State',
    id: 'rule ID',
    csvName: 'alert-rules',
    filter: 'Filter rules',
    states: { on: 'On', off: 'Off', muted: 'Muted', problem: 'Cannot look' },
    mutedUntil: (when: string) => `Muted ${when}`,
    emptyTitle: 'No rules',
    emptyText:
      'A rule says what to look for, and whom to tell. Begin with one of these, and change it later:',
    emptyInstance: 'A rule says what to look for in this hub, and whom to tell.',
    enable: 'Switch On',
    disable: 'Switch Off',
    enabled: (name: string) => `“${name}” looks again`,
    disabled: (name: string) => `“${name}” looks for nothing any more`,
    notChanged: 'The rule was not changed',
    remove: 'Delete Rule',
    removeTitle: (name: string) => `Delete the rule “${name}”`,
    removeText: 'Its alerts are deleted too, also those of the history.',
    removed: (name: string) => `The rule “${name}” was deleted`,
    ownersOnly: 'Only owners change rules.',
  },
  muted: {
    title: 'Muted',
    what: 'What',
    until: 'Until',
    reason: 'Reason',
    by: 'By',
    at: 'Muted',
    id: 'mute ID',
    csvName: 'muted-alerts',
    mute: 'Mute',
    matching: (filter: string) => `Devices that match ${filter}`,
    all: 'All alerts',
    rule: (name: string) => `Rule “${name}”`,
    device: (name: string) => `Device ${name}`,
    daily: (from: string, to: string, zone: string) => `daily ${from}–${to} ${zone}`,
    emptyTitle: 'Nothing is muted',
    emptyText: 'Mute what you know about, such as devices in repair: alerts are found, and nobody is told.',
    unmute: 'Unmute',
    unmuteTitle: (what: string) => `Unmute ${what}`,
    unmuteText: 'What still fires is told at once.',
    unmuted: 'It is told again',
  },
  ready: {
    add: 'Add',
    addOf: (name: string) => `Add the rule “${name}”`,
    added: (name: string) => `“${name}” looks from now on`,
    notAdded: 'The rule was not added',
  },
  acknowledging: {
    allTitle: 'Acknowledge all that fire and match',
    noneFires: 'None of them fires.',
    text: 'No reminders are sent, and others see that you look. They stay listed until what they are about is well again.',
  },
});
