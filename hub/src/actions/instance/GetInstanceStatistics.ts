import type { Handler } from '../../executor/handler.ts';
import { mustBeAdministrator } from '../../policy/actors.ts';
import { countInstance, lastDays } from '../../store/instance-counts.ts';

/** Counts what the instance has, now and on the last days, for administrators. */
export const GetInstanceStatistics: Handler<'instance_GetInstanceStatistics'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, now }) {
    const counts = await countInstance(tx, now);
    return { ...counts, days: await lastDays(tx, counts, now) };
  },
};
