import { ids } from '@corral/contract';
import { type InternalRunner, systemCaller } from '../../../calls/handler.ts';
import { repeat } from '../../../platform/concurrency/repeat.ts';
import type { LogFields } from '../../../platform/log/log-fields.ts';
import { DeferRule } from '../internal/DeferRule.ts';
import { FindDueRules } from '../internal/FindDueRules.ts';
import { LookAtRule } from '../internal/LookAtRule.ts';
import { NoteWatch } from '../internal/NoteWatch.ts';

const tickMs = 1_000;

interface TickParts {
  readonly executor: InternalRunner;
  readonly log: { warn(fields: LogFields, message: string): void };
}

/** Looks at all alert rules whose turn it is, one after the other; what another node looks at is left to it. */
export async function lookAtRules(
  { executor, log }: TickParts,
  isStopped: () => boolean = () => false,
): Promise<void> {
  await executor.run(systemCaller, NoteWatch);
  for (const ruleId of await executor.run(systemCaller, FindDueRules)) {
    if (isStopped()) return;
    try {
      await executor.run(systemCaller, LookAtRule, { ruleId });
    } catch (error) {
      log.warn(
        { err: error, ruleId: ids.alertRule.of(ruleId) },
        'an alert rule could not be looked at and rests for a minute',
      );
      await executor.run(systemCaller, DeferRule, { ruleId });
    }
  }
}

/** Looks at alert rules each second; each node does so. */
export function startAlertTicks({ executor, log }: TickParts): { stop(): Promise<void> } {
  let isStopped = false;
  // By itself: looks at large fleets may take so long that it would seem that no hub was there.
  const stopNotes = repeat(() => executor.run(systemCaller, NoteWatch), tickMs, log);
  const stopTicks = repeat(() => lookAtRules({ executor, log }, () => isStopped), tickMs, log);
  return {
    async stop() {
      isStopped = true;
      await Promise.all([stopNotes(), stopTicks()]);
    },
  };
}
