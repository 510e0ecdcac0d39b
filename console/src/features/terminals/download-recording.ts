import type { Id } from '@corral/contract';
import type { Run } from '../../data/action-mutation.ts';
import { issueRecordingUrl } from '../../parts/terminal/terminals.ts';

/** Downloads the recording of a terminal as a file. */
export async function downloadRecording(run: Run, sessionId: Id<'terminal'>): Promise<void> {
  const link = document.createElement('a');
  link.href = await recordingPath(run, sessionId);
  link.download = `${sessionId}.cast`;
  link.click();
}

/** An address of the recording of a terminal at this origin, which the hub may know by another name. */
export async function recordingPath(run: Run, sessionId: Id<'terminal'>): Promise<string> {
  const { url } = await run(issueRecordingUrl, { sessionId });
  const { pathname, search } = new URL(url, location.origin);
  return pathname + search;
}
