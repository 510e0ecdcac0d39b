import { z } from 'zod';
import { timestamp, uint32, uint64 } from './scalars.ts';

/** How far back a history reaches, to now: a day in steps of five minutes, a week or 30 days in hours, or a year in days in UTC. */
export const historyRange = z.enum(['Day', 'Week', 'Month', 'Year']);

/** See the schema of the same name. */
export type HistoryRange = z.infer<typeof historyRange>;

/** A figure in each step of a history; null where no hub was there to see it. */
export const seenFigures = z.array(uint32.nullable());

/** A figure of bytes in each step of a history; null as in `seenFigures`. */
export const seenBytes = z.array(uint64.nullable());

/** A number of events in each step of a history, none where no hub was there to store them. */
const storedEvents = z.array(uint32);

/** The steps of a history as columns, oldest first: the n-th value of each column is of the n-th step. */
export const historySteps = {
  /** When the first step begins. */
  from: timestamp,
  stepSeconds: uint32,
  /** Which part of each step that has passed a hub was there to see, 0 to 1. */
  watched: z.array(z.number().min(0).max(1)),
  /** When no hub was there for most of a minute, or, in ranges longer than a day, of a step; nothing is said of the time before the first record. */
  gaps: z.array(z.object({ from: timestamp, to: timestamp })),
  /** When the demo began that invented the figures before, of devices and nodes; absent where nothing is invented. */
  inventedUntil: timestamp.optional(),
  /** Connected devices at the end of each step. */
  connected: seenFigures,
  connectedLow: seenFigures,
  connectedHigh: seenFigures,
  /** Devices that are neither connected nor waiting, at the end of each step. */
  disconnected: seenFigures,
  /** Devices that are not connected and have a pending certificate, at the end of each step. */
  waiting: seenFigures,
  /** The events that happened in each step, by severity. */
  events: z.object({
    Trace: storedEvents,
    Debug: storedEvents,
    Info: storedEvents,
    Warning: storedEvents,
    Error: storedEvents,
    Critical: storedEvents,
  }),
};
