import { catalogue } from '../../copy/catalogue.ts';
import { count, countOrMore } from '../../copy/count.ts';

/** Up to here the hub counts commands without success. */
const mostCounted = 1000;

function commands(n: number): string {
  return n < mostCounted
    ? count(n, 'command', 'commands')
    : `${mostCounted.toLocaleString('en')} or more commands`;
}

/** The texts of the log of a project or repository. */
export const logCopy = catalogue('log', {
  project: {
    text: 'Who did what in this project, newest first.',
    emptyText: 'What people and devices do in this project shows here.',
  },
  repository: {
    text: 'Who did what in this repository, newest first.',
    emptyText: 'What people and build machines do in this repository shows here.',
  },
  instance: {
    text: 'Who did what in this instance, newest first.',
    emptyText: 'What people, devices and the hub do in this instance shows here.',
    toAction: 'Show the command',
    toJob: 'Show the job',
  },
  actions: {
    text: 'Every command that was called in this instance and its outcome, newest first.',
    emptyTitle: 'No commands',
    emptyText: 'What people, devices and the hub call shows here.',
    filter: 'Filter commands',
    status: 'Status',
    statuses: 'All',
    counted: (n: number) => countOrMore(n, n >= mostCounted),
    anyTime: 'Any time',
    panicked: (n: number) => `${commands(n)} panicked`,
    failed: (n: number) => `${commands(n)} failed`,
    csvName: 'actions',
    older: 'Load older commands',
    newEntries: (n: string, isOne: boolean) => `${n} new ${isOne ? 'command' : 'commands'}`,
    called: (command: string) => `{who} called “${command}”`,
    calledOn: (command: string, subject: string) => `{who} called “${command}” on {${subject}}`,
    calledFor: (command: string, name: string) => `{who} called “${command}” for {${name}}`,
    toEvents: 'Show its events',
    gone: 'This command is not among those that are loaded.',
    rawWhat: 'command as JSON',
  },
  columns: {
    id: 'ID',
    timestamp: 'Timestamp',
    type: 'Type',
    actor: 'Actor',
    data: 'Data',
    cause: 'Action/Job',
  },
  entryWhat: 'event ID',
  actionWhat: 'action ID',
  jobWhat: 'job ID',
  range: 'Time',
  ranges: { all: 'All', '1h': '1 h', '24h': '24 h', '7d': '7 d', '30d': '30 d' },
  filter: 'Filter entries',
  /** By the names in the grammar of filters. */
  filterFields: {
    event: 'type of the entry',
    actor: 'who did it, such as System or User:u_…',
    created: 'when, or how long ago',
    action: 'name of the command',
    status: 'outcome of the command',
  },
  search: {
    loaded: (n: number) =>
      `Words are searched in all columns of the newest ${n.toLocaleString('en')}, and in the types of older ones.`,
    onlyTypes: 'Beside conditions, words are searched in the types only.',
  },
  onlyType: (type: string) => `Only ${type}`,
  typeIs: 'Type',
  actionIs: 'Command',
  actorIs: 'Actor',
  newEntries: (n: string, isOne: boolean) => `${n} new ${isOne ? 'entry' : 'entries'}`,
  older: 'Load older entries',
  end: 'This is the beginning of the log.',
  open: 'Open',
  raw: 'JSON',
  rawWhat: 'entry as JSON',
  csvName: 'log',
  emptyTitle: 'Nothing has happened yet',
  gone: 'This entry is not among those that are loaded.',
});
