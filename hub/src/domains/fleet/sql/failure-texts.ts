import { sql, type RawBuilder } from 'kysely';

const longestText = 500;
const names = String.raw`\m(?:[a-z]+_)+[1-9A-HJ-NP-Za-km-z]{22,}\M`;
const uuids = String.raw`\m[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}\M`;
const addresses = String.raw`\m(?:0x)?[0-9a-fA-F]{12,}\M`;

/** SQL of the error of the statement's device operation `o` as people read it; of a long one the beginning. */
export const failureExample: RawBuilder<string> = sql<string>`case when length(o.last_error) > ${sql.lit(longestText)}
  then left(o.last_error, ${sql.lit(longestText)}) || '…' else coalesce(o.last_error, '') end`;

/** SQL of the error of the statement's device operation `o`, in which ids and numbers are replaced, so that those of one cause are equal. */
export const failureText: RawBuilder<string> = sql<string>`regexp_replace(regexp_replace(
  left(coalesce(o.last_error, ''), ${sql.lit(longestText)}), ${sql.lit(`${names}|${uuids}|${addresses}`)}, '…', 'g'), ${sql.lit(String.raw`\d+`)}, '…', 'g')`;
