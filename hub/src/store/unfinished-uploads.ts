import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { amounts } from '../limits/amounts.ts';

/** What a user is told who has begun too many. */
export const tooManyUnfinished = `You have ${amounts.unfinishedUploads.max} unfinished uploads in parts. Finish some, or delete their assets, then try again.`;

/** An upload in parts that is to begin or goes on. Ids are raw. */
interface UploadInParts {
  readonly assetId: string;
  readonly userId: string;
}

/** Notes whose an upload in parts is; false if it would be another one of a user who has too many. Those who begin at the same time may exceed the limit by their number. */
export async function noteUploader(tx: Database, { assetId, userId }: UploadInParts): Promise<boolean> {
  const { rows } = await sql<{ readonly may: boolean }>`
    with noted as (
      update assets set begun_by = ${userId} where asset_id = ${assetId} and begun_by is null
        and (select count(*) from (select 1 from assets where begun_by = ${userId} and status = 'Dangling' limit ${amounts.unfinishedUploads.max}) as l) < ${amounts.unfinishedUploads.max}
      returning 1
    )
    select exists (select from noted) or exists (select from assets where asset_id = ${assetId} and begun_by is not null) as may`.execute(
    tx,
  );
  return rows[0]?.may === true;
}
