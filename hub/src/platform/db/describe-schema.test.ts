import { readFileSync, readdirSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ownDatabase } from '../../../test/fresh-database.ts';
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

test('every function of the schema, and so every trigger, is named where its result is read', () => {
  const folder = new URL('../../', import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('migrations'))
    .map((path) => readFileSync(new URL(path, folder), 'utf8'));
  const words = new Set(sources.flatMap((source) => source.match(/\w+/g) ?? []));
  const schema = readFileSync(new URL('schema.sql', import.meta.url), 'utf8');
  const functions = [...schema.matchAll(/^CREATE FUNCTION (\w+)/gm)].map(([, name = '']) => name);
  expect(functions.length).toBeGreaterThan(0);
  expect(functions.filter((name) => !words.has(name))).toEqual([]);
});
