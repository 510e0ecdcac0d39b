import type { Output } from '@corral/contract';
import { parseStatement, publicKeyText } from '../../../auth/seal-statement.ts';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeAdministrator } from '../../users/index.ts';
import { existingSigningKey, readStatement } from '../sql/audit-seals.ts';

/** Returns the state of the seals and of the last check. */
export const GetSealState: Handler<'audit_GetSealState'> = {
  authorize: ({ tx, actor }) => mustBeAdministrator(tx, actor),

  async run({ tx, vault }) {
    const last = await readStatement(tx);
    const statement = last && parseStatement(last);
    const key = await existingSigningKey({ tx, vault });
    return {
      seals: statement?.seal ?? 0,
      ...(statement === undefined ? {} : { sealedAt: statement.sealedAt }),
      ...(key === undefined ? {} : { publicKey: publicKeyText(key) }),
      ...(await lastCheck(tx)),
    };
  },
};

async function lastCheck(tx: Database): Promise<Pick<Output<'audit_GetSealState'>, 'check'>> {
  const row = await tx
    .selectFrom('audit_checks')
    .select([
      'requested_at',
      'seals',
      'checked_seals',
      'checked_rows',
      'finished_at',
      'sentence',
      'is_intact',
    ])
    .executeTakeFirst();
  if (row === undefined) return {};
  const { finished_at: finishedAt, sentence, is_intact: isIntact } = row;
  return {
    check: {
      requestedAt: row.requested_at,
      seals: row.seals,
      checkedSeals: row.checked_seals,
      checkedRows: row.checked_rows,
      ...(finishedAt === null ? {} : { finishedAt, sentence: sentence ?? '', isIntact: isIntact === true }),
    },
  };
}
