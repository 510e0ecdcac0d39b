import { FilterError } from '@corral/contract';
import type { CallContext, Internal } from '../../../calls/handler.ts';
import { reconnectSecs } from '../sql/away.ts';
import { type Found, foundSubjects } from '../sql/found-subjects.ts';
import { fire, writeFound } from '../sql/look.ts';
import { lockDueRule, type LookedRule, recordLook } from '../sql/rules-to-look-at.ts';
import { changedEvent, tellUntold } from '../policy/tell-untold.ts';

interface Given {
  /** The raw id. */
  readonly ruleId: string;
}

/** A look rests so many times longer than it took. On a busy machine one at a thousand devices takes 80 ms, and still is told within five seconds. */
const restFactor = 40;
/** Below two of the ticks in which looks are due. */
const shortestRestMs = 1_500;
const longestRestMs = 60_000;
/** Looks begin this long after those received events that a transaction may still be about to commit. */
const overlapMs = 30_000;

/** Looks at a rule whose turn it is: begins, fires and ends its alerts, and tells whom it tells. */
export const LookAtRule: Internal<Given, void> = {
  name: 'alerts_LookAtRule',
  async run(context) {
    const { tx, input, now, emit } = context;
    const beganMs = performance.now();
    const rule = await lockDueRule(tx, input.ruleId, now);
    if (rule === undefined) return;
    const { hasSeen, changed, problem } = rule.isEnabled ? await look(context, rule) : seenNothing;
    const told = await tellUntold(context, rule);
    if (changed + told > 0) emit('alerts_Changed', changedEvent(rule));
    const restMs = Math.min(
      longestRestMs,
      Math.max(shortestRestMs, (performance.now() - beganMs) * restFactor),
    );
    await recordLook(tx, rule.ruleId, {
      at: now,
      nextLookAt: new Date(now.getTime() + restMs),
      hasSeen,
      problem,
    });
  },
};

interface Seen {
  readonly hasSeen: boolean;
  readonly changed: number;
  readonly problem: string | undefined;
}

const seenNothing: Seen = { hasSeen: false, changed: 0, problem: undefined };

async function look({ tx, db, now }: CallContext<Given>, rule: LookedRule): Promise<Seen> {
  const found = await foundBy({ tx, db, now }, rule);
  if (found instanceof FilterError) return { ...seenNothing, problem: found.message };
  const isBlind = found.blindness === 'Window' && isInReconnectWindow(rule, now);
  // A device that has just not come back yet says nothing about what else a filter asks for.
  if (isBlind && rule.condition.kind === 'Matching') return seenNothing;
  const changed = await writeFound(tx, { rule, found, now });
  const fired = isBlind ? 0 : await fire(tx, { rule, found, now });
  return { hasSeen: true, changed: changed + fired, problem: undefined };
}

/** A filter with a mistake names what is no more. */
async function foundBy(
  { tx, db, now }: Pick<CallContext<Given>, 'tx' | 'db' | 'now'>,
  { condition, projectId, cursor }: LookedRule,
): Promise<Found | FilterError> {
  const receivedAfter =
    cursor === null ? undefined : new Date(Math.min(Date.parse(cursor), now.getTime()) - overlapMs);
  try {
    return await foundSubjects(tx, { condition, projectId: projectId ?? undefined, now, db, receivedAfter });
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
}

/** Whether devices may just be coming back, after a time in which no hub was there. */
function isInReconnectWindow({ resumedAt }: LookedRule, now: Date): boolean {
  return resumedAt !== null && now.getTime() < Date.parse(resumedAt) + reconnectSecs * 1000;
}
