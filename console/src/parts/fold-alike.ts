import type { AuditLogEvent } from '@corral/contract';

/** An entry of a log, and how many of the same kind by the same actor came right before it. */
export interface Activity {
  readonly entry: AuditLogEvent;
  readonly more: number;
  /** Whether there may be even more, which were not read. */
  readonly isCut: boolean;
}

/** Folds entries, newest first, that one actor made one after the other in the same way; devices count as one actor. `hasFurther` says that older ones were not read. */
export function foldAlike(entries: readonly AuditLogEvent[], hasFurther: boolean): Activity[] {
  const folded: { entry: AuditLogEvent; more: number; isCut: boolean }[] = [];
  for (const entry of entries) {
    const last = folded.at(-1);
    if (last !== undefined && keyOf(last.entry) === keyOf(entry)) last.more += 1;
    else folded.push({ entry, more: 0, isCut: false });
  }
  const last = folded.at(-1);
  if (last !== undefined && last.more > 0) last.isCut = hasFurther;
  return folded;
}

const keyOf = ({ event, actor }: AuditLogEvent): string =>
  `${event} ${actor.kind} ${'userId' in actor ? actor.userId : ''}`;
