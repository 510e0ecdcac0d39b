import { type InternalRunner, systemCaller } from '../../../calls/handler.ts';
import type { Outgoing } from '../../../platform/outgoing/open-outgoing.ts';
import { sendLogs, type LogsAnswer } from '../../../platform/outgoing/send-logs.ts';
import { type Batch, ReadBatch } from '../internal/ReadBatch.ts';
import { RecordProgress } from '../internal/RecordProgress.ts';
import type { ExportTask } from '../internal/TakeDueStreams.ts';
import { TrimBacklog } from '../internal/TrimBacklog.ts';

/** What an export needs. */
export interface ExportParts {
  readonly executor: InternalRunner;
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  /** Aborted when the node stops. */
  readonly stopping: AbortSignal;
}

const mostRecords = 2_000;
/** A stream that is behind is given back after so long: what waits is measured when it is taken. */
const longestMs = 30_000;

type Cursor = Batch['cursor'];

/** Sends the records of a taken stream until none is left, the collector takes none, or time is up. */
export async function exportStream(parts: ExportParts, task: ExportTask): Promise<void> {
  const { executor, stopping } = parts;
  const endsAtMs = performance.now() + longestMs;
  let cursor = await withinLimits(parts, task);
  let limit = mostRecords;
  let reading = cursor && read(parts, task, cursor, limit);
  while (cursor !== undefined && reading !== undefined) {
    const batch = await reading;
    const isLast = batch.records === 0 || stopping.aborted || performance.now() > endsAtMs;
    // The next ones are read while these are sent.
    const next = isLast ? undefined : read(parts, task, batch.cursor, limit);
    next?.catch(() => undefined);
    const answer = isLast ? undefined : await send(parts, task, batch);
    const step = outcomeOf(answer, batch, { task, cursor });
    const isHeld = await executor.run(systemCaller, RecordProgress, {
      ...task,
      ...step,
      isHeld: step.isHeld && !isLast,
    });
    if (isLast || !isHeld || !step.isHeld) return;
    const isHalved = answer?.kind === 'Refused' && batch.sent > 1;
    limit = isHalved ? Math.floor(batch.records / 2) : Math.min(mostRecords, limit * 2);
    cursor = step.cursor;
    reading = isHalved ? read(parts, task, cursor, limit) : next;
  }
}

/** The cursor of a stream after too old records, and those of a backlog that is too large, were dropped; undefined if the node has lost it. */
async function withinLimits({ executor }: ExportParts, task: ExportTask): Promise<Cursor | undefined> {
  for (;;) {
    const trimmed = await executor.run(systemCaller, TrimBacklog, task);
    if (trimmed?.isMore !== true) return trimmed?.cursor;
  }
}

function read({ executor }: ExportParts, task: ExportTask, cursor: Cursor, limit: number): Promise<Batch> {
  return executor.run(systemCaller, ReadBatch, { exported: task, cursor, limit });
}

async function send({ outgoing }: ExportParts, task: ExportTask, { sent, body }: Batch): Promise<LogsAnswer> {
  if (sent === 0) return { kind: 'Accepted', rejected: 0, error: undefined };
  return sendLogs(outgoing, task, body);
}

/** What is recorded of an answer. */
function outcomeOf(
  answer: LogsAnswer | undefined,
  { cursor: end, sent, dropped, bytes }: Batch,
  { task, cursor }: { readonly task: ExportTask; readonly cursor: Cursor },
) {
  const nothing = {
    cursor,
    sent: 0,
    dropped: 0,
    setAside: 0,
    bytes: 0,
    error: undefined,
    failure: undefined,
  };
  const done = {
    ...nothing,
    cursor: end,
    dropped,
    bytes,
    isHeld: true,
  };
  switch (answer?.kind) {
    case undefined:
    case 'NotSent':
      return { ...nothing, isHeld: false };
    case 'NotTaken': {
      const { error, retryAfterSecs } = answer;
      return { ...nothing, error, failure: { attempts: task.attempts + 1, retryAfterSecs }, isHeld: false };
    }
    case 'Refused':
      return sent > 1 ? { ...nothing, isHeld: true } : { ...done, setAside: 1, error: answer.error };
    case 'Accepted': {
      const setAside = Math.min(answer.rejected, sent);
      return { ...done, sent: sent - setAside, setAside, error: answer.error };
    }
  }
}
