/** The position of a page in the changes of the hub, as the id of a message: the process of the hub that numbers them, and a number. */
export interface LiveCursor {
  /** undefined: there is no position yet, or the reads so far were answered by several processes. */
  current(): string | undefined;
  /** Notes the position before a read. The earliest of those before the first message counts. */
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

/** Whether a cursor is at or after another one; false for cursors of different processes, which cannot be compared. */
export function hasReached(cursor: string, other: string): boolean {
  return processOf(cursor) === processOf(other) && numberOf(cursor) >= numberOf(other);
}

const processOf = (cursor: string): string => cursor.slice(0, cursor.lastIndexOf('-'));
const numberOf = (cursor: string): number => Number(cursor.slice(cursor.lastIndexOf('-') + 1));
