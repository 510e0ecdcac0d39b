/** How far a page has followed the changes of the hub, as the id of a message: the process of the hub that numbers them, and a number. */
export interface LiveCursor {
  /** undefined: nothing is known, or the reads so far were of several processes. */
  current(): string | undefined;
  /** Notes where the changes stood before a read. What counts is the earliest of the reads before the first message. */
  noteRead(cursor: string): void;
  /** Notes the newest message that has arrived. */
  moveTo(cursor: string): void;
}

/** Creates the cursor of a page that has read nothing. */
export function createLiveCursor(): LiveCursor {
  let earliest: string | undefined;
  let isMixed = false;
  let newest: string | undefined;
  return {
    current: () => newest ?? (isMixed ? undefined : earliest),
    noteRead(cursor) {
      if (newest !== undefined) return;
      isMixed ||= earliest !== undefined && processOf(earliest) !== processOf(cursor);
      if (earliest === undefined || hasReached(earliest, cursor)) earliest = cursor;
    },
    moveTo: (cursor) => void (newest = cursor),
  };
}

/** Whether a cursor is as far as another one, or farther. Those of different processes cannot be compared: then it is not. */
export function hasReached(cursor: string, other: string): boolean {
  return processOf(cursor) === processOf(other) && numberOf(cursor) >= numberOf(other);
}

const processOf = (cursor: string): string => cursor.slice(0, cursor.lastIndexOf('-'));
const numberOf = (cursor: string): number => Number(cursor.slice(cursor.lastIndexOf('-') + 1));
