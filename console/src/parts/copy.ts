import { catalogue } from '../copy/catalogue.ts';
import { count } from '../copy/count.ts';

/** What the rows of lists are that are deleted. */
export type Deletable = 'token' | 'device';

const counted = (kind: Deletable, n: number) => count(n, kind, `${kind}s`);

/** The texts of the parts that several features use. */
export const partsCopy = catalogue('parts', {
  view: {
    copyLink: 'Copy link to this view',
    link: 'link to this view',
  },
  membersOnly: {
    title: 'Only members of the repository see this',
    text: 'You may read the repository since it is public, or linked to one of your projects. An owner can invite you.',
  },
  quota: {
    of: (used: string, max: string) => `${used} of ${max}`,
    unlimited: (used: string) => `${used}, no quota`,
  },
  rows: {
    more: 'Load more',
    all: (n: number) => `These are all ${n.toLocaleString('en')}.`,
    firstToFilter: (n: number) =>
      `These are the first ${n.toLocaleString('en')}. A filter finds the others; the command line lists all of them.`,
  },
  filter: {
    property: 'property',
    operators: {
      ':': 'is one of; a* begins with a',
      '=': 'is',
      '!=': 'is not',
      '<': 'less than',
      '<=': 'at most',
      '>': 'more than',
      '>=': 'at least',
    },
    words: {
      has: 'has a value',
      not: 'negates the next condition',
      and: 'both conditions',
      or: 'either condition',
    },
  },
  commands: {
    what: (does: string) => `command: ${does}`,
    install: 'The program is called corral.',
    installLink: 'How to install it',
  },
  bulk: {
    progress: 'Progress',
    list: 'Selected rows',
    tooMany: (max: number) => `Select at most ${max} rows`,
    running: 'running...',
    done: 'done',
    doneOf: (done: number, total: number) => `${done} of ${total}`,
    left: (left: number, total: number) => `Cancelled: ${left} of ${total} were not started.`,
    failed: (names: readonly string[], total: number) =>
      `${names.length} of ${total} failed: ${names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')}.`,
  },
  deletion: {
    title: (kind: Deletable, name: string) => `Delete ${kind} “${name}”`,
    done: (kind: Deletable, name: string) => `${kind === 'token' ? 'Token' : 'Device'} “${name}” was deleted`,
    counted,
    titleOfSeveral: (kind: Deletable, n: number) => `Delete ${counted(kind, n)}`,
    severalDone: (kind: Deletable, n: number) => `${counted(kind, n)} ${n === 1 ? 'was' : 'were'} deleted`,
  },
  mail: {
    missing: 'No emails are sent: this hub has no mail server',
    set: 'Set the mail server',
    ask: 'An administrator of this hub can set one.',
  },
  idWhat: 'ID',
  onlyActor: (actor: string) => `Only ${actor}`,
});
