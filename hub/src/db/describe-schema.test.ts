import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ownDatabase } from '../../test/fresh-database.ts';
import { describeSchema } from './describe-schema.ts';

test('the description of a schema makes the same schema', async () => {
  await using database = await ownDatabase();
  const { db } = database;
  const text = await describeSchema(db);
  await sql`drop schema public cascade; create schema public`.execute(db);
  await sql.raw(text).execute(db);
  expect(await describeSchema(db)).toBe(text);
  expect(text).toContain('CREATE TRIGGER');
});
