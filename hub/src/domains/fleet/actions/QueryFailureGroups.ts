import { ids, type Output } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { shownName } from '../../devices/index.ts';
import { mustSeeFleetOperation } from '../../projects/index.ts';
import { failureExample, failureText } from '../sql/failure-texts.ts';

type Group = Output<'fleet_QueryFailureGroups'>['groups'][number];

interface Row extends Pick<Group, 'text' | 'example' | 'count' | 'status'> {
  readonly step_index: number;
  readonly devices: readonly { readonly id: string; readonly name: string | null }[];
}

const mostGroups = 50;
const mostInSample = 5;

/** Groups the failed devices by their errors; ids, numbers and addresses in them count as equal. The example of a group is what its first device said. */
export const QueryFailureGroups: Handler<'fleet_QueryFailureGroups'> = {
  authorize: ({ tx, actor, input }) => mustSeeFleetOperation(tx, actor, input.fleetOperationId),

  async run({ tx, input }) {
    const { rows } = await sql<Row>`
      with failed as (
        select o.device_operation_id, o.device_id, o.status, o.step_index, ${failureText} as text
        from device_operations o where o.fleet_operation_id = ${ids.fleetOperation.raw(input.fleetOperationId)} and o.is_latest
          and o.status in ('Failed', 'TimedOut')
      ), grouped as (
        select text, status, step_index, count(*) as count, (array_agg(device_id order by device_id))[1:${sql.lit(mostInSample)}] as sample,
          (array_agg(device_operation_id order by device_id))[1] as first
        from failed group by text, status, step_index order by count(*) desc, text limit ${sql.lit(mostGroups)}
      )
      select g.text, g.status, g.step_index, g.count, (
        select ${failureExample} from device_operations o where o.device_operation_id = g.first
      ) as example, (
        select jsonb_agg(jsonb_build_object('id', d.device_id, 'name', ${shownName}) order by d.device_id) from all_devices d where d.device_id = any(g.sample)
      ) as devices from grouped g order by g.count desc, g.text`.execute(tx);
    return {
      groups: rows.map(({ text, example, count, status, step_index, devices }) => ({
        text,
        example,
        count,
        status,
        stepIndex: step_index,
        sample: devices.map(({ id, name }) => ({
          deviceId: ids.device.of(id),
          ...(name === null ? {} : { name }),
        })),
      })),
    };
  },
};
