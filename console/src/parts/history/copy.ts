import { catalogue } from '../../copy/catalogue.ts';
import { count } from '../../copy/count.ts';

/** The texts of what happened over a time. */
export const historyCopy = catalogue('history', {
  rangeLabel: 'Time of the charts',
  ranges: { '24h': '24 h', '7d': '7 d', '30d': '30 d' },
  lastRange: { '24h': 'the last 24 hours', '7d': 'the last 7 days', '30d': 'the last 30 days' },
  eventsPer: { '24h': 'Events per hour', '7d': 'Events per 6 hours', '30d': 'Events per day' },
  invented: (at: string) => `The past before ${at} is invented for this demo.`,
  away: (from: string, to: string) => `the hub was away ${from}–${to}`,
  noRecord: 'no record',
  noEvents: 'No events',
  eventsChart: (range: string, n: number) => `${count(n, 'event', 'events')} in ${range}`,
});
