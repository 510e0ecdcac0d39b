import { ids, type Id } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { addServedBytes } from '../sql/record-served-bytes.ts';

/** What a node served of the assets of repositories within the last minute. */
interface Served {
  readonly served: readonly { readonly repositoryId: Id<'repository'>; readonly bytes: number }[];
}

/** Adds what a node served to the history of its hour and day, beside what others did. */
export const RecordServedBytes: Internal<Served, void> = {
  name: 'instance_RecordServedBytes',
  run: ({ tx, input, now }) =>
    addServedBytes(
      tx,
      input.served.map(({ repositoryId, bytes }) => ({ subject: ids.repository.raw(repositoryId), bytes })),
      now,
    ),
};
