import { catalogue } from '../../copy/catalogue.ts';

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
  onlyType: (type: string) => `Only ${type}`,
  remove: (what: string) => `Remove the filter ${what}`,
  typeIs: 'Type',
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
