import { catalogue } from '../../../copy/catalogue.ts';
import { count } from '../../../copy/count.ts';

/** The texts of the sessions of the user. */
export const sessionsCopy = catalogue('sessions', {
  text: 'Every browser in which you are signed in.',
  filter: 'Filter sessions',
  csvName: 'sessions',
  columnBrowser: 'Browser',
  columnAgent: 'User Agent',
  columnAddress: 'From',
  columnCreated: 'Signed In',
  columnUsed: 'Last Used',
  columnExpires: 'Expires',
  columnId: 'Session Id',
  id: 'session ID',
  end: 'End',
  endName: (agent: string) => `End the session of ${agent}`,
  protected: 'This is the session you are working in. Log out to end it.',
  endTitle: 'End session',
  endText: (agent: string) => `${agent} is signed out at once.`,
  ended: 'The session was ended',
  endOthers: 'End all others',
  endOthersTitle: 'End all other sessions',
  endOthersText: (n: number) =>
    `${count(n, 'other session is', 'other sessions are')} signed out at once. This one stays.`,
  othersEnded: (n: number) => `${count(n, 'session was', 'sessions were')} ended`,
  empty: 'No sessions',
});
