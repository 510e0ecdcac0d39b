import { sql } from 'kysely';

/** SQL of a new raw id: 22 of the 58 symbols. Only for rows that are made by the thousand. */
export const newIdSql = sql<string>`translate(left(encode(uuid_send(gen_random_uuid()), 'base64'), 22), '+/0IOl', 'xyzXYZ')`;
