import type { Handler } from '../../../calls/handler.ts';
import { frameOf, readHistory, readNodes } from '../../history/index.ts';
import { mustBeAdministrator } from '../../users/index.ts';

/** Returns what the instance had and how its nodes were over time, for administrators. */
export const QueryHistory: Handler<'instance_QueryHistory'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, input, now }) {
    const frame = frameOf(input.range, now);
    const { steps, ofInstance } = await readHistory(tx, { kind: 'Instance', subject: '' }, frame);
    return { ...steps, ...ofInstance, nodes: await readNodes(tx, frame) };
  },
};
