import { ActionError, ids, windowProblem, type Input } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler } from '../../../calls/handler.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { readDeviceFilter } from '../../devices/index.ts';
import { mustOwn, mustSeePlace, type Place } from '../policy/access.ts';
import { ofProject } from '../policy/event-data.ts';
import { addMute } from '../sql/mutes.ts';
import { isDeviceOf, isRuleOf } from '../sql/muted-things.ts';

/** Mutes alerts: members those of devices, owners also rules and whole projects. */
export const Mute: Handler<'alerts_Mute', Place> = {
  authorize: ({ tx, actor, input }) => mustSeePlace(tx, actor, input.projectId),

  async run({ tx, db, input, actor, now, emit }, place) {
    const { projectId } = place;
    const { ruleId, deviceId, until, window, reason } = input;
    mustEnd(input, now);
    const filter = input.filter && (await someFilter(tx, input.filter, { place, now, db }));
    if (deviceId === undefined && filter === undefined) mustOwn(place);
    if (ruleId !== undefined && !(await isRuleOf(tx, projectId, ids.alertRule.raw(ruleId))))
      throw notFound('Alert rule');
    if (deviceId !== undefined && !(await isDeviceOf(tx, projectId, ids.device.raw(deviceId))))
      throw notFound('Device');
    const rawId = await addMute(tx, {
      projectId,
      ruleId: ruleId && ids.alertRule.raw(ruleId),
      deviceId: deviceId && ids.device.raw(deviceId),
      filter,
      until,
      window,
      reason,
      actor,
      now,
    });
    const muteId = ids.alertMute.of(rawId);
    const about = { ...(ruleId && { ruleId }), ...(filter && { filter }) };
    emit('alerts_Muted', {
      ...ofProject(projectId),
      muteId,
      ...about,
      ...(deviceId && { mutedDeviceId: deviceId }),
    });
    return { muteId };
  },
};

function mustEnd({ until, window }: Input<'alerts_Mute'>, now: Date): void {
  if ((until === undefined) === (window === undefined))
    throw new ActionError(
      'Invalid',
      'Give a time until which it is muted, or a window of each day: one of both.',
    );
  if (until !== undefined && Date.parse(until) <= now.getTime())
    throw new ActionError('Invalid', 'It can be muted until a time in the future only.');
  const problem = window && windowProblem(window);
  if (problem !== undefined) throw new ActionError('Invalid', problem);
}

/** A filter that selects some devices; undefined for one that selects all. */
async function someFilter(
  tx: Database,
  filter: string,
  { place: { projectId }, now, db }: { readonly place: Place; readonly now: Date; readonly db: Database },
): Promise<string | undefined> {
  if (projectId === null)
    throw new ActionError('Invalid', 'Alerts of the instance are not about devices that a filter finds.');
  return (await readDeviceFilter(tx, filter, { projectId, now, db })) && filter;
}
