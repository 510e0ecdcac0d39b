import type { CommandResult } from '../device-commands/run-command.ts';
import type { StepReport } from './Ledger.ts';

const maxErrorBytes = 4_096;

/** What the hub is told of the result of a command. A report has no log, so an error ends with the last lines of it. */
export function reportOf({ status, output, error = '', logTail }: CommandResult): StepReport {
  if (status === 'Ok') return { status: 'Succeeded', ...(output === undefined ? {} : { output }) };
  const room = maxErrorBytes - Buffer.byteLength(error) - 1;
  const tail = tailWithin(printable(logTail.join('').trimEnd()), room);
  return { status: 'Failed', error: tail === '' ? error : `${error}\n${tail}` };
}

/** Without characters that no text of the hub may have. */
const printable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** The last whole lines that have together at most so many bytes. */
function tailWithin(text: string, maxBytes: number): string {
  const lines = text.split('\n');
  let bytes = 0;
  let from = lines.length;
  while (from > 0) {
    bytes += Buffer.byteLength(lines[from - 1] ?? '') + 1;
    if (bytes > maxBytes) break;
    from -= 1;
  }
  return lines.slice(from).join('\n');
}
