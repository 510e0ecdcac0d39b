import { sql } from 'kysely';
import type { Internal } from '../../../calls/handler.ts';
import { applyChange } from '../../devices/index.ts';
import { changeData, nextDevices, readChange, recordResults } from '../sql/changes.ts';

interface Given {
  /** The raw id. */
  readonly changeId: string;
}

/** So many devices are changed in one transaction. */
const changedAtOnce = 200;

/** Changes the next devices of a change in one short transaction, unless another node does it just now. */
export const GoOnWithChange: Internal<Given, { readonly isMore: boolean }> = {
  name: 'fleet_GoOnWithChange',

  async run({ tx, now, emit, input: { changeId } }) {
    const stored = await readChange(
      tx,
      changeId,
      sql`and completed_at is null for no key update skip locked`,
    );
    if (stored === undefined) return { isMore: false };
    const { projectId, change, undoes, createdBy: actor } = stored;
    const targets = await nextDevices(tx, changeId, changedAtOnce);
    const expecting = targets.map(({ expected, ...target }) =>
      undoes === null ? target : { ...target, expected },
    );
    const outcomes = await applyChange({ tx, now, emit, projectId, actor }, change, expecting);
    const results = [...outcomes].map(([id, outcome]) =>
      'problem' in outcome
        ? { id, before: null, after: null, reason: outcome.problem.message }
        : { id, ...outcome, reason: null },
    );
    await recordResults(tx, changeId, results);
    const isMore = targets.length === changedAtOnce;
    if (isMore) emit('fleet_ChangeProgressed', changeData(stored));
    else {
      await sql`update fleet_changes set completed_at = ${now} where change_id = ${changeId}`.execute(tx);
      const failed = stored.failed + results.filter(({ reason }) => reason !== null).length;
      emit('fleet_ChangeFinished', { ...changeData(stored), done: stored.total - failed, failed });
    }
    return { isMore };
  },
};
